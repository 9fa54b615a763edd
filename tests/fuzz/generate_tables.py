"""Tables as they are in the wild: CSV, TSV, Parquet, BookNLP."""

from __future__ import annotations

import io
from importlib import import_module
from random import Random
from typing import Any

from tests.fuzz.texts import draw_text, draw_texts

NAMES = {
    "document": ["document", "doc", "Doc_ID", "document name"],
    "start": ["start", "Start Token", "begin"],
    "end": ["end", "end_token", "last", "End-Inclusive"],
    "stop": ["stop", "end_exclusive"],
    "mention": ["mention", "record_id", "id"],
    "entity": ["entity", "cluster", "label", "Entity ID"],
}
OPTIONAL = ("type", "head_start", "min_start", "nodes", "entity_type", "entity_subtype",
            "entity_class", "text", "role", "style", "head_text", "record",
            "topic", "head_lemma")  # fmt: skip
ODD_ENTITIES = ["the ferry", 'a "b"', "x,y", "x;y", "-1", "3+4", "=1", "Łódź", "a|b", "new\nline"]


def records(rng: Random, *, odd: bool = True) -> tuple[list[str], list[list[str]]]:
    """Draw a header and rows with all optional columns."""
    kind = rng.choice(["end", "end", "stop", "mention", "character"])
    columns = ["document", *({"end": ["start", "end"], "stop": ["start", "stop"],
               "mention": ["mention"], "character": ["start_character", "end_character"]}[kind]),
               "entity"]  # fmt: skip
    more = [
        name
        for name in OPTIONAL
        if rng.random() < 0.2 and (kind in ("end", "stop") or name not in ("nodes", "record"))
    ]
    for first in ("head_start", "min_start"):
        if first in more:
            more.insert(more.index(first) + 1, first.replace("start", "end"))
    if rng.random() < 0.15:
        columns.remove("document")
    rows = []
    odd_names = {at: rng.choice(ODD_ENTITIES) + str(at) for at in range(5)} if odd else {}
    for text in draw_texts(rng, 3 if "document" in columns else 1, gaps=True):
        kept: dict[int, str] = {}
        for mention in text.mentions:
            start, end = mention.span
            entity = f"e{mention.entity}"
            if rng.random() < 0.1 and odd:
                entity = odd_names[mention.entity]
            entity = kept.setdefault(mention.entity, entity)
            head = rng.randint(start, end)
            tokens = [str(at) for a, b in mention.parts for at in range(a, b + 1)]
            value = {
                "document": text.name,
                "start": str(start),
                "end": str(end),
                "stop": str(end + 1),
                "mention": f"m{start}-{end}",
                "start_character": str(start),
                "end_character": str(end),
                "entity": entity,
                "type": rng.choice(["name", "nominal", "PRON", ""]),
                "head_start": str(head),
                "head_end": str(head),
                "nodes": " ".join(tokens) if len(mention.parts) > 1 else "",
                "entity_type": "PER" if mention.entity % 2 else "ORG",
                "text": rng.choice(text.words),
                "role": "",
                "min_start": str(head) if mention.entity % 2 else "",
                "min_end": str(end) if mention.entity % 2 else "",
                "entity_subtype": rng.choice(["Individual"]),
                "entity_class": "SPC",
                "style": rng.choice(["LITERAL", "METONYMIC"]),
                "head_text": rng.choice(text.words),
                "topic": text.name[:2],
                "head_lemma": rng.choice(["sink", ""]),
                "record": f"m{start}-{end}",
            }
            rows.append([value[name] for name in (*columns, *more)])
    every = [*columns, *more]
    if rng.random() < 0.3:
        order = list(range(len(every)))
        rng.shuffle(order)
        every, rows = [every[at] for at in order], [[row[at] for at in order] for row in rows]
    return [rng.choice(NAMES.get(name, [name])) for name in every], rows


