"""What `convert` writes, scoref reads back as the same corpus, whatever its names are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import scoref
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import ScorefError
from scoref.formats import find_format
from scoref.formats.corpus_writer import write
from scoref.formats.registry import MODULES
from scoref.formats.written_names import NameRule

WRITTEN = [name for name in MODULES if find_format(name).write is not None]
NASTY = [
    *("", " ", "a ", " a", "the ferry", "a\u00a0b", "\u00a0", "\u3000x", "x\u2028y", "\ufeffx"),
    *("a)|(b", "3+4", "(", ")", "|", "-", "_", "*", "--", "a-b", "V*", "a,b", "a;b", "a=b", "@"),
    *("#1", "#2", "#", "# x", "#begin document", "%", "%20", "100%", "%25", "a%20b", "\ud800"),
    *("a\nb", "\n", "\r", "a\r\nb", "\t", "a\tb", "\0", "\x1b[31m", "\x85", '"', "'", '"a","b"'),
    *("NA", "NaN", "null", "None", "nan", "-1", "0.0", "x_1", "x/1", "x_0", "x", "1", "01"),
    *("clusters", "type", "text", "tokens", "sentences", "document", "start", "x-Pseudo"),
    *("[1/2]", "e1", "e2", "=1+1", "\\", "a" * 5000, "é", "\U0001f600", "Entity=(e1)", "part 3"),
    *("a; part 002", "(a)", "a)", "(a", "newdoc", "id", "id = x", "= x"),
]
texts = (
    st.sampled_from(NASTY)
    | st.text(st.characters(exclude_categories=()), max_size=5)
    | st.text("ab 1_-|()#%\n\t\"',;", max_size=4)
)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """Draw documents with words and nested mentions, and odd strings wherever a string can be."""
    builder = CorpusBuilder("drawn", text=draw(st.booleans()))
    keys = draw(st.lists(st.tuples(texts, st.integers(0, 2)), min_size=1, max_size=3, unique=True))
    for name, part in keys:
        length = draw(st.integers(1, 4))
        number = builder.document(name, length, identity=(name, part) if part else name)
        builder.sentence(word=draw(st.lists(texts, min_size=length, max_size=length)))
        for start, end in draw(st.lists(st.sampled_from([(0, 0), (0, length - 1)]), unique=True)):
            entity = builder.entity(number, draw(texts), type=draw(texts))
            values: dict[str, Any] = {
                name: draw(texts) for name in ("label", "semtype", "role", "head_text")
            }
            builder.mention(number, (start, end), entity, **values)
    return builder.corpus()


@st.composite
def labelled(draw: st.DrawFn) -> Corpus:
    """Draw mentions that are names."""
    documents: dict[str, dict[str, list[Any]]] = {}
    for name in draw(st.lists(texts, min_size=1, max_size=2, unique=True)):
        labels = draw(st.lists(texts | st.integers(-3, 9), max_size=4, unique=True))
        entities = documents[name] = {}
        for label in labels:
            entities.setdefault(draw(texts), []).append(label)
    return Corpus.from_entities(documents)


Partition = list[dict[frozenset[Any], str]]


def partition(corpus: Corpus) -> Partition:
    """Return the entities of each document, with their names."""
    found: Partition = [{} for _ in corpus.documents]
    mentions: dict[int, list[Any]] = {}
    place: dict[int, int] = {}
    for row in range(len(corpus)):
        entity = int(corpus.entity[row])
        mentions.setdefault(entity, []).append(corpus.mention(row))
        place[entity] = int(corpus.document[row])
    for entity, members in mentions.items():
        found[place[entity]][frozenset(members)] = str(corpus.entity_names[entity])
    return found


def check_round_trip(corpus: Corpus, name: str) -> None:
    """Write and read: the same corpus, or a note says what was renamed, or nothing is written."""
    target = find_format(name)
    assert target.names is not None
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"x{target.suffix}"
        try:
            notes = " ".join(write(corpus, path, name))
        except ScorefError:
            assert not list(Path(folder).iterdir())
            return
        for chosen in (name, *([] if "-" in name else [None])):
            again = scoref.read(path, chosen, words=True)
            compare(corpus, again, name, notes)


def compare(corpus: Corpus, again: Corpus, name: str, notes: str) -> None:
    """Compare documents, entities and words with what was written."""
    rules = find_format(name).names
    assert rules is not None
    before, after = partition(corpus), partition(again)
    if (name == "brat" and corpus.unit == "token") or "mention name" in notes:
        sizes = [sorted(sorted(map(len, entities)) for entities in one) for one in (before, after)]
        assert sizes[0] == sizes[1]
        return
    if "jsonl" not in name:
        assert len(after) == len(before)
        in_table = "document" if corpus.labels is not None and name in TABLES else ""
        if in_table:
            before = [{frozenset(map(str, e)): n for e, n in one.items()} for one in before]
        # A table has its documents in the order of their mentions.
        assert sorted(map(repr, map(sorted_entities, after))) == sorted(
            map(repr, map(sorted_entities, before))
        )
    else:
        assert list(map(sorted_entities, after)) == list(map(sorted_entities, before))
    if rules.entity is not None and "entit" not in notes:
        assert sorted(n for one in after for n in one.values()) == sorted(
            n for one in before for n in one.values()
        )
    if rules.document is not None and "document" not in notes:
        expected = {
            document.id
            if rules.has_parts or not isinstance(document.id, tuple) or document.is_unnamed
            else f"{document.id[0]}_{document.id[1]}"
            for document in corpus.documents
        }
        assert {document.id for document in again.documents} == expected
    if "word" in find_format(name).supports and corpus.text is not None and again.text is not None:
        words = [word or "_" for word in corpus.text.columns.get("word", [""] * len(corpus.text))]
        read = [word or "_" for word in again.text.columns.get("word", ["_"] * len(words))]
        if "column word" not in notes and name != "brat":
            nothing = {"-", "_", "*"}
            # A column without values is not read, nor are words that no column counts.
            is_counted = name != "conll" or not corpus.text.starts_sentence.all()
            has_words = not set(words) <= nothing
            assert read == words or not is_counted or (set(read) == {"_"} and not has_words)


TABLES = {"csv", "tsv", "parquet"}


def sorted_entities(entities: dict[frozenset[Any], str]) -> list[Any]:
    """Return entities in an order that does not depend on names."""
    return sorted(sorted(map(repr, mentions)) for mentions in entities)


@pytest.mark.parametrize("name", WRITTEN)
@settings(max_examples=60)
@given(corpus=corpora())
def test_any_names_are_read_back(name: str, corpus: Corpus) -> None:
    """Of documents, parts, entities, words and attributes."""
    check_round_trip(corpus, name)


@pytest.mark.parametrize("name", ["clusters", "csv", "tsv", "parquet"])
@settings(max_examples=60)
@given(corpus=labelled())
def test_any_mentions_are_read_back(name: str, corpus: Corpus) -> None:
    """Mentions that are strings or numbers."""
    check_round_trip(corpus, name)


@pytest.mark.parametrize("name", ["brat", "jsonl", "csv", "parquet"])
@settings(max_examples=60)
@given(text=texts, label=texts, data=st.data())
def test_any_text_of_characters_is_read_back(
    name: str, text: str, label: str, data: st.DataObject
) -> None:
    """Spans of characters, in a text of any characters."""
    assume(text)
    builder = CorpusBuilder("drawn")
    number = builder.document("", len(text))
    places = st.integers(0, len(text) - 1)
    for start, end in data.draw(st.lists(st.tuples(places, places).map(sorted), max_size=3)):
        entity = builder.entity(number, data.draw(st.integers(0, 1)))
        builder.mention(number, (start, end), entity, label=label)
    check_round_trip(replace(builder.corpus(), characters=(text,)), name)


@given(st.lists(texts, unique=True))
def test_different_names_stay_different(names: list[str]) -> None:
    """Renaming never merges two entities or documents."""
    for rule in (NameRule(), NameRule(r"[\s|()%]", "NA|-"), NameRule(r"^\s+|\s+$")):
        assert len({rule.write(name) for name in names}) == len(names)


EXAMPLES = {
    "conll": ("the ferry", "a)|(b", "3+4", "", "a\nb", "|", "(", "-", "_", "*"),
    "csv": (" ", "NA", " NA", ""),
    "corefud": ("a-b", "a b", "(x"),
    "conllua": ("a@b", "x-Pseudo"),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_note_says_what_was_renamed(name: str, tmp_path: Path) -> None:
    """The names of the issue: each is renamed, and the others are not."""
    for odd in EXAMPLES[name]:
        corpus = Corpus.from_entities({"d": {odd: [(0, 1)], "a": [(2, 2)], "b": [(3, 3)]}})
        (note,) = write(corpus, tmp_path / "x", name)
        assert "1 entity name" in note
        again = scoref.read(tmp_path / "x", name)
        assert again.fingerprint() == corpus.fingerprint()
        assert len({"a", "b"} & set(again.entity_names)) == 2


@pytest.mark.parametrize("name", [one for one in WRITTEN if one != "brat"])
def test_a_document_without_a_name_is_not_the_document_of_its_number(
    name: str, tmp_path: Path
) -> None:
    """`#1` is how a document without a name is displayed, and can be a name."""
    builder = CorpusBuilder("drawn")
    for at, title in enumerate(["", "#1", "x"]):
        number = builder.document(title, 4)
        builder.mention(number, (at, at), builder.entity(number, "e"))
    write(builder.corpus(), path := tmp_path / "x", name)
    again = scoref.read(path, name)
    assert len(again.documents) == 3
    assert again.start[again.document.argsort()].tolist() == [0, 1, 2]


def test_two_documents_that_would_have_one_name_are_refused(tmp_path: Path) -> None:
    """`x_1`, and part 1 of `x`, which formats without parts write into the name."""
    builder = CorpusBuilder("drawn")
    builder.document("x", 1, identity=("x", 1))
    builder.document("x_1", 1)
    for name in ("jsonl", "csv", "clusters", "corefud", "conllua"):
        with pytest.raises(ScorefError, match="'x_1'"):
            write(builder.corpus(), tmp_path / "x", name)
    assert not list(tmp_path.iterdir())
