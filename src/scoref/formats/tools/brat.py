"""brat standoff: text-bound annotations and links between them, as spans of characters.

    T1  Person 0 4          Anna
    T2  Person 10 13;17 20  the ... man
    R1  Coref Arg1:T2 Arg2:T1
    *   Equiv T1 T3

Annotations that are linked by a relation with `coref` in its name, or by an equivalence, are an
entity. An annotation without links is an entity of its own. The text is in a .txt file next to the
annotation.

LitBank has no such links. A second annotation of the same place has the entity as its label:

    T1  PROP_PER 0 4  Anna
    T2  Anna-0 0 4    Anna
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from scoref.base.limits import proportion_problem
from scoref.base.union_find import groups
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN
from scoref.formats.format import Format, Wanted, text_reader
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import read_companion, split_at_blanks
from scoref.formats.tools.brat_writer import NAMES, covered_text, write

_LINE = re.compile(rb"(\xef\xbb\xbf)?([TREAMN#]\d*|\*)\t[^\t\n]*")
_ANNOTATION = re.compile(rb"(\xef\xbb\xbf)?T\d+\t\S+ \d+ \d+")
_BOUND = re.compile(
    r"(?P<label>\S+) (?P<places>\d{1,18} \d{1,18}(?:;\d{1,18} \d{1,18})*)$", re.ASCII
)
_ENTITY = re.compile(r"\S+-\d+", re.ASCII)
_EVENT = re.compile(r"[^\s:]+:(?P<trigger>\S+)")
_EQUIVALENCE = "equiv"
_COREFERENCE = "coref"
_NUMBERED = frozenset("TREAMNW")
_ONCE = frozenset("TRE")
_SHOWN = 40
_FREE = 1 << 16
_EXCLUSIVE = "offsets count characters from 0, ends exclusive"

Place = tuple[int, int]


@dataclass(slots=True)
class _BratAnnotation:
    """A text-bound annotation: its places in the text, ends exclusive."""

    line: int
    label: str
    places: list[Place]


@dataclass(slots=True)
class _BratReader:
    """Collects the lines of an annotation, which are checked against the text if it is known."""

    problems: Problems
    text: str | None
    size: int
    listed: int = 0
    annotations: dict[str, _BratAnnotation] = field(default_factory=dict)
    triggers: dict[str, str] = field(default_factory=dict)
    links: list[tuple[int, str, str]] = field(default_factory=list)
    ignored: Counter[str] = field(default_factory=Counter)

    def read(self, text: str) -> None:
        seen: set[str] = set()
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            name, tab, rest = line.rstrip("\r").partition("\t")
            kind = name[:1]
            if kind in _ONCE and name in seen:
                self.problems.add(number, f"{name} again", "each id once", "rename one of them")
                continue
            seen.add(name)
            if not tab or not _is_id(name):
                hint = "is this an .ann file?"
                expected = "an id such as T1 or R1, and a tab"
                self.problems.add(number, f"`{line[:_SHOWN]}`", expected, hint)
            elif kind == "T":
                self.read_annotation(name, rest, number)
            elif kind == "R":
                self.read_relation(rest, number)
            elif kind == "E" and (event := _EVENT.match(rest)):
                self.triggers[name] = event["trigger"]
            elif kind == "*":
                self.read_equivalence(rest, number)

    def read_annotation(self, name: str, rest: str, line: int) -> None:
        what, tab, covered = rest.partition("\t")
        found = _BOUND.match(what)
        if found is None:
            expected = "a label and offsets, such as `Person 0 4` or `Person 0 4;7 9`"
            self.problems.add(line, f"`{rest[:_SHOWN]}`", expected, "put a tab before the text")
            return
        pairs = (place.split() for place in found["places"].split(";"))
        written = [(int(start), int(end)) for start, end in pairs]
        places = sorted(written)
        offsets = [offset for place in places for offset in place]
        rise = all(start < end for start, end in places) and offsets == sorted(offsets)
        shown = f"the offsets `{found['places'][:_SHOWN]}`"
        if not rise:
            self.problems.add(line, shown, "rising offsets", _EXCLUSIVE)
            return
        if not tab:
            hint = "is the line complete?"
            self.problems.add(line, f"{name} without its text", "a tab and the covered text", hint)
            return
        if self.is_too_long(places, shown, line):
            return
        if self.text is not None:
            self.check_text(name, (places, written), covered, line)
        self.annotations[name] = _BratAnnotation(line, found["label"], places)

    def is_too_long(self, places: list[Place], shown: str, line: int) -> bool:
        """Refuse a mention that is out of proportion to the file, or to its text."""
        path, size = self.problems.path, self.size + len(self.text or "")
        length = places[-1][1] - places[0][0]
        far = proportion_problem(length, size, f"{shown} of {length:,} characters", path, line)
        if far is None and len(places) > 1:  # the characters of a discontinuous mention are listed
            self.listed += sum(end - start for start, end in places)
            found = f"{shown} of characters to list"
            far = proportion_problem(self.listed, self.size, found, path, line, free=_FREE)
        if far is not None:
            self.problems.append(far)
        return far is not None

    def check_text(self, name: str, orders: Sequence[list[Place]], covered: str, line: int) -> None:
        """Check the text of an annotation, whose places can be in order or as they are written."""
        text, places = self.text or "", orders[0]
        hint = "does the .txt file belong to this file, with the same line ends?"
        if places[-1][1] > len(text):
            found = f"{name} up to character {places[-1][1]}"
            self.problems.add(line, found, f"offsets in a text of {len(text)} characters", hint)
            return
        actual = [
            " ".join(" ".join(text[start:end] for start, end in order).split()) for order in orders
        ]
        if " ".join(covered.split()) not in actual:
            found = f"{name} with the text `{covered[:_SHOWN]}`"
            self.problems.add(line, found, f"`{actual[0][:_SHOWN]}` as in the text", hint)

    def read_relation(self, rest: str, line: int) -> None:
        name, *ends = split_at_blanks(rest) or [""]
        # Split by hand: a pattern takes cubic time for a long line of colons.
        roles = [end.partition(":") for end in ends]
        names = [annotation for role, _, annotation in roles if role and annotation]
        if len(ends) != 2 or len(names) != 2:
            expected = "a relation such as `Coref Arg1:T1 Arg2:T2`"
            self.problems.add(line, f"`{rest[:_SHOWN]}`", expected, "a relation has two arguments")
        elif _COREFERENCE in name.lower():
            self.links.append((line, names[0], names[1]))
        else:
            self.ignored[name] += 1

    def read_equivalence(self, rest: str, line: int) -> None:
        name, *members = split_at_blanks(rest) or [""]
        if not members:
            hint = "name the annotations that are equal"
            self.problems.add(line, f"`*\t{rest[:_SHOWN]}`", "`Equiv T1 T2`", hint)
        elif name.lower() == _EQUIVALENCE or _COREFERENCE in name.lower():
            self.links += [(line, members[0], other) for other in members[1:]]
        else:
            self.ignored[name] += 1

    def pop_entity_labels(self) -> dict[tuple[Place, ...], str]:
        """Remove annotations that only name the entity of another one; return the name by place.

        Names are read if the file has no links, and if the place of such an annotation has another
        label too, which no annotation of types alone has.
        """
        if self.links:
            return {}
        labels: dict[bool, dict[tuple[Place, ...], list[str]]] = {True: {}, False: {}}
        for name, one in self.annotations.items():
            is_entity = _ENTITY.fullmatch(one.label) is not None
            labels[is_entity].setdefault(tuple(one.places), []).append(name)
        entities, mentions = labels[True], labels[False]
        if entities.keys().isdisjoint(mentions):
            return {}
        found = {}
        for places, names in entities.items():
            first, *others = (self.annotations.pop(name) for name in names)
            found[places] = first.label
            hint = "annotate each mention twice: with its type, and with one entity"
            if places not in mentions:
                shown = f"`{first.label}` at a place without another label"
                self.problems.add(first.line, shown, "the label of a mention", hint)
            for other in others:
                shown = f"`{other.label}` at the place of `{first.label}`"
                self.problems.add(other.line, shown, "one entity per mention", hint)
        return found

    def resolve(self) -> list[tuple[int, int]]:
        """Return links as pairs of numbers of annotations."""
        number = {name: at for at, name in enumerate(self.annotations)}
        found = []
        for line, *ends in self.links:
            names = [self.triggers.get(end, end) for end in ends]
            for end, name in zip(ends, names, strict=True):
                if name not in number:
                    hint = "add the line, or remove the link"
                    self.problems.add(line, f"a link to {end}", "the id of a T line", hint)
            if all(name in number for name in names):
                found.append((number[names[0]], number[names[1]]))
        return found


def _is_id(name: str) -> bool:
    """Whether a line can begin so: `T1`, `*` for an equivalence, or `#` and anything."""
    if name.startswith("#"):
        return True
    return name == "*" or (name[:1] in _NUMBERED and name.split() == [name])


def parse(annotation: str, _: Wanted, problems: Problems) -> Corpus:
    """Parse an .ann file, and check it against the text next to it, if the text exists."""
    path = problems.path
    text = read_companion(problems, ".ann", ".txt")
    reader = _BratReader(problems, text, len(annotation))
    reader.read(annotation)
    if text is None and not reader.annotations and not problems:
        expected, hint = "annotations (T lines), or a text", "put the .txt file next to the file"
        problems.add(0, "no annotations", expected, hint)
    labels = reader.pop_entity_labels()
    found = groups(len(reader.annotations), reader.resolve())
    builder = CorpusBuilder(path)
    document = builder.document("", UNKNOWN if text is None else len(text))
    annotations = list(reader.annotations.items())
    entity = {at: number for number, members in enumerate(found, 1) for at in members}
    for at in sorted(range(len(annotations)), key=lambda at: annotations[at][1].places):
        name, one = annotations[at]
        # No label is a number, so that both kinds of names differ.
        title = labels.get(tuple(one.places), str(entity[at]))
        builder.mention(
            document,
            (one.places[0][0], one.places[-1][1] - 1),
            builder.entity(document, title),
            one.line,
            label=one.label,
            id=name,
            nodes=_nodes(one.places),
        )
    if labels:
        shown = next(iter(labels.values()))
        builder.notes.append(f"{path}: entities are read from labels such as `{shown}`")
    builder.notes += _notes(reader)
    return replace(builder.corpus(), characters=(text or "",))


def _nodes(places: list[Place]) -> str:
    """List the characters of a discontinuous mention; nothing for a contiguous one."""
    if all(one[1] == two[0] for one, two in pairwise(places)):
        return ""
    return " ".join(str(at) for start, end in places for at in range(start, end))


def _notes(reader: _BratReader) -> Iterator[str]:
    path = reader.problems.path
    if reader.ignored:
        names = ", ".join(f"{name} ({times})" for name, times in reader.ignored.most_common(5))
        yield f"{path}: ignored relations that are not coreference: {names}"
    if reader.text is None:
        yield f"{path}: offsets are not checked, because the .txt file is missing"


def _recognise(head: bytes) -> bool:
    """Whether most of the first lines are those of an annotation; the reader reports the others."""
    lines = [line for line in head.split(b"\n")[:40] if line.strip()]
    fitting = sum(_LINE.match(line) is not None for line in lines)
    return 2 * fitting > len(lines) and any(map(_ANNOTATION.match, lines))


FORMAT = Format(
    name="brat",
    title="brat standoff",
    recognise=_recognise,
    read=text_reader(parse, by_lines=True),
    write=write,
    suffix=".ann",
    names=NAMES,
    supports=frozenset({"nodes", "label", "word"}),
    companions={".txt": covered_text},
)
