"""CorefUD: brackets by the header, discontinuous mentions, zeros, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Policy
from scoref.formats.conllu.corefud import recognise

HEADER = "# newdoc id = d1\n# global.Entity = eid-etype-head-other\n"


def conllu(*tokens: str, header: str = HEADER) -> str:
    """Write a sentence: `word Entity=...`, with `4.1` or `1-2` before the word of odd tokens.

    An empty node can have dependencies: `4.1 _ 2:nsubj Entity=...`. A blank starts a sentence.
    """
    lines, number = [header + "# sent_id = 1"], 0
    for token in tokens:
        if not token:
            lines += ["", "# sent_id = 2"]
            number = 0
            continue
        *before, word, misc = token.split(" ") if "=" in token else [*token.split(" "), "_"]
        dependencies = "_"
        if before and before[0][0].isdigit():
            identity = before[0]
            if len(before) > 1:
                word, dependencies = before[1], word
        else:
            number += 1
            identity = str(number)
        lines.append(f"{identity}\t{word}\t_\t_\t_\t_\t0\troot\t{dependencies}\t{misc}")
    return "\n".join([*lines, "", ""])


def write(path: Path, text: str) -> Path:
    """Write a file."""
    path.write_text(text, "utf-8")
    return path


def mentions(path: Path) -> list[tuple[Any, str, int, str]]:
    """List spans, entities, heads and nodes."""
    corpus = scoref.read(path)
    heads = corpus.attributes.get("head_start", [-1] * len(corpus))
    nodes = corpus.attributes.get("nodes", [""] * len(corpus))
    names = [corpus.entity_names[at] for at in corpus.entity]
    return [
        (corpus.mention(at), names[at], int(heads[at]), str(nodes[at])) for at in range(len(corpus))
    ]


def test_fields_go_by_the_header(tmp_path: Path) -> None:
    """Whatever their order, and with empty ones left out at the end."""
    text = conllu("The Entity=(e1-person-3-", "tall", "man", "I Entity=(e2--1)e1)", "left")
    expected = [((0, 3), "e1", 2, ""), ((3, 3), "e2", 3, "")]
    path = write(tmp_path / "x", text)
    assert mentions(path) == expected
    corpus = scoref.read(path)
    assert corpus.entity_attributes["type"].tolist() == ["person", ""]
    assert corpus.documents[0].length == 5
    other = "# newdoc id = d1\n# global.Entity = etype-GRP-infstat\n"
    text = conllu("The Entity=(person-1-new", "man Entity=1)", header=other)
    assert mentions(write(tmp_path / "y", text)) == [((0, 1), "1", -1, "")]
    assert scoref.read(tmp_path / "y").attributes["infstat"].tolist() == ["new"]


def test_ranges_are_no_words_and_empty_nodes_are(tmp_path: Path) -> None:
    """A mention with an empty node in it is another than one without."""
    text = conllu("1-2 dont", "do Entity=(e1--1-", "not", "2.1 _ Entity=e1)", "go Entity=(e2--1-)")
    path = write(tmp_path / "x", text)
    assert mentions(path) == [((0, 1), "e1", 0, "0 1 1.1"), ((2, 2), "e2", 2, "")]
    assert scoref.read(path).documents[0].length == 3
    bare = write(
        tmp_path / "y", conllu("do Entity=(e1--1-", "not Entity=e1)", "go Entity=(e2--1-)")
    )
    assert scoref.score(path, bare)["mentions"].recall == 0.5
    heads = scoref.score(path, bare, policy=Policy(match="head"))
    assert heads["mentions"].f1 == 1.0


def test_discontinuous_mentions(tmp_path: Path) -> None:
    """Parts make one mention; adjacent parts are what they say."""
    text = conllu("a Entity=(e7[1/2]--2-)", "b", "c Entity=(e7[2/2]--2-)", "d Entity=(e8--1-)")
    path = write(tmp_path / "x", text)
    assert mentions(path) == [((0, 2), "e7", 2, "0 2"), ((3, 3), "e8", 3, "")]
    near = conllu("a Entity=(e7[1/2]--2-)", "b Entity=(e7[2/2]--2-)")
    assert mentions(write(tmp_path / "y", near)) == [((0, 1), "e7", 1, "")]


def test_crossing_of_different_entities_is_legal(tmp_path: Path) -> None:
    """Closings belong to ids."""
    text = conllu("a Entity=(e1--1-", "b Entity=(e2--1-", "c Entity=e1)", "d Entity=e2)")
    assert [span for span, *_ in mentions(write(tmp_path / "x", text))] == [(0, 2), (1, 3)]


def test_links_are_kept(tmp_path: Path) -> None:
    """Bridging and split antecedents, by entity."""
    text = conllu(
        "a Entity=(e1--1-)", "b Entity=(e2--1-)",
        "c Bridge=e1<e3:part|Entity=(e3--1-)|SplitAnte=e1<e3,e2<e3",
    )  # fmt: skip
    corpus = scoref.read(write(tmp_path / "x", text))
    assert corpus.entity_attributes["bridge"].tolist() == ["", "", "e1:part"]
    assert corpus.entity_attributes["split_antecedents"].tolist() == ["", "", "e1,e2"]


@pytest.mark.parametrize(
    ("tokens", "found"),
    [
        (("a Entity=e1)",), "`e1\\)`, expected an earlier `\\(e1`"),
        (("a Entity=(e1--1-", "b"), "`\\(e1`, expected `e1\\)`"),
        (("a Entity=(e1--1-", "", "b Entity=e1)"), "in the same sentence"),
        (("a Entity=(e1--2-)",), "the head 2 of a mention of 1 tokens"),
        (("a Entity=(e1--x-)",), "the head x"),
        (("a Entity=e1",), "brackets such as"),
        (("1-2 ab Entity=(e1--1-)", "a", "b"), "a line that is not a token"),
        (("a Entity=(e1[2/2]--1-)",), "part 1 of `e1` first"),
        (("a Entity=(e1--1-)|Bridge=e2",), "pairs such as `e1<e5`"),
        (("a Entity=(-person-1-)",), "an entity in every bracket"),
        (("a", "1.x _ Entity=(e1--1-)"), "the ID `1.x`"),
        (("a", "1.1000 _ Entity=(e1--1-)"), "the ID `1.1000`, expected `2` or `1.1`"),
        (("a", "2x b Entity=(e1--1-)"), "the ID `2x`, expected `2` or `1.1`"),
        (("a", "123456789012345678901 b"), "the ID `123456789012345678901`"),
        (("a Entity=(e1[1/3]--1-)", "b", "c Entity=(e1[2/2]--1-)"), "`e1\\[2/3\\]\\)`, as the"),
        (("a Entity=(e1[1/2]--1-)", "", "b Entity=(e1[2/2]--1-)"), "`e1` in the same sentence"),
        (("a Entity=(e1[1/2222222222]--1-)",), "part 2 of `e1`"),
        (("a Entity=([1/1]--1-)",), "an entity in every bracket"),
        (("a Entity=(e1[1/2]--x-)", "b", "c Entity=(e1[2/2]--1-)"), "the head x"),
        (("a Entity=(e1--1,x-)",), "the head 1,x"),
        (
            ("a Entity=(e1[1/2]--1-", "b Entity=e1[1/2])(e1[2/2]--1-", "c Entity=e1[2/2])"),
            "parts of `e1` that overlap",
        ),
        (("a Entity=(e1--1-)|Bridge=e2<e1<e3",), "pairs such as `e1<e5`"),
        (("a Entity=(e1--1-)|Bridge=e2:x<e1",), "pairs such as `e1<e5`"),
        (("0.1 _ Entity=(e1--1-)",), "a sentence that has only empty nodes"),
        (("0.1 _ Entity=(e1--1-)", "", "a"), "a sentence that has only empty nodes"),
    ],
)
def test_what_is_refused(tokens: tuple[str, ...], found: str, tmp_path: Path) -> None:
    """With file and line."""
    path = write(tmp_path / "x", conllu(*tokens))
    with pytest.raises(scoref.FormatError, match=found) as error:
        scoref.read(path, "corefud")
    assert f"{path}:" in str(error.value)


LINE = "{}\tw\t_\t_\t_\t_\t0\troot\t_\t{}\n"


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (LINE.format(1, "_") + "2\tw\t_\t_\t_\t_\t0\troot\tEntity=(e1)\n", "a line of 9 columns"),
        (LINE.format(1, "Entity=(e1)\t_"), "a line of 11 columns"),
        ("1\tw\t_\t_\t_\t0\troot\t_\tEntity=(e1)\t\n", "a line with a tab at its end"),
        (LINE.format(1, "_") + LINE.format(3, "Entity=(e1)"), "the ID `3`, expected `2` or `1.1`"),
        (LINE.format(1, "_") * 2, "the ID `1`, expected `2` or `1.1`"),
        (LINE.format(1, "_") + LINE.format("2.1", "_"), "the ID `2.1`, expected `2` or `1.1`"),
        (LINE.format(1, "_") + LINE.format("1.2", "_"), "the ID `1.2`, expected `2` or `1.1`"),
        (LINE.format(1, "_") + LINE.format("", "_"), "expected a row that starts with the ID"),
        (LINE.format("1 ", "_"), "the ID `1 `, expected `1` or `0.1`"),
        (LINE.format("1-2 ", "_") + LINE.format(1, "_"), "the ID `1-2 `, expected a range"),
        (LINE.format(1, "Entity="), "expected brackets such as"),
        (LINE.format(1, "Entity=(e1[1/2])"), "expected part 2 of `e1`"),
        (LINE.format(1, "_\r").replace("w", "w\rx"), "a carriage return inside a line"),
    ],
)
def test_lost_lines_and_cells_are_refused(lines: str, found: str, tmp_path: Path) -> None:
    """They would move annotations to other words, or lose them."""
    path = write(tmp_path / "x", "# newdoc id = d\n# global.Entity = eid\n" + lines)
    with pytest.raises(scoref.FormatError) as error:
        scoref.read(path, "corefud")
    assert found in str(error.value)


def test_a_file_without_tokens_is_refused(tmp_path: Path) -> None:
    """Unless it names a document, which can be without words."""
    with pytest.raises(scoref.FormatError, match="a file without tokens"):
        scoref.read(write(tmp_path / "x", "# a comment\n"), "corefud")
    assert len(scoref.read(write(tmp_path / "y", "# newdoc id = d\n"), "corefud").documents) == 1


def test_headers_are_needed(tmp_path: Path) -> None:
    """And must say which field is the entity."""
    text = conllu("a Entity=(e1-person-1-)", header="# newdoc id = d\n")
    with pytest.raises(scoref.FormatError, match="before any header"):
        scoref.read(write(tmp_path / "x", text))
    header = "# newdoc id = d\n# global.Entity = etype-identity\n"
    text = conllu("a Entity=(person-Ann)", header=header)
    with pytest.raises(scoref.FormatError, match="`eid` or `GRP`"):
        scoref.read(write(tmp_path / "x", text))


@pytest.mark.parametrize("header", ["eid-etype", "=\u00a0eid-etype", "= eid etype", "="])
def test_a_damaged_header_is_refused(header: str, tmp_path: Path) -> None:
    """The header of the document before it can be another one."""
    one = conllu("a Entity=(e1--1-)")
    other = conllu("a", header=f"# newdoc id = d2\n# global.Entity {header}\n")
    with pytest.raises(scoref.FormatError, match=r"expected `# global.Entity = eid-\.\.\.`"):
        scoref.read(write(tmp_path / "x", one + other))


def test_mentions_of_an_entity_can_touch(tmp_path: Path) -> None:
    """The brackets of a word are read in their order."""
    text = conllu("a Entity=(e1--1-", "b Entity=e1)(e1--1-", "c Entity=e1)")
    assert [span for span, *_ in mentions(write(tmp_path / "x", text))] == [(0, 1), (1, 2)]


def test_a_range_before_a_document_is_a_document(tmp_path: Path) -> None:
    """As is any row before the first `# newdoc`."""
    path = write(tmp_path / "x", LINE.format("1-2", "_") + conllu("a", "b"))
    assert len(scoref.read(path, "corefud").documents) == 2


def test_documents(tmp_path: Path) -> None:
    """Several, or none that has a name; never two of one name."""
    one = conllu("a Entity=(e1--1-)", "b")
    path = write(tmp_path / "x", one + one.replace("d1", "d2"))
    corpus = scoref.read(path)
    assert [(d.name, d.length) for d in corpus.documents] == [("d1", 2), ("d2", 2)]
    assert corpus.start.tolist() == [0, 0]
    with pytest.raises(scoref.FormatError, match="document d1 again"):
        scoref.read(write(tmp_path / "y", one + one))
    blank = write(tmp_path / "b", one.replace("= d1", "=\u00a0d1\u3000"))
    assert scoref.read(blank).documents[0].name == "d1"
    unnamed = write(tmp_path / "z", one.replace("# newdoc id = d1\n", ""))
    assert scoref.score(unnamed, unnamed)["mentions"].f1 == 1.0


ZEROS_KEY = ("see", "1.1 _ 1:nsubj Entity=(e1--1-)", "1.2 _ 1:obj Entity=(e2--1-)",
             "Ann Entity=(e1--1-)", "Bob Entity=(e2--1-)", "Cid")  # fmt: skip
ZEROS_RESPONSE = ("see", "1.1 _ 1:obl Entity=(e3--1-)", "1.2 _ 1:nsubj Entity=(e1--1-)",
                  "1.3 _ 1:obj Entity=(e2--1-)", "Ann Entity=(e1--1-)", "Bob Entity=(e2--1-)",
                  "Cid Entity=(e3--1-)")  # fmt: skip


@pytest.mark.parametrize("mode", ["exact", "head", "partial"])
def test_a_zero_too_many_does_not_shift_the_others(mode: str, tmp_path: Path) -> None:
    """Where CorefUD's scorer 1.2 gives MUC 1/2 and 2/3, since its matches overwrite each other."""
    key = write(tmp_path / "key", conllu(*ZEROS_KEY))
    response = write(tmp_path / "response", conllu(*ZEROS_RESPONSE))
    result = scoref.score(key, response, policy=Policy(match=mode))
    for metric in ("muc", "b3", "ceafe", "lea", "mentions"):
        assert result[metric][:2] == pytest.approx((1.0, 2 / 3)), metric
    linear = scoref.score(key, response, policy=Policy(match=mode, zeros="linear"))
    assert linear["muc"].recall < 1.0


