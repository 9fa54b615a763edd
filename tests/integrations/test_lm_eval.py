"""The task of lm-evaluation-harness, with a model whose answers are known."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scoref.exceptions import UsageError
from scoref.integrations.lm_eval import TASKS, load_samples
from tests.integrations.conftest import Answers, Equal

lm_eval = pytest.importorskip("lm_eval")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the harness


def evaluate(answers: Answers) -> dict[str, Any]:
    """Run the task, as `lm_eval run --include_path ... --metadata ...` does."""
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Canned(LM):
        def generate_until(self, requests: list[Any]) -> list[str]:
            return [answers.to(request.args[0]) for request in requests]

        def loglikelihood(self, requests: list[Any]) -> list[Any]:
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    tasks = TaskManager(
        include_path=TASKS, include_defaults=False, metadata={"key": str(answers.key)}
    )
    found: dict[str, Any] = lm_eval.simple_evaluate(
        Canned(), tasks=["scoref_coreference"], task_manager=tasks, bootstrap_iters=10
    )
    return found


def test_scores(answers: Answers, equal: Equal) -> None:
    """Counts of samples are added; the mean of the scores of documents would be another number."""
    found = evaluate(answers)
    results = found["results"]["scoref_coreference"]
    scores = {}
    for name, value in results.items():
        metric, _, part = name.removesuffix(",none").rpartition("_")
        if part in ("recall", "precision", "f1"):
            scores[f"{metric}/{part}"] = value
    assert len(scores) == 13
    assert answers.result.fidelity is not None
    assert results["words_kept,none"] == answers.result.fidelity.share_kept
    assert results["unusable,none"] == 0
    equal("lm-evaluation-harness", "lm-eval", "examples/ferry, 2 answers", scores, answers.result)
    samples = found["samples"]["scoref_coreference"]
    assert len(json.loads(json.dumps(samples[0]["conll_f1"]))) == 12


def test_the_folder_is_printed_for_the_shell() -> None:
    """`--include_path "$(python -m scoref.integrations.lm_eval)"`."""
    command = [sys.executable, "-m", "scoref.integrations.lm_eval"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert list(Path(printed.strip()).rglob("*.yaml"))


def test_without_a_key_the_message_says_how_to_name_it() -> None:
    """The flag is easily forgotten."""
    with pytest.raises(UsageError, match="--metadata"):
        load_samples()
