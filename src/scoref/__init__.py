"""Score coreference resolution with every common metric: exact, fast and citable.

>>> import scoref
>>> result = scoref.score({"doc": [["a", "b", "c"]]}, {"doc": [["a", "b"], ["c"]]})
>>> round(result["b3"].recall, 4)
0.5556
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from scoref.base.viewed import bind_views
from scoref.version import __version__ as __version__

if TYPE_CHECKING:
    from scoref.accumulator import Accumulator as Accumulator
    from scoref.analysis.curves import Curves as Curves
    from scoref.analysis.curves import curves as curves
    from scoref.analysis.errors import Errors as Errors
    from scoref.analysis.errors import errors as errors
    from scoref.analysis.estimation import Estimates as Estimates
    from scoref.analysis.estimation import estimate as estimate
    from scoref.analysis.sampling import DrawnSample as DrawnSample
    from scoref.analysis.sampling import sample as sample
    from scoref.analysis.seams import Seams as Seams
    from scoref.analysis.seams import seams as seams
    from scoref.analysis.slices import Slices as Slices
    from scoref.analysis.slices import slices as slices
    from scoref.analysis.stitching import stitch as stitch
    from scoref.analysis.sweep import Sweep as Sweep
    from scoref.analysis.sweep import sweep as sweep
    from scoref.annotators.agreement import agreement as agreement
    from scoref.comparison.comparison import Comparison as Comparison
    from scoref.comparison.comparison import compare as compare
    from scoref.comparison.datasets import compare_datasets as compare_datasets
    from scoref.corpus.builder import CorpusBuilder as CorpusBuilder
    from scoref.corpus.corpus import Corpus as Corpus
    from scoref.exceptions import FormatError as FormatError
    from scoref.exceptions import ScorefError as ScorefError
    from scoref.explanation import Explanation as Explanation
    from scoref.explanation import explain as explain
    from scoref.formats import Format as Format
    from scoref.formats import read as read
    from scoref.key import Key as Key
    from scoref.llm.align import GeneratedAlignment as GeneratedAlignment
    from scoref.llm.align import align as align
    from scoref.metrics import Metric as Metric
    from scoref.metrics.table import Table as Table
    from scoref.pages.report import Report as Report
    from scoref.pages.report import report as report
    from scoref.policy import Policy as Policy
    from scoref.result import Result as Result
    from scoref.result import Score as Score
    from scoref.scoring import score as score

bind_views("scoref.views")

# Names are imported on first use, so that `scoref --version` does not load NumPy, and commands can
# change settings of the process before NumPy is loaded.
_HOMES = {
    "Accumulator": "accumulator",
    "Comparison": "comparison.comparison",
    "Corpus": "corpus.corpus",
    "CorpusBuilder": "corpus.builder",
    "Curves": "analysis.curves",
    "DrawnSample": "analysis.sampling",
    "Errors": "analysis.errors",
    "Estimates": "analysis.estimation",
    "Explanation": "explanation",
    "Format": "formats",
    "FormatError": "exceptions",
    "GeneratedAlignment": "llm.align",
    "Key": "key",
    "Metric": "metrics",
    "Policy": "policy",
    "Report": "pages.report",
    "Result": "result",
    "Score": "result",
    "ScorefError": "exceptions",
    "Seams": "analysis.seams",
    "Sweep": "analysis.sweep",
    "Slices": "analysis.slices",
    "Table": "metrics.table",
    "agreement": "annotators.agreement",
    "align": "llm.align",
    "compare": "comparison.comparison",
    "compare_datasets": "comparison.datasets",
    "curves": "analysis.curves",
    "errors": "analysis.errors",
    "estimate": "analysis.estimation",
    "explain": "explanation",
    "read": "formats",
    "report": "pages.report",
    "sample": "analysis.sampling",
    "score": "scoring",
    "seams": "analysis.seams",
    "slices": "analysis.slices",
    "stitch": "analysis.stitching",
    "sweep": "analysis.sweep",
}

_MODULES = {"presets": "scoref.analysis.presets", "spark": "scoref.spark"}

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604  # the keys are strings


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(_MODULES[name])
    if name not in _HOMES:
        raise AttributeError(f"module 'scoref' has no attribute {name!r}")
    return getattr(import_module(f"scoref.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
