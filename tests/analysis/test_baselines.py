"""Baseline responses, and writing them in the key's format."""

from __future__ import annotations

from pathlib import Path

import pytest

import scoref
from scoref.analysis.baselines import baseline
from scoref.cli import main
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
