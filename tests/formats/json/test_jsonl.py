"""JSON lines: what offsets count, what ends are, and what is refused."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.exceptions import FormatError
from scoref.formats import find_format

SENTENCES = [["Ann", "saw", "the", "old", "dog", "."], ["It", "saw", "her", "."]]
WORDS = [word for sentence in SENTENCES for word in sentence]
TEXT = "Ann saw the old dog. It saw her."
ENTITIES = [[(0, 0), (8, 8)], [(2, 4), (6, 6)]]


def write(path: Path, *values: Any) -> Path:
    """Write a JSON value a line."""
    path.write_text("".join(json.dumps(value) + "\n" for value in values), "utf-8")
    return path


def spans(path: Path, format: str | None = None) -> list[list[tuple[int, int]]]:  # noqa: A002
    """Read the entities of the first document."""
    (entities,) = scoref.read(path, format).entities().values()
    return entities  # type: ignore[return-value]


def exclusive(entities: list[list[tuple[int, int]]]) -> list[list[list[int]]]:
    """Write ends as the token after the last."""
    return [[[start, end + 1] for start, end in entity] for entity in entities]


LAYOUTS: dict[str, dict[str, Any]] = {
    "e2e": {"doc_key": "d", "sentences": SENTENCES, "clusters": ENTITIES},
    "e2e, exclusive": {
        "doc_key": "d",
        "sentences": SENTENCES,
        "clusters": exclusive([*ENTITIES, [(9, 9)]]),
    },
    "wl-coref": {
        "document_id": "d",
        "cased_words": WORDS,
        "sent_id": [0] * 6 + [1] * 4,
        "span_clusters": exclusive(ENTITIES),
        "word_clusters": [[0, 8]],
    },
    "maverick": {"doc_key": "d", "tokens": WORDS, "clusters_token_offsets": ENTITIES},
    "xcore": {
        "doc_key": "d",
        "tokens": SENTENCES,
        "clusters_token_offsets": [
            [[0 if a < 6 else 1, a if a < 6 else a - 6, b if a < 6 else b - 6] for a, b in entity]
            for entity in ENTITIES
        ],
    },
    "ours": {
        "doc_key": "d",
        "sentences": SENTENCES,
        "offsets": "token-exclusive",
        "clusters": exclusive(ENTITIES),
    },
    "minimized": {
        "doc_key": "d",
        "sentences": [["[CLS]", "Ann", "saw", "the", "old", "do", "##g", ".", "[SEP]"],
                      ["[CLS]", "It", "saw", "her", ".", "[SEP]"]],
        "subtoken_map": [0, 0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 9],
        "clusters": [[[1, 1], [12, 12]], [[3, 6], [10, 10]]],
    },
}  # fmt: skip


@pytest.mark.parametrize("mention", [[2, 0, 0], [-1, 0, 0], [0, 0, 6], [1, 2, 1], [0, 2**70, 0]])
def test_parts_of_xcore_have_their_own_positions(mention: list[int], tmp_path: Path) -> None:
    """A mention outside of its part would be another mention of the whole text."""
    value = {"doc_key": "d", "tokens": SENTENCES, "clusters_token_offsets": [[[0, 0, 1], mention]]}
    with pytest.raises(FormatError, match=r"expected \[part, start, end\] with a part of `tokens`"):
        scoref.read(write(tmp_path / "x", value))


SEVERAL = {"tokens": SENTENCES, "clusters_token_offsets": [[[0, 0, 0], [1, 0, 0]], [[1, 1, 2]]]}


def test_several_documents_share_entities(tmp_path: Path) -> None:
    """As xCoRe writes them, with the names of the documents if `doc_key` lists them."""
    first = {**SEVERAL, "doc_key": ["a", "b"]}
    path = tmp_path / "x"
    path.write_text(f"{json.dumps(first)}\n{json.dumps({**SEVERAL, 'doc_key': ['c', 'd']})}\n")
    corpus = scoref.read(path, words=True)
    assert [one.name for one in corpus.documents] == ["a", "b", "c", "d"]
    assert [one.length for one in corpus.documents] == [6, 4, 6, 4]
    # Entities of another object have other names, although numbers start anew.
    assert list(corpus.entity_names) == ["0", "0", "1", "2", "2", "3"]
    assert corpus.text is not None
    assert list(corpus.text.columns["word"]) == WORDS * 2
    joined = scoref.score(path, path, ["b3"], unit="corpus")
    assert joined.key.entities == 4


def test_documents_without_names_are_paired_by_their_order(tmp_path: Path) -> None:
    """Also with a key that has names, if both have the same number."""
    named = write(tmp_path / "named", {**SEVERAL, "doc_key": ["a", "b"]})
    result = scoref.score(named, write(tmp_path / "x", SEVERAL), ["b3"])
    assert result["b3"].f1 == 1
    assert "documents without a name are paired by their position in the file" in result.notes


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"doc_key": ["a"]}, "`doc_key` with 1 names of 2 documents"),
        ({"doc_key": ["a", 1.5]}, "`doc_key` that is not a name"),
        ({"clusters_token_offsets": [[[2, 0, 0]]]}, r"with \[2, 0, 0\], expected"),
        ({"clusters_token_offsets": [[[True, 0, 0]]]}, r"with \[True, 0, 0\], expected"),
        ({"clusters_token_offsets": [[[1, 0, 9]]]}, r"the span \[0, 9\]"),
        ({"clusters_token_offsets": [[["a", "b", "c"]]]}, "with \\['a', 'b', 'c'\\]"),
        ({"clusters_token_offsets": 5}, "that is not a list of entities"),
        ({"tokens": [["a"], "b"]}, "`tokens` with"),
        ({"tokens": [["a"], [3]]}, "the word `3`"),
    ],
)
def test_several_documents_that_are_refused(
    change: dict[str, object], found: str, tmp_path: Path
) -> None:
    """With what was found."""
    with pytest.raises(FormatError, match=found):
        scoref.read(write(tmp_path / "x", {**SEVERAL, **change}))


def test_files_of_books(data: Path) -> None:
    """BookCoref's key, its chunks, and several documents of xCoRe."""
    folder = data / "corpora" / "formats"
    key = scoref.read(folder / "bookcoref.key.jsonl")
    assert key.entities() == {"keeper": [[(0, 0), (5, 5), (11, 12)], [(2, 3), (7, 7)]]}
    chunks = scoref.read(folder / "bookcoref_split.response.jsonl")
    assert [one.name for one in chunks.documents] == ["keeper_split9_S0", "keeper_split9_S2"]
    several = scoref.read(folder / "xcore_cross.json")
    assert several.entities() == {
        "#1": [[(0, 1)], [(3, 3)]],
        "#2": [[(0, 1)], [(3, 4)]],
        "#3": [[(0, 0)], [(2, 2)]],
    }
    assert list(several.entity_names) == ["0", "1"] * 3


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_detected(layout: str, tmp_path: Path) -> None:
    """And gives the same mentions."""
    path = write(tmp_path / "x", LAYOUTS[layout])
    assert spans(path)[:2] == ENTITIES
    corpus = scoref.read(path, words=True)
    assert corpus.documents[0].length == 10
    assert corpus.text is not None
    assert list(corpus.text.columns["word"]) == WORDS


