"""Converted positions score as if the response had counted like the key."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Corpus, Policy
from scoref.cli import main
from scoref.corpus.text import Text
from scoref.exceptions import DocumentError, FormatError, MentionError, UsageError
from scoref.matching.positions import CONVERSIONS, convert_positions
from tests.conftest import REPOSITORY

FERRY = REPOSITORY / "examples" / "ferry"
Span = tuple[int, ...]
Entities = dict[str, list[list[Span]]]


def response_as(positions: Callable[[Corpus, int, int, int], Span], system: str) -> Entities:
    """Return the entities of a response, each mention written in other positions."""
    corpus = scoref.read(FERRY / f"{system}.conll", words=True)
    found: dict[str, dict[int, list[Span]]] = {}
    columns = (corpus.document, corpus.entity, corpus.start, corpus.end)
    for document, entity, *span in zip(*(column.tolist() for column in columns), strict=True):
        of_document = found.setdefault(corpus.documents[document].name, {})
        of_document.setdefault(entity, []).append(positions(corpus, document, *span))
    return {name: list(entities.values()) for name, entities in found.items()}


def words_of(corpus: Corpus, document: int) -> list[str]:
    """Return the words of a document."""
    assert corpus.text is not None
    return corpus.text.words(document, 0, corpus.documents[document].length - 1)


def characters(corpus: Corpus, document: int, start: int, end: int) -> Span:
    """Return the place of a mention in the text with blanks, as Python slices it."""
    words = words_of(corpus, document)
    begin = len(" ".join([*words[:start], ""]))
    assert " ".join(words)[begin:].startswith(" ".join(words[start : end + 1]))
    return begin, begin + len(" ".join(words[start : end + 1]))


def in_sentence(corpus: Corpus, document: int, start: int, end: int) -> Span:
    """Return the sentence of a mention, and its place in the sentence."""
    assert corpus.text is not None
    low, high = corpus.text.first[document : document + 2]
    firsts = np.flatnonzero(corpus.text.starts_sentence[low:high])
    number = int(np.searchsorted(firsts, start, side="right")) - 1
    return number, start - int(firsts[number]), end - int(firsts[number])


WRITTEN: dict[str, Callable[[Corpus, int, int, int], Span]] = {
    "exclusive-ends": lambda *m: (m[2], m[3] + 1),
    "from-1": lambda *m: (m[2] + 1, m[3] + 1),
    "from-1-exclusive": lambda *m: (m[2] + 1, m[3] + 2),
    "characters": characters,
    "characters-inclusive": lambda *m: (characters(*m)[0], characters(*m)[1] - 1),
    "sentence-relative": in_sentence,
}


@pytest.mark.parametrize("system", ["baseline", "careful"])
@pytest.mark.parametrize("name", list(WRITTEN))
def test_the_score_is_that_of_the_right_positions(name: str, system: str) -> None:
    """In all metrics, for every way to count."""
    expected = scoref.score(FERRY / "key.conll", FERRY / f"{system}.conll")
    policy = Policy(positions=name)  # type: ignore[arg-type]
    response = response_as(WRITTEN[name], system)
    for key in (FERRY / "key.conll", scoref.read(FERRY / "key.conll", words=True)):
        result = scoref.score(key, response, policy=policy)
        assert [str(result[name]) for name in result] == [str(expected[name]) for name in expected]
        assert f"|positions:{name}|" in result.signature
        assert any(f"({name})" in note for note in result.notes)
    assert scoref.Key(FERRY / "key.conll", policy=policy).score(response)["conll"].f1 == (
        expected["conll"].f1
    )


@pytest.mark.parametrize("name", list(WRITTEN))
def test_every_near_miss_is_found(name: str) -> None:
    """With its numbers and the value of the flag, in a note or in the hint of a refusal."""
    response = response_as(WRITTEN[name], "key")
    try:
        said = " ".join(scoref.score(FERRY / "key.conll", response).notes)
    except (DocumentError, MentionError) as error:
        said = error.hint
    assert "66 of 66 response mentions would match the key if" in said
    assert f"--positions {name}" in said.replace(" (", "  (").replace(";", " ")
    assert said.split("--positions ")[1].split()[0] == name


def test_a_table_of_characters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table is not refused, and gets a note."""
    response = response_as(characters, "key")
    rows = [
        f"{name},{start},{end},{name}-{number}\n"
        for name, entities in response.items()
        for number, entity in enumerate(entities)
        for start, end in entity
    ]
    path = tmp_path / "r.csv"
    path.write_text("document,start,end,entity\n" + "".join(rows))
    files = [str(FERRY / "key.conll"), str(path)]
    assert main(["score", *files]) == 0
    assert "66 of 66 response mentions would match" in capsys.readouterr().err
    for command in ("score", "errors", "compare", "explain"):
        more = [f"same={files[1]}"] if command == "compare" else []
        more += ["-m", "b3"] if command == "explain" else []
        assert main([command, *files, *more, "--positions", "characters"]) == 0
        shown = capsys.readouterr()
        assert "would match" not in shown.err
        assert "positions:characters" in shown.out + shown.err or command == "errors"


