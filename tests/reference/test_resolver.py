"""CorefEvaluator in the evaluation loop of a public resolver, which SCOREF_RESOLVER names.

The resolver is coref-hoi (Xu & Choi 2020), a descendant of e2e-coref. Its own run.py and model.py
run, with one line changed; see `run_resolver.py`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

import scoref
from scoref import Policy
from tests.reference import e2e_definition, peers

OLD = "from metrics import CorefEvaluator"
SAME_NUMBERS = "from scoref.compat.e2e import CorefEvaluator"
RIGHT_NUMBERS = "from scoref.compat import CorefEvaluator"
CORPORA = {
    "LitBank": ("litbank/key.conll", "litbank/response.conll", Policy(), 61.80),
    "GUM": ("gum/gum.key.conllu", "gum/xrenner.response.conllu", Policy(), 38.34),
    "OntoGUM": (
        "gum/ontogum.key.conll",
        "gum/xrenner.response.conll",
        Policy(repair="drop-brackets"),
        52.51,
    ),
}
"""Files, how they are read, and the F1 that the old evaluator prints."""


def write_documents(data: Path, corpus: str, path: Path) -> None:
    """Write the documents of a corpus for the resolver, with the names that it expects."""
    *files, policy, _ = CORPORA[corpus]
    sides = [scoref.read(data / name, repair=policy.repair).entities() for name in files]
    rows = [
        {"name": f"{name}_0", "key": entities, "response": sides[1].get(name, [])}
        for name, entities in sides[0].items()
    ]
    path.write_text(json.dumps(rows), "utf-8")


def evaluate(folder: Path, line: str, *more: str) -> str:
    """Return what the loop prints, without the time."""
    program = Path(__file__).with_name("run_resolver.py")
    done = subprocess.run(
        [sys.executable, str(program), str(peers.resolver()), line, "documents.json", *more],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return re.sub(r"^[\d/]+ [\d:]+ - ", "", done.stderr, flags=re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("corpus", CORPORA)
def test_one_line_gives_the_same_numbers(data: Path, tmp_path: Path, corpus: str) -> None:
    """Everything that it prints is the same, to the last digit."""
    write_documents(data, corpus, tmp_path / "documents.json")
    before, after = (evaluate(tmp_path, line) for line in (OLD, SAME_NUMBERS))
    assert "Eval_Avg_F1: " in before
    assert f"Eval_Avg_F1: {CORPORA[corpus][-1]:.2f}" in before
    assert after == before


@pytest.mark.slow
def test_the_other_line_counts_as_the_reference_scorer(data: Path, tmp_path: Path) -> None:
    """With singletons in the key, the average is the CoNLL score of the files.

    The resolver predicts no singletons, so that the response is scored without them.
    """
    write_documents(data, "LitBank", tmp_path / "documents.json")
    shown = evaluate(tmp_path, RIGHT_NUMBERS)
    key = scoref.read(data / "litbank" / "key.conll").entities()
    response = scoref.read(data / "litbank" / "response.conll").entities()
    linked = {name: [one for one in all_ if len(one) > 1] for name, all_ in response.items()}
    expected = scoref.score(key, linked, ["conll"])["conll"].f1
    assert f"Eval_Avg_F1: {100 * expected:.2f}" in shown


@pytest.mark.slow
def test_official_scores_of_the_resolver(data: Path, tmp_path: Path) -> None:
    """It runs scorer.pl and parses its output; `scoref official` in its place prints the same.

    The resolver does not flush the file that it passes on, so that the end of the last document
    is missing. The reference scorer does not notice; `scoref official` does, and goes on.
    """
    reference = peers.reference_scorer()
    write_documents(data, "LitBank", tmp_path / "documents.json")
    scorer = tmp_path / "conll-2012" / "scorer" / "v8.01" / "scorer.pl"
    scorer.parent.mkdir(parents=True)
    commands = (
        f"{reference.perl} {reference.folder / 'scorer.pl'}",
        f"{sys.executable} -m scoref official",
    )
    shown = []
    for command in commands:
        scorer.write_text(f'#!/bin/sh\nexec {command} "$@"\n', "utf-8")
        scorer.chmod(0o755)
        text = evaluate(tmp_path, SAME_NUMBERS, str(data / "litbank" / "key.conll"))
        shown.append([line for line in text.splitlines() if " F1: " in line or "_F1: " in line])
    assert any("Official avg F1: " in line for line in shown[0])
    assert shown[0] == shown[1]


_COUNT = """
import collections, json, sys
from types import SimpleNamespace
import numpy as np
from scipy.optimize import linear_sum_assignment

sys.path.insert(0, sys.argv[1])
sys.modules["sklearn"] = sys.modules["sklearn.utils"] = SimpleNamespace()
sys.modules["sklearn.utils.linear_assignment_"] = SimpleNamespace(
    linear_assignment=lambda cost: np.transpose(linear_sum_assignment(cost))
)
import metrics

found = collections.defaultdict(list)
for document in json.load(sys.stdin):
    response, key = (tuple(map(tuple, side)) for side in document)
    mappings = ({m: one for one in side for m in one} for side in (response, key))
    for_update = response, key, *mappings
    for name in ("muc", "b_cubed", "lea", "ceafe"):
        evaluator = metrics.Evaluator(getattr(metrics, name))
        evaluator.update(*for_update)
        found[name.replace("b_cubed", "b3")].append(list(map(float, evaluator.get_counts())))
print(json.dumps(found))
"""


def test_hostile_documents() -> None:
    """Its own evaluator, and ours: repeats in clusters and across them, singletons, empty sides."""
    random = Random(30)  # noqa: S311  # not a secret
    documents = [e2e_definition.draw_hostile(random) for _ in range(2000)]
    done = subprocess.run(
        [sys.executable, "-c", _COUNT, str(peers.resolver())],
        input=json.dumps(documents),
        capture_output=True,
        text=True,
        check=True,
    )
    responses, keys = (dict(enumerate(side)) for side in zip(*documents, strict=True))
    ours = scoref.score(keys, responses, e2e_definition.METRICS, compat="e2e").counts
    for name, rows in json.loads(done.stdout).items():
        found = ours.rows[name][:, [2, 3, 0, 1]]
        np.testing.assert_allclose(found, rows, rtol=1e-12, atol=1e-12, err_msg=name)
