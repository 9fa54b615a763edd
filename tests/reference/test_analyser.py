"""Agreement with the analyser of Kummerfeld & Klein (2013), which SCOREF_ANALYSER names.

Compared are the operations and errors that its functions find in random partitions, and the
summary that it ships for its own sample of four documents.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter, defaultdict
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.analysis.errors import KINDS
from tests.reference import peers

NAMES = {
    "split": "conflated",
    "extra mention": "extra_mention",
    "extra entity": "extra_entity",
    "merge": "divided",
    "missing mention": "missing_mention",
    "missing entity": "missing_entity",
}
Span = tuple[int, int, int]
Clusters = dict[int, list[Span]]


@pytest.fixture(scope="module")
def folder() -> Path:
    """The checkout, if this machine has it."""
    return peers.analyser()


def drawn(seed: random.Random) -> Clusters:
    """Draw a partition of some of fourteen mentions into entities of two or more."""
    clusters = defaultdict(list)
    for at in range(14):
        if seed.random() < 0.75:
            clusters[seed.randrange(5)].append((0, at, at + 1))
    return {number: spans for number, spans in clusters.items() if len(spans) > 1}


def theirs(module: Any, key: Clusters, response: Clusters) -> tuple[Counter[str], Counter[str]]:
    """Return the operations and the errors that the analyser finds."""
    in_key = {span: number for number, spans in key.items() for span in spans}
    in_response = {span: number for number, spans in response.items() for span in spans}
    operations: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    groups = module.coreference.confusion_groups(in_key, in_response, key, response)
    for auto, gold in groups:
        if module.nlp_eval.coreference_cluster_match(gold, auto):
            continue
        rest = (None,) * 3
        changes = module.repair(auto, gold, in_response, set(in_key), *rest, key, in_key, None)
        operations.update({name: len(found) for name, found in changes.items()})
        found = module.categorise(auto, gold, changes, *rest, set(in_key), in_response, None)
        errors.update({NAMES[name]: len(found[name]) for name in NAMES if found[name]})
    return operations, errors


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")
def test_random_partitions(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Operations and errors of 4,000 pairs of partitions, some mentions pronouns."""
    monkeypatch.syspath_prepend(str(folder))
    module = import_module("classify_coreference_errors")
    for name in ("split_merge_properties", "mention_error_properties", "cluster_error_properties"):
        monkeypatch.setattr(module, name, lambda *_: [])
    seed = random.Random(13)  # noqa: S311  # the same documents each time
    for _ in range(4000):
        key, response = drawn(seed), drawn(seed)
        pronouns = {(0, at, at + 1) for at in range(14) if seed.random() < 0.35}

        def kind(span: Span, *_: object, pronouns: set[Span] = pronouns) -> str:
            return "pronoun" if span in pronouns else "name"

        monkeypatch.setattr(module.coreference, "mention_type", kind)
        types = {span: kind(span) for side in (key, response) for s in side.values() for span in s}
        sides = [
            scoref.Corpus.from_entities({"d": list(side.values())}, types=types)
            for side in (key, response)
        ]
        ours = scoref.errors(sides[0], sides[1], mode="kk2013")
        operations, errors = theirs(module, key, response)
        assert Counter(ours.operations) == operations
        assert Counter(ours.counts) == errors
    for name in [name for name in sys.modules if name.split(".")[0] == "nlp_util"]:
        monkeypatch.delitem(sys.modules, name)


def test_its_own_sample(folder: Path, tmp_path: Path) -> None:
    """The summary that it ships: 463 errors from spans to entities, 1,373 operations."""
    key = tmp_path / "key.conll"
    documents = sorted((folder / "data" / "gold").rglob("*gold_conll"))
    key.write_text("".join(path.read_text("utf-8") for path in documents), "utf-8")
    response = folder / "data" / "homogenised" / "stanford.homogenised.out"
    summary = (folder / "data" / "classified" / "stanford.summary").read_text("utf-8")
    said = {name: int(n) for n, name in re.findall(r"^ +(\d+)   (\w.*)$", summary, re.MULTILINE)}
    errors = scoref.errors(key, response, mode="kk2013")
    titles = (
        "Span Error", "Conflated Entities", "Extra Mention", "Extra Entity", "Divided Entity",
        "Missing Mention", "Missing Entity",
    )  # fmt: skip
    assert errors.counts == {kind: said[name] for kind, name in zip(KINDS, titles, strict=True)}
    assert errors.operations == {
        "correct_span": said["Correct Span"],
        "split": said["Split from Cluster"],
        "remove": said["Remove Mention"],
        "introduce": said["Introduce Mention"],
        "merge": said["Merge into Cluster"],
    }
