r"""lm-evaluation-harness: a coreference task on any key file.

    lm_eval run --model hf --model_args pretrained=... --tasks scoref_coreference \
        --include_path "$(python -m scoref.integrations.lm_eval)" --metadata '{"key": "dev.conll"}'

The folder `tasks` has the task as YAML, and the functions that it names. A task of your own
can `include` it, or use `process_results` and `aggregate` from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from scoref.exceptions import UsageError
from scoref.integrations.generated_answers import (
    METRICS,
    AnswerScorer,
    CorefSample,
    samples,
    share_kept,
)

TASKS = str(Path(__file__).parent / "tasks")
"""The folder for `--include_path`."""

_SCORER = AnswerScorer(METRICS)


def load_samples(key: str | None = None, format: str | None = None, **_: Any) -> dict[str, Any]:  # noqa: A002
    """Return the documents of a key as the split `test`."""
    if key is None:
        raise UsageError("the task has no key", """name it: --metadata '{"key": "dev.conll"}'""")
    from datasets import Dataset  # noqa: PLC0415  # a requirement of lm-eval

    return {"test": Dataset.from_list(cast("list[dict[str, Any]]", samples(key, format)))}


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Any]:
    """Return the counts of an answer, for each metric that the task lists."""
    counts = _SCORER.count(cast("CorefSample", doc), results[0])
    return {
        **{name: counts["counts"][metric] for name, (metric, _) in _SCORER.names.items()},
        "words_kept": [counts["kept"], counts["tokens"]],
        "unusable": int(bool(counts["unusable"])),
    }


def aggregate(name: str) -> Callable[[Iterable[Iterable[float]]], float]:
    """Return the aggregation of one score, such as `b3_recall`, over counts of all documents."""
    metric, part = _SCORER.names[name]

    def aggregation(items: Iterable[Iterable[float]]) -> float:
        return float(getattr(_SCORER.score(metric, items), part))

    aggregation.__name__ = name
    return aggregation


def words_kept(items: Iterable[tuple[int, int]]) -> float:
    """Return the share of words that the answers kept."""
    return share_kept(items)


if __name__ == "__main__":
    print(TASKS)  # noqa: T201  # for `lm_eval --include_path`
