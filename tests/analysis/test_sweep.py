"""Sweep: each row is what `score` returns, and the published differences between practices."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.analysis.levels import Level, find_levels
from scoref.analysis.sweep import Practice
from scoref.cli import main
from scoref.exceptions import UsageError

Capture = pytest.CaptureFixture[str]

METRICS = ["muc", "b3", "ceafe", "lea", "conll"]
# The outputs of a resolver for ECB+: CoNLL F1 by level and singletons.
ECB_01 = {
    ("document", "keep"): 84.8199,
    ("document", "drop"): 71.0530,
    ("subtopic", "keep"): 78.6858,
    ("subtopic", "drop"): 65.8883,
    ("topic", "keep"): 78.1029,
    ("topic", "drop"): 64.7233,
    ("corpus", "keep"): 78.1029,
    ("corpus", "drop"): 64.7233,
}


def rows(cells: list[tuple[str, str, str, str]]) -> str:
    """Return a file with topic, subtopic, document and entity of each token."""
    lines = [f"{t}\t{s}\t{d}\t0\t{at}\tw\t{e}" for at, (t, s, d, e) in enumerate(cells)]
    return "\n".join(["#begin document (all)", *lines, "#end document\n"])


PLACES = [
    ("t1", "t1_0", "a"), ("t1", "t1_0", "a"), ("t1", "t1_0", "b"), ("t1", "t1_0", "b"),
    ("t1", "t1_1", "c"), ("t1", "t1_1", "c"), ("t2", "t2_0", "d"), ("t2", "t2_0", "d"),
]  # fmt: skip


def write(path: Path, entities: list[str]) -> Path:
    """Write a corpus of four documents in one."""
    cells = [(*place, entity) for place, entity in zip(PLACES, entities, strict=True)]
    path.write_text(rows(cells), encoding="utf-8")
    return path


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """One entity inside each document, and one across topics."""
    return write(tmp_path / "key.conll", ["(1)", "(1)", "(1)", "(2)", "(1)", "(3)", "(1)", "-"])


@pytest.fixture
def response(tmp_path: Path) -> Path:
    """Links inside documents only, a missing and a spurious mention."""
    entities = ["(1)", "(1)", "(4)", "(2)", "-", "(3)", "(5)", "(6)"]
    return write(tmp_path / "response.conll", entities)


def test_levels_of_columns(key: Path) -> None:
    """A column names documents if its values have one run of several tokens."""
    assert find_levels(scoref.read(key, words=["column=1", "column=2", "column=3"])) == [
        Level("document", "column=3"),
        Level("subtopic", "column=2"),
        Level("topic", "column=1"),
        Level("corpus", "corpus"),
    ]


@pytest.mark.parametrize(
    ("lines", "units"),
    [
        # OntoNotes: the document, its part, the number of the word.
        (["d 0 0 a (1)", "d 0 1 b -", "d 0 2 c (1)"], ["corpus"]),
        # The topic, the document, the number of the word.
        (["t a 0 a (1)", "t a 1 b -", "t b 0 c (1)", "t b 1 c (1)"],
         ["column=2", "column=1", "corpus"]),
        # A mention per line, without documents.
        (["x (1)", "x (1)", "x (2)"], ["corpus"]),
    ],
)  # fmt: skip
def test_levels_of_other_files(lines: list[str], units: list[str], tmp_path: Path) -> None:
    """A column that counts words names no documents."""
    path = tmp_path / "x.conll"
    path.write_text("\n".join(["#begin document (d)", *lines, "#end document\n"]))
    levels = find_levels(scoref.read(path, words=["column=1", "column=2", "column=3"]))
    assert [level.unit for level in levels] == units


def test_levels_of_several_documents() -> None:
    """Without topics: the documents, and the corpus."""
    sides = {"a": [["x"]], "b": [["x"]]}
    assert [level.unit for level in find_levels(scoref.Corpus.from_entities(sides))] == [
        "document",
        "corpus",
    ]


def test_levels_of_a_table_with_subtopics_only(tmp_path: Path) -> None:
    """Without topics, subtopics are a level if they group documents."""
    path = tmp_path / "x.csv"
    path.write_text("document,start,end,entity,subtopic\na,0,0,1,x\nb,0,0,1,x\nc,1,1,2,y\n")
    units = [level.unit for level in find_levels(scoref.read(path))]
    assert units == ["document", "column=2", "corpus"]
    assert scoref.sweep(path, path, ["b3"]).chosen.name == "corpus/drop/all"


def test_levels_of_ecbplus(ecbplus: Path) -> None:
    """The topic and the subtopic follow from the name of a document."""
    columns = ["column=1", "column=2", "column=3"]
    levels = find_levels(scoref.read(ecbplus, "ecbplus-events", words=columns))
    assert [level.unit for level in levels] == ["document", "column=2", "column=1", "corpus"]


@pytest.fixture
def ecbplus() -> Path:
    """The key of the example with topics."""
    return Path(__file__).parents[2] / "examples" / "topics" / "key"


def test_rows_are_those_of_score(key: Path, response: Path) -> None:
    """Scores, detection and signature of every practice with all mentions."""
    found = scoref.sweep(key, response, METRICS)
    for one in found.swept:
        level, singletons, mentions = one.practice
        policy = {"unit": level.unit, "singletons": singletons}
        alone = scoref.score(key, response, ["mentions", *METRICS], policy)
        if mentions == "all":
            assert one.scores == {name: alone[name] for name in METRICS}
            assert one.detection == alone["mentions"]
        else:
            assert one.detection is None
        assert one.signature == alone.signature


Cells = st.lists(st.sampled_from(["-", "(1)", "(2)", "(3)"]), min_size=8, max_size=8)


@given(Cells, Cells)
def test_laws(tmp_path_factory: pytest.TempPathFactory, one: list[str], other: list[str]) -> None:
    """Rows are those of score; with given mentions, shared mentions are all mentions."""
    folder = tmp_path_factory.mktemp("x")
    key, response = write(folder / "k.conll", one), write(folder / "r.conll", other)
    found = scoref.sweep(key, response, ["muc", "b3", "ceafe"]).of("response")
    for practice, row in found.items():
        level, singletons, mentions = practice
        policy = {"unit": level.unit, "singletons": singletons}
        if mentions == "all":
            alone = scoref.score(key, response, ["muc", "b3", "ceafe"], policy)
            assert row.scores == dict(alone)
        elif [cell == "-" for cell in one] == [cell == "-" for cell in other]:
            assert row.scores == found[practice._replace(mentions="all")].scores


def test_shared_mentions(key: Path, response: Path, tmp_path: Path) -> None:
    """Mentions of one side are removed before singletons."""
    of_both = [0, 1, 2, 3, 5, 6]
    sides = []
    for name, path in (("k", key), ("r", response)):
        cells = [line.split("\t")[-1] for line in path.read_text().splitlines()[1:-1]]
        kept = [cell if at in of_both else "-" for at, cell in enumerate(cells)]
        sides.append(write(tmp_path / f"{name}.conll", kept))
    found = scoref.sweep(key, response, METRICS).of("response")
    for practice, row in scoref.sweep(sides[0], sides[1], METRICS).of("response").items():
        if practice.mentions == "shared":
            assert row.scores == found[practice].scores


def pairs(entities: list[str], *, inside: bool) -> set[tuple[int, int]]:
    """Return pairs of mentions of one entity, inside or across documents."""
    return {
        (a, b)
        for a, b in combinations(range(len(entities)), 2)
        if entities[a] == entities[b] != "-" and (PLACES[a] == PLACES[b]) == inside
    }


@given(Cells, Cells)
def test_links(tmp_path_factory: pytest.TempPathFactory, one: list[str], other: list[str]) -> None:
    """Pairs inside and across documents, counted slowly; all repairs together make the key."""
    folder = tmp_path_factory.mktemp("x")
    key, response = write(folder / "k.conll", one), write(folder / "r.conll", other)
    price = scoref.sweep(key, response, ["b3"]).prices["response"]
    for name, inside in (("inside", True), ("across", False)):
        of_key, of_response = pairs(one, inside=inside), pairs(other, inside=inside)
        keys, responses, score = price.links[f"links {name} documents"]
        assert (keys, responses) == (len(of_key), len(of_response))
        both = len(of_key & of_response)
        assert score.recall == pytest.approx(both / max(len(of_key), 1))
        assert score.precision == pytest.approx(both / max(len(of_response), 1))
    assert price.scores["b3"].f1 + price.gains["all"]["b3"] == pytest.approx(
        float(one.count("-") < 8)
    )


def test_prices(key: Path, response: Path) -> None:
    """Without links across documents, these links are the loss."""
    price = scoref.sweep(key, response, ["muc"]).prices["response"]
    assert price.gains["links inside documents"]["muc"] == 0
    assert price.gains["links across documents"]["muc"] > 0
    assert price.gains["detection"]["muc"] != 0


def test_archived_outputs(data: Path) -> None:
    """All figures of the case, for outputs of two corpora."""
    cases = json.loads((data.parent / "cases" / "corpora" / "sweep.json").read_text("utf-8"))
    levels = {"document": "corpus", "column=1": "topic", "column=2": "subtopic"}
    levels["column=3"] = "document"
    folder, compared = data / "hypercoref", 0
    for name in sorted({case.split()[0] for case in cases}):
        key = folder / f"{name.split('.')[0]}.key.conll"
        found = scoref.sweep(key, folder / f"{name}.response.conll")
        scores = {one.practice.name: one.scores for one in found.swept}
        for case, expected in cases.items():
            system, unit, singletons = case.split()
            if system == name:
                level = levels[unit.removeprefix("unit=")]
                row = scores[f"{level}/{singletons.removeprefix('singletons=')}/all"]
                for metric, f1 in expected.items():
                    assert round(100 * row[metric].f1, 4) == f1, (case, metric)
                    compared += 1
        if name == "ecbp.01":
            low, high = found.range("response")["conll"]
            assert (round(100 * low, 1), round(100 * high, 1)) == (64.7, 84.8)
            conll = {key: scores[f"{'/'.join(key)}/all"]["conll"].f1 for key in ECB_01}
            assert conll == pytest.approx({key: f1 / 100 for key, f1 in ECB_01.items()}, abs=1e-6)
    assert compared == 120


def test_practices(key: Path, response: Path) -> None:
    """The practice of the paper is that of Cattan et al., or what the user names."""
    topic = Level("topic", "column=1")
    assert scoref.sweep(key, response, ["b3"]).chosen == Practice(topic, "drop", "all")
    found = scoref.sweep(key, response, ["b3"], practice="corpus/keep/shared")
    assert found.chosen.name == "corpus/keep/shared"
    assert "with links across all documents of the corpus, with singletons, over mentions" in str(
        found.to_text()
    ).replace("\n  ", " ")
    for practice in ("book", "topic/none", "topic/keep/some", "topic/keep/all/more", "/keep"):
        with pytest.raises(UsageError, match="unknown practice"):
            scoref.sweep(key, response, ["b3"], practice=practice)


def test_several_systems(key: Path, response: Path) -> None:
    """Which systems change places."""
    found = scoref.sweep(key, {"ours": response, "key": key}, ["muc", "b3"])
    assert found.systems == ("ours", "key")
    assert found.reversals("b3") == []
    assert found.range("key") == {"muc": (1, 1), "b3": (1, 1)}


def test_what_is_refused(key: Path, response: Path, capsys: Capture, tmp_path: Path) -> None:
    """Choices that are those of the practices, counts, no response."""
    for choice in ({"unit": "topic"}, {"singletons": "drop"}, {"window": "5"}, {"compat": "e2e"}):
        with pytest.raises(UsageError, match="a sweep is not available with"):
            scoref.sweep(key, response, ["b3"], policy=choice)
    with pytest.raises(UsageError, match="found no response"):
        scoref.sweep(key, {})
    counts = tmp_path / "x.counts.json"
    assert main(["count", str(key), str(response), "-o", str(counts)]) == 0
    assert main(["sweep", str(counts)]) == 2
    assert main(["sweep", str(key), str(counts)]) == 2
    assert main(["sweep", str(key)]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("output", ["text", "json", "csv", "latex", "markdown"])
def test_outputs(key: Path, response: Path, capsys: Capture, output: str) -> None:
    """Every output has every practice."""
    paths = [str(key), f"ours={response}", f"other={key}"]
    assert main(["sweep", *paths, "-m", "b3,muc", "--to", output]) == 0
    out = capsys.readouterr().out
    assert out.count("shared") >= 16


def test_empty_sides(tmp_path: Path) -> None:
    """Nothing to score is no crash."""
    nothing = write(tmp_path / "x.conll", ["-"] * 8)
    found = scoref.sweep(nothing, nothing, METRICS)
    assert any("no mentions" in note for note in found.notes)
    empty = scoref.sweep({"a": []}, scoref.Corpus.from_entities({"a": []}), ["b3"])
    assert len(empty.practices) == 4


def test_a_response_with_other_names(tmp_path: Path, key: Path, response: Path) -> None:
    """The only document of each side is paired, and its documents are those of the column."""
    renamed = tmp_path / "renamed.conll"
    renamed.write_text(response.read_text().replace("(all)", "(test_events)"))
    found = scoref.sweep(key, {"x": response, "y": renamed}, ["b3"])
    assert [one.scores for one in found.of("x").values()] == [
        one.scores for one in found.of("y").values()
    ]
    assert sum("is paired with the only document" in note for note in found.notes) == 1
