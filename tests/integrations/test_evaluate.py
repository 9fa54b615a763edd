"""The module of Hugging Face evaluate, which takes the place of coval."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.exceptions import ScorefError, UsageError
from scoref.integrations.evaluate import MODULE, compute
from tests.conftest import REPOSITORY
from tests.integrations.conftest import Equal, Pair
from tests.reference.parses import write_parsed_files

COVAL_NAMES = {"bcub": "b3"}
Sentences = list[list[str]]


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The module as `evaluate.load` loads it, without a network."""
    folder = str(tmp_path_factory.mktemp("cache"))
    os.environ.update(HF_EVALUATE_OFFLINE="1", HF_MODULES_CACHE=folder)  # read at the import
    evaluate = pytest.importorskip("evaluate")
    return evaluate.load(MODULE, cache_dir=folder)


def sentences(path: Path) -> Sentences:
    """Return the lines of a CoNLL file as coval takes them, by sentence and without headings."""
    found: Sentences = [[]]
    for line in path.read_text("utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            found.append([])
        else:
            found[-1].append(line)
    return [sentence for sentence in found if sentence]


def as_ours(scores: dict[str, float]) -> dict[str, float]:
    """Return the scores of coval under the names of scoref."""
    names = {name: name.split("/") for name in scores if "/" in name}
    return {
        f"{COVAL_NAMES.get(metric, metric)}/{part}": scores[name]
        for name, (metric, part) in names.items()
    } | {"conll/f1": scores["conll_score"] / 100}


@pytest.mark.filterwarnings("ignore")
class TestModule:
    """Against the real library."""

    def test_lines_of_conll_files(self, module: Any, pair: Pair) -> None:
        """Sentences of sixty documents, in batches; coval's keys, in its order."""
        key, response = sentences(pair.key), sentences(pair.response)
        for at in range(0, len(key), 7):
            module.add_batch(predictions=response[at : at + 7], references=key[at : at + 7])
        scores = module.compute()

        assert list(scores)[-2:] == ["lea/f1", "conll_score"]
        assert scores.pop("conll_score") == 100 * pair.result["conll"].f1
        assert len(scores) == 15
        for name, value in as_ours({**scores, "conll_score": 0.0}).items():
            metric, part = name.split("/")
            if metric != "conll":
                assert value == getattr(pair.result[metric], part), name

    def test_clusters(self, module: Any, pair: Pair, equal: Equal) -> None:
        """Documents of clusters of spans, with metrics of scoref."""
        key, response = (list(x.values()) for x in (pair.key_clusters, pair.response_clusters))
        scores = module.compute(
            predictions=response, references=key, metrics=["muc", "b3", "ceafe", "blanc", "conll"]
        )

        assert len(scores) == 13
        equal("evaluate", "evaluate", "60 documents", scores, pair.result)

    def test_documents_without_clusters(self, module: Any) -> None:
        """They match any feature; the first one with a cluster decides."""
        found = module.compute(
            predictions=[[], [[[0, 1], [2, 2]]]],
            references=[[], [[[0, 1], [2, 2]]]],
            metrics=["b3"],
        )
        assert found["b3/f1"] == 1.0


def test_keywords_of_coval_are_policies(pair: Pair) -> None:
    """`keep_singletons` and `min_span`; documents come from the columns, or are one."""
    key, response = sentences(pair.key), sentences(pair.response)
    dropped = scoref.score(pair.key, pair.response, policy={"singletons": "drop"})
    found = compute(response, key, keep_singletons=False)
    assert found["lea/f1"] == dropped["lea"].f1
    with pytest.raises(UsageError, match="singletons:keep contradicts"):
        compute(response, key, keep_singletons=False, policy={"singletons": "keep"})
    with pytest.raises(ScorefError, match="parse"):
        compute(response, key, min_span=True)


def test_one_document_as_coval_has_it(pair: Pair) -> None:
    """Coval takes all sentences as one document, so entity 1 of two documents is one entity."""
    key, response = sentences(pair.key), sentences(pair.response)
    one = compute(response, key, documents="one")
    assert one["muc/f1"] != pair.result["muc"].f1

    merged: list[dict[str, list[list[int]]]] = []
    for side in (key, response):
        entities: dict[str, list[int]] = {}
        for token, line in enumerate(line for sentence in side for line in sentence):
            if (cell := line.split()[-1]) != "-":
                entities.setdefault(cell, []).append(token)
        merged.append({"all": list(entities.values())})
    assert one["muc/f1"] == scoref.score(merged[0], merged[1])["muc"].f1
    with pytest.raises(UsageError, match="must be one of: columns, one"):
        compute(response, key, documents="two")


def test_headings_name_documents() -> None:
    """Whoever passes them with the lines means them."""
    lines = ["#begin document (x); part 000", "(1)", "-", "(1)", "#end document"]
    again = ["#begin document (y); part 000", "(1)", "(1)", "#end document"]
    found = compute([lines, again], [lines, again], metrics=["mentions", "muc"])
    assert found["muc/f1"] == 1.0


def test_lines_that_are_not_valid_are_refused() -> None:
    """As in a file."""
    good, bad = [["x 0 0 a - (1)"], ["x 0 1 b - (1)"]], [["x 0 0 a - (1"], ["x 0 1 b - (1)"]]
    with pytest.raises(ScorefError, match=r"predictions:2: found `\(1`"):
        compute(bad, good)
    with pytest.raises(UsageError, match="found 2 sentences of references and 1 of predictions"):
        compute(bad[:1], good)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "options",
    [{}, {"keep_singletons": False}, {"NP_only": True}, {"remove_nested": True}],
    ids=str,
)
def test_scores_of_coval(
    module: Any, options: dict[str, bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same numbers as the module `coval`, one document at a time.

    SCOREF_COVAL names a checkout of coval, SCOREF_EVALUATE one of evaluate, which has the module.
    """
    folders = [os.environ.get(name) for name in ("SCOREF_COVAL", "SCOREF_EVALUATE")]
    if None in folders:
        pytest.skip("set SCOREF_COVAL and SCOREF_EVALUATE to checkouts of coval and evaluate")
    monkeypatch.setattr(sys, "path", [str(folders[0]), *sys.path])
    import evaluate

    theirs = evaluate.load(f"{folders[1]}/metrics/coval", cache_dir=str(tmp_path))
    for seed in range(5):
        files = write_parsed_files(tmp_path, seed, 1)
        key, response = (sentences(path) for path in files)
        expected = theirs.compute(predictions=response, references=key, **options)
        found = module.compute(predictions=response, references=key, **options)
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
        assert found.keys() == expected.keys()


def test_the_module_is_part_of_the_package() -> None:
    """`evaluate.load` wants a script of the name of its folder."""
    path = Path(MODULE)
    assert (path / f"{path.name}.py").is_file()
    assert path.is_relative_to(REPOSITORY / "src")
