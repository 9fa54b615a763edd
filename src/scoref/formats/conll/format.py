"""CoNLL-2011/2012 as a format: how to recognise, read and write it."""

from __future__ import annotations

import re

from scoref.formats.conll.reader import read
from scoref.formats.conll.writer import write
from scoref.formats.format import Format

_FIRST = re.compile(rb"^(\xef\xbb\xbf)?#\s*begin\s+document\b", re.MULTILINE)


def _recognise(head: bytes) -> bool:
    """Whether a document begins in the first lines of a file."""
    return _FIRST.search(head) is not None


FORMAT = Format(
    name="conll",
    title="CoNLL-2011/2012 columns, SemEval-2010",
    recognise=_recognise,
    read=read,
    write=write,
    suffix=".conll",
    supports=frozenset({"word", "pos", "parse", "lemma", "speaker", "named_entity"}),
)
