"""brat standoff: text-bound annotations and links between them, as spans of characters.

    T1  Person 0 4          Anna
    T2  Person 10 13;17 20  the ... man
    R1  Coref Arg1:T2 Arg2:T1
    *   Equiv T1 T3

What is linked by a relation whose name has `coref` in it, or by an equivalence, is an entity;
an annotation without links is an entity of its own. The text stands in a .txt file beside.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

import numpy as np

from scoref.base.union_find import groups
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import UNKNOWN, Corpus
from scoref.exceptions import Problem, UsageError
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.text import read_text

_FIRST = re.compile(rb"(\xef\xbb\xbf)?([TREAMN#]\d*|\*)\t[^\t\n]*")
_BOUND = re.compile(r"(?P<label>\S+) (?P<places>\d{1,18} \d{1,18}(?:;\d{1,18} \d{1,18})*)$")
_RELATION = re.compile(r"(?P<name>\S+)\s+\S+?:(?P<one>\S+)\s+\S+?:(?P<other>\S+)\s*$")
_EVENT = re.compile(r"\S+?:(?P<trigger>T\S+)")
_EQUIVALENCE = "equiv"
_COREFERENCE = "coref"
_KNOWN = frozenset("TREAMNW#*")
_SHOWN = 40
_LONGEST = 1_000_000
_EXCLUSIVE = "offsets count characters from 0, ends exclusive"

Place = tuple[int, int]


@dataclass(slots=True)
class _Bound:
    """A text-bound annotation: its places, ends exclusive."""

    line: int
    label: str
    places: list[Place]


@dataclass(slots=True)
class _Reader:
    path: str
    text: str | None
    problems: list[Problem] = field(default_factory=list)
    bound: dict[str, _Bound] = field(default_factory=dict)
    triggers: dict[str, str] = field(default_factory=dict)
    links: list[tuple[int, str, str]] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)

    def complain(self, line: int, found: str, expected: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, line, found, expected, hint))

    def read(self, text: str) -> None:
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            name, tab, rest = line.rstrip("\r").partition("\t")
            kind = name[:1]
            if not tab or kind not in _KNOWN or " " in name:
                hint = "is this an .ann file?"
                expected = "an id such as T1 or R1, and a tab"
                self.complain(number, f"`{line[:_SHOWN]}`", expected, hint)
            elif kind == "T":
                self.read_bound(name, rest, number)
            elif kind == "R":
                self.read_relation(rest, number)
            elif kind == "E" and (event := _EVENT.match(rest)):
                self.triggers[name] = event["trigger"]
            elif kind == "*":
                self.read_equivalence(rest, number)

    def read_bound(self, name: str, rest: str, line: int) -> None:
        what, tab, covered = rest.partition("\t")
        found = _BOUND.match(what)
        if found is None:
            expected = "a label and offsets, such as `Person 0 4` or `Person 0 4;7 9`"
            self.complain(line, f"`{rest[:_SHOWN]}`", expected, "put a tab before the text")
            return
        if name in self.bound:
            self.complain(line, f"{name} again", "each id once", "renumber one of them")
            return
        pairs = (place.split() for place in found["places"].split(";"))
        places = sorted((int(start), int(end)) for start, end in pairs)
        if any(start >= end for start, end in places) or any(
            before[1] > after[0] for before, after in pairwise(places)
        ):
            self.complain(
                line, f"the offsets `{found['places'][:_SHOWN]}`", "places in a row", _EXCLUSIVE
            )
            return
        if sum(end - start for start, end in places) > _LONGEST:
            self.complain(
                line, f"the offsets `{found['places'][:_SHOWN]}`", "a mention in a text", _EXCLUSIVE
            )
            return
        if self.text is not None:
            self.check_text(name, places, covered if tab else None, line)
        self.bound[name] = _Bound(line, found["label"], places)

    def check_text(self, name: str, places: list[Place], covered: str | None, line: int) -> None:
        text = self.text or ""
        hint = "is the .txt file the right one, with the same line ends?"
        if places[-1][1] > len(text):
            found = f"{name} up to character {places[-1][1]}"
            self.complain(line, found, f"offsets in a text of {len(text)}", hint)
            return
        there = " ".join(" ".join(text[start:end] for start, end in places).split())
        if covered is not None and there != " ".join(covered.split()):
            found = f"{name} with the text `{covered[:_SHOWN]}`"
            self.complain(line, found, f"`{there[:_SHOWN]}` as in the text", hint)

    def read_relation(self, rest: str, line: int) -> None:
        found = _RELATION.match(rest.split("\t", maxsplit=1)[0])
        if found is None:
            expected = "a relation such as `Coref Arg1:T1 Arg2:T2`"
            self.complain(line, f"`{rest[:_SHOWN]}`", expected, "a relation has two arguments")
        elif _COREFERENCE in found["name"].lower():
            self.links.append((line, found["one"], found["other"]))
        else:
            self.others[found["name"]] += 1

    def read_equivalence(self, rest: str, line: int) -> None:
        name, *members = rest.split() or [""]
        if not members:
            self.complain(line, f"`*\t{rest[:_SHOWN]}`", "`Equiv T1 T2`", "name what is equal")
            return
        if name.lower() == _EQUIVALENCE or _COREFERENCE in name.lower():
            self.links += [(line, members[0], other) for other in members[1:]]
        else:
            self.others[name] += 1

    def resolve(self) -> list[tuple[int, int]]:
        """Return links as pairs of numbers of annotations."""
        number = {name: at for at, name in enumerate(self.bound)}
        found = []
        for line, *ends in self.links:
            names = [self.triggers.get(end, end) for end in ends]
            for end, name in zip(ends, names, strict=True):
                if name not in number:
                    hint = "add the line, or remove the link"
                    self.complain(line, f"a link to {end}", "one of the T lines here", hint)
            if all(name in number for name in names):
                found.append((number[names[0]], number[names[1]]))
        return found


def read(stream: Stream, path: str, _: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read an .ann file, and the text beside it if there is one."""
    nothing = CorpusBuilder(path).corpus()
    annotation, problems = read_text(stream, path)
    if (at := annotation.find("\0")) >= 0:
        line = annotation.count("\n", 0, at) + 1
        problems = [Problem(path, line, "a NUL byte", "annotation as text", "is the file whole?")]
    if problems:
        return nothing, problems
    text, problems = _text_beside(path)
    reader = _Reader(path, text, problems)
    reader.read(annotation)
    found = groups(len(reader.bound), reader.resolve())
    if reader.problems:
        return nothing, reader.problems
    builder = CorpusBuilder(path)
    document = builder.document("", UNKNOWN if text is None else len(text))
    annotations = list(reader.bound.items())
    entity = {at: number for number, members in enumerate(found, 1) for at in members}
    order = sorted(range(len(annotations)), key=lambda at: annotations[at][1].places)
    for at in order:
        name, bound = annotations[at]
        code = builder.entity(document, str(entity[at]))
        span = bound.places[0][0], bound.places[-1][1] - 1
        nodes = _nodes(bound.places)
        told = {"label": bound.label, "id": name, "nodes": nodes}
        builder.mention(document, span, code, bound.line, **told)
    builder.notes += _notes(reader, path)
    return replace(builder.corpus(), characters=(text or "",)), []


