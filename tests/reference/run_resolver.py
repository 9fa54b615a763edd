"""Run the evaluation loop of coref-hoi, a resolver, on predictions that are given.

    python run_resolver.py CHECKOUT IMPORT DOCUMENTS [CONLL]

IMPORT is the line that replaces `from metrics import CorefEvaluator` in its run.py. DOCUMENTS is a
JSON file with a list of documents: `name`, `key` and `response`, entities of [start, end]. With
the CONLL file of the key, the resolver also calls `conll-2012/scorer/v8.01/scorer.pl` in the
current folder, as it does for its official scores.

Its own code chooses antecedents, builds clusters, calls the evaluator and prints the scores. Only
the network is replaced: a stand-in for PyTorch gives each mention the score 1 for its antecedent.
"""

from __future__ import annotations

import collections
import json
import sys
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import numpy as np
from scipy.optimize import linear_sum_assignment

LINE = "from metrics import CorefEvaluator"


class Tensor(list[Any]):
    """What the loop does with tensors: move them, and turn them into lists."""

    def to(self, _: object) -> Tensor:
        """Return itself, on any device."""
        return self

    def tolist(self) -> Tensor:
        """Return itself, which is a list."""
        return self


def install_stand_ins() -> None:
    """Stand in for packages that the loop imports and does not need for given predictions."""

    def linear_assignment(cost: Any) -> Any:  # scikit-learn removed it in 0.23
        return np.transpose(linear_sum_assignment(cost))

    torch = MagicMock(no_grad=nullcontext)
    torch.nn.Module = object
    sys.modules["sklearn.utils.linear_assignment_"] = SimpleNamespace(  # type: ignore[assignment]
        linear_assignment=linear_assignment
    )
    names = ["nn", "nn.init", "utils", "utils.tensorboard", "optim", "optim.lr_scheduler"]
    names += ["nn.functional", "utils.data"]
    stand_ins = {"torch": torch, "torch.nn": torch.nn, "transformers": MagicMock()}
    stand_ins |= {f"torch.{name}": getattr(torch, name.split(".")[0]) for name in names}
    stand_ins |= {"sklearn": MagicMock(), "sklearn.utils": MagicMock(), "pyhocon": MagicMock()}
    stand_ins |= {"tensorize": MagicMock(), "higher_order": MagicMock(), "util": MagicMock()}
    for name, module in stand_ins.items():
        sys.modules.setdefault(name, module)
    collections.Iterable = collections.abc.Iterable  # type: ignore[attr-defined]  # before 3.10


def load_runner(checkout: Path, line: str) -> ModuleType:
    """Execute run.py of the resolver, with another line for its evaluator."""
    source = (checkout / "run.py").read_text("utf-8")
    if source.count(LINE) != 1:
        raise ValueError(f"expected one line {LINE!r} in run.py")
    module = ModuleType("run")
    exec(compile(source.replace(LINE, line), "run.py", "exec"), module.__dict__)  # noqa: S102
    return module


def predicted_antecedents(entities: list[list[list[int]]]) -> list[Tensor]:
    """Return what the network would: spans, antecedents, and the score of each antecedent.

    A mention of several entities has an antecedent in the last of them.
    """
    entity_of = {(start, end): at for at, one in enumerate(entities) for start, end in one}
    spans = sorted(entity_of)
    last: dict[int, int] = {}
    antecedents, scores = [], []
    for at, span in enumerate(spans):
        antecedent = last.get(entity_of[span], -1)
        antecedents.append([max(antecedent, 0)])
        scores.append([0.5, float(antecedent >= 0)])
        last[entity_of[span]] = at
    starts, ends = ([span[side] for span in spans] for side in (0, 1))
    return [Tensor(column) for column in (starts, ends, antecedents, scores)]


def main(checkout: str, line: str, documents: str, conll: str = "") -> None:
    """Run the loop, which prints its scores to standard error."""
    sys.path.insert(0, checkout)
    install_stand_ins()
    runner = load_runner(Path(checkout), line)
    given = json.loads(Path(documents).read_text("utf-8"))
    predictions = {one["name"]: predicted_antecedents(one["response"]) for one in given}

    class Model(runner.CorefModel):  # type: ignore[misc, name-defined]
        """The model of the resolver without its network: the input is the name of a document."""

        def __init__(self) -> None:
            """Load nothing."""

        def __call__(self, name: list[str]) -> list[Any]:
            """Return the predictions for a document, after three outputs of the network."""
            return [None, None, None, *predictions["".join(name)]]

        def eval(self) -> None:
            """Change nothing."""

        to = eval_ = lambda self, _: self

    stored = {
        "gold": {one["name"]: one["key"] for one in given},
        "subtoken_maps": {one["name"]: range(1 << 20) for one in given},
    }
    examples = [(one["name"], [Tensor(one["name"])]) for one in given]
    runner.Runner.evaluate(
        SimpleNamespace(device="cpu"), Model(), examples, stored, 0,
        official=bool(conll), conll_path=conll or None,
    )  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
