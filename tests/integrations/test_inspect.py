"""The task, scorer, metric and reducer of Inspect AI, with a model whose answers are known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.integrations.conftest import Answers, Equal

inspect_ai = pytest.importorskip("inspect_ai")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the harness


def evaluate(folder: Path, answers: Answers, **keywords: Any) -> Any:
    """Run the task by its registered name, as `inspect eval scoref/coreference -T key=...` does."""
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def answer(messages: Any, *_: Any) -> Any:
        output = ModelOutput.from_content("canned", answers.to(messages[-1].text))
        output.usage = ModelUsage()  # else a tokeniser is downloaded, to count tokens
        return output

    (log,) = inspect_ai.eval(
        "scoref/coreference",
        task_args={"key": str(answers.key)},
        model=get_model("mockllm/model", custom_outputs=answer),
        display="none",
        log_dir=str(folder),
        **keywords,
    )
    return log


def scores_of(log: Any) -> dict[str, float]:
    """Return the metrics of a log."""
    return {name: metric.value for name, metric in log.results.scores[0].metrics.items()}


def test_scores(tmp_path: Path, answers: Answers, equal: Equal) -> None:
    """Counts are in the metadata of each sample, and are added by the metric."""
    log = evaluate(tmp_path, answers)
    assert log.status == "success", log.error
    scores = scores_of(log)
    assert answers.result.fidelity is not None
    assert scores.pop("words_kept") == answers.result.fidelity.share_kept
    assert scores.pop("unusable") == 0
    assert len(scores) == 13
    equal("Inspect AI", "inspect-ai", "examples/ferry, 2 answers", scores, answers.result)
    for sample in log.samples:
        score = sample.scores["coreference_scorer"]
        (counts,) = score.metadata["scoref"]
        expected = answers.result.documents[sample.id]["conll"].f1
        assert score.value["conll"] == counts["f1"]["conll"] == expected
        assert len(counts["counts"]["conll"]) == 12


def test_epochs_are_added(tmp_path: Path, answers: Answers) -> None:
    """All answers count. The reducers of Inspect would keep the counts of the first epoch."""
    other = answers._replace(texts=dict(answers.texts))
    calls: list[str] = []

    def varying(prompt: str) -> str:
        calls.append(prompt)
        return answers.to(prompt) if len(calls) <= 2 else ""

    class Varying(Answers):
        def to(self, prompt: str) -> str:
            return varying(prompt)

    log = evaluate(tmp_path, Varying(*other), epochs=2, max_connections=1, max_samples=1)
    assert log.status == "success", log.error
    assert log.eval.config.epochs_reducer == ["scoref/add_counts"]
    assert len(calls) == 4
    assert 0 < scores_of(log)["muc/recall"] < answers.result["muc"].recall

    calls.clear()
    reduced = inspect_ai.Epochs(2, "mean")
    log = evaluate(tmp_path, Varying(*other), epochs=reduced, max_connections=1, max_samples=1)
    assert log.status == "error"
    assert "the counts of some epochs are missing" in log.error.message
