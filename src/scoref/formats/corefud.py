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
from typing import NamedTuple

import numpy as np

from scoref.arrays import Bools, Bytes, Ints
from scoref.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.base import Format, Wanted
from scoref.formats.builder import CorpusBuilder
from scoref.formats.corefud_writer import BEFORE, write
from scoref.formats.lines import Stream
from scoref.formats.peeking import not_utf8, read_bytes
from scoref.text import Text

_MARK = b"\xef\xbb\xbf"
_NEWLINE, _TAB, _DOT, _DASH = b"\n\t.-"
_HEADER = re.compile(rb"^# global\.Entity *= *(\S+)", re.MULTILINE)
_NEWDOC = re.compile(rb"^# *newdoc\b(?: *id)? *=? *(.*?) *\r?$", re.MULTILINE)
_ANNOTATED = re.compile(
    rb"(?<=[\t|])(?P<name>Entity|Bridge|SplitAnte|Split)=(?P<value>[^|\t\r\n]*)"
)
_CHUNK = re.compile(r"\((?P<single>[^()]+)\)|\((?P<open>[^()]+)|(?P<close>[^()]+)\)|(?P<bad>.+?)")
_PART = re.compile(r"(?P<id>.*)\[(?P<part>\d+)/(?P<parts>\d+)\]$")
_COMMENT = re.compile(rb"^# *(global\.Entity|newdoc|sent_id|newpar|text)\b", re.MULTILINE)
_COLUMNS = {"word": 1, "lemma": 2, "pos": 3, "head": 6, "deprel": 7}
_TABS = 9
_NOTHING = frozenset({"", "_"})
_LONGEST_ID = 16
_ID_FIELDS = ("eid", "GRP")
_READ = frozenset({"eid", "GRP", "etype", "head"})
_HINT = "CorefUD says how `Entity` is written; udapi's reader says more"


class Opened(NamedTuple):
    """An open bracket: where it stands, and its fields."""

    node: int
    line: int
    fields: dict[str, str]


@dataclass(frozen=True, eq=False)
class _Nodes:
    """The tokens of a file, words and empty nodes, in order.

    `word` is the number of a word in the file, or of the word that an empty node follows;
    `empty` is 0 for words, the decimal for `4.1`, and below 0 for `0.1`, which precedes its
    word. `before` says how many nodes stand before each line.
    """

    line: Ints
    word: Ints
    empty: Ints
    is_word: Bools
    starts_sentence: Bools
    sentence: Ints
    before: Ints
    line_start: Ints
    line_end: Ints

    @classmethod
    def find(cls, data: bytes) -> _Nodes:
        """Find the tokens among the lines of a file."""
        array: Bytes = np.frombuffer(data, dtype=np.uint8)
        end = np.flatnonzero(array == _NEWLINE)
        start = np.concatenate([[0], end[:-1] + 1]).astype(np.int64)
        first = array[start]
        token = (first >= ord("0")) & (first <= ord("9"))
        with_dot, with_dash = _marks(array, start, np.flatnonzero(token))
        is_word, is_empty = token & ~with_dot & ~with_dash, token & with_dot
        line = np.flatnonzero(is_word | is_empty)
        words = np.cumsum(is_word)
        word, empty = words[line] - 1, np.zeros(len(line), dtype=np.int64)
        for at in np.flatnonzero(is_empty[line]).tolist():
            identity = data[start[line[at]] : end[line[at]]].split(b"\t")[0]
            whole, _, decimal = identity.partition(b".")
            empty[at] = int(decimal)
            if int(whole) == 0:
                word[at] += 1
                empty[at] -= BEFORE
        blank = (end == start) | ((end - start == 1) & (first == ord("\r")))
        sentence = np.cumsum(blank)[line]
        starts = np.ones(len(line), dtype=bool)
        starts[1:] = sentence[1:] != sentence[:-1]
        before: Ints = np.cumsum(is_word | is_empty) - (is_word | is_empty)
        return cls(line, word, empty, is_word[line], starts, sentence, before, start, end)


def _marks(array: Bytes, start: Ints, rows: Ints) -> tuple[Bools, Bools]:
    """Mark the lines whose first column has a dot, and those where it has a dash."""
    dot, dash = np.zeros(len(start), dtype=bool), np.zeros(len(start), dtype=bool)
    open_ = rows
    for offset in range(1, _LONGEST_ID):
        if not len(open_):
            break
        byte = array[start[open_] + offset]
        dot[open_[byte == _DOT]] = True
        dash[open_[byte == _DASH]] = True
        open_ = open_[byte != _TAB]
    return dot, dash


@dataclass(slots=True)
class _Reader:
    path: str
    data: bytes
    nodes: _Nodes
    problems: list[Problem] = field(default_factory=list)
    builder: CorpusBuilder = field(init=False)
    word: list[int] = field(init=False)  # lists: one element at a time, they are far faster
    empty: list[int] = field(init=False)
    sentence: list[int] = field(init=False)
    first_word: list[int] = field(default_factory=list)
    first_sentence: list[int] = field(default_factory=list)
    open: dict[tuple[int, str], list[Opened]] = field(default_factory=dict)
    parts: dict[tuple[int, str], list[tuple[int, int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.builder = CorpusBuilder(self.path)
        self.word, self.empty = self.nodes.word.tolist(), self.nodes.empty.tolist()
        self.sentence = self.nodes.sentence.tolist()

    def complain(self, line: int, found: str, expected: str, hint: str = _HINT) -> None:
        self.problems.append(Problem(self.path, line + 1, found, expected, hint))

    def read(self, wanted: Wanted) -> Corpus:
        document_lines = self.read_documents()
        headers = [(m.start(), m[1].decode().split("-")) for m in _HEADER.finditer(self.data)]
        header_places = [place for place, _ in headers]
        found = list(_ANNOTATED.finditer(self.data))
        places = np.array([m.start() for m in found], dtype=np.int64)
        lines = np.searchsorted(self.nodes.line_start, places, side="right") - 1
        documents = np.searchsorted(document_lines, lines, side="right") - 1
        ranks = self.nodes.before[lines] if len(lines) else lines
        is_node = np.isin(lines, self.nodes.line)
        for match, line, document, rank, fits in zip(
            found, lines.tolist(), documents.tolist(), ranks.tolist(), is_node.tolist(), strict=True
        ):
            value = match["value"].decode()
            if not fits:
                self.complain(line, f"`{value}` on a line that is no token", "a word or empty node")
            elif match["name"] == b"Entity":
                number = bisect_right(header_places, match.start()) - 1
                if not self.check_header(headers, number, line):
                    break
                self.read_entities(value, headers[number][1], document, rank, line)
            else:
                self.read_links(match["name"], value, document, line)
        for (document, name), stack in self.open.items():
            for opened in stack:
                title = self.builder.documents[document].name
                expected = f"`{name})` before the sentence ends in document {title}"
                self.complain(opened.line, f"`({name}`", expected)
        if wanted.columns and not self.problems:
            return replace(self.builder.corpus(), text=self.text(wanted))
        return self.builder.corpus()

    def read_documents(self) -> Ints:
        """Begin each document, and return the lines where they do."""
        found = [(m.start(), m[1].decode(errors="replace")) for m in _NEWDOC.finditer(self.data)]
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
        if head := fields.get("head", ""):
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
        name = "bridge" if kind == b"Bridge" else "split_antecedents"
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
    reader = _Reader(path, data, _Nodes.find(data))
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