@st.composite
def documents(draw: st.DrawFn) -> dict[str, list[list[tuple[int, int]]]]:
    """Draw mentions that brackets can say: no two of an entity cross."""
    tokens = draw(st.integers(1, 9))
    places = st.tuples(st.integers(0, tokens - 1), st.integers(0, tokens - 1))
    drawn = draw(st.lists(places.map(lambda s: (min(s), max(s))), unique=True, max_size=8))
    entities: dict[int, list[tuple[int, int]]] = {}
    for span in drawn:
        entity = entities.setdefault(draw(st.integers(0, 3)), [])
        if all(a[1] < span[0] or span[1] < a[0] for a in entity):
            entity.append(span)
    return {"d": [entity for entity in entities.values() if entity]}


@given(drawn=documents())
@pytest.mark.parametrize("format_name", ["corefud", "jsonl", "conll"])
def test_round_trip(
    drawn: dict[str, list[list[tuple[int, int]]]], format_name: str, tmp_path_factory: Any
) -> None:
    """Every mention and entity is kept, from each format to CorefUD."""
    folder = tmp_path_factory.mktemp("round")
    corpus = scoref.Corpus.from_entities(drawn)
    corpus.write(folder / "x", format_name)
    first = scoref.read(folder / "x")
    first.write(folder / "y", "corefud")
    assert scoref.read(folder / "y").fingerprint() == first.fingerprint() == corpus.fingerprint()


