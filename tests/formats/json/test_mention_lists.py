"""Mention lists of Cattan et al. and of WEC."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.exceptions import FormatError, ScorefError
from scoref.formats import format_of_file

CATTAN: list[dict[str, Any]] = [
    {"doc_id": "36_1ecb.xml", "topic": "36", "subtopic": "36_1", "tokens_ids": [3, 4],
     "tokens": "was found", "lemmas": "be find", "cluster_id": 7, "singleton": False},
    {"doc_id": "36_2ecbplus.xml", "topic": "36", "subtopic": "36_0", "tokens_ids": [12],
     "tokens": "Finds", "lemmas": "find", "cluster_id": 7, "singleton": False},
    {"doc_id": "36_1ecb.xml", "topic": "36", "subtopic": "36_1", "tokens_ids": [9, 6],
     "tokens": "took off", "lemmas": "", "cluster_id": "s", "singleton": True},
]  # fmt: skip
WEC: list[dict[str, Any]] = [
    {"coref_chain": 1, "doc_id": "House of Pain", "mention_id": "108172", "tokens_number": [50],
     "mention_head_lemma": "Tour", "predicted_coref_chain": "UNK", "topic_id": -1},
    {"coref_chain": 1, "doc_id": "Ice Cube", "mention_id": 108173, "tokens_number": [50],
     "mention_head_lemma": "Tour", "predicted_coref_chain": "UNK", "topic_id": -1},
]  # fmt: skip


def write(path: Path, rows: list[dict[str, Any]], *, lines: bool = False) -> Path:
    """Write rows as a list, or a row per line."""
    text = "".join(f"{json.dumps(row)}\n" for row in rows) if lines else json.dumps(rows)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("lines", [False, True])
def test_mentions_of_tokens(tmp_path: Path, *, lines: bool) -> None:
    """A mention with a gap has nodes, and the subtopic follows from a name of ECB+."""
    path = write(tmp_path / "x.json", CATTAN, lines=lines)
    assert format_of_file(path) == "mentionlist"
    corpus = scoref.read(path)
    assert corpus.entities() == {
        "36_1ecb.xml": [[(3, 4)], [(6, 9)]],
        "36_2ecbplus.xml": [[(12, 12)]],
    }
    columns = {name: column.tolist() for name, column in corpus.attributes.items()}
    assert columns == {
        "nodes": ["", "", "6 9"],
        "topic": ["36"] * 3,
        "subtopic": ["36_ecb", "36_ecbplus", "36_ecb"],
        "head_lemma": ["find", "find", ""],
    }
    assert list(corpus.entity_names) == ["7", "7", "s"]


@pytest.mark.parametrize(("unit", "entities"), [("topic", 2), ("column=2", 3), ("corpus", 2)])
def test_units(tmp_path: Path, unit: str, entities: int) -> None:
    """Entities have the same name in all documents; a response needs no topics of its own."""
    path = write(tmp_path / "x.json", CATTAN)
    table = tmp_path / "x.csv"
    rows = ["document,start,end,nodes,entity", "36_1ecb.xml,3,4,,a", "36_2ecbplus.xml,12,12,,a"]
    table.write_text("\n".join([*rows, "36_1ecb.xml,6,9,6 9,b\n"]))
    for response in (path, table):
        result = scoref.score(path, response, ["muc", "b3"], unit=unit)
        assert (result.key.entities, result["b3"].f1) == (entities, 1)


def test_units_that_are_not_stated(tmp_path: Path) -> None:
    """A topic of -1 is none, and a document has one topic."""
    path = write(tmp_path / "x.json", WEC)
    with pytest.raises(ScorefError, match=r"no tokens with the column=1 .* and no topic"):
        scoref.score(path, path, unit="topic")
    rows = [{**row, "doc_id": "d", "topic": at, "subtopic": None} for at, row in enumerate(CATTAN)]
    with pytest.raises(FormatError, match="document d with the topic '0' and '1'"):
        scoref.read(write(path, rows))


def test_mentions_with_ids(tmp_path: Path) -> None:
    """Their positions count from the start of a context, so the id is the mention."""
    corpus = scoref.read(write(tmp_path / "x.json", WEC))
    assert corpus.entities() == {"House of Pain": [["108172"]], "Ice Cube": [["108173"]]}
    assert corpus.attributes["head_lemma"].tolist() == ["tour", "tour"]
    assert "topic" not in corpus.attributes


def test_predicted_entities(tmp_path: Path) -> None:
    """They are those of a response; a mention without one is not in the response."""
    key = write(tmp_path / "key.json", WEC)
    rows = [{**row, "predicted_coref_chain": at} for at, row in enumerate(WEC)]
    response = write(tmp_path / "response.json", rows)
    result = scoref.score(key, response, ["muc", "mentions"], unit="corpus")
    assert (result["muc"].f1, result["mentions"].f1) == (0, 1)
    assert any("`predicted_coref_chain` is read, not `coref_chain`" in n for n in result.notes)
    rows[1]["predicted_coref_chain"] = "UNK"
    result = scoref.score(key, write(response, rows), ["mentions"], unit="corpus")
    assert result["mentions"].recall == 0.5
    assert any("1 mention without a predicted entity is not read" in n for n in result.notes)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"doc_id": ""}, "mention 1 with an empty string as `doc_id`"),
        ({"doc_id": None}, "mention 1 with a JSON null as `doc_id`"),
        ({"cluster_id": True}, "mention 1 with a JSON boolean as `cluster_id`"),
        ({"cluster_id": 1.0}, "mention 1 with a JSON number as `cluster_id`"),
        ({"topic": ["a"]}, "mention 1 with a JSON array as `topic`"),
        ({"tokens_ids": []}, r"mention 1 with `tokens_ids` \[\]"),
        ({"tokens_ids": [3, 3]}, r"`tokens_ids` \[3, 3\], expected a list of different positions"),
        ({"tokens_ids": [-1]}, "different positions"),
        ({"tokens_ids": [True]}, "different positions"),
        ({"tokens_ids": 3}, "different positions"),
    ],
)
def test_what_is_refused(change: dict[str, Any], found: str, tmp_path: Path) -> None:
    """With the number of the mention and what was found."""
    path = tmp_path / "x.json"
    with pytest.raises(FormatError, match=found):
        scoref.read(write(path, [{**CATTAN[0], **change}, CATTAN[1]]))


def test_lists_of_other_things(tmp_path: Path) -> None:
    """A field that is missing, mentions of two kinds, no mentions, other values."""
    path = tmp_path / "x.json"
    with pytest.raises(FormatError, match="mention 2 with"):
        scoref.read(write(path, [CATTAN[0], WEC[0]]))
    with pytest.raises(FormatError, match="mention 1 without `coref_chain`"):
        scoref.read(write(path, [{"doc_id": "d", "mention_id": 1}]), "mentionlist")
    with pytest.raises(FormatError, match="no mentions"):
        scoref.read(write(path, []), "mentionlist")
    path.write_text('[1, {"doc_id": "d", "tokens_ids": [0], "cluster_id": 1}]')
    with pytest.raises(FormatError, match="a JSON number, expected an object per mention"):
        scoref.read(path, "mentionlist")


def test_the_samples(data: Path) -> None:
    """Both kinds, in the shape of the real files."""
    folder = data / "corpora" / "formats"
    cattan = scoref.read(folder / "cattan_mentions.json")
    assert cattan.attributes["subtopic"].tolist() == ["36_ecb", "36_ecbplus"]
    assert len(scoref.read(folder / "wec_mentions.json").documents) == 3
