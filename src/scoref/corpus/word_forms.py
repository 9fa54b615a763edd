"""The normal form of a word: without case, Unicode variants, and forms of quotes and dashes."""

from __future__ import annotations

import unicodedata

_BRACKETS = ("LRB (", "RRB )", "LSB [", "RSB ]", "LCB {", "RCB }")
_ESCAPES = {f"-{name}-".casefold(): bracket for name, bracket in map(str.split, _BRACKETS)}
_QUOTES = str.maketrans(
    {
        **dict.fromkeys("`\u00b4\u2018\u2019\u201a\u2039\u203a", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        "\\": "",
        "\u00ad": "",
    }
)


def same_word(one: str, other: str) -> bool:
    """Whether two words are the same except for their form."""
    return normal_form(one) == normal_form(other)


def normal_form(word: str) -> str:
    """Return the normal form of a word."""
    return _with_plain_marks(word).replace("''", '"').replace("--", "-")


def normal_characters(word: str) -> str:
    """Return the characters of a word in normal form.

    Those of `a` and `b` are those of `ab`, so tokens can be compared that divide a text otherwise.
    """
    return _with_plain_marks(word.replace("\u2014", "--")).replace('"', "''")


def _with_plain_marks(word: str) -> str:
    word = unicodedata.normalize("NFKC", word).casefold()
    return _ESCAPES.get(word, word).translate(_QUOTES)
