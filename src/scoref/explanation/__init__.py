"""How the scores of a document come about, term by term, in exact fractions.

An explanation counts in fractions and compares its counts and scores with those of the metric.
Numbers that differ are an error and never shown.
"""

from __future__ import annotations

from scoref.explanation.explainers import EXPLAINERS
from scoref.explanation.explanation import LIMIT, Explanation, explain

__all__ = ["EXPLAINERS", "LIMIT", "Explanation", "explain"]
