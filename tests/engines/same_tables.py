"""Files of tables, good and bad, and what it means that two engines read them alike."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import scoref
from scoref.exceptions import ScorefError

HEADER = b"document,mention,entity\n"
PLAIN = HEADER + b"a,m1,x\na,m2,x\na,m3,y\nb,m1,x\nb,m2,y\n"
SPANS = b"document,start,end,entity\na,0,1,x\na,3,3,x\nb,7,9,y\n"
LONG = "x" * 200_000

# fmt: off
FILES: dict[str, bytes] = {
    "as it is": PLAIN,
    "blanks around ids": PLAIN.replace(b"m1,x", b"m1, x").replace(b"m2", b"m2 "),
    "blanks around everything": PLAIN.replace(b",", b" , "),
    "a blank entity": PLAIN.replace(b"m1,x", b"m1, "),
    "a document of a wide blank": PLAIN.replace(b"a,m3", "\u3000,m3".encode()),
    "an entity of a wide blank": PLAIN.replace(b"m1,x", "m1,\u00a0".encode()),
    "an id of wide blanks": PLAIN.replace(b"m1,x", " \u2003\u3000,x".encode()),
    "NA after a blank": PLAIN.replace(b"m1,x", b"m1, NA"),
    "byte 0xff": PLAIN.replace(b"m3", b"\xff"),
    "byte 0xff in a column that is not read": b"text," + PLAIN.replace(b"\n", b"\n\xff,")[:-2],
    "NUL": PLAIN.replace(b"m3", b"\0"),
    "an unclosed quote": PLAIN.replace(b"m3", b'"m3'),
    "a quote after a cell": PLAIN.replace(b"m3", b'"m3"4'),
    "a quote inside a cell": PLAIN.replace(b"m3", b'3" disk'),
    "newlines in quotes": PLAIN.replace(b"m2", b'"m\n2"'),
    "newlines, quotes and commas in quotes": PLAIN.replace(b"m2", b'"m\r\n""2"",\n"'),
    "quotes around all cells": PLAIN.replace(b",", b'","').replace(b"\n", b'"\n"')[:-1],
    "a short row": PLAIN.replace(b"a,m3,y", b"a,m3"),
    "a long row": PLAIN.replace(b"a,m3,y", b"a,m3,y,z"),
    "an empty id": PLAIN.replace(b"m3", b""),
    "an empty entity": PLAIN.replace(b"m3,y", b"m3,"),
    "an empty document": PLAIN.replace(b"a,m3", b",m3"),
    "a document without mentions": PLAIN + b"c,,\n",
    "a byte order mark": b"\xef\xbb\xbf" + PLAIN,
    "CRLF": PLAIN.replace(b"\n", b"\r\n"),
    "CR in a cell": PLAIN.replace(b"m3", b"m\r3"),
    "blank lines": PLAIN.replace(b"\n", b"\n\n \t\n"),
    "no final newline": PLAIN[:-1],
    "no rows": HEADER,
    "no header": PLAIN.removeprefix(HEADER),
    "nothing": b"",
    "repeated mentions": PLAIN + b"a,m1,y\na,m1,x\na,m3,z\n",
    "tabs": PLAIN.replace(b",", b"\t"),
    "bars": PLAIN.replace(b",", b"|"),
    "Excel's separator": b"sep=;\n" + PLAIN.replace(b",", b";"),
    "the entity -1": PLAIN.replace(b",x", b",-1"),
    "an id of 200 kB": PLAIN.replace(b"m1", LONG.encode()),
    "ids of other scripts": PLAIN.replace(b"m1", "ö\u00a0\u2028".encode()),
    "spans": SPANS,
    "0.0 as a start": SPANS.replace(b"a,0", b"a,0.0"),
    "blanks around numbers": SPANS.replace(b",3,", b", 3 ,"),
    "a fraction": SPANS.replace(b"a,0", b"a,0.5"),
    "a word": SPANS.replace(b"a,0", b"a,zero"),
    "a number of 20 digits": SPANS.replace(b"a,0,1", b"a,0,99999999999999999999"),
    "a position out of proportion": SPANS.replace(b"a,0,1", b"a,0,900000000"),
    "an end before its start": SPANS.replace(b"7,9", b"9,7"),
    "exclusive ends": SPANS.replace(b"end", b"stop").replace(b"3,3", b"3,4"),
    "types": b"document,mention,entity,type\na,m1,x,NAM\na,m2,x, pro\nb,m1,x,\n",
    "unknown types": b"document,mention,entity,type\na,m1,x,NAM\na,m2,x,PER\nb,m1,x,\n",
    "two types of an entity": b"document,mention,entity,entity_type\na,m1,x,P\na,m2,x,Q\n",
    "records": b"record,cluster\nr1,a\nr2,a\nr3,b\nr4,-1\nr5,-1\n",
    "records with blanks": b"record,cluster\nr1,a\n r1,a \nr3,b\n",
    "repeated records": b"record,cluster\nr1,z\nr2,a\nr3,b\nr1,a\nr2,z\n",
    "a ragged record": b"record,cluster\nr1,a\nr2\nr3,b\n",
}
# fmt: on

Outcome = scoref.Result | str


def outcome(score: Callable[[], scoref.Result]) -> Outcome:
    """Return a result, or a message with its hint."""
    try:
        return score()
    except ScorefError as error:
        return str(error)


def assert_same(found: Outcome, expected: Outcome) -> None:
    """Assert that scores, notes and signature are the same, or the messages."""
    if isinstance(found, str) or isinstance(expected, str):
        assert found == expected
        return
    assert (found.signature, found.counts.units) == (expected.signature, expected.counts.units)
    assert found.key.mentions == expected.key.mentions
    for name in expected:
        rows = expected.counts.rows[name]
        np.testing.assert_allclose(found.counts.rows[name], rows, rtol=1e-12, err_msg=name)


def same_notes(found: Outcome, expected: Outcome) -> bool:
    """Whether notes are the same; those on repeated records show no example on Spark."""
    if isinstance(found, str) or isinstance(expected, str):
        return True
    return [note.split("kept")[0] for note in found.notes] == [
        note.split("kept")[0] for note in expected.notes
    ]


def response_of(data: bytes) -> bytes:
    """Return a valid table to score a file with, of the same kind."""
    kind = next((one for one in (PLAIN, SPANS) if one[:15] == data[:15]), data)
    return kind.replace(b"m2,x", b"m2,y")
