"""Random corpora of spans, for round trips through files."""

from __future__ import annotations

import io
from typing import Any

from hypothesis import strategies as st

from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats import find_format
from scoref.formats.format import Wanted
from scoref.formats.read_back import notes_on_changes
from scoref.formats.written_names import fit_names

NAMES = st.text("abcXYZ09äß/._", min_size=1, max_size=6)
ODD_NAMES = st.text("ab ,;|\"'\\\n\t{}[]é", min_size=1, max_size=6).map(lambda t: f"x{t}y")


def read(name: str, data: str | bytes) -> tuple[Corpus, list[Problem]]:
    """Read some data as a file of a format."""
    stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
    return find_format(name).read(stream, "toy", Wanted())


def written(corpus: Corpus, name: str) -> bytes:
    """Write a corpus whose names the format can hold."""
    stream = io.BytesIO()
    write = find_format(name).write
    assert write is not None
    write(corpus, stream)
    return stream.getvalue()


def written_with_notes(corpus: Corpus, name: str) -> tuple[bytes, list[str]]:
    """Write a corpus in any format as a conversion does, and return its notes."""
    stream = io.BytesIO(written(corpus, name))
    notes = notes_on_changes(corpus, find_format(name), stream)
    return stream.getvalue(), notes


def renamed(corpus: Corpus, name: str) -> Corpus:
    """Give a corpus names that a format can hold."""
    names = find_format(name).names
    assert names is not None
    return fit_names(corpus, name, names)[0]


def problem(name: str, data: str | bytes) -> Problem:
    """Read data that has something wrong, and return the first complaint."""
    _, problems = read(name, data)
    assert problems
    return min(problems)


@st.composite
def corpora(
    draw: st.DrawFn,
    names: st.SearchStrategy[str] = NAMES,
    *,
    nested: bool = False,
    attributes: bool = False,
    least: int = 0,
) -> Corpus:
    """Draw a corpus of spans; with `nested`, mentions that start and end as brackets can say."""
    builder = CorpusBuilder("drawn")
    for name in draw(st.lists(names, min_size=1, max_size=3, unique=True)):
        length = draw(st.integers(max(least, 1), 12))
        number = builder.document(name, length)
        places = st.tuples(st.integers(0, length - 1), st.integers(0, length - 1))
        spans = draw(st.lists(places.map(lambda p: (min(p), max(p))), max_size=7, unique=True))
        kept: list[tuple[int, int]] = []
        for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            crosses = any(a < start <= b < end for a, b in kept)
            if not (nested and crosses):
                kept.append((start, end))
        for start, end in kept:
            entity = builder.entity(number, draw(st.integers(0, 3)))
            more: dict[str, Any] = {}
            if attributes:
                more["type"] = draw(st.sampled_from(["name", "nominal", "pronoun", ""]))
                more["head_start"] = more["head_end"] = draw(st.integers(start, end))
            builder.mention(number, (start, end), entity, **more)
    return builder.corpus()
