"""Text of unknown origin, such as a name in a file, made safe to print.

A control character in a name could clear a terminal, hide a line or start another row. It is shown
as the escape that JSON has for it, so escaped JSON is still the same JSON.
"""

from __future__ import annotations

import re

# Control characters, separators of lines, marks that reverse the direction of what follows, and
# halves of characters. The marks that Arabic, Persian or Hindi words need are not among them.
_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible(text: str, keep: str = "") -> str:
    """Escape the characters that a terminal or a table would act upon, except those in `keep`."""
    if text.isprintable():
        return text

    def escape(found: re.Match[str]) -> str:
        character = found[0]
        if character in keep:
            return character
        return _SHORT.get(character) or f"\\u{ord(character):04x}"

    return _HIDDEN.sub(escape, text)
