"""Open files: text or bytes, from where they are to their end."""

from __future__ import annotations

import io
from typing import Any

from scoref.base.phrases import type_of
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import COLUMNS
from scoref.exceptions import FormatError, UsageError
from scoref.formats.corpus_reader import read_stream
from scoref.formats.format import Wanted
from scoref.formats.io.sources import Source, open_bytes


def read_open_file(
    stream: Any,
    side: str,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    *,
    predicted: bool = False,
    encoding: str | None = None,
    repair: str = "none",
) -> Corpus:
    """Return the corpus of an open file, with its words; a text is already decoded."""
    name = getattr(stream, "name", None)
    shown = name if isinstance(name, str) and name else side
    try:
        at = stream.tell() if getattr(stream, "seekable", lambda: False)() else 0
        data = stream.read()
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {shown}: {error}", "open the file for reading") from None
    if isinstance(data, str):
        data, encoding = data.encode(errors="surrogatepass"), None
    if not isinstance(data, bytes | bytearray):
        found = f"`read` of the {side}, {type_of(stream)}, returned {type_of(data)}"
        raise UsageError(found, "pass a file that is open for reading")
    if not data and at:
        raise UsageError(f"{shown} has been read to its end", "rewind it: file.seek(0)")
    wanted = Wanted(frozenset(COLUMNS), predicted, repair=repair)
    with open_bytes(io.BytesIO(data), shown, encoding) as content:
        _, corpus, problems = read_stream(content, Source(None, shown), format, wanted)
    if problems or corpus is None:
        raise FormatError(problems, shown if name else None, format)
    return corpus
