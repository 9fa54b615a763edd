"""Comparisons on real corpora: LitBank, and outputs of a neural system on ECB+ and GVC."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref import Corpus


@pytest.fixture(scope="module")
def litbank(data: Path) -> tuple[Corpus, dict[str, Corpus]]:
    """The key, and ten systems made of one response by moving ever more mentions."""
    response = scoref.read(data / "litbank" / "response.conll")
    systems = {}
    for number in range(10):
        rng = np.random.default_rng(number)
        entity = response.entity.copy()
        moved = np.flatnonzero(rng.random(len(entity)) < 0.004 * number)
        # To the entity of the next mention, which nearly always is of the same document.
        there = response.document[moved] == response.document[(moved + 1) % len(entity)]
        moved = moved[there]
        entity[moved] = response.entity[(moved + 1) % len(entity)]
        systems[f"s{number}"] = replace(response, entity=entity)
    return scoref.read(data / "litbank" / "key.conll"), systems


def test_ten_systems_on_litbank(litbank: tuple[Corpus, dict[str, Corpus]], tmp_path: Path) -> None:
    """Ten thousand trials, eight metrics; from counts alone, the very same."""
    key, systems = litbank
    results = {name: scoref.score(key, system) for name, system in systems.items()}
    found = scoref.compare(None, results)
    assert found.sampling.trials == 10_000
    assert len(found.metrics) == 8
    assert found.systems[0].name == "s0"
    assert found["s0"].scores["conll"].f1 == pytest.approx(0.6939, abs=5e-5)
    assert found["s0"].beats["conll"] != ()
    ranks = [system.rank for system in found.systems]
    assert ranks[0] == 1
    assert ranks[-1] != 1
    for name, result in results.items():
        result.save_counts(tmp_path / f"{name}.counts.json")
    again = scoref.compare(None, {name: tmp_path / f"{name}.counts.json" for name in systems})
    assert again.to_json() == found.to_json()


@pytest.mark.parametrize("corpus", ["ecbp", "gvc"])
def test_a_corpus_written_as_one_document(data: Path, corpus: str) -> None:
    """Scores, but neither intervals nor tests, and what would make them possible."""
    folder = data / "hypercoref"
    systems = {path.stem: path for path in sorted(folder.glob(f"{corpus}.*.response.conll"))}
    found = scoref.compare(folder / f"{corpus}.key.conll", systems)
    assert len(found.systems) == 4
    assert found.refusal.startswith("intervals and tests require at least 2 documents")
    assert "--unit topic" in found.units.remedy()
    assert all(system.rank is None for system in found.systems)


def test_topics_as_units(data: Path) -> None:
    """The remedy works: the same scores, and now with ranks, letters and intervals."""
    folder = data / "hypercoref"
    metrics = ["muc", "b3", "ceafe", "lea", "conll"]
    files = sorted(folder.glob("ecbp.*.response.conll"))
    whole = scoref.compare(folder / "ecbp.key.conll", {p.stem: p for p in files}, metrics)
    policy = scoref.Policy(unit="topic")
    key = folder / "ecbp.key.conll"
    found = scoref.compare(key, {p.stem: p for p in files}, metrics, policy=policy)
    for system in whole.systems:
        for metric in metrics:
            assert found[system.name].scores[metric].f1 == pytest.approx(system.scores[metric].f1)
    assert [system.rank for system in found.systems] == [1, 2, 2, 4]
    assert found.systems[0].beats["conll"] == ("b", "c", "d")
    assert all(pair.exact for pair in found.pairs["conll"])
    assert found.cautions[0].startswith("few documents: 10 documents count as")
