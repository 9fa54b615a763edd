"""Names of metrics as LaTeX typesets them: `b3` is B³, with its digit raised.

Views mark names in cells and headers as `MetricName`. In sentences, names are found by their
spelling, except for those that are English words.
"""

from __future__ import annotations

import re

TYPESET = {
    "mentions": "Mentions",
    "muc": "MUC",
    "b3": "B$^3$",
    "ceafm": "CEAF$_m$",
    "ceafe": "CEAF$_e$",
    "ceaf": "CEAF",
    "blanc": "BLANC",
    "lea": "LEA",
    "pairwise": "Pairwise",
    "conll": "CoNLL",
    "rand": "Rand",
    "ari": "ARI",
    "nmi": "NMI",
    "lmuc": "LMUC",
    "lb3": "LB$^3$",
    "lceafm": "LCEAF$_m$",
    "lceafe": "LCEAF$_e$",
    "arcs": "ARCS",
    "mor": "MOR",
    "zero": "Zero",
    "bridging": "Bridging",
    "nonreferring": "Non-referring",
    "ace": "ACE",
}
"""Every built-in metric; metrics of users and packages are written as they are called."""

_WORDS = {"mentions", "pairwise", "rand", "arcs", "zero", "bridging", "nonreferring", "ace"}
_IN_PROSE = re.compile(
    rf"(?<![\w/.\[-])({'|'.join(sorted(TYPESET.keys() - _WORDS, key=len, reverse=True))})"
    r"(?![\w/-]|\.\w|\\_)"
)
_LABEL = re.compile(r"\b(L?CEAF)([me])\b")  # as papers and titles call them


def typeset_metric(escaped: str) -> str:
    """Typeset the name of a metric, which is escaped already; what follows it stays as it is."""
    return re.sub(r"^\w+\b", lambda found: TYPESET.get(found[0].lower(), found[0]), escaped)


def typeset_labels(escaped: str) -> str:
    """Typeset CEAFm and CEAFe wherever a text has them."""
    return _LABEL.sub(r"\1$_\2$", escaped)


def typeset_prose(escaped: str) -> str:
    """Typeset the names of metrics in a sentence."""
    return typeset_labels(_IN_PROSE.sub(lambda found: TYPESET[found[1]], escaped))
