"""Real files in every other format that can hold them: the same mentions, entities and scores."""

from __future__ import annotations

from pathlib import Path

import pytest

import scoref
from scoref import Policy
from scoref.cleaning import clean
from scoref.formats import MODULES, find_format

FILES = (
    "gum/gum.key.conllu",
    "gum/xrenner.response.conllu",
    "gerdracor/sara_act1.annotator_ak.conll",
    "openboek/titaantjes.gold.conll",
    "hypercoref/ecbp.key.conll",
)
REASONS = ("discontinuous", "which cross", "across sentences", "one document in a file", "only")
WRITTEN = [name for name, home in MODULES.items() if "." not in home and find_format(name).write]


@pytest.mark.parametrize("target", WRITTEN)
@pytest.mark.parametrize("name", FILES)
def test_a_conversion_keeps_all_or_is_refused(
    data: Path, name: str, target: str, tmp_path: Path
) -> None:
    """And what is refused has a reason that the format gives."""
    corpus = clean(scoref.read(data / name, words=True), Policy(), "key").corpus
    out = tmp_path / f"out{find_format(target).suffix}"
    refused = ""
    try:
        corpus.write(out, target)
    except scoref.ScorefError as error:
        refused = str(error)
    assert bool(refused) != out.exists()
    if refused:
        assert any(reason in refused for reason in REASONS), refused
        return
    again = scoref.read(out)
    assert len(again) == len(corpus)
    result = scoref.score(corpus, again, ["mentions", "conll", "lea"])
    assert all(score.f1 == 1.0 for score in result.scores.values())


def test_a_key_and_a_response_of_different_formats(data: Path, tmp_path: Path) -> None:
    """CorefUD against JSON lines: the same scores as before."""
    key, response = data / "gum" / "gum.key.conllu", data / "gum" / "xrenner.response.conllu"
    corpus = scoref.read(response, words=True)
    try:
        corpus.write(tmp_path / "x.jsonl", "jsonl")
    except scoref.ScorefError:
        plain = corpus.attributes["nodes"] == ""
        corpus = corpus.where(plain)
        corpus.write(tmp_path / "x.jsonl", "jsonl")
    assert scoref.score(key, tmp_path / "x.jsonl").to_csv() == scoref.score(key, corpus).to_csv()
