"""Agreement with neleval 3.1.1, which SCOREF_NELEVAL names.

It runs on Python 3.9 with NumPy before 1.24, which SCOREF_NELEVAL_PYTHON names. Compared are all
digits of the sums that it writes as JSON.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from subprocess import CalledProcessError

import pytest

import scoref
from tests.conftest import REPOSITORY
from tests.reference import peers
from tests.reference.documents import Files, Shape, conll_text, draw_documents, write_files
from tests.reference.peers import Neleval
from tests.reference.test_moving import MOVES, ours

NAMES = {
    "muc": "muc",
    "b_cubed": "b3",
    "mention_ceaf": "ceafm",
    "entity_ceaf": "ceafe",
    "pairwise": "pairwise",
    "strong_mention_match": "mentions",
}
MEASURES = [word for name in NAMES for word in ("-m", name)]

SHAPES = {
    "system mentions": Shape(documents=300, across=False),
    "key mentions": Shape(documents=300, across=False, found=1.0, spurious=0),
    "documents that the response lacks": Shape(documents=300, across=False, absent=0.2),
    "long documents": Shape(documents=12, across=False, tokens=300, mentions=110, spurious=30),
}


@pytest.fixture(scope="module")
def neleval() -> Neleval:
    """neleval, if this machine has it."""
    return peers.neleval()


def assert_same_sums(neleval: Neleval, files: Files, folder: Path) -> None:
    """Compare numerators, denominators and scores of all metrics that both have."""
    prepared = Files(*(neleval.prepare(path, folder) for path in files))
    result = scoref.score(*files, NAMES.values())
    found = neleval.evaluate(prepared, *MEASURES)
    assert {*found} == {*NAMES}
    for name, theirs in found.items():
        ours = result[NAMES[name]]
        scores = (theirs["recall"], theirs["precision"], theirs["fscore"])
        assert tuple(ours) == pytest.approx(scores, rel=1e-12, abs=1e-12), name
        sums = (
            theirs["rtp"],
            theirs["rtp"] + theirs["fn"],
            theirs["ptp"],
            theirs["ptp"] + theirs["fp"],
        )
        counts = result.counts.rows[NAMES[name]].sum(axis=0)
        assert tuple(counts[:4]) == pytest.approx(sums, rel=1e-12, abs=1e-9), name


@pytest.mark.parametrize("shape", SHAPES)
def test_random_documents(neleval: Neleval, shape: str, tmp_path: Path) -> None:
    """Of several shapes."""
    files = write_files(tmp_path, draw_documents(17, SHAPES[shape]))
    assert_same_sums(neleval, files, tmp_path)


@pytest.mark.parametrize("system", ["sieve", "neural", "chat"])
def test_examples(neleval: Neleval, system: str, tmp_path: Path) -> None:
    """The systems of the example that the manual uses."""
    island = REPOSITORY / "examples" / "island"
    assert_same_sums(neleval, Files(island / "key.conll", island / f"{system}.conll"), tmp_path)


@pytest.mark.parametrize(
    "pair",
    [
        Files(Path("litbank/key.conll"), Path("litbank/response.conll")),
        Files(Path("openboek/titaantjes.gold.conll"), Path("openboek/titaantjes.dutchcoref.conll")),
    ],
    ids=["LitBank", "OpenBoek"],
)
def test_real_data(neleval: Neleval, pair: Files, data: Path, tmp_path: Path) -> None:
    """Annotations by people, with a response that is partly wrong."""
    assert_same_sums(neleval, Files(data / pair.key, data / pair.response), tmp_path)


def test_commands_of_the_page(neleval: Neleval, tmp_path: Path) -> None:
    """The old commands of the manual print the numbers of the new ones, with three decimals."""
    moves = [move for move in MOVES if move.old.startswith("neleval evaluate")]
    assert moves
    island = REPOSITORY / "examples" / "island"
    for name, source in (("key", "key"), ("response", "sieve")):
        copy = tmp_path / f"{name}.conll"
        copy.write_bytes((island / f"{source}.conll").read_bytes())
        neleval.prepare(copy, tmp_path)
    for move in moves:
        words = shlex.split(move.old)[1:]
        paths = [str(tmp_path / word) if word.endswith(".tab") else word for word in words]
        rows = [line.split("\t") for line in neleval.printed(*paths).splitlines()[1:]]
        all_documents = "<micro>" if "--by-doc" in words else ""
        printed = {row[7].split(";")[0]: row[4:7] for row in rows if all_documents in row[7]}
        new = ours(tmp_path, move.new)
        assert {NAMES[name] for name in printed} == {*new}
        for name, (precision, recall, fscore) in printed.items():
            percents = [100 * float(text) for text in (recall, precision, fscore)]
            assert [float(text) for text in new[NAMES[name]]] == pytest.approx(percents, abs=0.06)


def test_scores_of_documents(neleval: Neleval, tmp_path: Path) -> None:
    """`--by-doc` has what `--per-document` has."""
    drawn = draw_documents(19, Shape(documents=40, across=False))
    files = write_files(tmp_path, drawn)
    prepared = Files(*(neleval.prepare(path, tmp_path) for path in files))
    found = neleval.evaluate(prepared, "--by-doc", "-m", "b_cubed")
    result = scoref.score(*files, ["b3"])
    compared = 0
    for document, scores in zip(drawn, result.documents.values(), strict=True):
        heading = document.heading.replace(" ", "_")
        if theirs := found.get(f'b_cubed;docid="{heading}"'):
            assert scores["b3"].f1 == pytest.approx(theirs["fscore"], rel=1e-12)
            compared += 1
    assert compared > 30


def test_where_it_differs(neleval: Neleval, tmp_path: Path) -> None:
    """As the manual says: repeated mentions, documents of the response alone, crossed breaks."""
    key = tmp_path / "key.conll"
    key.write_text(conll_text("(a); part 000", ["(1)", "(1)", "(2)", "(2)"]), "utf-8")
    repeated = tmp_path / "repeated.conll"
    cells = ["(1)", "(1)|(2)", "(2)", "(2)"]
    repeated.write_text(conll_text("(a); part 000", cells), "utf-8")
    more = tmp_path / "more.conll"
    extra = conll_text("(b); part 000", ["(1)", "(1)", "(2)", "(2)"])
    more.write_text(key.read_text("utf-8") + extra, "utf-8")
    across = tmp_path / "across.conll"
    across.write_text(conll_text("(a); part 000", ["(1", "1)", "(1)"], [1, 2]), "utf-8")

    prepared = neleval.prepare(key, tmp_path)
    last = neleval.evaluate(Files(prepared, neleval.prepare(repeated, tmp_path)), "-m", "b_cubed")
    assert last["b_cubed"]["fscore"] < 1  # the last entity that has the mention keeps it
    assert scoref.score(key, repeated)["b3"].f1 == 1
    both = neleval.evaluate(Files(prepared, neleval.prepare(more, tmp_path)), "-m", "b_cubed")
    assert (both["b_cubed"]["recall"], both["b_cubed"]["precision"]) == (1, 0.5)
    with pytest.raises(scoref.ScorefError, match="document"):
        scoref.score(key, more)
    # With `--by-doc`, the average leaves out a document that has no mentions in the key.
    empty = tmp_path / "empty.conll"
    nothing = conll_text("(b); part 000", ["-", "-", "-", "-"])
    empty.write_text(key.read_text("utf-8") + nothing, "utf-8")
    files = Files(neleval.prepare(empty, tmp_path), neleval.prepare(more, tmp_path))
    grouped = neleval.evaluate(files, "--by-doc", "-m", "b_cubed")
    assert grouped["b_cubed;docid=<micro>"]["precision"] == 1
    assert scoref.score(empty, more)["b3"].precision == 0.5
    with pytest.raises(CalledProcessError):
        neleval.prepare(across, tmp_path)
    assert scoref.score(across, across)["b3"].f1 == 1
