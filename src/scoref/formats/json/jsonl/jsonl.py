"""JSON lines of neural systems: one document per line, entities as lists of offsets.

Systems differ: offsets count tokens, subtokens or characters, and the end of a span is its last
token or the token after it. If the name of the field does not say which, the offsets of the file
decide. A file whose offsets fit both conventions is refused.

    sentences, clusters             e2e, LingMess, BookCoref: tokens, end detected
    sentences, subtoken_map, ...    minimized: subtokens, end inclusive
    cased_words, span_clusters      wl-coref: tokens, end exclusive
    tokens, clusters_token_offsets  maverick: tokens, end inclusive
    text, clusters                  fastcoref: characters, end exclusive
    offsets                         written by scoref: states what offsets count
"""

from __future__ import annotations

import re
from dataclasses import replace

from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.format import Format, Read, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.problems import Problems
from scoref.formats.json.json_text import first_keys, without_garbage_collection
from scoref.formats.json.jsonl.fields import EXCLUSIVE, GOLD, INCLUSIVE, NAMES, PREDICTED, TEXTS
from scoref.formats.json.jsonl.reader import JsonlReader
from scoref.formats.json.jsonl.writer import write
from scoref.formats.order_of_repeats import FIRST_OF_REPEATS

_CORENLP = re.compile(rb'"sentences"\s*:\s*\[\s*\{')


def _reader(end: str | None) -> Read:
    """Return the reader of files whose ends are inclusive, exclusive, or to be detected."""

    def read(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
        problems = Problems(path)
        with without_garbage_collection():
            corpus = JsonlReader(problems, wanted, end).read(stream)
        return corpus, problems

    return read


def recognise(head: bytes) -> bool:
    """Whether a file starts with an object that has a field of one of these systems."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    keys = first_keys(start.removeprefix(b"["))
    if keys is None or _CORENLP.search(start):
        return False
    return bool(keys & {*NAMES[:3], *TEXTS, *GOLD[1:], *PREDICTED})


FORMAT = Format(
    name="jsonl",
    title="JSON lines of neural systems",
    recognise=recognise,
    read=_reader(None),
    write=write,
    suffix=".jsonl",
    supports=frozenset({"word", "speaker", FIRST_OF_REPEATS}),
    sees_words=True,
)
WITH_INCLUSIVE_ENDS = replace(
    FORMAT,
    name="jsonl-inclusive",
    title="JSON lines, ends inclusive",
    read=_reader(INCLUSIVE),
)
WITH_EXCLUSIVE_ENDS = replace(
    FORMAT,
    name="jsonl-exclusive",
    title="JSON lines, ends exclusive",
    read=_reader(EXCLUSIVE),
    write=None,
)