def test_characters(tmp_path: Path) -> None:
    """Fastcoref's output against a key of tokens: both sides are brought to tokens."""
    offsets = [[[0, 3], [28, 31]], [[8, 19], [21, 23]]]
    text = write(tmp_path / "x", {"doc_key": "d", "text": TEXT, "clusters": offsets})
    key = write(tmp_path / "key", LAYOUTS["e2e"])
    assert scoref.read(text).unit == "character"
    for one, other in ((key, text), (text, key), (text, text)):
        assert scoref.score(one, other)["conll"].f1 == 1.0
    bad = write(tmp_path / "bad", {"doc_key": "d", "text": TEXT, "clusters": [[[0, 2]]]})
    with pytest.raises(scoref.ScorefError, match=r"'An' in document d.*cuts through a token"):
        scoref.score(key, bad)
    changed = {"doc_key": "d", "text": TEXT.replace("dog", "cat"), "clusters": offsets}
    with pytest.raises(scoref.ScorefError, match="the word 'dog' on one side, but 'cat"):
        scoref.score(key, write(tmp_path / "other", changed))


def test_an_empty_text_has_characters(tmp_path: Path) -> None:
    """One document without text does not make a file of characters a file of two kinds."""
    empty = {"doc_key": "a", "text": "", "clusters": []}
    full = {"doc_key": "b", "text": TEXT, "clusters": [[[0, 3]]]}
    for values in ((empty, full), (full, empty)):
        corpus = scoref.read(write(tmp_path / "x", *values))
        assert corpus.entities()["b"] == [[(0, 2)]]
        assert corpus.unit == "character"
    assert scoref.read(write(tmp_path / "x", empty)).unit == "character"


