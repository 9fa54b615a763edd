"""Words: both sides must have the same, whatever the format, where they are looked at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scoref
from scoref.cli import main
from scoref.corpus.text import GLIMPSE
from scoref.corpus.word_forms import same_word
from scoref.exceptions import DocumentError
from scoref.matching.same_text import CHECKS, Checks

WORDS = ["Anna", "saw", "the", "old", "man", ".", "She", "slept", "."]
CELLS = ["(0)", "-", "(1", "-", "1)", "-", "(0)", "-", "-"]


def conll(folder: Path, name: str, words: list[str]) -> Path:
    """Write CoNLL columns; the second sentence starts behind a comment and two blank lines."""
    lines = [f"d\t0\t{at}\t{word}\t-\t{CELLS[at]}" for at, word in enumerate(words)]
    lines[6:6] = ["", "", "# the second sentence"]
    path = folder / f"{name}.conll"
    path.write_text("\n".join(["#begin document (d)", *lines, "#end document", ""]), "utf-8")
    return path


def jsonl(folder: Path, name: str, words: list[str]) -> Path:
    """Write JSON lines."""
    path = folder / f"{name}.jsonl"
    value = {
        "doc_key": "d",
        "sentences": [words[:6], words[6:]],
        "clusters": [[[0, 0], [6, 6]], [[2, 4]]],
    }
    path.write_text(json.dumps(value) + "\n", "utf-8")
    return path


def corefud(folder: Path, name: str, words: list[str]) -> Path:
    """Write CorefUD, with a range of words and a comment in between."""
    cells = {0: "(e0-1)", 2: "(e1-3", 4: "e1)", 6: "(e0-1)"}
    lines = ["# newdoc id = d", "# global.Entity = eid-head", "# sent_id = 1", "# text = saw the"]
    for at, word in enumerate(words):
        number = at + 1 if at < 6 else at - 5
        if at == 6:
            lines += ["", "# sent_id = 2"]
        if at == 3:
            lines.append("\t".join(["4-5", "oldman", *"________"]))
        misc = f"Entity={cells[at]}" if at in cells else "_"
        lines.append("\t".join([str(number), word, *"_______", misc]))
    path = folder / f"{name}.conllu"
    path.write_text("\n".join([*lines, "", ""]), "utf-8")
    return path


WRITERS = {"conll": conll, "jsonl": jsonl, "corefud": corefud}
LINES = {"conll": (6, 12), "jsonl": (1, 1), "corefud": (10, 15)}
"""Of the words `man` and `slept`."""


@pytest.mark.parametrize("ours", WRITERS)
@pytest.mark.parametrize("theirs", WRITERS)
def test_other_words_are_refused_in_every_pair_of_formats(
    ours: str, theirs: str, tmp_path: Path
) -> None:
    """With file, line, what was found and what was expected."""
    key = WRITERS[ours](tmp_path, "key", WORDS)
    assert scoref.score(key, key, check_words="always")["conll"].f1 == 1.0
    for at, word in ((4, "woman"), (7, "wept")):
        changed = [word if token == at else old for token, old in enumerate(WORDS)]
        response = WRITERS[theirs](tmp_path, "response", changed)
        if at == 4:  # in a mention of the key
            with pytest.raises(DocumentError, match=f"found `{word}`"):
                scoref.score(key, response)
        else:
            notes = scoref.score(key, response).notes
            assert any(f"found `{word}`" in note for note in notes)
        with pytest.raises(DocumentError) as error:
            scoref.score(key, response, check_words="always")
        which = 0 if at == 4 else 1
        assert error.value.message == (
            f"{response}:{LINES[theirs][which]}: found `{word}` as token {at} of document d,"
            f" expected `{WORDS[at]}` as in {key}:{LINES[ours][which]}"
        )
        assert "--check-words note" in error.value.hint


def test_more_differences_are_counted(tmp_path: Path) -> None:
    """The first is shown."""
    key, response = jsonl(tmp_path, "key", WORDS), jsonl(tmp_path, "other", WORDS[::-1])
    with pytest.raises(DocumentError, match=r"found `\.` as token 0 .*; 7 more words differ"):
        scoref.score(key, response)


def test_by_default_words_are_compared_where_they_are_read_anyway(tmp_path: Path) -> None:
    """Those of JSON lines always are, and the first of CoNLL columns."""
    other = ["Anne", *WORDS[1:]]
    key, response = jsonl(tmp_path, "key", WORDS), jsonl(tmp_path, "response", other)
    with pytest.raises(DocumentError, match="found `Anne` as token 0"):
        scoref.score(key, response)
    with pytest.raises(DocumentError, match="found `Anne` as token 0"):
        scoref.compare(key, {"response": response})
    key, response = conll(tmp_path, "key", WORDS), conll(tmp_path, "response", other)
    typed = scoref.Policy(types="words")
    for refuses in (
        lambda: scoref.score(key, response),
        lambda: scoref.score(key, response, ["lmuc"], typed),
        lambda: scoref.compare(key, {"response": response}, ["lmuc"], typed),
        lambda: scoref.explain(key, response),
        lambda: scoref.compare(key, {"response": response}, check_words="always"),
        lambda: scoref.agreement({"a": key, "b": response}, check_words="always"),
    ):
        with pytest.raises(DocumentError, match="found `Anne` as token 0"):
            refuses()


def test_note_and_never(tmp_path: Path) -> None:
    """The score is the same, as words never change it."""
    other = ["Anne", *WORDS[1:]]
    key, response = jsonl(tmp_path, "key", WORDS), jsonl(tmp_path, "response", other)
    noted = scoref.score(key, response, check_words="note")
    silent = scoref.score(key, response, check_words="never")
    assert noted.signature == silent.signature
    assert noted.to_csv() == silent.to_csv()
    (note,) = noted.notes
    assert note.startswith("1 word differs: ")
    assert note.endswith(f"found `Anne` as token 0 of document d, expected `Anna` as in {key}:1")
    assert not silent.notes


def long(folder: Path, name: str, length: int, other: int) -> Path:
    """Write a long text in JSON lines, some words of which are others."""
    path = folder / f"{name}.jsonl"
    words = [*("x" * other), *("w" * (length - other))]
    value = {"doc_key": "d", "sentences": [words], "clusters": [[[0, 0], [1, 1]]]}
    path.write_text(json.dumps(value) + "\n", "utf-8")
    return path


@pytest.mark.parametrize(("length", "other", "refused"), [(999, 1, 1), (1000, 1, 0), (1999, 2, 1)])
def test_misprints_are_told(length: int, other: int, refused: int, tmp_path: Path) -> None:
    """One word in a thousand can be a correction; who wants to know always hears of it."""
    key, response = long(tmp_path, "key", length, 0), long(tmp_path, "response", length, other)
    if refused:
        with pytest.raises(DocumentError, match="found `x` as token 0"):
            scoref.score(key, response)
    else:
        (note,) = scoref.score(key, response).notes
        assert note.startswith("1 word differs: ")
    with pytest.raises(DocumentError, match="found `x` as token 0"):
        scoref.score(key, response, check_words="always")


def test_the_document_that_is_another_text_is_shown(tmp_path: Path) -> None:
    """Not one before it that has a misprint."""

    def write(name: str, first: str, second: str) -> Path:
        texts = {"a": [first, *"w" * 2000], "b": [second, "w"]}
        lines = [
            json.dumps({"doc_key": at, "sentences": [words], "clusters": [[[0, 0], [1, 1]]]})
            for at, words in texts.items()
        ]
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(lines), "utf-8")
        return path

    with pytest.raises(DocumentError, match=r"found `y` as token 0 of document b.*; 1 more word"):
        scoref.score(write("key", "w", "w"), write("response", "x", "y"))


def test_a_side_without_words(tmp_path: Path) -> None:
    """Nothing can be compared, which is said if it was asked for."""
    key = jsonl(tmp_path, "key", WORDS)
    plain = {"d": [[(0, 0), (6, 6)], [(2, 4)]]}
    assert not scoref.score(key, plain).notes
    asked = scoref.score(key, plain, check_words="always")
    assert asked.notes == ("words were not compared: a side has no words",)


def test_an_unknown_way(tmp_path: Path) -> None:
    """The ways are listed."""
    key = jsonl(tmp_path, "key", WORDS)
    for way in ("sometimes", ""):
        with pytest.raises(scoref.ScorefError, match="one of: auto, always, note, never"):
            scoref.score(key, key, check_words=way)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("``", '"'),
        ("''", "\u201d"),
        ("\u201c", "\u00ab"),
        ("`", "\u2018"),
        ("don't", "don\u2019t"),
        ("-LRB-", "("),
        ("-rrb-", ")"),
        ("-LSB-", "["),
        ("Anna", "anna"),
        ("Stra\u00dfe", "STRASSE"),
        ("caf\u00e9", "cafe\u0301"),
        ("\ufb01n", "fin"),
        ("\u2026", "..."),
        ("--", "\u2014"),
        ("\\/", "/"),
    ],
)
def test_another_form_of_a_word_is_no_other_word(one: str, other: str, tmp_path: Path) -> None:
    """A note tells of the first."""
    assert same_word(one, other)
    assert same_word(other, one)
    key = jsonl(tmp_path, "key", [*WORDS[:5], one, *WORDS[6:]])
    response = jsonl(tmp_path, "response", [*WORDS[:5], other, *WORDS[6:]])
    (note,) = scoref.score(key, response).notes
    assert note == (
        f"1 word differs only in form, such as `{one}` in the key, `{other}` in the response"
    )


@pytest.mark.parametrize(
    ("one", "other"), [("a", "b"), ("(", ")"), ("'", '"'), ("cafe", "caf\u00e9"), ("-", "_x")]
)
def test_other_words(one: str, other: str) -> None:
    """Are none."""
    assert not same_word(one, other)


@pytest.mark.parametrize("mask", ["_", "___", ""])
def test_a_masked_word_is_not_known(mask: str, tmp_path: Path) -> None:
    """So that it is like any other, and nothing is said of it."""
    one, other = jsonl(tmp_path, "one", WORDS), jsonl(tmp_path, "other", [mask, *WORDS[1:]])
    assert not scoref.score(one, other).notes
    assert not scoref.score(other, one).notes


def test_documents_in_another_order(tmp_path: Path) -> None:
    """Each is compared with its own."""
    lines = [
        json.dumps({"doc_key": name, "sentences": [[name, "x"]], "clusters": [[[0, 0], [1, 1]]]})
        for name in "abc"
    ]
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    key.write_text("\n".join(lines), "utf-8")
    response.write_text("\n".join(lines[::-1][:2]), "utf-8")
    assert scoref.score(key, response)["mentions"].precision == 1.0


@pytest.mark.parametrize("way", CHECKS)
@pytest.mark.parametrize("command", ["score", "explain", "errors", "compare", "stress"])
def test_the_command_line(
    command: str, way: Checks, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2 for a refusal, and a note else."""
    key = jsonl(tmp_path, "key", WORDS)
    response = jsonl(tmp_path, "response", ["Anne", *WORDS[1:]])
    code = main([command, str(key), str(response), "--check-words", way])
    error = capsys.readouterr().err
    assert code == (2 if way in ("auto", "always") else 0)
    assert ("found `Anne` as token 0" in error) == (way != "never")


