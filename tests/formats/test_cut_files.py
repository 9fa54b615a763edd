"""Files that were cut: at whichever byte, the cut is refused or noted if the format shows it.

What no format misses is whole lines at the end, listed in `UNNOTICED`. Key and response of CoNLL
columns, CorefUD and CoNLL-UA have the same lengths, so that scoring refuses a side that was cut.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scoref.formats import inspect
from scoref.formats.format import Wanted
from tests.fuzz.generators import GENERATORS

UNNOTICED = {
    "conll": "after a document with its `#end document`",
    "corefud": "after a sentence with its blank line",
    "conllua": "after a row",
    "csv": "after a row",
    "tsv": "after a row",
    "jsonl": "after a document",
    "brat": "after an annotation",
    "booknlp": "after a row",
    "webanno": "after a row",
}
ENDS = {"conll": (b"#end document",), "corefud": (b"\n\n", b"\n\r\n"), "jsonl": (b"}",)}
CUTS = 60


def cut_file(folder: Path, name: str, seed: int, places: int) -> None:
    """Cut a generated file at some places."""
    rng = Random(f"{name} {seed}")  # noqa: S311  # not for secrets
    files = GENERATORS[name](rng)
    for suffix, data in files.items():
        (folder / f"x{suffix}").write_bytes(data)
    suffix, data = next(iter(files.items()))
    path = folder / f"x{suffix}"
    if inspect(path, name)[1]:
        return  # generators also draw files that are refused
    for cut in sorted({rng.randrange(1, len(data)) for _ in range(places)}):
        path.write_bytes(data[:cut])
        corpus, problems = inspect(path, name, Wanted(strict=True))
        if problems or any("complete?" in note for note in corpus.notes):
            continue
        rest = data[cut:].strip()
        is_line = data[:cut].endswith((b"\n", b"\r"))
        end = data[:cut] if name == "corefud" else data[:cut].rstrip()
        fits = end.endswith(ENDS[name]) if name in ENDS else is_line
        assert fits or not rest, (data[max(cut - 60, 0) : cut], data[cut : cut + 60])


@pytest.mark.parametrize("name", UNNOTICED)
def test_a_cut_is_noticed_unless_it_is_between_lines(name: str, tmp_path: Path) -> None:
    """At a sample of the places."""
    for seed in range(4):
        cut_file(tmp_path, name, seed, CUTS)


@pytest.mark.long
@pytest.mark.parametrize("name", UNNOTICED)
def test_a_cut_anywhere_is_noticed_unless_it_is_between_lines(name: str, tmp_path: Path) -> None:
    """At almost every byte."""
    for seed in range(20):
        cut_file(tmp_path, name, seed, 2000)


@pytest.mark.parametrize("end", ["", "(1)", "-"])
def test_a_file_that_ends_after_a_tab_is_refused(end: str, tmp_path: Path) -> None:
    """Its last cell is lost, which could have been that of a mention."""
    path = tmp_path / "cut.conll"
    text = "#begin document (d); part 000\nd\t0\t0\ta\t(1)\nd\t0\t1\tb\t"
    path.write_text(text + end, encoding="utf-8")
    corpus, problems = inspect(path, wanted=Wanted(strict=True))
    assert bool(problems) == (not end)
    if end:
        assert [note.partition(": ")[2] for note in corpus.notes] == [
            "no document ends with `#end document`: is the file complete?",
            "the last line has no line end: is the file complete?",
        ]


def test_empty_cells_at_the_end_of_a_file_are_refused_only_without_a_line_end(
    tmp_path: Path,
) -> None:
    """In a file whose mark for no mention is an empty cell."""
    path = tmp_path / "empty.conll"
    text = "#begin document (d); part 000\nd\t0\t0\ta\t(1)\nd\t0\t1\tb\t"
    path.write_text(f"{text}\n", encoding="utf-8")
    assert inspect(path)[1] == []
    path.write_text(text, encoding="utf-8")
    (problem,) = inspect(path)[1]
    assert problem.line == 3