def test_characters_without_a_text_are_not_written(tmp_path: Path) -> None:
    """The reader would refuse them, since they are outside of the text."""
    table = tmp_path / "x.csv"
    table.write_text("document,start_character,end_character,entity\nd,0,1,a\n", "utf-8")
    with pytest.raises(scoref.ScorefError, match="text of document d is not known"):
        scoref.read(table).write(tmp_path / "x.jsonl", "jsonl")


def test_any_depth_is_read_or_refused(tmp_path: Path) -> None:
    """Also if a line can be parsed, but not searched for half a character, which takes more calls.

    The depth that can be parsed depends on the calls around it, so that many are tried.
    """
    whole, path = json.dumps(LAYOUTS["e2e"]), tmp_path / "x"
    for depth in range(800, 1000):
        nested = f'{"[" * depth}"\\ud83d\\ude00"{"]" * depth}'
        path.write_text(f'{whole[:-1]}, "x": {nested}}}', "utf-8")
        with suppress(scoref.FormatError):
            assert len(scoref.read(path, "jsonl")) == 4


def test_an_open_end_is_refused_with_both_readings(tmp_path: Path) -> None:
    """And either can be chosen."""
    value = {"doc_key": "d", "sentences": SENTENCES, "clusters": [[[2, 4], [6, 8]]]}
    path = write(tmp_path / "x", value)
    with pytest.raises(scoref.FormatError, match=r"`the old dog` or `the old`") as error:
        scoref.read(path)
    assert "jsonl-inclusive" in error.value.hint
    assert spans(path, "jsonl-inclusive") == [[(2, 4), (6, 8)]]
    assert spans(path, "jsonl-exclusive") == [[(2, 3), (6, 7)]]


def test_contradicting_ends_are_refused(tmp_path: Path) -> None:
    """One span of one token, another that ends behind the last."""
    value = {"doc_key": "d", "sentences": SENTENCES, "clusters": [[[0, 0], [8, 10]]]}
    with pytest.raises(scoref.FormatError, match="can only be exclusive"):
        scoref.read(write(tmp_path / "x", value))


