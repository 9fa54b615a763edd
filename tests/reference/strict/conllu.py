"""Strict readers of CorefUD and CoNLL-UA, written from the manual."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.reference.strict.reading import (
    ANY,
    Files,
    Mention,
    Reading,
    document,
    lines_of,
    nodes,
    number_unnamed,
    refuse,
    refuse_odd_ids,
    text_of,
    whole_number,
)

NEW_DOCUMENT = re.compile(r"#[ \t]*newdoc(?![a-zA-Z0-9_])(?P<rest>.*)")
HEADER = re.compile(r"#[ \t]*global\.Entity[ \t]*=[ \t]*(\S+)\s*")
COLUMNS = re.compile(r"#[ \t]*global\.columns\s*=\s*(.*)")
BRACKETS = re.compile(r"\([^()]+\)?|[^()]+\)")
PART = re.compile(r"(.*)\[([0-9]+)/([0-9]+)\]")
LINK = re.compile(r"[^<,:]+<[^<,:]+(?::[^<,]*)?")


@dataclass(slots=True)
class Row:
    """A word or an empty node: its name among the words of the document, and its cells.

    Also the fields of brackets in CorefUD, as the latest header names them.
    """

    node: str
    cells: list[str]
    fields: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Body:
    """A document: sentences of rows."""

    name: str
    sentences: list[list[Row]] = field(default_factory=lambda: [[]])
    words: int = 0


def name_of(rest: str) -> str:
    """Return the name after `# newdoc`: `id = NAME`, or nothing."""
    named = re.fullmatch(r"[ \t]+id[ \t]*=[ \t]*(.*)", rest)
    return named[1].strip() if named else ANY if rest.strip() else ""


def number_of(
    identity: str, words: int, last: tuple[int, int], *, is_first: bool
) -> tuple[str, tuple[int, int]]:
    """Return the node of a row, and its ID as a pair: 3 is (3, 0), and 3.1 is (3, 1).

    An empty node before the first word, 0.1, is number -999 of that word.
    """
    whole, dot, empty = identity.partition(".")
    pair = whole_number(whole), whole_number(empty) if dot else 0
    if dot and (pair[1] < 1 or pair[0] != last[0] or pair[1] != last[1] + 1):
        refuse(f"the empty node {identity} after {last}")
    if dot and is_first:
        return f"{words}.{pair[1] - 1000}", pair
    return (f"{words - 1}.{pair[1]}" if dot else str(words)), pair


# --------------------------------------------------------------------------- CorefUD


def read_corefud(files: Files) -> Reading:
    """Read CoNLL-U with entities in MISC."""
    found: list[Body] = []
    fields: list[str] = []
    last = (0, 0)
    for line in lines_of(text_of(files[""])):
        if line.startswith("#"):
            if begin := NEW_DOCUMENT.fullmatch(line.rstrip(" \t")):
                found.append(Body(name_of(begin["rest"])))
                last = (0, 0)
            elif header := HEADER.fullmatch(line):
                fields = header[1].split("-")
            elif re.match(r"#[ \t]*global\.Entity", line):
                refuse("a damaged header")
            continue
        if not found and line.strip():
            found.append(Body(""))
        if not found:
            continue
        body = found[-1]
        if not line.strip():
            body.sentences.append([])
            last = (0, 0)
            continue
        cells = line.split("\t")
        if len(cells) != 10:
            refuse(f"a line of {len(cells)} columns")
        if re.fullmatch(r"[0-9]+-[0-9]+", cells[0]):
            if "Entity" in misc_of(cells[9]):
                refuse("an annotation on a range")
            continue
        node, pair = number_of(cells[0], body.words, last, is_first=last[0] == 0)
        if not pair[1] and pair[0] != last[0] + 1:
            refuse(f"word {pair[0]} after word {last[0]}")
        last = pair
        body.words += pair[1] == 0
        body.sentences[-1].append(Row(node, cells, fields))
    documents = []
    for body in found:
        entities: dict[str, list[Mention]] = defaultdict(list)
        for sentence in body.sentences:
            if sentence and all("." in row.cells[0] for row in sentence):
                refuse("a sentence without words")
            for name, mention in corefud_mentions(sentence):
                entities[name].append(mention)
        documents.append(document(body.name, body.words, entities.values()))
    if not any(body.words or body.name for body in found):
        refuse("no words")
    return number_unnamed(documents)


def misc_of(cell: str) -> dict[str, str]:
    """Return the attributes of MISC that concern coreference; blanks can end a line."""
    values: dict[str, str] = {}
    for one in cell.rstrip(" ").split("|"):
        name, equals, value = one.partition("=")
        if name in ("Entity", "Bridge", "SplitAnte") and equals:
            if name in values:
                refuse(f"{name} twice")
            values[name] = value
    return values


def corefud_mentions(sentence: list[Row]) -> Iterator[tuple[str, Mention]]:
    """Return the mentions of a sentence; all its brackets are closed in it."""
    spans: list[tuple[str, str, list[str]]] = []
    opened: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for at, row in enumerate(sentence):
        misc, fields = misc_of(row.cells[9]), row.fields
        for name in ("Bridge", "SplitAnte"):
            for link in misc[name].split(",") if name in misc else ():
                if not LINK.fullmatch(link):
                    refuse(f"the link {link!r}")
        if "Entity" not in misc:
            continue
        cell = misc["Entity"]
        chunks = BRACKETS.findall(cell)
        if "".join(chunks) != cell or not cell:
            refuse(f"Entity={cell}")
        if not {"eid", "GRP"} & set(fields):
            refuse("no header that names the entity")
        if len(set(fields)) < len(fields):
            refuse("a field of the header twice")
        place = fields.index("eid" if "eid" in fields else "GRP")
        for chunk in chunks:
            values = chunk.strip("()").split("-", len(fields) - 1)  # the last has the rest
            if chunk.startswith("("):
                if len(values) <= place or not values[place]:
                    refuse("a bracket without an entity")
                name, head = values[place], dict(zip(fields, values, strict=False)).get("head", "")
                refuse_odd_ids(name)
                if chunk.endswith(")"):
                    spans.append((name, head, [row.node]))
                else:
                    opened[name].append((at, head))
            else:
                name = chunk[:-1]
                if not opened[name]:
                    refuse(f"{chunk} without its opening")
                first, head = opened[name].pop()
                spans.append((name, head, [one.node for one in sentence[first : at + 1]]))
    if any(opened.values()):
        refuse("a bracket without its closing in the sentence")
    yield from join_parts(sentence, spans)


def join_parts(
    sentence: list[Row], spans: list[tuple[str, str, list[str]]]
) -> Iterator[tuple[str, Mention]]:
    """Return whole mentions: parts `[1/2]`, `[2/2]` of an entity are one."""
    order = {row.node: at for at, row in enumerate(sentence)}
    spans = sorted(spans, key=lambda span: (order[span[2][0]], -len(span[2])))
    waiting: dict[tuple[str, str], list[list[str]]] = {}
    for name, head, words in spans:
        part = PART.fullmatch(name)
        entity = part[1] if part else name
        every = words
        if part:
            if not entity:
                refuse("a part without an entity")
            key = entity, part[3]
            number, total = whole_number(part[2]), whole_number(part[3])
            parts = waiting.setdefault(key, [])
            if number != len(parts) + 1 or number > total:
                refuse(f"part {number} of {total} after {len(parts)}")
            if {word for before in parts for word in before} & set(words):
                refuse("parts that overlap")
            parts.append(words)
            if number < total:
                check_head(head, None)
                continue
            del waiting[key]
            every = sorted((word for one in parts for word in one), key=order.__getitem__)
        check_head(head, len(every))
        yield entity, nodes(every)
    if waiting:
        refuse("a part that is missing")


def check_head(text: str, words: int | None) -> None:
    """A head is the number of a word of its mention; of several, the first counts."""
    if text:
        head, *_ = (whole_number(one) for one in text.split(","))
        if head < 1 or (words is not None and head > words):
            refuse(f"the head {head} of {words} words")


# --------------------------------------------------------------------------- CoNLL-UA

OPEN = re.compile(r"\(([^()]*)")
REQUIRED = "IDENTITY"


def read_conllua(files: Files, column: str = REQUIRED) -> Reading:
    """Read the column of identity, or another one."""
    found: list[Body] = []
    columns: list[str] = []
    last = (0, 0)
    for line in lines_of(text_of(files[""])):
        if line.startswith("#"):
            if header := COLUMNS.fullmatch(line):
                columns = re.split(r"[ \t]+", header[1].strip(" \t"))
                if len(set(columns)) < len(columns):
                    refuse("a column twice")
                if column not in columns or columns[0] != "ID":
                    refuse(f"no column {column}")
            elif begin := NEW_DOCUMENT.fullmatch(line.rstrip(" \t")):
                found.append(Body(name_of(begin["rest"])))
                last = (0, 0)
            continue
        if not line.strip():
            continue
        if not columns:
            refuse("a token before the columns are named")
        cells = (
            line.split("\t") if line.count("\t") >= 10 else re.split(r"[ \t]+", line.strip(" \t"))
        )
        if not len(columns) - 1 <= len(cells) <= len(columns):
            refuse(f"a line of {len(cells)} columns")
        at = columns.index(column)
        if re.fullmatch(r"[0-9]+-[0-9]+", cells[0]):
            if at < len(cells) and cells[at].strip(" ") not in ("", "_", "-"):
                refuse("an annotation on a range")
            continue
        if not found:
            found.append(Body(""))
        body = found[-1]
        node, last = number_of(cells[0], body.words, last, is_first=body.words == 0)
        body.words += last[1] == 0
        body.sentences[-1].append(Row(node, cells[at : at + 1]))
    documents = []
    for body in found:
        entities: dict[str, list[Mention]] = defaultdict(list)
        for name, mention in conllua_mentions(body.sentences[0]):
            entities[name].append(mention)
        if body.sentences[0] and not body.words:
            refuse("a document of empty nodes")
        documents.append(document(body.name, body.words, entities.values()))
    if not any(body.sentences[0] or body.name for body in found):
        refuse("no rows")
    return number_unnamed(documents)


def conllua_mentions(rows: list[Row]) -> list[tuple[str, Mention]]:
    """Return the mentions of a document. Closings without a name close the latest opening."""
    opened: list[tuple[int, dict[str, str]]] = []
    spans: list[tuple[dict[str, str], list[str]]] = []
    for at, row in enumerate(rows):
        cell = row.cells[0].strip(" ") if row.cells else "_"
        if cell in ("_", "-"):
            continue
        rest = cell
        while rest:
            rest = rest.removeprefix("@")
            if start := OPEN.match(rest):
                opened.append((at, fields_of(start[1].removesuffix("@"))))
                rest = rest[start.end() :]
                continue
            end = re.match(r"([^()]*)\)", rest)
            if not end:
                refuse(f"the cell {cell!r}")
            spans.append(close(opened, end[1], rows, at))
            rest = rest[end.end() :]
    if opened:
        refuse("a bracket that is never closed")
    joined: dict[str, tuple[str, list[str]]] = {}
    order = {row.node: at for at, row in enumerate(rows)}
    for number, (fields, words) in enumerate(spans):
        entity = fields["EntityID"]
        markable = fields.get("MarkableID") or f"?{number}"
        before = joined.setdefault(markable, (entity, []))
        if before[0] != entity:
            refuse(f"{markable} in two entities")
        if set(before[1]) & set(words):
            refuse(f"parts of {markable} that overlap")
        before[1].extend(words)
    return [
        (entity, nodes(sorted(words, key=lambda word: order[word])))
        for entity, words in joined.values()
        if not entity.endswith("-Pseudo")
    ]


def fields_of(text: str) -> dict[str, str]:
    """Read `EntityID=4|MarkableID=m1|Min=30,36`."""
    fields: dict[str, str] = {}
    for one in text.split("|"):
        name, equals, value = one.partition("=")
        name = name.strip(" \t")
        if one.strip("=") and (not (name and equals) or name in fields):
            refuse(f"the field {one!r}")
        fields[name] = value.strip(" \t")
    if not fields.get("EntityID"):
        refuse("no EntityID")
    refuse_odd_ids(fields["EntityID"], fields.get("MarkableID", ""))
    for value in fields["Min"].split(",") if fields.get("Min") else ():
        whole_number(value)
    if "Min" in fields and fields["Min"].count(",") > 1:
        refuse(f"Min={fields['Min']}")
    return fields


def close(
    opened: list[tuple[int, dict[str, str]]], name: str, rows: list[Row], at: int
) -> tuple[dict[str, str], list[str]]:
    """Close the latest opening, or the latest that has a name."""
    name = name.removeprefix("MarkableID=").removeprefix("EntityID=")
    fitting = [
        one
        for one in opened
        if not name or name in (one[1].get("MarkableID"), one[1].get("EntityID"))
    ]
    if not fitting:
        refuse(f"`{name})` without an opening")
    first, fields = fitting[-1]
    opened.remove(fitting[-1])
    return fields, [row.node for row in rows[first : at + 1]]
