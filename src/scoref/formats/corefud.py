"""CorefUD: CoNLL-U with entities in MISC, `Entity=(e1-person-3-` and the like.

The header `# global.Entity` says what the fields of a bracket are; nothing is read by
position. Files are looked at as bytes: only the lines that bear an annotation, few of all, are
touched as text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from scoref.arrays import Bools, Bytes, Ints, number_by_appearance, pack
from scoref.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.base import Format, Wanted
from scoref.formats.builder import CorpusBuilder
from scoref.formats.corefud_brackets import (
    Names,
    bracket_text,
    pair_brackets,
    parse,
)
from scoref.formats.corefud_found import Found, Opened, Values
from scoref.formats.corefud_nodes import Nodes
from scoref.formats.corefud_writer import write
from scoref.formats.lines import Stream
from scoref.formats.peeking import not_utf8, read_bytes
from scoref.text import Text

_MARK = b"\xef\xbb\xbf"
_TAB, _BAR = b"\t|"
_HEADER = re.compile(rb"# global\.Entity *= *(\S+)")
_NEWDOC = re.compile(rb"# *newdoc\b(?: *id)? *=? *([^\r\n]*?) *(?=[\r\n])")
_LINKS = (b"Bridge=", b"SplitAnte=", b"Split=")
_ENDS_VALUE: Bools = np.zeros(256, dtype=bool)
_ENDS_VALUE[list(b"|\t\r\n")] = True
_CHUNK = re.compile(r"\((?P<single>[^()]+)\)|\((?P<open>[^()]+)|(?P<close>[^()]+)\)|(?P<bad>.+?)")
_PART = re.compile(r"(?P<id>.*)\[(?P<part>\d+)/(?P<parts>\d+)\]$")
_COMMENT = re.compile(rb"^# *(global\.Entity|newdoc|sent_id|newpar|text)\b", re.MULTILINE)
_COLUMNS = {"word": 1, "lemma": 2, "pos": 3, "head": 6, "deprel": 7}
_TABS = 9
_NOTHING = frozenset({"", "_"})
_ID_FIELDS = ("eid", "GRP")
_READ = frozenset({"eid", "GRP", "etype", "head"})
_HINT = "CorefUD says how `Entity` is written; udapi's reader says more"


@dataclass(slots=True)
class _Reader:
    path: str
    data: bytes
    nodes: Nodes
    problems: list[Problem] = field(default_factory=list)
    builder: CorpusBuilder = field(init=False)
    word: list[int] = field(init=False)  # lists: one element at a time, they are far faster
    empty: list[int] = field(init=False)
    sentence: list[int] = field(init=False)
    first_word: list[int] = field(default_factory=list)
    first_sentence: list[int] = field(default_factory=list)
    open: dict[tuple[int, str], list[Opened]] = field(default_factory=dict)
    parts: dict[tuple[int, str], list[tuple[int, int]]] = field(default_factory=dict)
    opened_at: list[tuple[int, int]] = field(default_factory=list)
    ends: Ints | None = None

    def __post_init__(self) -> None:
        self.builder = CorpusBuilder(self.path)
        self.word, self.empty = self.nodes.word.tolist(), self.nodes.empty.tolist()
        self.sentence = self.nodes.sentence.tolist()

    def complain(self, line: int, found: str, expected: str, hint: str = _HINT) -> None:
        self.problems.append(Problem(self.path, line + 1, found, expected, hint))

    def read(self, wanted: Wanted) -> Corpus:
        document_lines = self.read_documents()
        headers = [
            (place, found[1].decode().split("-"))
            for place in occurrences(self.data, b"# global.Entity")
            if (found := _HEADER.match(self.data, place))
        ]
        values = self.place(self.values(b"Entity="), document_lines)
        if not self.read_together(values, headers):
            self.read_apart(values, headers)
        for kind in _LINKS:
            links = self.place(self.values(kind), document_lines)
            for start, end, line, document, _ in zip(*(c.tolist() for c in links), strict=True):
                self.read_links(kind, self.data[start:end].decode(), document, line)
        for (document, name), stack in self.open.items():
            for opened in stack:
                title = self.builder.documents[document].name
                expected = f"`{name})` before the sentence ends in document {title}"
                self.complain(opened.line, f"`({name}`", expected)
        self.builder.reorder(sorted(range(len(self.opened_at)), key=self.opened_at.__getitem__))
        if wanted.columns and not self.problems:
            return replace(self.builder.corpus(), text=self.text(wanted))
        return self.builder.corpus()

    def values(self, name: bytes) -> Ints:
        """Find the values of an attribute in MISC."""
        array: Bytes = np.frombuffer(self.data, dtype=np.uint8)
        places = np.array(occurrences(self.data, name), dtype=np.int64)
        start = places[np.isin(array[places - 1], [_TAB, _BAR])] + len(name)
        if self.ends is None:
            self.ends = np.flatnonzero(_ENDS_VALUE[array])
        return np.stack([start, self.ends[np.searchsorted(self.ends, start)]], axis=1)

    def place(self, spans: Ints, document_lines: Ints) -> Values:
        """Find the lines, documents and nodes of some values."""
        start, end = spans[:, 0], spans[:, 1]
        line = np.searchsorted(self.nodes.line_start, start, side="right") - 1
        document = np.searchsorted(document_lines, line, side="right") - 1
        return Values(start, end, line, document, self.nodes.before[line])

    def read_apart(self, values: Values, headers: list[tuple[int, list[str]]]) -> None:
        """Read values one at a time, and say what is wrong with them."""
        header_places = [place for place, _ in headers]
        is_node = np.isin(values.line, self.nodes.line).tolist()
        for start, end, line, document, rank, fits in zip(
            *(column.tolist() for column in values), is_node, strict=True
        ):
            value = self.data[start:end].decode()
            number = bisect_right(header_places, start) - 1
            if not fits:
                self.complain(line, f"`{value}` on a line that is no token", "a word or empty node")
            elif not self.check_header(headers, number, line):
                break
            else:
                self.read_entities(value, headers[number][1], document, rank, line)

    def read_together(self, values: Values, headers: list[tuple[int, list[str]]]) -> bool:
        """Read all values at once, or none if one of them has something to complain about."""
        if len({tuple(names) for _, names in headers}) != 1 or not len(values.start):
            return False
        header = headers[0][1]
        if not {"eid", "GRP"} & set(header) or values.start[0] < headers[0][0]:
            return False
        array: Bytes = np.frombuffer(self.data, dtype=np.uint8)
        chunks = parse(array, values.start, values.end)
        names = Names.of(chunks, header)
        if len(chunks.bad) or names.is_missing or not np.isin(values.line, self.nodes.line).all():
            return False
        document = values.document[chunks.value]
        opening, closing, unusual = pair_brackets(chunks, pack(document, names.code))
        found = Found(chunks, header, names, values, opening, closing, unusual)
        return self.add_together(found)

    def add_together(self, found: Found) -> bool:
        """Add all mentions that were found, or none if a head or a sentence is wrong."""
        chunks, header, low, high = found.chunks, found.header, found.low, found.high
        word, empty = self.nodes.word, self.nodes.empty
        plain = (word[high] - word[low] == high - low) & (empty[low] == 0) & (empty[high] == 0)
        head = found.head()
        wrong = (head == 0) | (head < -1) | (plain & (head > high - low + 1))
        if np.any(self.nodes.sentence[low] != self.nodes.sentence[high]) or wrong.any():
            return False
        # From here on nothing is refused. Most mentions are plain; the others are added singly.
        entity = self.entities(found)
        at = np.flatnonzero(plain)
        document = found.document[at]
        first = np.array(self.first_word, dtype=np.int64)[document]
        head_word = np.where(head[at] > 0, word[low[at] + np.maximum(head[at], 1) - 1] - first, -1)
        attributes = {"head_start": head_word.tolist(), "head_end": head_word.tolist()}
        for number, name in enumerate(header):
            if name not in _READ:
                told = chunks.texts(*chunks.field(number, len(header)))[found.opening[at]]
                attributes[name] = told.tolist()
        line = found.values.line[chunks.value[found.opening[at]]] + 1
        rows = (document, word[low[at]] - first, word[high[at]] - first, entity[at], line)
        self.builder.extend(list(zip(*(row.tolist() for row in rows), strict=True)), attributes)
        self.opened_at.extend((rank, 0) for rank in low[at].tolist())
        for mention in np.flatnonzero(~plain).tolist():
            opened, name = found.opened(mention)
            pieces = [(opened.node, int(high[mention]))]
            self.add(name, int(found.document[mention]), pieces, opened)
        for chunk in found.unusual.tolist():
            of = int(chunks.value[chunk])
            place = (values := found.values).document[of], values.rank[of], values.line[of]
            self.read_entities(bracket_text(chunks, chunk), header, *map(int, place))
        return True

    def entities(self, found: Found) -> Ints:
        """Return the entity of each mention, in the order in which they appear."""
        code = found.names.code[found.opening]
        number, first = number_by_appearance(pack(found.document, code))
        told = found.texts("etype")
        types = np.full(len(first), "", dtype=told.dtype)
        there = np.flatnonzero(told != "")[::-1]  # the first that tells one stays
        types[number[there]] = told[there]
        entity = [
            self.builder.entity(of, found.names.text(one), type=kind)
            for of, one, kind in zip(
                found.document[first].tolist(), code[first].tolist(), types.tolist(), strict=True
            )
        ]
        return np.array(entity, dtype=np.int64)[number]

    def read_documents(self) -> Ints:
        """Begin each document, and return the lines where they do."""
        found = [
            (self.data.rfind(b"\n", 0, place) + 1, match[1].decode(errors="replace"))
            for place in occurrences(self.data, b"newdoc")
            if (match := _NEWDOC.match(self.data, self.data.rfind(b"\n", 0, place) + 1))
        ]
        places = np.array([place for place, _ in found], dtype=np.int64)
        lines = np.searchsorted(self.nodes.line_start, places, side="right") - 1
        words = np.concatenate([[0], np.cumsum(self.nodes.is_word)])
        if not found:
            found, lines = [(0, "")], np.zeros(1, dtype=np.int64)
        first = words[np.append(self.nodes.before, len(self.nodes.line))[lines]].tolist()
        self.first_word = first
        starts = np.append(self.nodes.before, len(self.nodes.line))[lines]
        self.first_sentence = np.append(self.nodes.sentence, 0)[starts].tolist()
        for (_, name), line, start, end in zip(
            found, lines.tolist(), first, [*first[1:], int(words[-1])], strict=True
        ):
            self.builder.document(name, end - start, line + 1)
        names = [document.name for document in self.builder.documents]
        for at, name in enumerate(names):
            if name in names[:at]:
                line = self.builder.documents[at].line - 1
                self.complain(line, f"document {name} again", "documents of different names", "")
        return lines

    def check_header(self, headers: list[tuple[int, list[str]]], number: int, line: int) -> bool:
        """Check that there is a header, and that it says which field is the entity."""
        if number < 0:
            found, expected = "`Entity=` before any header", "`# global.Entity = eid-etype-head-..."
            self.complain(line, found, f"{expected}` first")
            return False
        names = headers[number][1]
        if "eid" in names or "GRP" in names:
            return True
        found, expected = f"the header `{'-'.join(names)}`", "`eid` or `GRP` among its fields"
        self.complain(line, found, expected, "spans with types alone have no coreference")
        return False

    def read_entities(
        self, value: str, header: list[str], document: int, rank: int, line: int
    ) -> None:
        """Read the brackets of one token in the order in which they stand."""
        for chunk in _CHUNK.finditer(value):
            if chunk["bad"]:
                self.complain(line, f"`{value}`", "brackets such as `(e1-person-1-`, `e1)`, `(e1)`")
                return
            if chunk["close"]:
                self.close(chunk["close"], document, rank, line)
                continue
            text = chunk["single"] or chunk["open"]
            fields = dict(zip(header, text.split("-", len(header) - 1), strict=False))
            name = next(fields[name] for name in _ID_FIELDS if name in fields)
            self.open.setdefault((document, name), []).append(Opened(rank, line, fields))
            if chunk["single"]:
                self.close(name, document, rank, line)

    def close(self, name: str, document: int, rank: int, line: int) -> None:
        stack = self.open.get((document, name))
        if not stack:
            title = self.builder.documents[document].name
            self.complain(line, f"`{name})`", f"an earlier `({name}` in document {title}")
            return
        opened = stack.pop()
        if self.sentence[opened.node] != self.sentence[rank]:
            self.complain(line, f"`{name})`", f"`({name}` in the same sentence")
            return
        if part := _PART.match(name):
            pieces = self.parts.setdefault((document, part["id"]), [])
            pieces.append((opened.node, rank))
            if len(pieces) != int(part["part"]):
                self.complain(line, f"`{name})`", f"part {len(pieces)} of `{part['id']}` first")
            if part["part"] == part["parts"]:
                self.parts.pop((document, part["id"]))
                self.add(part["id"], document, pieces, opened)
        else:
            self.add(name, document, [(opened.node, rank)], opened)

    def add(self, name: str, document: int, pieces: list[tuple[int, int]], opened: Opened) -> None:
        """Add a mention that is complete."""
        (low, _), (_, high) = pieces[0], pieces[-1]
        fields, attributes = opened.fields, dict[str, str | int]()
        for field_name, text in fields.items():
            if text and field_name not in _READ:
                attributes[field_name] = text
        first = self.first_word[document]
        word, empty = self.word, self.empty
        span = (word[low] - first, word[high] - first)
        size = high - low + 1
        ranks: Sequence[int] = range(low, high + 1)
        if len(pieces) > 1 or span[1] - span[0] + 1 != size or empty[low] or empty[high]:
            ranks = sorted({rank for low, high in pieces for rank in range(low, high + 1)})
            if span[1] - span[0] + 1 != len(ranks) or any(empty[rank] for rank in ranks):
                attributes["nodes"] = " ".join(self.show(rank, first) for rank in ranks)
        if head := fields.get("head", "") or ("1" if len(ranks) == 1 else ""):
            at = head.split(",")[0]
            if not at.isdecimal() or not 1 <= int(at) <= len(ranks):
                found = f"the head {head} of a mention of {len(ranks)} tokens"
                self.complain(opened.line, found, f"a number from 1 to {len(ranks)}")
                return
            rank = ranks[int(at) - 1]
            attributes["head_start"] = attributes["head_end"] = word[rank] - first
            if empty[rank]:
                attributes["zero"] = self.show(rank, first)
                attributes["zero_deps"] = self.dependencies(rank, document)
        entity = self.builder.entity(document, name, type=fields.get("etype", ""))
        self.builder.mention(document, span, entity, opened.line + 1, **attributes)
        self.opened_at.append((opened.node, 1))

    def show(self, rank: int, first: int) -> str:
        """Write a node so that equal ones of two files are equal: `12`, `12.1`."""
        word, empty = self.word[rank] - first, self.empty[rank]
        return f"{word}.{empty}" if empty else str(word)

    def dependencies(self, rank: int, document: int) -> str:
        """Return the enhanced dependencies of an empty node, and the sentence they are of."""
        sentence = self.sentence[rank] - self.first_sentence[document]
        line = self.nodes.line[rank]
        columns = self.data[self.nodes.line_start[line] : self.nodes.line_end[line]].split(b"\t")
        found = columns[8].decode() if len(columns) > 8 else "_"
        return f"{sentence} {found}"

    def read_links(self, kind: bytes, value: str, document: int, line: int) -> None:
        """Keep bridging and split antecedents: what each says of which entity."""
        name = "bridge" if kind == _LINKS[0] else "split_antecedents"
        for link in value.split(","):
            target, less, rest = link.partition("<")
            entity, _, relation = rest.partition(":")
            if not less or not target or not entity:
                self.complain(line, f"`{value}`", "pairs such as `e1<e5`, with commas between")
                return
            number = self.builder.entity(document, entity)
            told = self.builder.of_entity.setdefault(name, {})
            one = f"{target}:{relation}" if relation else target
            told[number] = f"{told[number]},{one}" if number in told else one

    def text(self, wanted: Wanted) -> Text:
        """Read the words and what else is wanted of them."""
        nodes = self.nodes
        rows = nodes.line[nodes.is_word]
        pieces = [
            self.data[start:end].decode().split("\t")
            for start, end in zip(
                nodes.line_start[rows].tolist(), nodes.line_end[rows].tolist(), strict=True
            )
        ]
        columns = {
            name: [line[at] if at < len(line) else "" for line in pieces]
            for name, at in _COLUMNS.items()
            if name in wanted.columns
        }
        sentence = nodes.sentence[nodes.is_word]
        starts = np.ones(len(rows), dtype=bool)
        starts[1:] = sentence[1:] != sentence[:-1]
        told = {name: values for name, values in columns.items() if not _NOTHING.issuperset(values)}
        return Text(np.array([*self.first_word, len(rows)], dtype=np.int64), starts, told)


def occurrences(data: bytes, text: bytes) -> list[int]:
    """Return all places of a text; far faster than a pattern that looks at every byte."""
    places = []
    at = data.find(text)
    while at >= 0:
        places.append(at)
        at = data.find(text, at + len(text))
    return places


def read(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read a stream, and list all that is wrong with it."""
    data = read_bytes(stream).removeprefix(_MARK)
    if not data.endswith(b"\n"):
        data += b"\n"
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = not_utf8(path, line, error.start, data[error.start])
        return CorpusBuilder(path).corpus(), [problem]
    reader = _Reader(path, data, Nodes.find(data))
    return reader.read(wanted), reader.problems


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
    frozenset({"word", "lemma", "pos", "head", "deprel", "heads", "nodes", "entity type"}),
)