def test_predicted_entities_are_the_response(tmp_path: Path) -> None:
    """Where a file has gold ones too, as e2e writes them."""
    value = {**LAYOUTS["e2e"], "predicted_clusters": [[(0, 0), (6, 6)]]}
    path = write(tmp_path / "x", value)
    result = scoref.score(path, path)
    assert (result.key.mentions, result.response.mentions) == (4, 2)
    assert any("predicted entities are read" in note for note in result.notes)
    assert len(scoref.read(path, predicted=True)) == 2


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"doc_key": "d", "sentences": SENTENCES}, "the fields doc_key, sentences"),
        ({"doc_key": "d", "clusters": []}, "expected one of the fields sentences"),
        ({"sentences": SENTENCES, "clusters": [[[0, 0], [3]]]}, "not a list of entities"),
        ({"sentences": SENTENCES, "clusters": [[[0, 0], [3, "x"]]]}, "not a list of entities"),
        ({"sentences": SENTENCES, "clusters": [[[0, 0], [3, 40]]]}, r"\[3, 40\]"),
        ({"sentences": SENTENCES, "clusters": [[[0, 0], [4, 3]]]}, r"\[4, 3\]"),
        (
            {"sentences": [1, 2], "clusters": [], "doc_key": "d"},
            "`sentences` with the word `1`, which is not a string",
        ),
        (
            {"tokens": WORDS, "clusters": [], "span_clusters": []},
            "both `clusters` and `span_clusters`",
        ),
    ],
)
def test_what_is_refused(value: dict[str, Any], found: str, tmp_path: Path) -> None:
    """With the line."""
    path = write(tmp_path / "x", LAYOUTS["e2e"], value)
    with pytest.raises(scoref.FormatError, match=found) as error:
        scoref.read(path, "jsonl")
    assert f"{path}:2:" in str(error.value)


def test_lines_that_are_not_json(tmp_path: Path) -> None:
    """Half a line, a list, nothing at all, another encoding."""
    path = tmp_path / "x"
    whole = json.dumps(LAYOUTS["e2e"])
    path.write_text(whole + "\n" + whole[:40] + "\n", "utf-8")
    with pytest.raises(scoref.FormatError, match="invalid JSON"):
        scoref.read(path)
    path.write_text(whole + "\n[1]\n", "utf-8")
    with pytest.raises(scoref.FormatError, match="a JSON array"):
        scoref.read(path)
    path.write_bytes(whole.replace("Ann", "Anné").encode("latin-1"))
    with pytest.raises(scoref.FormatError, match="0xe9 at offset"):
        scoref.read(path)
    assert len(scoref.read(path, encoding="latin-1")) == 4


def test_parts_are_written_into_names(tmp_path: Path) -> None:
    """`x_0` and `x_1` are parts 0 and 1 of a key in CoNLL columns."""
    key = tmp_path / "key.conll"
    document = "#begin document (x); part 00{}\n(1)\n(1)\n#end document\n"
    key.write_text(document.format(0) + document.format(1), "utf-8")
    values = [
        {"doc_key": f"x_{part}", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}
        for part in (0, 1)
    ]
    response = write(tmp_path / "r.jsonl", *values)
    for one, other in ((key, response), (response, key)):
        assert scoref.score(one, other)["conll"].f1 == 1.0


lengths = st.lists(st.integers(1, 4), min_size=1, max_size=4)


@given(data=st.data(), sentences=lengths)
def test_round_trip(data: st.DataObject, sentences: list[int], tmp_path_factory: Any) -> None:
    """Every mention, entity, word and sentence is kept."""
    tokens = sum(sentences)
    places = st.tuples(st.integers(0, tokens - 1), st.integers(0, tokens - 1)).map(sorted)
    drawn = data.draw(st.lists(places.map(tuple), unique=True, max_size=8))
    groups: dict[int, list[Any]] = {}
    for span in drawn:
        groups.setdefault(data.draw(st.integers(0, 3)), []).append(span)
    corpus = scoref.Corpus.from_entities({"d": list(groups.values())})
    path = tmp_path_factory.mktemp("jsonl") / "x.jsonl"
    corpus.write(path, "jsonl")
    assert scoref.read(path).fingerprint() == corpus.fingerprint()


