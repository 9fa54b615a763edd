"""Fields: each value, on texts that state what it requires."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.exceptions import UsageError
from scoref.matching.fields import FIELDS
from scoref.matching.pipeline import prepare
from scoref.matching.requirements import Requirements

# Anna, a nurse, is the best doctor. She saw the dog of a boy.
ANNA = """\
# global.Entity = eid-etype-head-other
# newdoc id = en_anna
1 Anna Anna PROPN _ Gender=Fem|Number=Sing 8 nsubj _ Entity=(e1-person-1-(e1-person-1-)
2 , , PUNCT _ _ 4 punct _ _
3 a a DET _ Definite=Ind 4 det _ Entity=(e1-person-2-
4 nurse nurse NOUN _ Number=Sing 1 appos _ Entity=e1)
5 , , PUNCT _ _ 4 punct _ Entity=e1)
6 is be AUX _ _ 8 cop _ _
7 the the DET _ Definite=Def 8 det _ Entity=(e1-person-2-
8 doctor doctor NOUN _ Number=Sing 0 root _ Entity=e1)

1 She she PRON _ Gender=Fem|Number=Sing|Person=3 2 nsubj _ Entity=(e1-person-1-)
2 saw see VERB _ _ 0 root _ _
3 the the DET _ Definite=Def 4 det _ Entity=(e2-animal-2-
4 dog dog NOUN _ Number=Sing 2 obj _ _
5 of of ADP _ _ 7 case _ _
6 a a DET _ Definite=Ind 7 det _ Entity=(e3-person-2-
7 boys boy NOUN _ Number=Plur 4 nmod _ Entity=e3)e2)

"""


@pytest.fixture
def anna(tmp_path: Path) -> Path:
    """A file of CorefUD with mentions inside others."""
    path = tmp_path / "en_anna.conllu"
    lines = [
        line if line.startswith("#") or not line else line.replace(" ", "\t")
        for line in ANNA.split("\n")
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def values(path: Any, name: str) -> list[Any]:
    """Return the values of a field, in the order of the text, the longest mention first."""
    field = FIELDS[name]
    required = Requirements.of((), scoref.Policy(), needs=field.needs, shown=field.columns)
    found: list[Any] = field.values(prepare(path, path, required).alignment).tolist()
    return found


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("gender", ["Fem", "Fem", "", "", "Fem", "", ""]),
        ("number", ["Sing", "Sing", "Sing", "Sing", "Sing", "Sing", "Plur"]),
        ("person", ["", "", "", "", "3", "", ""]),
        ("definite", ["", "", "Ind", "Def", "", "Def", "Ind"]),
        ("appositive", ["no", "no", "yes", "no", "no", "no", "no"]),
        ("copular", ["no", "no", "no", "yes", "no", "no", "no"]),
        ("class", ["person", "person", "person", "person", "person", "animal", "person"]),
        ("depth", [0, 1, 1, 0, 0, 0, 1]),
        ("nested", ["no", "yes", "yes", "no", "no", "no", "no"]),
        ("pronoun", ["none", "none", "none", "none", "she", "none", "none"]),
        ("sentences", [0, -1, 0, 0, 1, -1, -1]),
        ("in_sentence", [0, 0, 2, 6, 0, 2, 5]),
        ("tenth", [1, 1, 2, 5, 6, 7, 9]),
        ("main", ["yes", "yes", "yes", "yes", "yes", "no", "no"]),
        ("chain", ["long", "long", "long", "long", "long", "singleton", "singleton"]),
        ("language", ["en"] * 7),
        ("type", ["name", "name", "nominal", "nominal", "pronoun", "nominal", "nominal"]),
    ],
)
def test_values(anna: Path, field: str, expected: list[Any]) -> None:
    """Of the mentions [Anna, [a nurse],], [Anna], ..., [the dog of [a boys]]."""
    found = values(anna, field)
    rows = scoref.read(anna)
    order = sorted(range(len(rows)), key=lambda at: (rows.start[at], -rows.end[at]))
    assert [found[at] for at in order] == expected


def test_conditions_on_every_field(anna: Path) -> None:
    """Each is a condition of `where`, and known values are checked."""
    for name, field in FIELDS.items():
        if name in ("speaker", "quote", "generic", "genre"):
            continue
        value = "0" if field.is_number else (field.known or ("x",))[-1]
        scoref.score(anna, anna, ["b3"], where=f"{name}!={value}")
    assert scoref.score(anna, anna, ["mentions"], where="gender=Fem").totals("mentions") == {
        "recall_num": 3.0,
        "recall_den": 3.0,
        "precision_num": 3.0,
        "precision_den": 3.0,
    }
    with pytest.raises(UsageError, match="'maybe' is not yes or no"):
        scoref.score(anna, anna, ["b3"], where="main=maybe")


def test_speakers_and_quotes(tmp_path: Path) -> None:
    """A token without a speaker is narration."""
    path = tmp_path / "key.jsonl"
    path.write_text(
        '{"doc_key": "d", "sentences": [["I", "ran"], ["he", "said"]],'
        ' "speakers": [["Tom", "Tom"], ["-", "-"]], "clusters": [[[0, 0], [2, 2]]]}\n',
        encoding="utf-8",
    )
    assert values(path, "speaker") == ["Tom", ""]
    assert values(path, "quote") == ["yes", "no"]


def test_generic_entities() -> None:
    """As ACE states them."""
    key = scoref.Corpus.from_entities(
        {"d": [["a", "b"], ["c"]]}, entities={"d": [{"class": "GEN"}, {"class": "SPC"}]}
    )
    assert values(key, "generic") == ["yes", "yes", "no"]


@pytest.mark.parametrize(
    "name", ["gender", "speaker", "quote", "copular", "class", "generic", "pronoun", "language"]
)
def test_a_file_that_does_not_state_a_field(name: str, tmp_path: Path) -> None:
    """The message says which files do."""
    path = tmp_path / "key.csv"
    path.write_text("document,start,end,entity\nd,1,1,x\nd,3,3,x\n", encoding="utf-8")
    with pytest.raises(UsageError, match="not stated") as error:
        values(path, name)
    assert error.value.hint
