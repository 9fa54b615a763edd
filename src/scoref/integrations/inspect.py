"""Inspect AI: a coreference task, its scorer, its metric, and its reducer of epochs.

    inspect eval scoref/coreference -T key=dev.conll --model openai/gpt-4o

The score of a sample has its counts as metadata. The metric adds the counts of all samples, since
the mean of the scores of documents is not the score of a corpus.
"""

from __future__ import annotations

from statistics import fmean
from typing import cast

from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Scorer,
    ScoreReducer,
    Target,
    metric,
    score_reducer,
    scorer,
)
from inspect_ai.scorer import Score as InspectScore
from inspect_ai.solver import TaskState, generate

from scoref.exceptions import UsageError
from scoref.integrations.generated_answers import (
    METRICS,
    AnswerCounts,
    AnswerScorer,
    CorefSample,
    samples,
)

_COUNTS = "scoref"
"""The key of the counts in the metadata of a score, and of the sample in that of a sample."""
_DEFAULT = " ".join(METRICS)


@task
def coreference(
    key: str,
    metrics: str = _DEFAULT,
    markup: str = "brackets",
    epochs: int = 1,
    format: str | None = None,  # noqa: A002  # what the command line calls it
) -> Task:
    """Resolve coreference: the model writes each document of a key again, with marked mentions."""
    found = [
        Sample(id=one["doc_id"], input=one["prompt"], metadata={_COUNTS: one})
        for one in samples(key, format)
    ]
    return Task(
        dataset=MemoryDataset(found, name=key),
        solver=generate(),
        scorer=coreference_scorer(metrics, markup),
        epochs=Epochs(epochs, add_counts()),
    )


@metric
def coreference_scores() -> Metric:
    """Score all samples together: `b3/recall`, `conll/f1`, and the share of words kept."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        counts = [one for score in scores for one in _counts(score.score)]
        return AnswerScorer.of(counts).scores(counts)

    return cast("Metric", compute)


@scorer(metrics=[coreference_scores()])
def coreference_scorer(metrics: str = _DEFAULT, markup: str = "brackets") -> Scorer:
    """Align the answer with the words of the sample, and count it."""
    answers = AnswerScorer(metrics.split(), {"markup": markup})

    async def compute(state: TaskState, target: Target) -> InspectScore:  # noqa: ARG001
        sample = cast("CorefSample", state.metadata[_COUNTS])
        answer = state.output.completion
        counts = answers.count(sample, answer)
        return InspectScore(
            value=dict(counts["f1"]),
            answer=answer,
            explanation=counts["unusable"] or None,
            metadata={_COUNTS: [counts]},
        )

    return compute


@score_reducer
def add_counts() -> ScoreReducer:
    """Keep the counts of all epochs of a sample; the built-in reducers keep those of the first."""

    def reduce(scores: list[InspectScore]) -> InspectScore:
        counts = [one for score in scores for one in _counts(score)]
        means = {name: fmean(one["f1"][name] for one in counts) for name in counts[0]["f1"]}
        return scores[0].model_copy(update={"value": means, "metadata": {_COUNTS: counts}})

    return reduce


def _counts(score: InspectScore) -> list[AnswerCounts]:
    """Return the counts of a score, one for each epoch."""
    counts = cast("list[AnswerCounts]", (score.metadata or {}).get(_COUNTS))
    if not counts or (len(counts) == 1 and score.value != counts[0]["f1"]):
        raise UsageError(
            "the counts of some epochs are missing",
            "combine epochs with the reducer scoref/add_counts, the default of scoref/coreference:"
            " --epochs-reducer scoref/add_counts",
        )
    return counts