def test_round_trip_of_what_only_this_format_has(tmp_path: Path) -> None:
    """Discontinuous mentions, empty nodes, heads and types; others refuse them."""
    second = ("0.1 _ 1:obj Entity=(e9--1-)", "a Entity=(e7[1/2]-x-2-)", "b",
              "c Entity=(e7[2/2]-x-2-)")  # fmt: skip
    text = conllu(*ZEROS_KEY, "", *second)
    path = write(tmp_path / "x", text)
    corpus = scoref.read(path, words=True)
    corpus.write(tmp_path / "y", "corefud")
    again = scoref.read(tmp_path / "y", words=True)
    assert again.fingerprint() == corpus.fingerprint()
    for name in ("head_start", "nodes", "zero", "zero_deps"):
        assert sorted(again.attributes[name].tolist()) == sorted(corpus.attributes[name].tolist())
    assert set(again.entity_attributes["type"]) == {"", "x"}
    for other in ("conll", "jsonl"):
        with pytest.raises(scoref.ScorefError, match="discontinuous or has an empty node"):
            corpus.write(tmp_path / "z", other)


def test_tags_of_another_tag_set_are_in_their_column(tmp_path: Path) -> None:
    """A validator of Universal Dependencies accepts no NNP in UPOS; both columns are read."""
    path, written = tmp_path / "key.conll", tmp_path / "key.conllu"
    rows = (("Ann", "NNP"), ("saw", "VERB"), ("her", "PRP"))
    lines = [f"d 0 {at} {word} {tag} * - - - - * (1)" for at, (word, tag) in enumerate(rows)]
    path.write_text("#begin document (d)\n" + "\n".join(lines) + "\n\n#end document\n")
    scoref.read(path, words=True).write(written, "corefud")
    cells = [line.split("\t") for line in written.read_text().splitlines() if "\t" in line]
    assert [row[3:5] for row in cells] == [["_", "NNP"], ["VERB", "_"], ["_", "PRP"]]
    again = scoref.read(written, words=["pos"])
    assert again.text is not None
    assert list(again.text.columns["pos"]) == [tag for _, tag in rows]


