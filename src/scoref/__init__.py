"""Score coreference resolution: every measure the field uses, exact, fast, and citable.

>>> import scoref
>>> result = scoref.score({"doc": [["a", "b", "c"]]}, {"doc": [["a", "b"], ["c"]]})
>>> round(result["b3"].recall, 4)
0.5556
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from scoref.version import __version__

if TYPE_CHECKING:
    from scoref.accumulator import Accumulator as Accumulator
    from scoref.analysis.errors import Errors as Errors
    from scoref.analysis.errors import errors as errors
    from scoref.analysis.explain import Explanation as Explanation
    from scoref.analysis.explain import explain as explain
    from scoref.annotators import agreement as agreement
    from scoref.comparison import Comparison as Comparison
    from scoref.comparison import compare as compare
    from scoref.corpus import Corpus as Corpus
    from scoref.exceptions import FormatError as FormatError
    from scoref.exceptions import ScorefError as ScorefError
    from scoref.formats import read as read
    from scoref.key import Key as Key
    from scoref.metrics import Metric as Metric
    from scoref.policy import Policy as Policy
    from scoref.result import Result as Result
    from scoref.result import Score as Score
    from scoref.scoring import score as score
    from scoref.table import Table as Table

# Names are imported when first used: the command line can then set up the process before
# NumPy is loaded, and `scoref --version` answers without it.
_HOMES = {
    "Accumulator": "accumulator",
    "Comparison": "comparison",
    "Corpus": "corpus",
    "Errors": "analysis.errors",
    "Explanation": "analysis.explain",
    "FormatError": "exceptions",
    "Key": "key",
    "Metric": "metrics",
    "Policy": "policy",
    "Result": "result",
    "Score": "result",
    "ScorefError": "exceptions",
    "Table": "table",
    "agreement": "annotators",
    "compare": "comparison",
    "errors": "analysis.errors",
    "explain": "analysis.explain",
    "read": "formats",
    "score": "scoring",
}

__all__ = [
    "Accumulator",
    "Comparison",
    "Corpus",
    "Errors",
    "Explanation",
    "FormatError",
    "Key",
    "Metric",
    "Policy",
    "Result",
    "Score",
    "ScorefError",
    "Table",
    "__version__",
    "agreement",
    "compare",
    "errors",
    "explain",
    "read",
    "score",
]


def __getattr__(name: str) -> Any:
    if name == "spark":
        return import_module("scoref.spark")
    if name not in _HOMES:
        raise AttributeError(f"module 'scoref' has no attribute {name!r}")
    return getattr(import_module(f"scoref.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