def test_converting_keeps_words(example: Path, tmp_path: Path) -> None:
    """From CoNLL columns and back."""
    key = scoref.read(example / "key.conll", words=True)
    key.write(tmp_path / "x.jsonl", "jsonl")
    again = scoref.read(tmp_path / "x.jsonl", words=True)
    assert again.fingerprint() == key.fingerprint()
    assert again.text is not None
    assert key.text is not None
    assert list(again.text.columns["word"]) == list(key.text.columns["word"])
    assert again.text.starts_sentence.tolist() == key.text.starts_sentence.tolist()


def test_variants_are_chosen_by_name_alone() -> None:
    """And a wrong name is answered with the nearest."""
    assert find_format("jsonl-inclusive").name == "jsonl-inclusive"
    with pytest.raises(scoref.ScorefError, match="did you mean 'clusters'"):
        find_format("json")


def test_fields_inside_others_do_not_count() -> None:
    """A cluster file may have a document or an entity of the name `text`."""
    recognise = find_format("jsonl").recognise
    assert recognise(json.dumps(LAYOUTS["e2e"]).encode())
    assert recognise(json.dumps([LAYOUTS["maverick"]]).encode())
    assert not recognise(b'{"doc": {"text": [[0, 1]]}}')
    assert not recognise(b'{"sentences": [{"index": 0}], "corefs": {}}')


def test_a_key_twice_is_refused(tmp_path: Path) -> None:
    """JSON readers keep the last of the two."""
    path = tmp_path / "x"
    line = json.dumps(LAYOUTS["e2e"])
    path.write_text(line.replace("{", '{"clusters": [], ', 1), "utf-8")
    with pytest.raises(scoref.FormatError, match="the key 'clusters' twice"):
        scoref.read(path)


@pytest.mark.parametrize("change", [{"clusters": ["", [[1, 1]]]}, {"subtoken_map": [0] * 16}])
def test_what_moves_mentions_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    """An entity that is not a list, and a map that is longer than the text."""
    path = write(tmp_path / "x", {**LAYOUTS["minimized"], **change})
    with pytest.raises(scoref.FormatError):
        scoref.read(path)


def test_a_name_twice_is_refused(tmp_path: Path) -> None:
    """One of the two would be scored against nothing."""
    path = write(tmp_path / "x", LAYOUTS["e2e"], LAYOUTS["e2e"])
    with pytest.raises(scoref.FormatError, match="document d again"):
        scoref.read(path)