@st.composite
def tokenisations(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Draw two tokenisations of the same characters."""
    text = draw(st.text("ab'.-\"", min_size=1, max_size=25))

    def cut() -> list[str]:
        edges = draw(st.sets(st.integers(1, len(text)), max_size=len(text)))
        return [text[one:other] for one, other in pairwise(sorted({0, *edges, len(text)}))]

    return cut(), cut()


def corpus_of(words: list[str], spans: list[tuple[int, int]]) -> Corpus:
    """Return a document of words whose spans are entities."""
    corpus = Corpus.from_entities({"d": [[span] for span in spans]}).as_spans()
    assert corpus is not None
    starts = np.zeros(len(words), dtype=bool)
    starts[0] = True
    text = Text(np.array([0, len(words)]), starts, {"word": words})
    (document,) = corpus.documents
    return replace(corpus, documents=(document._replace(length=len(words)),), text=text)


def owner(words: list[str]) -> list[int]:
    """Return the token of each character."""
    return [token for token, word in enumerate(words) for _ in word]


@given(tokenisations())
def test_mentions_are_carried_through_characters(both: tuple[list[str], list[str]]) -> None:
    """To all tokens that have one of their characters: every span, against brute force."""
    key_words, words = both
    spans = [(s, e) for s in range(len(words)) for e in range(s, len(words))]
    place = np.zeros(1, dtype=np.int64)
    sides = corpus_of(key_words, [(0, 0)]), corpus_of(words, spans)
    convert = CONVERSIONS["own-tokens"].make(*sides, place)
    found = convert(sides[1].document, sides[1].start, sides[1].end)
    ends = [0, *accumulate(map(len, words))]
    edges = {0, *accumulate(map(len, key_words))}
    assert found.possible.all()
    for row, (start, end) in enumerate(spans):
        tokens = owner(key_words)[ends[start] : ends[end + 1]]
        assert (found.start[row], found.end[row]) == (min(tokens), max(tokens))
        assert found.widened[row] == (not {ends[start], ends[end + 1]} <= edges)


def written(folder: Path, name: str, words: list[list[str]], clusters: list[list[Span]]) -> str:
    """Write a document in JSON lines."""
    document = {
        "doc_key": "d",
        "sentences": words,
        "clusters": clusters,
        "offsets": "token-inclusive",
    }
    path = folder / f"{name}.jsonl"
    path.write_text(json.dumps(document) + "\n")
    return str(path)


def test_two_tokenisations_are_scored_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Refused by default, with the flag that helps; quotes and brackets may differ in form."""
    words = [["Ann", "would", "n't", "say", "``", "her", "''", "name", "."]]
    other = [["Ann", "wouldn't", "say", '"her"', "name", "."]]
    key = written(tmp_path, "key", words, [[(0, 0), (5, 5)], [(5, 7)]])
    response = written(tmp_path, "response", other, [[(0, 0), (3, 3)], [(3, 4)]])
    assert main(["score", key, response]) == 2
    shown = capsys.readouterr().err
    assert "has 9 tokens in the key" in shown
    assert "--positions own-tokens" in shown
    policy = Policy(positions="own-tokens")
    result = scoref.score(key, response, ["mentions"], policy)
    assert result["mentions"].f1 == pytest.approx(1 / 3)  # the quotes are in the same token
    (note,) = result.notes
    assert note == "converted the positions of 3 response mentions (own-tokens)"
    back = scoref.score(response, key, ["mentions"], policy)
    assert back["mentions"].f1 == 1
    assert "2 cut through tokens of the key, and now have whole tokens" in back.notes[0]


def test_other_characters_are_refused(tmp_path: Path) -> None:
    """With the first difference."""
    key = written(tmp_path, "key", [["Ann", "would", "n't"]], [[(0, 0), (1, 1)]])
    response = written(tmp_path, "response", [["Ann", "wouldnt"]], [[(0, 0), (1, 1)]])
    with pytest.raises(DocumentError, match="has 3 tokens in the key") as error:
        scoref.score(key, response)
    assert "own-tokens" not in error.value.hint
    with pytest.raises(DocumentError, match="found 'annwouldnt', expected") as error:
        scoref.score(key, response, policy={"positions": "own-tokens"})
    assert "the first difference is at character 9" in error.value.message


def test_what_cannot_be_converted() -> None:
    """Each refusal says what is required."""
    spans, labels = {"d": [[(0, 1), (3, 3)]]}, {"d": [["a", "b"]]}
    for name in ("characters", "own-tokens", "sentence-relative"):
        with pytest.raises((UsageError, MentionError), match=r"no words|cannot convert mentions"):
            scoref.score(spans, spans, policy={"positions": name})
    with pytest.raises(MentionError, match="cannot convert mentions of the response such as 'a'"):
        scoref.score(labels, labels, policy={"positions": "from-1"})
    with pytest.raises(MentionError, match=r"the mention \(0, 1\) in document d, which"):
        scoref.score(spans, spans, policy={"positions": "from-1"})
    with pytest.raises(UsageError, match="not available for generated text"):
        scoref.score(spans, spans, policy={"positions": "from-1", "markup": "auto"})
    with pytest.raises(UsageError, match="agreement of annotators has no response"):
        scoref.agreement({"a": spans, "b": spans}, policy={"positions": "from-1"})


def test_tables_in_parquet(tmp_path: Path) -> None:
    """The engine for tables notes the near miss too, and another engine converts positions."""
    pytest.importorskip("pyarrow")
    key = scoref.read(FERRY / "key.conll")
    key.write(tmp_path / "key.parquet")
    replace(key, end=key.end + 1).write(tmp_path / "response.parquet")
    files = tmp_path / "key.parquet", tmp_path / "response.parquet"
    result = scoref.score(*files)
    assert [note for note in result.notes if "--positions exclusive-ends" in note]
    assert scoref.score(*files, policy={"positions": "exclusive-ends"})["conll"].f1 == 1
    assert not [note for note in scoref.score(files[0], files[0]).notes if "would" in note]


def test_spark_refuses_what_it_does_not_convert() -> None:
    """Rather than ignore it."""
    spark = pytest.importorskip("scoref.spark")
    for policy in ({"positions": "from-1"}, {"pair_documents": "similar"}, {"markup": "auto"}):
        with pytest.raises(UsageError, match="is not available on Spark"):
            spark.score("key", "response", policy=policy)


def test_characters_that_cut_through_tokens(tmp_path: Path) -> None:
    """A response with a text of its own is refused by default, and widened when asked."""
    key = written(
        tmp_path, "key", [["Ann", "'s", "sister-in-law", "left", "."]], [[(0, 0), (2, 2)]]
    )
    text, path = "Ann's sister-in-law left.", tmp_path / "response.jsonl"
    document = {"doc_key": "d", "text": text, "offsets": "character-exclusive"}
    path.write_text(json.dumps({**document, "clusters": [[[0, 3], [6, 12]], [[19, 24]]]}))
    with pytest.raises(DocumentError, match="cuts through a token") as error:
        scoref.score(key, path)
    assert "--positions own-tokens" in error.value.hint
    policy = Policy(positions="own-tokens")
    result = scoref.score(key, path, ["muc"], policy)
    assert result["muc"].f1 == 1
    assert "2 mentions of the response cut through tokens: changed to whole tokens" in result.notes
    assert scoref.errors(key, path, policy=policy)


def test_discontinuous_mentions_are_carried_too() -> None:
    """Token by token; a mention without gaps after the conversion is a usual one."""
    key = corpus_of(["ab", "c", "d", "e"], [(0, 0), (2, 3)])
    response = corpus_of(["a", "b", "c", "de"], [(0, 2), (0, 1)])
    nodes = np.array(["0 2", "0 1"])
    policy = Policy(positions="own-tokens")
    converted = convert_positions(key, replace(response, attributes={"nodes": nodes}), policy)
    assert list(zip(converted.start, converted.end, strict=True)) == [(0, 1), (0, 0)]
    assert converted.attributes["nodes"].tolist() == ["", ""]
    far = replace(response, attributes={"nodes": np.array(["0 3", ""])}, end=np.array([3, 1]))
    converted = convert_positions(key, far, policy)
    assert converted.attributes["nodes"].tolist() == ["0 2 3", ""]
    for other in (Policy(positions="from-1"), Policy(positions="characters")):
        with pytest.raises(MentionError, match="cannot convert mentions that are discontinuous"):
            convert_positions(key, far, other)
    empty = replace(far, attributes={"nodes": np.array(["0 3.1", ""])})
    with pytest.raises(MentionError, match="cannot convert mentions with empty nodes"):
        convert_positions(key, empty, policy)


@given(
    tokenisations(),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 6)), max_size=4),
    st.sampled_from(sorted(CONVERSIONS)),
)
def test_every_span_is_converted_or_refused(
    both: tuple[list[str], list[str]], drawn: list[tuple[int, int]], name: str
) -> None:
    """Nothing else happens to any input, and no span leaves the document."""
    policy = Policy(positions=name)  # type: ignore[arg-type]
    key_words, words = both
    key = corpus_of(key_words, [(0, 0)])
    spans = [(start, start + length) for start, length in drawn]
    triples = [(length % 3, start, start) for start, length in drawn]
    responses = [
        Corpus.from_entities({"d": [[span] for span in spans]}),
        Corpus.from_entities({"d": [[triple] for triple in triples]}),
        Corpus.from_entities({"d": []}),
        Corpus.from_entities({}),
    ]
    if all(end < len(words) for _, end in spans):
        responses.append(corpus_of(words, spans))
    for response in responses:
        try:
            found = convert_positions(key, response, policy).as_spans()
        except (MentionError, UsageError):
            continue
        assert found is not None
        assert len(found) == len(response)
        assert np.all((found.start >= 0) & (found.start <= found.end))
        if CONVERSIONS[name].columns:
            assert np.all(found.end < len(key_words))


def test_characters_in_a_file_of_tokens(tmp_path: Path) -> None:
    """The reader refuses them, and its hint helps."""
    words = ["Ann", "said", "her", "name"]
    key = written(tmp_path, "key", [words], [[(0, 0), (2, 2)]])
    path = tmp_path / "response.jsonl"
    clusters = {"doc_key": "d", "clusters": [[[0, 3], [9, 12]]]}
    path.write_text(json.dumps({**clusters, "sentences": [words]}))
    with pytest.raises(FormatError) as error:
        scoref.read(path, "jsonl-exclusive")
    assert "replace `sentences` by `text`" in error.value.hint
    offsets = {"offsets": "character-exclusive", "text": " ".join(words)}
    path.write_text(json.dumps({**clusters, **offsets}))
    assert scoref.score(key, path)["muc"].f1 == 1
