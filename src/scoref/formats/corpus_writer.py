"""Writing: from a corpus to a file, and what the format of the file does not support."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from scoref.corpus.corpus import Corpus
from scoref.exceptions import UsageError
from scoref.formats.format import Format
from scoref.formats.io.sources import write_whole
from scoref.formats.order_of_repeats import FIRST_OF_REPEATS, may_change_first
from scoref.formats.registry import find_format, written_formats

# The names of attributes in `Format.supports` and in messages.
_SHOWN = {"head_start": "heads", "min_start": "minimal spans", "type": "mention types"}
_NOT_SHOWN = frozenset({"head_end", "min_end", "zero_deps", "zero", "tag"})


def write(corpus: Corpus, path: str | PathLike[str], format: str | None = None) -> None:  # noqa: A002
    """Write a corpus to a file, which appears only when it is complete."""
    chosen = find_format(format or "conll")
    if chosen.write is None:
        names = ", ".join(one.name for one in written_formats())
        message = f"the format {chosen.name} can be read, but not written"
        raise UsageError(message, f"the formats that can be written are {names}")
    with write_whole(path) as stream:
        chosen.write(corpus, stream)
    for suffix, data in (chosen.companions(corpus) if chosen.companions else {}).items():
        with write_whole(Path(path).with_suffix(suffix)) as stream:
            stream.write(data)


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
    return missing
