"""CorefUD as a format: how to recognise, read and write it."""

from __future__ import annotations

import re

from scoref.formats.conllu.corefud.reader import read
from scoref.formats.conllu.corefud.writer import write
from scoref.formats.conllu.words import COLUMNS
from scoref.formats.format import Format

_COMMENT = re.compile(rb"^# *(global\.Entity|newdoc|sent_id|newpar|text)\b", re.MULTILINE)
_TABS = 9


def recognise(head: bytes) -> bool:
    """Whether a file has the comments and the ten columns of CoNLL-U."""
    if _COMMENT.search(head) is None or b"# global.columns" in head:
        return False
    lines = [line for line in head.split(b"\n")[:-1] if line[:1].isdigit()]
    return not lines or all(line.count(b"\t") == _TABS for line in lines[:50])


FORMAT = Format(
    "corefud",
    "CoNLL-U with entities, as in CorefUD",
    recognise,
    read,
    write,
    ".conllu",
    frozenset({*COLUMNS, "heads", "nodes", "entity type"}),
)