def _text_beside(path: str) -> tuple[str | None, list[Problem]]:
    beside = Path(path).with_suffix(".txt")
    if Path(path).suffix != ".ann" or not beside.is_file():
        return None, []
    with beside.open("rb") as stream:
        text, problems = read_text(stream, str(beside))
    return text, problems


def _nodes(places: list[Place]) -> str:
    """List the characters of a discontinuous mention."""
    whole = all(one[1] == two[0] for one, two in pairwise(places))
    if whole:
        return ""
    return " ".join(str(at) for start, end in places for at in range(start, end))


def _notes(reader: _Reader, path: str) -> Iterator[str]:
    if reader.others:
        names = ", ".join(f"{name} ({many})" for name, many in reader.others.most_common(5))
        yield f"{path}: relations that are no coreference are not read: {names}"
    if reader.text is None:
        yield f"{path}: there is no text beside it, so that its offsets cannot be checked"


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """Write the mentions of one document, and a link from each to the one before it."""
    text, spans, starts, ends = _characters(corpus)
    labels = corpus.attributes.get("label", np.full(len(corpus), "Mention"))
    latest: dict[int, int] = {}
    links = []
    for row in range(len(spans)):
        places = _places(spans, row, starts, ends)
        offsets = ";".join(f"{start} {end}" for start, end in places)
        covered = " ".join(text[start:end] for start, end in places)
        shown = re.sub(r"\s", " ", covered) or "?"
        label = re.sub(r"\s", "_", str(labels[row])) or "Mention"
        stream.write(f"T{row + 1}\t{label} {offsets}\t{shown}\n".encode())
        entity = int(spans.entity[row])
        if entity in latest:
            links.append((row, latest[entity]))
        latest[entity] = row
    for number, (one, other) in enumerate(links, 1):
        link = f"R{number}\tCoref Arg1:T{one + 1} Arg2:T{other + 1}\n"
        stream.write(link.encode())


