"""The examples of training loops run, and log the scores of `scoref score`."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import pytest

import scoref
from tests.conftest import REPOSITORY
from tests.integrations.conftest import Equal

pytest.importorskip("torch")
EXAMPLES = {"lightning": "lightning_example", "transformers": "trainer_example"}
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the harnesses


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run an example, and return what it logged and its predicted entities."""

    def run(name: str) -> Any:
        monkeypatch.setattr(sys, "path", [str(REPOSITORY / "examples" / "integrations"), *sys.path])
        return importlib.import_module(name).main()

    return run


@pytest.mark.parametrize(
    ("package", "harness", "prefix"),
    [
        ("lightning", "PyTorch Lightning", "dev/"),
        ("transformers", "Hugging Face Trainer", "eval_"),
    ],
)
def test_example(run: Any, equal: Equal, package: str, harness: str, prefix: str) -> None:
    """What is logged at the end is the score of what was predicted at the end."""
    pytest.importorskip(package)
    logged, predicted = run(EXAMPLES[package])
    scores = {
        name.removeprefix(prefix): float(value)
        for name, value in logged.items()
        if name.startswith(prefix) and "/" in name.removeprefix(prefix)
    }
    assert len(scores) == 13
    result = scoref.score(REPOSITORY / "examples" / "ferry" / "key.conll", predicted)
    assert result["conll"].f1 > 0.3
    equal(harness, package, "examples/ferry, 3 epochs", scores, result)
