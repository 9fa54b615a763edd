"""CoNLL-UA as formats: one for the column IDENTITY, one for DISCOURSE_DEIXIS."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from scoref.formats.conllu.conllua.mentions import ATTRIBUTES
from scoref.formats.conllu.conllua.reader import read
from scoref.formats.conllu.conllua.writer import write
from scoref.formats.conllu.words import COLUMNS
from scoref.formats.format import Format

_COLUMNS = re.compile(rb"^(\xef\xbb\xbf)?#\s*global\.columns\s*=.*\bIDENTITY\b", re.MULTILINE)


def _recognise(head: bytes) -> bool:
    return _COLUMNS.search(head) is not None


FORMAT = Format(
    name="conllua",
    title="CoNLL-UA, the column IDENTITY",
    recognise=_recognise,
    read=partial(read, "IDENTITY"),
    write=write,
    suffix=".CONLLUA",
    supports=frozenset(
        {*COLUMNS, "nodes", "minimal spans", *ATTRIBUTES.values(), "entity split_antecedents"}
    ),
)
DISCOURSE_DEIXIS = replace(
    FORMAT,
    name="conllua-deixis",
    title="CoNLL-UA, the column DISCOURSE_DEIXIS",
    read=partial(read, "DISCOURSE_DEIXIS"),
    write=None,
)
