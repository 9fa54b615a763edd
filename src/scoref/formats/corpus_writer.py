"""Writing: from a corpus to a file, and what the format of the file does not support."""

from __future__ import annotations

import io
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from scoref.corpus.corpus import Corpus
from scoref.exceptions import UsageError
from scoref.formats.format import Format
from scoref.formats.io.output_files import all_or_nothing, refuse_input, write_whole
from scoref.formats.leading_nodes import LEADING_NODES, has_leading_nodes
from scoref.formats.order_of_repeats import FIRST_OF_REPEATS, may_change_first
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
    if FIRST_OF_REPEATS not in target.supports and may_change_first(corpus, format):
        missing.append(FIRST_OF_REPEATS)
    if {"nodes", LEADING_NODES} & target.supports == {"nodes"} and has_leading_nodes(corpus):
        missing.append(LEADING_NODES)
    return missing