def _conll(path: Path, words: list[str]) -> Path:
    lines = [f"one\t0\t{at}\t{word}\t-\t-\t-\t-\t-\t-\t(1)" for at, word in enumerate(words)]
    path.write_text("\n".join(["#begin document (one);", *lines, "#end document", ""]), "utf-8")
    return path


def test_the_first_words_of_columns_are_compared_unasked(tmp_path: Path) -> None:
    """Reading them all would take as long as all else; the first ones cost next to nothing."""
    key = _conll(tmp_path / "key.conll", ["The", "ferry", "left", "."])
    same = _conll(tmp_path / "same.conll", ["The", "ferry", "left", "."])
    other = _conll(tmp_path / "other.conll", ["The", "tram", "left", "."])
    assert scoref.score(key, same)["b3"].f1 == 1
    with pytest.raises(DocumentError, match=r"other\.conll:3: found `tram` as token 1") as caught:
        scoref.score(key, other)
    assert "expected `ferry`" in str(caught.value)
    assert scoref.score(key, other, check_words="never")["b3"].f1 == 1


def test_later_words_are_compared_when_asked(tmp_path: Path) -> None:
    """A glimpse ends somewhere; `always` goes on."""
    words = [f"w{at}" for at in range(GLIMPSE + 10)]
    key = _conll(tmp_path / "key.conll", words)
    late = _conll(tmp_path / "late.conll", [*words[:-1], "other"])
    assert not scoref.score(key, late).notes
    with pytest.raises(DocumentError, match="found `other`"):
        scoref.score(key, late, check_words="always")


