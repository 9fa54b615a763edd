"""Lines of a sentence that changed places, in files whose other sentences are numbered."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.formats.conll import reader
from scoref.formats.format import Wanted
from tests.formats.drawn import read

Layout = Callable[[int, str, str], str]
LAYOUTS: dict[str, Layout] = {
    "tabs": lambda number, word, cell: f"d\t0\t{number}\t{word}\t{cell}",
    "blanks": lambda number, word, cell: f"d   0 {number:>4} {word:>9}   {cell}",
    "from 1": lambda number, word, cell: f"d\t0\t{number + 1}\t{word}\t{cell}",
    "semeval": lambda number, word, cell: f"{number + 1}\t{word}\tx\t{cell}",
}


def sentences(layout: Layout, sizes: list[int]) -> list[list[str]]:
    """Return the lines of sentences of these sizes."""
    return [[layout(at, f"w{at}", "(1)" if at else "-") for at in range(size)] for size in sizes]


def text(found: list[list[str]]) -> str:
    """Return a file of one document."""
    lines = ["\n".join(one) + "\n" for one in found]
    return "#begin document (d); part 000\n" + "\n".join(lines) + "\n#end document\n"


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@given(
    sizes=st.lists(st.integers(2, 14), min_size=12, max_size=14),
    at=st.integers(0, 11),
    swapped=st.tuples(st.integers(0, 13), st.integers(0, 13)),
)
def test_lines_that_changed_places_are_refused(
    layout: Layout, sizes: list[int], at: int, swapped: tuple[int, int]
) -> None:
    """Whichever of them, and of whichever sentence."""
    found = sentences(layout, sizes)
    assert read("conll", text(found))[1] == []
    one, other = (place % sizes[at] for place in swapped)
    found[at][one], found[at][other] = found[at][other], found[at][one]
    problems = read("conll", text(found))[1]
    if one == other:
        assert problems == []
        return
    (problem,) = problems
    assert problem.line == 2 + sum(sizes[:at]) + at + min(one, other)
    assert problem.found.startswith("the word number")


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_first_sentence_can_be_the_one_with_moved_lines(layout: Layout, size: int) -> None:
    """Also if it is all that the first block has: its numbers have the sum of other sentences."""
    found = sentences(layout, [size] * 12)
    found[0][:2] = reversed(found[0][:2])
    whole = read("conll", text(found))[1]
    assert [problem.line for problem in whole] == [2]
    for block in (150, 250):
        stream = io.BytesIO(text(found).encode())
        assert reader.read(stream, "toy", Wanted(), block)[1] == whole, block


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_other_numbers_are_not_the_order_of_lines(layout: Layout) -> None:
    """Numbers that go on through a document, that are missing or that repeat are read."""
    words = [layout(at, f"w{at}", "-") for at in range(30)]
    through = [words[at : at + 3] for at in range(0, 30, 3)]
    with_gaps = [[words[at] for at in (0, 1, 3)] for _ in range(10)]
    repeated = [[words[at] for at in (0, 1, 1, 2)] for _ in range(10)]
    for found in (through, with_gaps, repeated, [[*with_gaps[0]], *sentences(layout, [4] * 10)]):
        assert read("conll", text(found))[1] == []
