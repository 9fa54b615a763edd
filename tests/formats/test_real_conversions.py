"""Real files in every other format that can hold them: the same mentions, entities and scores."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from pathlib import Path

import pytest

import scoref
from scoref import Corpus, Policy
from scoref.formats import find_format, format_of_file, inspect
from scoref.formats.registry import MODULES
from scoref.matching.duplicates_and_singletons import clean
from scoref.matching.same_text import Checks
from tests.sampled import sampled

FILES = {
    "gum/gum.key.conllu": "corefud",
    "gum/xrenner.response.conllu": "corefud",
    "gerdracor/sara_act1.annotator_ak.conll": "conll",
    "openboek/titaantjes.gold.conll": "conll",
    "hypercoref/ecbp.key.conll": "conll",
    "gum/xrenner.response.conll": "conll",
    "gerdracor/sara_act1.annotator_ja.conll": "conll",
    "openboek/titaantjes.dutchcoref.conll": "conll",
    "litbank/key.conll": "conll",
    "litbank/response.conll": "conll",
    "hypercoref/gvc.key.conll": "conll",
    **{f"hypercoref/ecbp.{run}.response.conll": "conll" for run in ("01", "03", "04", "07")},
    **{f"hypercoref/gvc.{run}.response.conll": "conll" for run in ("00", "02", "05", "06")},
}
DEFECTIVE = {"gum/ontogum.key.conll": 11019}
"""The line that closes an entity which was never opened."""

REASONS = ("discontinuous", "which cross", "across sentences", "one document per file", "only")
WRITTEN = [name for name in MODULES if "-" not in name and find_format(name).write]


def test_no_file_is_forgotten(data: Path) -> None:
    """Each is detected from its content, and read without a problem or with a real one."""
    found = {p.relative_to(data).as_posix() for p in data.rglob("*.conll*")}
    found = {name for name in found if not name.startswith(("generated/", "corpora/"))}
    assert found == {*FILES, *DEFECTIVE}
    for name, chosen in FILES.items():
        assert format_of_file(data / name) == chosen
        assert inspect(data / name)[1] == [], name
    for name, line in DEFECTIVE.items():
        assert line in [problem.line for problem in inspect(data / name)[1]]


@lru_cache(4)
def read_cleaned(path: Path) -> Corpus:
    """Read a file with its words; tests of one file follow each other."""
    return clean(scoref.read(path, words=True), Policy()).corpus


@pytest.mark.parametrize(
    ("name", "target"), sampled(product(FILES, WRITTEN), every=16, several=True)
)
def test_a_conversion_keeps_all_or_is_refused(
    data: Path, name: str, target: str, tmp_path: Path
) -> None:
    """And what is refused has a reason that the format gives."""
    corpus = read_cleaned(data / name)
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
    assert format_of_file(out) == target
    again = scoref.read(out, words={"word"})
    assert len(again) == len(corpus)
    how: Checks = "auto" if again.text is None else "always"
    result = scoref.score(corpus, again, ["mentions", "conll", "lea"], check_words=how)
    assert all(score.f1 == 1.0 for score in result.scores.values())
    assert not [note for note in result.notes if "word" in note]


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
