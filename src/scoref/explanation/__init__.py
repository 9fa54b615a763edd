"""How the scores of a document come about, term by term, in exact fractions.

An explanation computes every measure a second time, in another way than the measure itself,
and compares: counts and scores that are not the same are an error, never shown.
"""

from __future__ import annotations

from scoref.explanation.explanation import Explanation
from scoref.explanation.families import EXPLAINERS
from scoref.explanation.walking import LIMIT, explain

__all__ = ["EXPLAINERS", "LIMIT", "Explanation", "explain"]