def test_is_told_from_its_content(example: Path) -> None:
    """And not taken for CoNLL columns, nor the other way round."""
    assert recognise(conllu("a", "b").encode())
    assert not recognise((example / "key.conll").read_bytes())
    assert not recognise(b"# global.columns = ID FORM\n# newdoc id = x\n")


# What CorefUD's scorer 1.2 prints for the pair of GUM under ../shared/data, after the 27
# response mentions that stand in a second entity are taken out of it: recall and precision.
GUM = {
    ("head", "drop"): (
        "47.35 71.54 35.21 65.10 42.42 61.25 38.52 48.81 37.23 66.85 30.57 58.32 45.75 70.29"
    ),
    ("head", "keep"): (
        "47.19 71.30 25.76 70.09 27.07 66.33 12.73 62.23 27.78 76.85 17.88 57.91 28.14 89.15"
    ),
    ("partial", "drop"): (
        "45.49 68.73 33.57 61.84 41.12 59.36 36.92 46.79 35.37 63.42 28.91 54.85 45.75 70.29"
    ),
    ("partial", "keep"): (
        "45.46 68.70 24.36 66.49 26.23 64.26 12.16 59.44 26.63 72.29 16.99 54.70 28.14 89.15"
    ),
    ("exact", "drop"): (
        "44.38 67.06 32.61 59.98 40.36 58.27 35.80 45.36 34.50 61.80 27.96 52.94 45.75 70.29"
    ),
    ("exact", "keep"): (
        "44.38 67.06 23.52 64.39 25.73 63.03 11.77 57.53 26.12 70.08 16.46 52.84 28.14 89.15"
    ),
}
METRICS = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea", "mor")


