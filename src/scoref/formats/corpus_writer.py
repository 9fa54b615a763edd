"""Writing: from a corpus to a file, and what the format of the file does not support."""

from __future__ import annotations

import io
from os import PathLike
from pathlib import Path
from typing import BinaryIO

import numpy as np

from scoref.base.arrays import Ints, first_of_run, pack
from scoref.corpus.corpus import Corpus
from scoref.corpus.identity import mention_codes
from scoref.corpus.spans import place_of
from scoref.exceptions import UsageError
from scoref.formats.format import FIRST_OF_REPEATS, LEADING_NODES, Format
from scoref.formats.io.output_files import all_or_nothing, refuse_input, write_whole
from scoref.formats.registry import find_format, written_formats
from scoref.formats.written_names import fit_names

# The names of attributes in `Format.supports` and in messages.
_SHOWN = {"head_start": "heads", "min_start": "minimal spans", "type": "mention types"}
_NOT_SHOWN = frozenset({"head_end", "min_end", "zero_deps", "zero", "tag"})


def write(
    corpus: Corpus,
    path: str | PathLike[str],
    format: str | None = None,  # noqa: A002
    *,
    force: bool = False,
) -> tuple[str, ...]:
    """Write a corpus to a file, which appears only when it is complete.

    Returns notes on names that the format cannot hold, and that were renamed.

    A format can write another file next to it, such as the text of a brat annotation. It replaces
    a file with other content only with `force`.
    """
    chosen, corpus, notes = _fit(corpus, format or "conll")
    beside = _companions(corpus, chosen, path, force=force)
    with all_or_nothing():
        for extra, data in beside.items():
            with write_whole(extra) as stream:
                stream.write(data)
        with write_whole(path) as stream:
            _write_to(chosen, corpus, stream)
    return notes


def encode(corpus: Corpus, format: str) -> tuple[bytes, tuple[str, ...]]:  # noqa: A002
    """Return what `write` would write, for a stream of text, and its notes."""
    chosen, corpus, notes = _fit(corpus, format)
    if chosen.name == "parquet" or chosen.companions:
        what = "two files" if chosen.companions else "a file that is not text"
        message = f"{chosen.name} is {what}, which cannot go to standard output"
        raise UsageError(message, "name a file to write")
    stream = io.BytesIO()
    _write_to(chosen, corpus, stream)
    return stream.getvalue(), notes


def _fit(corpus: Corpus, format: str) -> tuple[Format, Corpus, tuple[str, ...]]:  # noqa: A002
    """Find a format that can be written, and rename what it cannot hold."""
    chosen = find_format(format)
    if chosen.write is None:
        names = ", ".join(one.name for one in written_formats()[0])
        message = f"the format {chosen.name} can be read, but not written"
        raise UsageError(message, f"the formats that can be written are {names}")
    if not corpus.documents:
        message = "a corpus without documents cannot be written"
        raise UsageError(message, "check that the file to convert is complete")
    notes: list[str] = []
    if chosen.names is not None:
        corpus, notes = fit_names(corpus, chosen.name, chosen.names)
    return chosen, corpus, tuple(notes)


def _write_to(format: Format, corpus: Corpus, stream: BinaryIO) -> None:  # noqa: A002
    assert format.write is not None  # noqa: S101  # _fit has checked it
    format.write(corpus, stream)


def _companions(
    corpus: Corpus,
    format: Format,  # noqa: A002
    path: str | PathLike[str],
    *,
    force: bool,
) -> dict[Path, bytes]:
    """Return the files to write next to a file, or refuse to replace what another program wrote."""
    found = {}
    for suffix, extra in format.extra_paths(path).items():
        refuse_input(extra)
        data = format.companions[suffix](corpus)
        if data is None:
            if extra.exists():  # a reader would take it for a part of the corpus
                message = f"the file {extra} exists, but does not belong to {path}"
                raise UsageError(message, "choose another name for the file to write")
            continue
        if Path(path).suffix != format.suffix:
            message = f"{format.name} writes two files, NAME{format.suffix} and NAME{suffix}"
            hint = f"write {Path(path).with_suffix(format.suffix)}"
            raise UsageError(f"{message}, but the file to write is {path}", hint)
        if not force and extra.exists() and not _has_content(extra, data):
            message = f"writing {path} also writes {extra}, which exists with other content"
            raise UsageError(message, "choose another name, or replace the file with --force")
        found[extra] = data
    return found


def _has_content(path: Path, data: bytes) -> bool:
    return path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data


def unsupported(corpus: Corpus, format: str) -> list[str]:  # noqa: A002
    """List what a corpus has that a format does not support."""
    target: Format = find_format(format)
    columns = corpus.text.columns if corpus.text is not None else ()
    held = [
        *columns,
        *(
            _SHOWN.get(name, name)
            for name, values in corpus.attributes.items()
            if name not in _NOT_SHOWN and (values != "").any() and (values != -1).any()
        ),
        *(f"entity {name}" for name in corpus.entity_attributes),
    ]
    missing = [name for name in dict.fromkeys(held) if name not in target.supports]
    if FIRST_OF_REPEATS not in target.supports and _may_change_first(corpus, format):
        missing.append(FIRST_OF_REPEATS)
    if {"nodes", LEADING_NODES} & target.supports == {"nodes"} and _has_leading_nodes(corpus):
        missing.append(LEADING_NODES)
    return missing


def _has_leading_nodes(corpus: Corpus) -> bool:
    """Whether a mention has an empty node before a sentence that is not the first one."""
    nodes = corpus.attributes.get("nodes")
    if nodes is None:
        return False
    places = (place_of(node) for row in nodes.tolist() if "." in row for node in row.split())
    return any(word > 0 and number < 0 for word, number in places)


def _may_change_first(corpus: Corpus, target: str) -> bool:
    """Whether a format without an order of entities can put another of equal mentions first.

    Formats differ in the order of mentions that start at the same token: mentions of one token
    first, or the longest first. The file to write can have either order.
    """
    codes = mention_codes(corpus)
    in_order = np.sort(codes)
    if not np.any(in_order[1:] == in_order[:-1]):
        return False
    if target != "conll":  # whose writer opens equal mentions in the order of their entities
        return len(np.unique(codes)) < len(np.unique(pack(codes, corpus.entity)))
    longer = corpus.end > corpus.start
    orders = (
        np.lexsort((corpus.entity, -corpus.end, corpus.start, corpus.document)),
        np.lexsort((corpus.entity, -corpus.end, longer, corpus.start, corpus.document)),
    )
    now = _first(codes, corpus.entity, np.arange(corpus.entity_count))
    return any(
        not np.array_equal(now, _first(codes, corpus.entity, _rank(corpus, order)))
        for order in orders
    )


def _rank(corpus: Corpus, order: Ints) -> Ints:
    """Number entities by their first mention in an order of the mentions."""
    rank = np.full(corpus.entity_count, len(order), dtype=np.int64)
    np.minimum.at(rank, corpus.entity[order], np.arange(len(order)))
    return rank


def _first(codes: Ints, entity: Ints, rank: Ints) -> Ints:
    """Return the entity of the first of each group of equal mentions."""
    order = np.lexsort((rank[entity], codes))
    return entity[order[first_of_run(codes[order])]]