def quoted(cell: str, delimiter: str, rng: Random, always: float) -> str:
    """Write a cell, in quotes if it must be, and sometimes if it need not be."""
    if any(mark in cell for mark in (delimiter, '"', "\n", "\r")) or rng.random() < always:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def delimited(rng: Random, delimiters: str) -> dict[str, bytes]:
    """Write a table with some delimiter."""
    header, rows = records(rng)
    delimiter = rng.choice(delimiters)
    always = rng.choice((0.0, 0.0, 0.2, 1.0))
    lines = [delimiter.join(quoted(c, delimiter, rng, always) for c in row)
             for row in (header, *rows)]  # fmt: skip
    if rng.random() < 0.05:
        lines.insert(0, f"sep={delimiter}")
    return {"": (rng.choice(("\n", "\n", "\r\n")).join(lines) + "\n").encode()}


def csv(rng: Random) -> dict[str, bytes]:
    """Write commas, semicolons or bars."""
    return delimited(rng, ",,;|")


def tsv(rng: Random) -> dict[str, bytes]:
    """Write tabs."""
    return delimited(rng, "\t")


def parquet(rng: Random) -> dict[str, bytes]:
    """Write typed columns in one or more groups of rows."""
    pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")

    header, rows = records(rng)
    columns: dict[str, Any] = {}
    for name, values in zip(header, zip(*rows, strict=True), strict=False):
        if all(value.isdigit() for value in values) and "end" not in name.lower() + "x":
            columns[name] = [int(value) for value in values]
        elif all(value.isdigit() for value in values):
            columns[name] = pa.array([int(v) for v in values], rng.choice([pa.int32(), pa.int64()]))
        elif name in ("head_start", "head_end", "min_start", "min_end"):
            numbers = [int(value) if value else None for value in values]
            columns[name] = pa.array(numbers, rng.choice([pa.int64(), pa.float64()]))
        elif name in ("document", "entity", "role") and rng.random() < 0.2:
            columns[name] = pa.array(list(values)).dictionary_encode()
        else:
            columns[name] = list(values)
    if not rows:
        columns = {name: pa.array([], pa.string()) for name in header}
        for name in header:
            if any(word in name.lower() for word in ("start", "begin", "end", "last", "stop")):
                columns[name] = pa.array([], pa.int64())
    stream = io.BytesIO()
    pq.write_table(
        pa.table(columns),
        stream,
        row_group_size=rng.choice((2, 100)),
        compression=rng.choice(["NONE", "SNAPPY", "GZIP"]),
        write_page_checksum=rng.random() < 0.3,
        data_page_version=rng.choice(["1.0", "2.0"]),
        use_dictionary=rng.random() < 0.7,
    )
    return {"": stream.getvalue()}


def booknlp(rng: Random) -> dict[str, bytes]:
    """Write the mentions of a book, and its tokens."""
    text = draw_text(rng, "book", across=True)
    words = text.words
    lines = ["COREF\tstart_token\tend_token\tprop\tcat\ttext"]
    for mention in text.mentions:
        start, end = mention.span
        cells = [str(mention.entity), str(start), str(end), rng.choice(["PROP", "NOM", "PRON"]),
                 rng.choice(["PER", "FAC", "GPE"]), " ".join(words[start : end + 1])]  # fmt: skip
        lines.append("\t".join(cells))
    files = {"": ("\n".join(lines) + "\n").encode()}
    if rng.random() < 0.7:
        head = ["paragraph_ID", "sentence_ID", "token_ID_within_sentence",
                "token_ID_within_document", "word", "lemma", "byte_onset", "byte_offset",
                "POS_tag", "fine_POS_tag", "dependency_relation",
                "syntactic_head_ID", "event"]  # fmt: skip
        rows, at = ["\t".join(head)], 0
        for number, sentence in enumerate(text.sentences):
            for place, word in enumerate(sentence):
                cells = ["0", str(number), str(place), str(at), word, word, "0", "1", "NOUN",
                         "NN", "nsubj", str(at), "O"]  # fmt: skip
                rows.append("\t".join(cells))
                at += 1
        files[".tokens"] = ("\n".join(rows) + "\n").encode()
    return files