def companions(corpus: Corpus) -> Mapping[str, bytes]:
    """Return the text that belongs beside the annotation, if it is known."""
    text = _characters(corpus)[0]
    return {".txt": text.encode()} if text else {}


def _characters(corpus: Corpus) -> tuple[str, Corpus, list[int], list[int]]:
    """Return the text of the document, and where in it each unit of the spans starts and ends."""
    spans = corpus.as_spans()
    if spans is None or len(corpus.documents) > 1:
        hint = "write each document to a file of its own"
        raise UsageError("brat has the spans of one document in a file", hint)
    furthest = max(int(spans.end.max(initial=-1)) + 1, *(d.length for d in corpus.documents), 0)
    if corpus.unit == "character":
        return corpus.characters[0], spans, list(range(furthest)), list(range(1, furthest + 1))
    words = ["_"] * furthest
    breaks = [False] * furthest
    if corpus.text is not None and "word" in corpus.text:
        words = list(corpus.text.columns["word"][:furthest])
        breaks = corpus.text.starts_sentence[:furthest].tolist()
    text, starts, ends = "", [], []
    for word, starts_sentence in zip(words, breaks, strict=True):
        text += "" if not text else "\n" if starts_sentence else " "
        starts.append(len(text))
        text += word
        ends.append(len(text))
    return text, spans, starts, ends


def _places(spans: Corpus, row: int, starts: list[int], ends: list[int]) -> list[Place]:
    """Return the runs of a mention as offsets."""
    told = spans.attributes.get("nodes")
    units = range(int(spans.start[row]), int(spans.end[row]) + 1)
    if told is not None and told[row]:
        if "." in str(told[row]):
            raise UsageError("brat has no empty nodes, but a mention is one or has one")
        units = sorted(map(int, str(told[row]).split()))  # type: ignore[assignment]
    runs: list[tuple[int, int]] = []
    for unit in units:
        if runs and runs[-1][1] == unit - 1:
            runs[-1] = (runs[-1][0], unit)
        else:
            runs.append((unit, unit))
    return [(starts[first], ends[last]) for first, last in runs]


def _recognise(head: bytes) -> bool:
    """Whether the first lines are those of an annotation."""
    lines = [line for line in head.split(b"\n")[:20] if line.strip()]
    bound = re.compile(rb"(\xef\xbb\xbf)?T\d+\t\S+ \d+ \d+")
    return (
        bool(lines) and all(map(_FIRST.match, lines[:-1] or lines)) and any(map(bound.match, lines))
    )


FORMAT = Format(
    name="brat",
    title="brat standoff",
    recognise=_recognise,
    read=read,
    write=write,
    suffix=".ann",
    supports=frozenset({"nodes", "label", "word"}),
    companions=companions,
)