def test_a_glimpse_beside_words(tmp_path: Path) -> None:
    """One side may have all of its words at hand, and the other the first only."""
    key = _conll(tmp_path / "key.conll", ["The", "ferry", "left", "."])
    lines = tmp_path / "response.jsonl"
    sentence = ["The", "tram", "left", "."]
    spans = [[at, at] for at in range(4)]
    record = {"doc_key": "one", "sentences": [sentence], "clusters": [spans]}
    lines.write_text(json.dumps(record) + "\n", "utf-8")
    with pytest.raises(DocumentError, match="found `tram`"):
        scoref.score(key, lines, format=None)


@pytest.mark.parametrize("side", ["key", "response"])
def test_an_encoding_that_one_side_has_is_named(side: str, tmp_path: Path) -> None:
    """The words are the same, only their bytes differ: the flag in the hint helps."""
    words = ["Zo\u00e9", "and", "the", "old", "man", "saw", "it", "."]
    files = {name: conll(tmp_path, f"{name}.conll", words) for name in ("key", "response")}
    files[side].write_bytes(files[side].read_text("utf-8").encode("latin-1"))
    with pytest.raises(scoref.ScorefError) as error:
        scoref.score(files["key"], files["response"], check_words="always")
    assert f"the {side} is not UTF-8" in error.value.hint
    assert f"--{side}-encoding latin-1" in error.value.hint
    encoding = ("latin-1", None) if side == "key" else (None, "latin-1")
    result = scoref.score(files["key"], files["response"], check_words="always", encoding=encoding)
    assert result["conll"].f1 == 1.0
    with pytest.raises(scoref.ScorefError) as error:
        scoref.score(files["key"], files["response"], check_words="always", encoding="latin-1")
    assert "leave --encoding out" in error.value.hint
