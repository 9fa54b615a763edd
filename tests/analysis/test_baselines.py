"""Baseline responses, and writing them in the key's format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scoref
from scoref.analysis.baselines import baseline
from scoref.cli import main
from scoref.exceptions import UsageError
from scoref.formats import format_of_file

Capture = pytest.CaptureFixture[str]


def groups(kind: str, key: scoref.Corpus) -> list[list[str]]:
    """Return the words of the mentions of each entity of the first document."""
    response = baseline(kind, key)
    assert key.text is not None
    name = key.documents[0].name
    return [
        [" ".join(key.text.words(0, *mention)) for mention in entity]  # type: ignore[misc]
        for entity in response.entities()[name]
    ]


@pytest.fixture
def key(example: Path) -> scoref.Corpus:
    """The key of the example with its words."""
    return scoref.read(example / "key.conll", words=True)


def test_all_singletons_and_one_entity(key: scoref.Corpus) -> None:
    """The two boundaries."""
    alone, together = baseline("all-singletons", key), baseline("one-entity", key)
    assert alone.entity_count == len(key)
    assert together.entity_count == len(key.documents)
    assert scoref.score(key, alone)["mentions"].f1 == 1.0
    assert scoref.score(key, together)["muc"].recall == 1.0


def test_equal_words_corefer_and_pronouns_stay_alone(key: scoref.Corpus) -> None:
    """In each document; heads link more than whole strings."""
    strings, heads = groups("string-match", key), groups("head-match", key)
    for entity in strings:
        assert len({words.casefold() for words in entity}) == 1
        assert len(entity) == 1 or entity[0].casefold() not in {"she", "he", "it", "her", "his"}
    assert len(heads) <= len(strings)
    assert any(len(entity) > 1 for entity in strings)


@pytest.mark.parametrize("kind", ["all-singletons", "one-entity", "head-match", "string-match"])
def test_the_command_writes_what_python_makes(
    capsys: Capture, example: Path, key: scoref.Corpus, tmp_path: Path, kind: str
) -> None:
    """Mentions, entities and words; scoring it needs nothing else."""
    out = tmp_path / "out.conll"
    code = main(["baseline", kind, str(example / "key.conll"), "-o", str(out)])
    assert (code, capsys.readouterr().out) == (0, "")
    written = scoref.read(out, words=True)
    assert written.fingerprint() == baseline(kind, key).fingerprint()
    assert written.text is not None
    assert key.text is not None
    assert written.text.columns["word"] == key.text.columns["word"]
    assert written.text.starts_sentence.tolist() == key.text.starts_sentence.tolist()


def test_words_are_needed(capsys: Capture, tmp_path: Path) -> None:
    """The baselines that compare words report an error without them."""
    path = tmp_path / "x.conll"
    path.write_text("#begin document (d)\n(1)\n(1)\n#end document\n", "utf-8")
    assert main(["baseline", "string-match", str(path), "-o", str(tmp_path / "out")]) == 2
    assert "requires words" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert main(["baseline", "all-singletons", str(path), "-o", str(tmp_path / "out")]) == 0


def test_what_brackets_cannot_say_is_refused(capsys: Capture, tmp_path: Path) -> None:
    """Mentions of one entity that cross or touch would be read back as others."""
    path, out = tmp_path / "x.conll", tmp_path / "out"
    path.write_text("#begin document (d)\n(1\n1)|(2\n2)\n#end document\n", "utf-8")
    assert main(["baseline", "one-entity", str(path), "-o", str(out)]) == 2
    assert "which cross or touch" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("name", ["corefud", "jsonl", "csv"])
def test_the_response_has_the_format_of_the_key(
    capsys: Capture, key: scoref.Corpus, tmp_path: Path, name: str
) -> None:
    """Unless another is asked for; a format that is not written is refused."""
    given, out = tmp_path / "key", tmp_path / "out"
    key.write(given, name)
    assert main(["baseline", "all-singletons", str(given), "-o", str(out)]) == 0
    assert format_of_file(out) == name
    assert main(["baseline", "all-singletons", str(given), "-o", str(out), "--to", "conll"]) == 0
    assert format_of_file(out) == "conll"
    assert main(["baseline", "all-singletons", str(given), "-o", str(out), "--to", "apf"]) == 2
    assert "can be read, but not written" in capsys.readouterr().err


LEMMAS = """document,start,end,entity,topic,head_lemma
a,0,0,x,t1,sink
a,5,5,y,t1,Sink
b,0,1,x,t1,sinking
c,0,0,z,t2,sink
"""


def lemma_entities(corpus: scoref.Corpus, unit: str) -> list[str]:
    """Return the name of the entity of each mention under the lemma baseline."""
    response = baseline("lemma", corpus, unit=unit)
    return [response.entity_names[at] for at in response.entity]


@pytest.mark.parametrize(
    ("unit", "names"),
    [
        ("corpus", ["0", "0", "1", "0"]),
        ("topic", ["0", "0", "1", "2"]),
        ("document", ["0", "0", "1", "2"]),
    ],
)
def test_lemmas_of_a_table(unit: str, names: list[str], tmp_path: Path) -> None:
    """The same lemma without case, in a unit; documents share the names of entities."""
    path = tmp_path / "x.csv"
    path.write_text(LEMMAS)
    assert lemma_entities(scoref.read(path), unit) == names


def test_lemmas_of_words(tmp_path: Path) -> None:
    """The head is found by tags, and its lemma is in a column."""
    path = tmp_path / "x.conll"
    rows = [
        "d 0 0 the DT * the - - - * (1",
        "d 0 1 boats NNS * boat - - - * 1)",
        "d 0 2 boat NN * boat - - - * (2)",
        "d 0 3 of IN * of - - - * -",
        "d 0 4 Ann NNP * - - - - * (3)",
    ]
    text = "\n".join(["#begin document (d); part 000", *rows, "#end document\n"])
    path.write_text(text)
    with pytest.raises(UsageError, match="requires lemmas of heads, but 1 mention of 3 lack one"):
        baseline("lemma", scoref.read(path, words=True))
    path.write_text(text.replace("NNP * -", "NNP * ann"))
    assert lemma_entities(scoref.read(path, words=True), "corpus") == ["0", "0", "1"]


def test_the_sample_of_wec(data: Path, tmp_path: Path, capsys: Capture) -> None:
    """Equal to the response that was made with the same head lemmas."""
    folder, out = data / "corpora" / "crossdoc", tmp_path / "lemma.csv"
    assert main(["baseline", "lemma", str(folder / "wec_sample.csv"), "-o", str(out)]) == 0
    made = scoref.score(folder / "wec_sample.csv", out)
    key, lemmas = (folder / f"wec_sample.{name}.conll" for name in ("key", "headlemma"))
    assert dict(made) == dict(scoref.score(key, lemmas))
    assert main(["baseline", "lemma", str(key), "-o", str(out)]) == 2
    assert "requires lemmas" in capsys.readouterr().err


def test_unit_of_other_baselines(example: Path, tmp_path: Path, capsys: Capture) -> None:
    """Only the lemma baseline crosses documents; a list of mentions is written as OUT says."""
    out = str(tmp_path / "x.conll")
    key = str(example / "key.conll")
    assert main(["baseline", "one-entity", key, "-o", out, "--unit", "corpus"]) == 2
    assert "--unit is not available with one-entity" in capsys.readouterr().err
    path, table = tmp_path / "x.json", tmp_path / "x.csv"
    mention = {"doc_id": "d", "mention_id": 1, "coref_chain": 2, "mention_head_lemma": "a"}
    path.write_text(json.dumps([mention]))
    assert main(["baseline", "lemma", str(path), "-o", str(table)]) == 0
    assert table.read_text() == "document,mention,entity\nd,1,0\n"
