"""CoNLL-UA: brackets without ids, Min, non-referring mentions, parts, and what is refused."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoref
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import ScorefError
from scoref.formats.conllu.conllua import read as read_conllua
from scoref.formats.conllu.corefud import read as read_corefud
from scoref.formats.format import Wanted
from tests.formats.drawn import (
    NAMES,
    ODD_NAMES,
    corpora,
    problem,
    read,
    renamed,
    written,
    written_with_notes,
)

HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING"
    " DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"
)


def rows(*cells: str, width: int = 15) -> str:
    """Write a row for each identity cell; `ID:cell` gives it an ID of its own."""
    lines = []
    for number, cell in enumerate(cells, 1):
        identity, colon, rest = cell.partition(":")
        row = [identity if colon else str(number), f"w{number}", *["_"] * 8]
        row += [rest if colon else cell, *["_"] * (width - 11)]
        lines.append(" ".join(row))
    return "\n".join(lines) + "\n\n"


def document(*cells: str, name: str = "d") -> str:
    """Write a file of one document."""
    return f"{HEADER}# newdoc id = {name}\n{rows(*cells)}"


def test_reads_nested_brackets(tmp_path: Path) -> None:
    """A closing bracket closes the latest open one; told from the header of columns."""
    text = document(
        "(EntityID=1|MarkableID=m1|Min=2|SemType=dn(EntityID=2|MarkableID=m2)",
        ")",
        "_",
        "@(EntityID=1|MarkableID=m3@(EntityID=3|MarkableID=m4",
        "))",
    )
    path = tmp_path / "some.CONLLUA"
    path.write_text(text, "utf-8")
    corpus = scoref.read(path, words=True)
    assert corpus.entities() == {"d": [[(0, 1), (3, 4)], [(0, 0)], [(3, 4)]]}
    assert corpus.documents[0].length == 5
    assert corpus.attributes["min_start"].tolist() == [1, -1, -1, -1]
    assert corpus.attributes["semtype"].tolist()[0] == "dn"
    assert corpus.text is not None
    assert corpus.text.words(0, 0, 1) == ["w1", "w2"]


def test_reads_crossing_brackets_that_have_ids() -> None:
    """As the second scorer for the format writes them."""
    corpus, problems = read(
        "conllua",
        document("(EntityID=1|MarkableID=m1", "(EntityID=2|MarkableID=m2", "m1)", "EntityID=2)"),
    )
    assert not problems
    assert corpus.entities() == {"d": [[(0, 2)], [(1, 3)]]}


def test_reads_rows_with_spaces_or_tabs_and_few_columns() -> None:
    """Real files do all of this."""
    text = document("(EntityID=1|MarkableID=m1", ")")
    for variant in (
        text.replace(" ", "\t").replace("#\t", "# "),
        text.replace(" _ _ _\n", " _ _\n"),
    ):
        corpus, problems = read(
            "conllua", variant.replace("global.columns\t=\t", "global.columns = ")
        )
        assert not problems
        assert len(corpus) == 1


def test_a_mention_with_its_min_outside_is_its_own_minimal_span(tmp_path: Path) -> None:
    """As in the LIGHT files, which count from the sentence; `--match min` scores them."""
    corpus, problems = read(
        "conllua",
        document("(EntityID=1|MarkableID=m1|Min=1)", "_", "(EntityID=1|MarkableID=m2|Min=1,2", ")"),
    )
    assert not problems
    assert corpus.attributes["min_start"].tolist() == [0, 2]
    assert corpus.attributes["min_end"].tolist() == [0, 3]
    assert "the minimal span of 1 mention is the whole mention" in corpus.notes[0]
    assert "line 5" in corpus.notes[0]
    path = tmp_path / "x.CONLLUA"
    corpus.write(path, "conllua")
    assert scoref.score(path, path, policy=scoref.Policy(match="min"))["conll"].f1 == 1
    _, problems = read("conllua", document("(EntityID=1|MarkableID=m1|Min=9)"))
    assert not problems


def test_non_referring_mentions_are_left_out_and_counted() -> None:
    """They are in no entity."""
    corpus, _ = read("conllua", document("(EntityID=1-Pseudo|MarkableID=m1)", "(EntityID=2)"))
    assert corpus.entities() == {"d": [[(1, 1)]]}
    assert "ignored 1 non-referring mention" in corpus.notes[0]


def test_parts_and_empty_nodes() -> None:
    """Parts share a MarkableID; a row 2.1 is an empty node behind word 2."""
    corpus, problems = read(
        "conllua",
        document(
            "(EntityID=1|MarkableID=m1)",
            "(EntityID=2|MarkableID=m2)",
            "2.1:(EntityID=2|MarkableID=m3)",
            "3:(EntityID=1|MarkableID=m1)",
            "4-5:_",
            "4:_",
        ),
    )
    assert not problems
    assert corpus.documents[0].length == 4
    assert list(zip(corpus.start, corpus.end, corpus.attributes["nodes"], strict=True)) == [
        (0, 2, "0 2"),
        (1, 1, ""),
        (1, 1, "1.1"),
    ]


def test_split_antecedents_and_bridging_are_kept() -> None:
    """As attributes of entities and of mentions."""
    text = document(
        "(EntityID=1|MarkableID=m1|ElementOf=3)",
        "(EntityID=2|MarkableID=m2|ElementOf=3)",
        "(EntityID=3|MarkableID=m3)",
    )
    bridge = "(MarkableID=m3|Rel=poss|MentionAnchor=m1|EntityAnchor=1)"
    lines = text.split("\n")
    lines[4] = lines[4].replace(" _ _ _ _", f" {bridge} _ _ _")
    corpus, problems = read("conllua", "\n".join(lines))
    assert not problems
    assert corpus.entity_attributes["split_antecedents"].tolist() == ["", "", "1,2"]
    assert corpus.attributes["bridge"].tolist() == ["", "", "m1"]
    assert corpus.attributes["bridge_relation"].tolist() == ["", "", "poss"]


def test_discourse_deixis_has_a_name_of_its_own() -> None:
    """Its column is read as the corpus."""
    text = document("(EntityID=1|MarkableID=m1)", "_").replace(
        "w2 _ _ _ _ _ _ _ _ _ _ _", "w2 _ _ _ _ _ _ _ _ _ _ (EntityID=7|MarkableID=x)"
    )
    assert read("conllua-deixis", text)[0].entities() == {"d": [[(1, 1)]]}
    assert read("conllua", text)[0].entities() == {"d": [[(0, 0)]]}


def test_empty_nodes_can_begin_a_document() -> None:
    """Also one that is not the first of its file, as the writer writes it."""
    first = document("_", "_")
    second = document("0.1:(EntityID=1)", "1:(EntityID=1)", name="e").removeprefix(HEADER)
    corpus, problems = read("conllua", first + second)
    assert not problems
    assert len(corpus) == 2
    again, problems = read("conllua", written(corpus, "conllua"))
    assert not problems
    assert again.entities() == corpus.entities()


def test_ranges_have_no_annotation() -> None:
    """They are not tokens; with a hyphen in its ID, a token would lose its mention."""
    corpus, problems = read("conllua", document("1-2:_", "1:(EntityID=1)", "2:_"))
    assert not problems
    assert corpus.entities() == {"d": [[(0, 0)]]}


REFUSED = {
    "annotation on a range": (document("_", "1-3:(EntityID=1)"), 4, "annotation on a range"),
    "a range of few cells": (document("_") + "2-3 w _\n", 5, "a row of 3 cells"),
    "text after an ID": (document("_", "1.1x:(EntityID=1)"), 4, "the ID `1.1x"),
    "an empty node after a word of another document": (
        document("_") + document("1.1:(EntityID=1)", name="e").removeprefix(HEADER),
        6,
        "the ID `1.1",
    ),
    "a document of empty nodes": (document("0.1:(EntityID=1)"), 3, "only empty nodes"),
    "a first document of empty nodes": (
        document("0.1:(EntityID=1)") + document("_", name="e").removeprefix(HEADER),
        3,
        "only empty nodes",
    ),
    "a field before a closing bracket": (
        document("(EntityID=3|MarkableID=m1", "EntityID=1|MarkableID=m2|Min=3)"),
        3,
        "`(EntityID=3",
    ),
    "the Min of a second part": (
        document("(EntityID=1|MarkableID=m1)", "_", "(EntityID=1|MarkableID=m1|Min=3m1)"),
        5,
        "`Min=3m1`",
    ),
    "a field without a name": (document("(EntityID=1|=in=2,2)"), 3, "`(EntityID=1|=in=2,2`"),
    "an unopened bracket": (document("_", ")"), 4, "`)`"),
    "an unclosed bracket": (document("(EntityID=1|MarkableID=m", "_"), 3, "`(EntityID=1"),
    "an unclosed bracket before a document": (
        document("(EntityID=1", "_") + document(")", name="e").removeprefix(HEADER),
        3,
        "`(EntityID=1",
    ),
    "no entity": (document("(MarkableID=m)"), 3, "a mention without EntityID"),
    "no fields": (document("(12)"), 3, "`(12`"),
    "an empty bracket": (document("()"), 3, "the cell `()`"),
    "a word in the cell": (document("EntityID=1"), 3, "the cell `EntityID=1`"),
    "a strange id": (document("(EntityID=1|MarkableID=m", "x)"), 3, "`(EntityID=1"),
    "a markable in two entities": (
        document("(EntityID=1|MarkableID=m)", "(EntityID=2|MarkableID=m)"),
        4,
        "MarkableID m in entities 1, 2",
    ),
    "a bad Min": (document("(EntityID=1|Min=x)"), 3, "`Min=x`"),
    "a document twice": (document("_") + document("_").removeprefix(HEADER), 5, "document d again"),
    "no columns": (document("(EntityID=1)").removeprefix(HEADER), 2, "a token before"),
    "other columns": (document("_").replace("IDENTITY", "ID2"), 1, "the columns ID FORM"),
    "too few cells": (HEADER + "1 ( _\n", 2, "a row of 3 cells"),
    "a line without an ID": (HEADER + "word _\n", 2, "`word _`"),
    "too many cells": (document("_").replace(" _\n", " _ _ _\n"), 3, "a row of 17 cells"),
    "a column twice": (document("_").replace("LEMMA", "FORM"), 1, "the column FORM twice"),
    "a field twice": (document("(EntityID=1|EntityID=2)"), 3, "`(EntityID=1|EntityID=2`"),
    "a number with a fraction": (document("1.0:_"), 3, "the ID `1.0`"),
    "no tokens": (HEADER, 0, "a file without tokens"),
    "another encoding": (document("_").replace("w1", "é").encode("latin-1"), 3, "0xe9"),
}


@pytest.mark.parametrize(("text", "line", "found"), REFUSED.values(), ids=REFUSED)
def test_refuses(text: str | bytes, line: int, found: str) -> None:
    """With the line, and what stands there."""
    first = problem("conllua", text)
    assert (first.line, found in first.found) == (line, True), first


@settings(max_examples=60)
@given(corpus=corpora())
def test_a_round_trip_keeps_everything(corpus: Corpus) -> None:
    """Mentions that cross too, as parts of one MarkableID."""
    again, problems = read("conllua", written(corpus, "conllua"))
    assert not problems
    assert again.fingerprint() == corpus.fingerprint()
    assert [d.length for d in again.documents] == [d.length for d in corpus.documents]


@given(st.lists(st.sets(st.integers(0, 7), min_size=1), max_size=5, unique_by=frozenset), st.data())
def test_a_round_trip_keeps_discontinuous_mentions(
    mentions: list[set[int]], data: st.DataObject
) -> None:
    """Any set of words, with and without an empty node."""
    builder = CorpusBuilder("drawn")
    number = builder.document("d", 8)
    for words in mentions:
        entity = builder.entity(number, data.draw(st.integers(0, 2)))
        nodes = [str(word) for word in sorted(words)]
        if data.draw(st.booleans()):
            nodes.append(f"{max(words)}.1")
        plain = len(nodes) == max(words) - min(words) + 1 and "." not in nodes[-1]
        builder.mention(
            number, (min(words), max(words)), entity, nodes="" if plain else " ".join(nodes)
        )
    corpus = builder.corpus()
    again, problems = read("conllua", written(corpus, "conllua"))
    assert not problems
    assert again.fingerprint() == corpus.fingerprint()


def test_names_that_will_not_do_are_replaced() -> None:
    """Entities may be called anything."""
    corpus = Corpus.from_entities({"d": {"a(b": [(0, 1)], "x-Pseudo": [(1, 1), (2, 2)]}})
    again, problems = read("conllua", written(renamed(corpus, "conllua"), "conllua"))
    assert not problems
    assert again.fingerprint() == corpus.fingerprint()


def test_split_antecedents_are_written() -> None:
    """Also those of CorefUD, which states them at the entity, and with names that must change."""
    entities = {"d": {"a(b": [(0, 0)], "x": [(2, 2)], "y": [(4, 4)], "x y": [(6, 6)]}}
    stated = {"d": {"x y": {"split_antecedents": ["a(b", "x", "nobody"]}}}
    key = Corpus.from_entities(entities, entities=stated)
    response = Corpus.from_entities(
        {"d": {**entities["d"], "y": [(4, 4), (6, 6)], "x y": [(5, 5)]}}
    )
    again, problems = read("conllua", written(renamed(key, "conllua"), "conllua"))
    assert not problems
    policy = scoref.Policy(split_antecedents="score")
    one, other = (scoref.score(side, response, ["muc", "lea"], policy) for side in (key, again))
    assert one.counts == other.counts
    assert again.entity_attributes["split_antecedents"].tolist()[3] == "a%28b,x"


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_refused_or_noted_or_harmless(tmp_path: Path, data: st.DataObject) -> None:
    """Rubbish anywhere never gives a traceback, and a lost bracket never another score."""
    names = data.draw(st.sampled_from([NAMES, ODD_NAMES.map(lambda n: "".join(n.split()))]))
    text = written(data.draw(corpora(names)), "conllua")
    at = data.draw(st.integers(0, len(text)))
    rubbish = data.draw(st.binary(max_size=9) | st.text("()|=@1_# \n", max_size=4).map(str.encode))
    path = tmp_path / "broken"
    path.write_bytes(text[:at] + rubbish + text[at + data.draw(st.integers(0, 3)) :])
    with suppress(ScorefError):
        corpus = scoref.read(path, "conllua")
        assert (corpus.start <= corpus.end).all()
        lengths = [corpus.documents[at].length for at in corpus.document]
        assert all(end < length for end, length in zip(corpus.end, lengths, strict=True))


CELLS: dict[str, Callable[[str], str]] = {
    "an opening bracket left out": lambda cell: cell.replace("(", "", 1),
    "a closing bracket left out": lambda cell: cell.replace(")", "", 1),
    "a bracket too many": lambda cell: f"{cell})",
    "a bar left out": lambda cell: cell.replace("|", "", 1),
    "an equals sign left out": lambda cell: cell.replace("=", "", 1),
    "another entity": lambda cell: cell.replace("EntityID=", "EntityID=x", 1),
    "another markable": lambda cell: cell.replace("MarkableID=", "MarkableID=markable_1", 1),
    "another field": lambda cell: cell.replace("EntityID", "Entity", 1),
    "a blank inside": lambda cell: cell.replace("|", " | ", 1),
    "an at sign": lambda cell: cell.replace("(", "@(", 1),
    "a lonely at sign": lambda cell: f"{cell}@",
    "nothing": lambda _: "_",
    "an empty cell": lambda _: "",
}


@pytest.mark.parametrize("damage", CELLS)
@given(data=st.data())
def test_one_damaged_cell_is_refused_or_is_all_that_changes(
    damage: str, data: st.DataObject
) -> None:
    """A file that is still read has every mention that has no bracket in that cell."""
    corpus = data.draw(corpora(nested=True))
    lines = written(corpus, "conllua").decode().split("\n")
    told = [at for at, line in enumerate(lines) if "\t(" in line or "\t)" in line]
    if not told:
        return
    at = data.draw(st.sampled_from(told))
    row = lines[at].split("\t")
    row[10] = CELLS[damage](row[10])
    lines[at] = "\t".join(row)
    again, problems = read("conllua", "\n".join(lines))
    if problems:
        return
    number = sum(line.startswith("# newdoc") for line in lines[:at]) - 1
    token = int(row[0]) - 1
    untouched = {
        (document, span)
        for document, span in spans(corpus)
        if document != number or token not in span
    }
    assert untouched <= spans(again), damage


def spans(corpus: Corpus) -> set[tuple[int, tuple[int, int]]]:
    """Return the document and span of each mention."""
    columns = (corpus.document.tolist(), corpus.start.tolist(), corpus.end.tolist())
    return {(document, (start, end)) for document, start, end in zip(*columns, strict=True)}


MB = 1 << 20
LONG = {
    "one field": f"(EntityID=1|SemType={'x' * (10 * MB)})",
    "one name": f"(EntityID={'1' * (10 * MB)})",
    "fields": f"({'A=b|' * (10 * MB // 4)}EntityID=1)",
    "mentions": "(EntityID=1)" * (10 * MB // 12),
}
LONG_AND_WRONG = {
    "no brackets": ("EntityID=" + "x" * (10 * MB), "the cell `EntityID=x"),
    "a word": ("x" * (10 * MB) + "(", "the cell `xxx"),
    "many brackets": ("(" * 10_000, "the cell `((("),
}


@pytest.mark.parametrize("name", LONG)
def test_a_line_of_ten_megabytes_is_read(name: str) -> None:
    """Also where NumPy would give every mention the room of the longest text."""
    others = [f"(EntityID={number}|SemType=dn)" for number in range(300)]
    corpus, problems = read("conllua", document(LONG[name], *others))
    assert not problems
    assert corpus.documents[0].length == 301
    assert len(corpus) > 300


@pytest.mark.parametrize("name", LONG_AND_WRONG)
def test_a_damaged_long_line_is_refused(name: str) -> None:
    """With a message that is not as long as the line."""
    cell, found = LONG_AND_WRONG[name]
    first = problem("conllua", document(cell))
    assert found in first.found
    assert len(first.found) < 200


def test_a_blank_in_an_id_is_refused() -> None:
    """A row that is divided at tabs has nothing but a number before the first."""
    text = document("_").replace("1 w1", "1 2 w1").replace(" _", "\t_").replace(" w1", "\tw1")
    assert "1 2" in problem("conllua", text).found


@pytest.mark.parametrize("text", ["\0", "a\0b", "(EntityID=\0)", "(EntityID=1\0|MarkableID=m)"])
@pytest.mark.parametrize("format_name", ["conllua", "corefud"])
def test_nul_bytes_are_refused(text: str, format_name: str) -> None:
    """No text has them."""
    first = problem(format_name, document("_", text, "_"))
    assert (first.line, first.found) == (4, "a NUL byte")


@pytest.mark.parametrize("size", [1, 7, 64, 300])
@pytest.mark.parametrize("name", ["conllua", "corefud"])
@given(corpus=corpora(nested=True))
def test_blocks_do_not_matter(name: str, size: int, corpus: Corpus) -> None:
    """Whatever is cut in two."""
    try:
        data = written(corpus, name)
    except ScorefError:
        return  # CorefUD cannot say what touches itself
    found = []
    for block in (size, 1 << 20):
        words = Wanted(frozenset({"word"}))
        if name == "corefud":
            one, problems = read_corefud(io.BytesIO(data), "toy", words, block)
        else:
            one, problems = read_conllua("IDENTITY", io.BytesIO(data), "toy", words, block)
        assert not problems
        assert one.text is not None
        columns = (one.document, one.start, one.end, one.entity, one.line, one.text.starts_sentence)
        found.append((one.documents, [column.tolist() for column in columns]))
    assert found[0] == found[1]


@pytest.mark.parametrize("ends", [(9, 9), (0, 9), (9, 0), (-1, 2), (3, 1)])
def test_a_minimal_span_outside_the_document_is_not_written(ends: tuple[int, int]) -> None:
    """Tables can state any."""
    corpus = Corpus.from_entities(
        {"d": [[(0, 2)]]}, mentions={"d": {(0, 2): {"min_start": ends[0], "min_end": ends[1]}}}
    )
    again, problems = read("conllua", written(corpus, "conllua"))
    assert not problems
    assert again.fingerprint() == corpus.fingerprint()


@pytest.mark.parametrize("name", ["conllua", "corefud"])
def test_a_corpus_without_tokens_is_written_if_a_document_is_named(
    name: str, tmp_path: Path
) -> None:
    """The readers refuse a file with neither, and so do the writers (tests of tables)."""
    named = scoref.read({"d": []})
    named.write(tmp_path / "x", name)
    assert scoref.read(tmp_path / "x", name).fingerprint() == named.fingerprint()


def test_an_empty_node_before_a_sentence_is_after_the_one_before() -> None:
    """CoNLL-UA has no other place for it, and `convert` says so."""
    nodes = {"d": {(2, 2): {"nodes": "2.-999"}}}
    corpus = Corpus.from_entities({"d": [[(0, 0), (2, 2)]]}, mentions=nodes)
    assert written_with_notes(corpus, "corefud")[1] == []
    data, notes = written_with_notes(corpus, "conllua")
    (note,) = notes
    assert note.startswith("conllua cannot hold the place of 1 mention with empty nodes")
    assert note.endswith("such as (2.-999) in document d: scores of this corpus change")
    again, problems = read("conllua", data)
    assert not problems
    assert again.attributes["nodes"].tolist() == ["", "1.1"]