def test_blocks_of_the_file_make_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Documents and problems keep the numbers of their lines."""
    lines = [json.dumps({**LAYOUTS["e2e"], "doc_key": f"d\u00e9{n}"}) for n in range(20)]
    path = tmp_path / "x.jsonl"
    path.write_text("\n\n".join(lines), "utf-8")
    whole = scoref.read(path, words=True)
    monkeypatch.setattr("scoref.formats.json.json_text.BLOCK", 100)
    again = scoref.read(path, words=True)
    assert again.fingerprint() == whole.fingerprint()
    assert again.line.tolist() == whole.line.tolist()
    assert again.line[-1] == 39
    path.write_bytes(b"\n".join([*(line.encode() for line in lines), b"{}\xe9"]))
    with pytest.raises(scoref.FormatError, match="byte 0xe9 at offset") as error:
        scoref.read(path)
    assert error.value.problems[0].line == 21


def test_a_file_can_be_one_list_of_documents(tmp_path: Path) -> None:
    """Over several lines; what is wrong with the list is found with its line."""
    path = tmp_path / "x.json"
    path.write_text(json.dumps([LAYOUTS["e2e"]], indent=1), "utf-8")
    assert spans(path) == ENTITIES
    path.write_text("\n\n" + json.dumps([LAYOUTS["e2e"]], indent=1)[:-1] + "x", "utf-8")
    with pytest.raises(scoref.FormatError, match="invalid JSON") as error:
        scoref.read(path, "jsonl")
    assert error.value.problems[0].line > 40


WORD = {"doc_key": "b", "clusters": [[[0, 0], [1, 1]]]}


@pytest.mark.parametrize("word", [3, 1.5, None, True, ["x"], {"x": 1}])
@pytest.mark.parametrize("field", ["sentences", "tokens", "cased_words"])
def test_words_that_are_not_strings_are_refused(field: str, word: Any, tmp_path: Path) -> None:
    """Wherever they are: not only the first of a sentence."""
    good = {**WORD, "doc_key": "a", field: [["a", "b"]]}
    for words in (["a", word], [["a"], ["b", word]], [["a", word]]):
        path = write(tmp_path / "x.jsonl", good, {**WORD, field: words})
        for columns in (True, False):
            with pytest.raises(scoref.FormatError) as caught:
                scoref.read(path, words=columns)
            (problem,) = caught.value.problems
            assert problem.line == 2
            assert field in problem.found


SURROGATES = ["\\ud800", "\\uDFFF", "x\\udc00\\ud800y", "\\ud83dx"]


@pytest.mark.parametrize("half", SURROGATES)
@pytest.mark.parametrize(
    "line",
    [
        '{"doc_key": "HALF", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}',
        '{"doc_key": "d", "sentences": [["a", "HALF"]], "clusters": [[[0, 0], [1, 1]]]}',
        '{"doc_key": "d", "text": "HALF", "clusters": [[[0, 1]]]}',
        '{"d": {"HALF": [[0, 1]]}}',
        '{"HALF": [[[0, 1]]]}',
        '[["HALF", "b"]]',
        '[{"doc_key": "HALF", "sentences": [["a"]], "clusters": [[[0, 0]]]}]',
        '{"type": "clusters", "clusters": {"HALF": ["a"]}}',
    ],
)
def test_half_a_character_is_refused(line: str, half: str, tmp_path: Path) -> None:
    """In all JSON, with the line: nothing could show or write it."""
    path = tmp_path / "x.json"
    path.write_text(line.replace("HALF", half))
    with pytest.raises(scoref.FormatError, match="half a character") as caught:
        scoref.read(path)
    assert caught.value.problems[0].line == 1
    path.write_text(line.replace("HALF", "\\ud83d\\ude00"))
    assert scoref.read(path).documents


@pytest.mark.parametrize(
    ("name", "expected"),
    [("x", ["x"]), (7, ["7"]), (None, ["#1"]), ({"a": 1}, None), ([], None), (1.5, None)],
)
def test_names_are_strings_or_numbers(name: Any, expected: Any, tmp_path: Path) -> None:
    """And null is no name."""
    value = {"doc_key": name, "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}
    path = write(tmp_path / "x.jsonl", value)
    if expected is None:
        with pytest.raises(scoref.FormatError, match="`doc_key` that is not a name"):
            scoref.read(path)
    else:
        assert [one.name for one in scoref.read(path).documents] == expected


@pytest.mark.parametrize("speakers", [[["A"], 5], ["A"], 7, [None, ["A"]], [["A", "B"], []]])
def test_odd_speakers_are_left_out(speakers: Any, tmp_path: Path) -> None:
    """They are no part of a score."""
    value = {"sentences": [["a"], ["b"]], "speakers": speakers, "clusters": [[[0, 0], [1, 1]]]}
    assert len(scoref.read(write(tmp_path / "x.jsonl", value), words=True)) == 2


@pytest.mark.parametrize("blank", ["", " ", "\t", "\r", "\f", "\v", "\x1c", "\u00a0"])
def test_only_blanks_of_json_are_an_empty_line(blank: str, tmp_path: Path) -> None:
    """Python has more blanks; a line of them is damaged."""
    path = write(tmp_path / "x.jsonl", LAYOUTS["e2e"])
    path.write_bytes(path.read_bytes() + blank.encode() + b"\n")
    if blank.strip(" \t\r"):
        with pytest.raises(scoref.FormatError, match=r"invalid JSON|control character"):
            scoref.read(path, "jsonl-inclusive")
    else:
        assert spans(path, "jsonl-inclusive") == ENTITIES
