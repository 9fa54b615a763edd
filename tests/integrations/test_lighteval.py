"""LightEval: its pipeline, with a task of ours and a model whose answers are known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.integrations.conftest import Answers, Equal

pytest.importorskip("lighteval")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the harness

TASKS = """
from scoref.integrations.lighteval import coreference_task

TASKS_TABLE = [coreference_task({key!r}, {folder!r})]
"""
MODEL = """
from lighteval.models.abstract_model import LightevalModel
from lighteval.models.model_output import ModelResponse
from lighteval.utils.cache_management import SampleCache

ANSWERS = {answers!r}


class Canned(LightevalModel):
    tokenizer, add_special_tokens, max_length = None, False, 100_000

    def __init__(self, config):
        self.config, self._cache = config, SampleCache(config)

    def greedy_until(self, docs):
        texts = [ANSWERS[doc.specific["doc_id"]] for doc in docs]
        return [ModelResponse(text=[text], input_tokens=[], output_tokens=[[]]) for text in texts]

    def loglikelihood(self, docs):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood
"""


def test_scores(
    tmp_path: Path, answers: Answers, equal: Equal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole pipeline, with standard errors by its bootstrap, and results that are saved.

    Its own tasks are left out: several of them download files when they are imported.
    """
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.models.custom.custom_model import CustomModelConfig
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
    from lighteval.tasks.registry import Registry

    for name in ("_load_from_files", "_load_from_subdirs"):
        monkeypatch.setattr(Registry, name, staticmethod(lambda *_: {}))
    tasks, model = tmp_path / "tasks.py", tmp_path / "model.py"
    folder = str(tmp_path / "samples")
    tasks.write_text(TASKS.format(key=str(answers.key), folder=folder), "utf-8")
    model.write_text(MODEL.format(answers=answers.texts), "utf-8")
    monkeypatch.chdir(tmp_path)
    pipeline: Any = Pipeline(
        tasks="scoref_coreference",
        pipeline_parameters=PipelineParameters(
            launcher_type=ParallelismManager.NONE,
            custom_tasks_directory=str(tasks),
            bootstrap_iters=10,
        ),
        evaluation_tracker=EvaluationTracker(output_dir=str(tmp_path / "out")),
        model_config=CustomModelConfig(model_name="canned", model_definition_file_path=str(model)),
    )
    pipeline.evaluate()
    pipeline.save_and_push_results()

    results = pipeline.get_results()["results"]["scoref_coreference:0"]
    scores = {}
    for name, value in results.items():
        metric, _, part = name.rpartition("_")
        if part in ("recall", "precision", "f1"):
            scores[f"{metric}/{part}"] = value
    assert len(scores) == 13
    assert answers.result.fidelity is not None
    assert results["words_kept"] == answers.result.fidelity.share_kept
    assert results["conll_f1_stderr"] > 0
    equal("LightEval", "lighteval", "examples/ferry, 2 answers", scores, answers.result)
    (saved,) = (tmp_path / "out").rglob("results_*.json")
    assert json.loads(saved.read_text("utf-8"))["results"]
