"""Writing: from a corpus to a file, and what the format of the file does not support."""

from __future__ import annotations

import io
from os import PathLike
from pathlib import Path

from scoref.corpus.corpus import Corpus
from scoref.exceptions import UsageError
from scoref.formats.format import Format
from scoref.formats.io.output_files import all_or_nothing, refuse_input, write_whole
from scoref.formats.read_back import notes_on_changes
from scoref.formats.registry import find_format, written_formats
from scoref.formats.written_names import fit_names

# The names of attributes in `Format.supports` and in messages.
_SHOWN = {"head_start": "heads", "min_start": "minimal spans", "type": "mention types"}
_NOT_SHOWN = frozenset({"head_end", "min_end", "zero_deps", "zero", "tag"})

_FOR_HEADS = frozenset({"heads", "pos", "parse", "head"})
_USED_BY = {
    "--match head": _FOR_HEADS,
    "--match partial": _FOR_HEADS,
    "--match min": _FOR_HEADS | {"minimal spans"},
    "--match mina": frozenset({"parse"}),
    "--where type": frozenset({"mention types", "pos", "parse"}),
    "--split-antecedents": frozenset({"entity split_antecedents"}),
}
"""The choices that read what a file can state in addition to mentions and entities."""


def write(
    corpus: Corpus,
    path: str | PathLike[str],
    format: str | None = None,  # noqa: A002
    *,
    force: bool = False,
) -> tuple[str, ...]:
    """Write a corpus to a file, which appears only when it is complete.

    Returns notes on renamed names, and on everything else that changes scores. A format that cannot
    hold all mentions and entities is refused.

    A format can write another file next to it, such as the text of a brat annotation. It replaces
    a file with other content only with `force`.
    """
    chosen, corpus, notes = _fit(corpus, format or "conll")
    content, changes = _written(corpus, chosen)
    beside = _companions(corpus, chosen, path, force=force)
    with all_or_nothing():
        for extra, data in beside.items():
            with write_whole(extra) as stream:
                stream.write(data)
        with write_whole(path) as stream:
            stream.write(content)
    return (*notes, *changes)


def encode(corpus: Corpus, format: str) -> tuple[bytes, tuple[str, ...]]:  # noqa: A002
    """Return what `write` would write, for a stream of text, and its notes."""
    chosen = find_format(format)
    if chosen.name == "parquet" or chosen.companions:
        what = "two files" if chosen.companions else "a file that is not text"
        message = f"{chosen.name} is {what}, which cannot go to standard output"
        raise UsageError(message, "name a file to write")
    chosen, corpus, notes = _fit(corpus, format)
    content, changes = _written(corpus, chosen)
    return bytes(content), (*notes, *changes)


def _written(corpus: Corpus, format: Format) -> tuple[memoryview, list[str]]:  # noqa: A002
    """Return what is written of a corpus, and notes on what changes its scores.

    An annotation without mentions next to a text is empty, and is not read back.
    """
    assert format.write is not None  # noqa: S101  # _fit has checked it
    stream = io.BytesIO()
    format.write(corpus, stream)
    stream.seek(0)
    if format.companions and not len(corpus):
        return stream.getbuffer(), []
    return stream.getbuffer(), notes_on_changes(corpus, format, stream)


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


def unsupported_notes(corpus: Corpus, format: str) -> list[str]:  # noqa: A002
    """Return a note on what a format does not support, and on the scores for which that matters."""
    missing = unsupported(corpus, format)
    if not missing:
        return []
    read = set(missing)
    heads = corpus.attributes.get("head_start")
    if "heads" in find_format(format).supports and heads is not None and (heads >= 0).all():
        read -= _FOR_HEADS - {"parse"}  # no head is inferred
    used = [flag for flag, columns in _USED_BY.items() if not columns.isdisjoint(read)]
    changed = f": scores with {', '.join(used)} can change" if used else ""
    return [f"{find_format(format).name} does not support: {', '.join(missing)}{changed}"]


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
    return [name for name in dict.fromkeys(held) if name not in target.supports]
