"""LightEval: a group of corpus-level metrics, and a task on the samples of a key.

A file such as `my_tasks.py` for `--custom-tasks` has the task:

    from scoref.integrations.lighteval import coreference_task

    TASKS_TABLE = [coreference_task("dev.conll", "dev_samples")]

Each score of a sample is a row of counts. The score of the corpus is that of the sum of all rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any, cast

from lighteval.metrics.metrics_corpus import CorpusLevelComputation
from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import CorpusLevelMetricGrouping
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc, SamplingMethod

from scoref.formats.io.output_files import write_whole
from scoref.integrations.generated_answers import (
    METRICS,
    AnswerScorer,
    CorefSample,
    samples,
    share_kept,
)
from scoref.metrics import MetricLike
from scoref.policy import PolicyLike

_KEPT = "words_kept"


class CountAnswer(SampleLevelComputation):
    """Counts an answer: for each score, the row of counts of its metric."""

    def __init__(self, scorer: AnswerScorer) -> None:
        self.scorer = scorer

    def compute(self, doc: Doc, model_response: ModelResponse, **_: Any) -> dict[str, Any]:
        """Return the counts of the first answer to a document."""
        sample = cast("CorefSample", doc.specific)
        found = self.scorer.count(sample, model_response.final_text[0])
        rows = found["counts"]
        return {
            **{name: rows[metric] for name, (metric, _) in self.scorer.names.items()},
            _KEPT: (found["kept"], found["tokens"]),
        }


class ScoreSum(CorpusLevelComputation):
    """Scores the sum of the counts of all answers: one part of the score of one metric."""

    def __init__(self, scorer: AnswerScorer, metric: str, part: str) -> None:
        self.scorer, self.metric, self.part = scorer, metric, part

    def compute_corpus(self, items: Iterable[Iterable[float]]) -> float:
        """Return the score of all answers together."""
        return float(getattr(self.scorer.score(self.metric, items), self.part))


def coreference_metrics(
    metrics: Iterable[MetricLike] = METRICS, policy: PolicyLike | None = None
) -> CorpusLevelMetricGrouping:
    """Return a group of scores: `muc_recall`, `muc_precision`, `muc_f1` and so on.

    `words_kept` is the share of words that the answers kept.
    """
    scorer = AnswerScorer(metrics, policy)
    scores: dict[str, Any] = {
        name: ScoreSum(scorer, *place) for name, place in scorer.names.items()
    }
    scores[_KEPT] = share_kept
    return CorpusLevelMetricGrouping(
        metric_name=list(scores),
        higher_is_better=dict.fromkeys(scores, True),
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=CountAnswer(scorer),
        corpus_level_fn=scores,
    )


def coreference_prompt(line: dict[str, Any], task_name: str) -> Doc:
    """Return the sample of a line, with its prompt."""
    sample = {name: line[name] for name in CorefSample.__annotations__}
    return Doc(
        query=line["prompt"], choices=[""], gold_index=0, task_name=task_name, specific=sample
    )


def coreference_task(
    key: str | PathLike[str],
    folder: str | PathLike[str],
    *,
    name: str = "scoref_coreference",
    metrics: Iterable[MetricLike] = METRICS,
    policy: PolicyLike | None = None,
    generation_size: int = 8192,
) -> LightevalTaskConfig:
    """Return a task on the documents of a key; its samples are written to a folder."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    with write_whole(Path(folder) / "test.jsonl") as stream:
        for sample in samples(key):
            stream.write((json.dumps(sample, ensure_ascii=False) + "\n").encode())
    return LightevalTaskConfig(
        name=name,
        prompt_function=coreference_prompt,
        hf_repo=str(folder),
        hf_subset="default",
        hf_avail_splits=["test"],
        evaluation_splits=["test"],
        metrics=[coreference_metrics(metrics, policy)],
        generation_size=generation_size,
        stop_sequence=[],
    )