@pytest.mark.parametrize(("mode", "singletons"), GUM)
def test_agrees_with_corefuds_scorer(data: Path, mode: str, singletons: str) -> None:
    """To the digits that it prints."""
    policy = Policy(match=mode, singletons=singletons)  # type: ignore[arg-type]
    key, response = (data / "gum" / f for f in ("gum.key.conllu", "xrenner.response.conllu"))
    result = scoref.score(key, response, METRICS, policy)
    found = [100 * value for name in METRICS for value in result[name][:2]]
    expected = [float(text) for text in GUM[mode, singletons].split()]
    assert found == pytest.approx(expected, abs=0.00501)


def table_of_nodes(path: Path, nodes: dict[str, str]) -> scoref.Corpus:
    """Read a table of mentions with gaps; the first letter of a name is the entity."""
    rows = [f"d,{n.split()[0]},{n.split()[-1]},{name[0]},{n}\n" for name, n in nodes.items()]
    path.write_text(f"document,start,end,entity,nodes\n{''.join(rows)}", "utf-8")
    return scoref.read(path)


@pytest.mark.parametrize("nodes", [{"a1": "1 3", "a2": "3 5"}, {"a": "1 3", "b": "2 4"}])
def test_parts_in_order_are_written(nodes: dict[str, str], tmp_path: Path) -> None:
    """Of one entity one after another, of two entities in any order."""
    corpus = table_of_nodes(tmp_path / "x.csv", nodes)
    corpus.write(tmp_path / "x.conllu", "corefud")
    assert scoref.read(tmp_path / "x.conllu").entities() == corpus.entities()


@pytest.mark.parametrize("nodes", [("1 3", "1 3"), ("1 3", "2 4"), ("1 7", "3 5")])
def test_parts_that_would_be_mixed_are_not_written(nodes: tuple[str, str], tmp_path: Path) -> None:
    """The parts of an entity are numbered in the order of the text, one mention at a time."""
    corpus = table_of_nodes(tmp_path / "x.csv", {"a1": nodes[0], "a2": nodes[1]})
    with pytest.raises(scoref.ScorefError, match="with gaps of entity a that overlap"):
        corpus.write(tmp_path / "x.conllu", "corefud")
