"""Strict readers of tables: CSV, TSV, Parquet, and BookNLP's table of mentions."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from tests.reference.strict.reading import (
    Files,
    InvalidFileError,
    Mention,
    Reading,
    document,
    lines_of,
    nodes,
    number_unnamed,
    plain_text,
    refuse,
    refuse_odd_ids,
    text_of,
    whole_number,
)

NAMES = {
    "document": ("doc", "docid", "documentid", "dockey", "documentkey", "documentname", "unit"),
    "start": ("starttoken", "tokenstart", "begin"),
    "end": ("endtoken", "tokenend", "endinclusive", "last"),
    "stop": ("endexclusive",),
    "startcharacter": (),
    "endcharacter": (),
    "mention": ("mentionid", "id", "record", "recordid", "recid", "uniqueid"),
    "entity": ("entityid", "cluster", "clusterid", "label", "chain", "chainid", "group", "groupid"),
    "nodes": (),
    "zero": (),
    "zerodeps": (),
    "type": ("mentiontype",),
    "role": (),
    "style": (),
    "headtext": (),
    "headstart": (),
    "headend": (),
    "minstart": (),
    "minend": (),
    "entitytype": (),
    "entitysubtype": (),
    "entityclass": (),
}
MISSING = {"", "NA", "NaN", "nan", "null", "NULL", "None"}
NUMBER = re.compile(r"([0-9]{1,18})(?:\.0+)?", re.ASCII)


def cells_of(text: str, delimiter: str) -> list[list[str]]:
    """Split a table into rows of cells, one character at a time, with quotes as in RFC 4180.

    Blanks are part of a cell. A line of nothing but blanks is not a row; in a table with tabs,
    these are not blanks.
    """
    blanks = " " if delimiter == "\t" else r" \t"
    rows: list[list[str]] = [[]]
    at = 0
    while at < len(text):
        if not rows[-1] and (empty := re.compile(rf"[{blanks}]*\r?\n").match(text, at)):
            at = empty.end()
            continue
        cell = ""
        if text[at] == '"':
            at += 1
            while True:
                end = text.find('"', at)
                if end < 0:
                    refuse("quotes that are never closed")
                cell += text[at:end]
                at = end + 1
                if text[at : at + 1] != '"':
                    break
                cell += '"'
                at += 1
            if text[at : at + 1] not in ("", delimiter, "\n", "\r"):
                refuse("text after closing quotes")
        else:
            while at < len(text) and text[at] not in (delimiter, "\r", "\n"):
                cell += text[at]
                at += 1
        rows[-1].append(cell)
        if text[at : at + 1] == delimiter:
            at += 1
            if at == len(text):
                rows[-1].append("")
            continue
        if text[at : at + 1] == "\r" and not re.compile(r"\r+(\n|\Z)").match(text, at):
            refuse("a carriage return inside a line")
        at += len(text[at:]) - len(text[at:].lstrip("\r"))
        if at < len(text):
            rows.append([])
            at += 1
    return [row for row in rows if row and not blank(row)]


def blank(row: list[str]) -> bool:
    """Whether a line has nothing but blanks."""
    return len(row) == 1 and not row[0].strip()


def read_delimited(files: Files) -> Reading:
    """Read CSV or TSV; the delimiter is the one of the header."""
    text = text_of(files[""], by_lines=False)  # quotes can hold carriage returns
    stated = re.match(r"sep=([,;|\t])\r*\n", text)
    if stated:
        text = text[stated.end() :]
    header = text.lstrip("\r\n \t").split("\n", 1)[0]
    found = []
    for delimiter in [stated[1]] if stated else ["\t", ",", ";", "|"]:
        try:
            rows = cells_of(text, delimiter)
            columns = columns_of(rows[0]) if rows else refuse("an empty table")
        except InvalidFileError as error:
            if delimiter in header:
                found.append(error)
            continue
        return number_unnamed(table(columns, rows))
    raise found[0] if found else InvalidFileError("no header")


def columns_of(header: Sequence[str]) -> dict[str, int]:
    """Find the columns by their names."""
    columns: dict[str, int] = {}
    for at, name in enumerate(header):
        if '"' in name.strip().removeprefix('"').removesuffix('"') or name.count('"') % 2:
            refuse("quotes inside a name of the header")
        plain = re.sub(r'[\s_"-]', "", name).lower()
        for meaning, others in NAMES.items():
            if plain == meaning or plain in others:
                if meaning in columns:
                    refuse(f"two columns of {meaning}")
                columns[meaning] = at
    ends = {"end", "stop"} & columns.keys()
    characters = {"startcharacter", "endcharacter"} & columns.keys()
    spans = "start" in columns and len(ends) == 1
    if len(ends) > 1 or (("start" in columns or ends) and not spans):
        refuse("a start without an end, or two ends")
    if len(characters) == 1 or (characters and spans):
        refuse("characters and tokens, or half of them")
    for part in ("head", "min"):
        if (f"{part}start" in columns) != (f"{part}end" in columns):
            refuse(f"half of {part}")
    if not (spans or characters or "mention" in columns) or "entity" not in columns:
        refuse("a column is missing")
    return columns


def table(columns: dict[str, int], rows: list[list[str]]) -> list[Any]:
    """Read the rows of a table into documents."""
    width = len(rows[0])
    entities: dict[str, dict[str, list[Mention]]] = {}
    stated: dict[tuple[str, str, str], str] = {}
    if "document" not in columns:
        entities[""] = {}
    for row in rows[1:]:
        if len(row) != width:
            refuse(f"a row of {len(row)} cells")
        value = {name: row[at] for name, at in columns.items()}
        name = value.get("document", "")
        if "document" in columns and not name.strip():
            refuse("an empty document")
        here = entities.setdefault(name, defaultdict(list))
        if not isinstance(here, defaultdict):
            here = entities[name] = defaultdict(list)
        others = [cell for at, cell in enumerate(row) if at != columns.get("document")]
        if "document" in columns and not any(cell.strip() for cell in others):
            continue
        if value["entity"].strip() in MISSING:
            refuse(f"the entity {value['entity']!r}")
        here[value["entity"]].append(mention(value))
        for attribute in ("entitytype", "entitysubtype", "entityclass"):
            if attribute in value:
                key = name, value["entity"], attribute
                if stated.setdefault(key, value[attribute]) != value[attribute]:
                    refuse(f"two values of {attribute} for one entity")
    return [document(name, None, lists.values()) for name, lists in entities.items()]


def mention(value: dict[str, str]) -> Mention:
    """Return the mention of a row."""
    if "start" in value:
        start = number(value["start"])
        end = number(value["end"]) if "end" in value else number(value["stop"]) - 1
    elif "startcharacter" in value:
        start, end = number(value["startcharacter"]), number(value["endcharacter"])
    else:
        return value["mention"] if value["mention"].strip() else refuse("an empty mention")
    if end < start:
        refuse(f"a mention from {start} to {end}")
    for part in ("head", "min"):
        cells = [value.get(f"{part}start", ""), value.get(f"{part}end", "")]
        if any(cell.strip() for cell in cells):
            first, last = (number(cell) for cell in cells)
            if not start <= first <= last <= end:
                refuse(f"a {part} outside of its mention")
    if value.get("nodes", "").strip():
        words = value["nodes"].split(" ")
        for word in words:
            if not re.fullmatch(r"(0|[1-9][0-9]*)(\.-?[1-9][0-9]{0,2})?", word):
                refuse(f"the node {word!r}")
        places = [tuple(map(int, f"{word}.0".split(".")[:2])) for word in words]
        if places != sorted(set(places)) or (places[0][0], places[-1][0]) != (start, end):
            refuse("nodes that are not those of the span")
        return nodes(words)
    return start, end, ""


def number(text: str) -> int:
    """Read a whole number, which can end in `.0`."""
    found = NUMBER.fullmatch(text.strip(" \t\r\n"))
    if not found or not text.isascii():
        refuse(f"{text!r} is not a whole number")
    return int(found[1])


# --------------------------------------------------------------------------- Parquet


def read_parquet(files: Files) -> Reading:
    """Read the same columns with pyarrow; a value that is missing is an empty cell."""
    pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")

    try:
        checked = {"page_checksum_verification": True}
        file = pq.ParquetFile(io.BytesIO(files[""]), **checked)
        names = file.schema_arrow.names
        places = columns_of(names)
        if {"start", "startcharacter"} & places.keys():
            places.pop("mention", None)  # spans identify mentions, so it is not read
        known = [name for at, name in enumerate(names) if at in places.values()]
        found = file.read(columns=known, use_threads=False)
        found.validate(full=True)
        if found.num_rows != file.metadata.num_rows:
            refuse("another number of rows")
        columns = columns_of(found.column_names)
        rows = [found.column_names]
        columns_of_values = [column.to_pylist() for column in found.columns]
        rows += [[*map(cell, values)] for values in zip(*columns_of_values, strict=True)]
    except (pa.ArrowException, OSError, ValueError, NotImplementedError, OverflowError):
        refuse("pyarrow cannot read the file")
    return number_unnamed(table(columns, rows))


def cell(value: Any) -> str:
    """Write a value as CSV has it."""
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    if isinstance(value, float):
        return "" if value != value else f"{value:.0f}" if value == int(value) else str(value)  # noqa: PLR0124
    return str(value)


# --------------------------------------------------------------------------- BookNLP

HEADER = ["COREF", "start_token", "end_token", "prop", "cat", "text"]


def read_booknlp(files: Files) -> Reading:
    """Read the table of mentions, and the number of tokens from the file next to it."""
    rows = [line.split("\t") for line in lines_of(text_of(files[""])) if line.strip()]
    if not rows or not {"COREF", "start_token", "end_token"} <= set(rows[0]):
        refuse("no header")
    if len(set(rows[0])) < len(rows[0]):
        refuse("a column twice")
    length = None
    if ".tokens" in files:
        tokens = [
            line.split("\t") for line in lines_of(plain_text(files[".tokens"])) if line.strip()
        ]
        if any(len(row) != len(tokens[0]) for row in tokens):
            refuse("tokens with more or fewer cells")
        length = len(tokens) - 1
        if tokens and len(set(tokens[0])) < len(tokens[0]):
            refuse("a column of tokens twice")
        if not tokens or "token_ID_within_document" not in tokens[0]:
            refuse("tokens without a header")
        at = tokens[0].index("token_ID_within_document")
        if [row[at].strip(" ") for row in tokens[1:]] != [str(n) for n in range(length)]:
            refuse("tokens out of order")
    entities: dict[str, list[Mention]] = defaultdict(list)
    for row in rows[1:]:
        if len(row) != len(rows[0]):
            refuse(f"a row of {len(row)} cells")
        value = dict(zip(rows[0], row, strict=True))
        start, end = (whole_number(value[name].strip(" ")) for name in HEADER[1:3])
        if end < start or (length is not None and end >= length):
            refuse(f"a mention from {start} to {end}")
        name = value["COREF"].strip(" ")
        if not name:
            refuse("an empty COREF")
        refuse_odd_ids(name)
        entities[name].append((start, end, ""))
    return number_unnamed([document("", length, entities.values())])
