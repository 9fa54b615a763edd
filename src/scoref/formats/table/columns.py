"""What the columns of a table mean: document, mention or span, entity; whatever file it is in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, number_by_appearance, pack
from scoref.base.byte_texts import ByteTexts
from scoref.base.phrases import counted
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN, Document
from scoref.exceptions import Problem, UsageError
from scoref.formats.order_of_repeats import FIRST_OF_REPEATS

# The names that a column can have, written without `_`, `-` and blanks, by what it means.
NAMES = {
    "document": "document doc docid documentid dockey documentkey documentname unit",
    "mention": "mention mentionid id record recordid recid",
    "start": "start starttoken tokenstart begin",
    "end": "end endtoken tokenend endinclusive last",
    "stop": "stop endexclusive",
    "start_character": "startcharacter",
    "end_character": "endcharacter",
    "entity": "entity entityid cluster clusterid label chain chainid group groupid",
    "type": "type mentiontype",
    **{
        name: name.replace("_", "")
        for name in (
            *("head_start", "head_end", "min_start", "min_end", "nodes"),
            *("role", "style", "head_text"),
            *("entity_type", "entity_subtype", "entity_class"),
        )
    },
}
_ROLE = {alias: role for role, aliases in NAMES.items() for alias in aliases.split()}
_SPAN = ("start", "end", "stop", "start_character", "end_character")
NUMBERS = frozenset({*_SPAN, "head_start", "head_end", "min_start", "min_end"})
_OF_MENTIONS = ("nodes", "role", "style", "head_text")
_OF_ENTITIES = ("entity_type", "entity_subtype", "entity_class")
_WRITTEN = ("type", "head_start", "head_end", "min_start", "min_end", *_OF_MENTIONS, *_OF_ENTITIES)
KEEPS = frozenset(
    {
        FIRST_OF_REPEATS,
        *("mention types", "heads", "minimal spans", *_OF_MENTIONS),
        *("entity type", "entity subtype", "entity class"),
    }
)
KNOWN_TYPES = {
    **{name: name for name in MENTION_TYPES},
    **dict.fromkeys(("nam", "prop", "proper"), "name"),
    "nom": "nominal",
    **dict.fromkeys(("pro", "pron"), "pronoun"),
}
NOISE = "-1"
NO_ENTITY = frozenset({"", "NA", "NaN", "nan", "null", "NULL", "None"})
_EXPECTED = (
    "the columns `document`, `start`, `end` and `entity`, or `document`, `mention`, `entity`"
)
EMPTY_DOCUMENT = (
    "an empty document cell",
    "the name of a document",
    "leave the column out if there is only one document",
)
_BOTH = "a mention needs a start and an end"
_NOTHING = -1
_NO_MARKS = str.maketrans("", "", "_- ")

Complain = Callable[[int, str, str, str], None]


class Coded(NamedTuple):
    """Texts as numbers: `names[codes]`, with one name for each different text."""

    codes: Ints
    names: Sequence[str]

    def is_any(self, texts: Collection[str]) -> Bools:
        """Mark the rows that have one of some texts."""
        if isinstance(self.names, ByteTexts):  # whose texts need not all be decoded
            found = [at for text in texts for at in self.names.find(text)]
        else:
            found = [at for at, name in enumerate(self.names) if name in texts]
        return np.isin(self.codes, found) if found else np.zeros(len(self.codes), dtype=bool)


@dataclass(frozen=True, slots=True)
class Layout:
    """Which column of a table is what: positions by role."""

    header: tuple[str, ...]
    at: Mapping[str, int]

    @property
    def is_whole(self) -> bool:
        """Whether the table has all that a corpus needs."""
        return "entity" in self.at and ("mention" in self.at or self.has_spans)

    @property
    def has_spans(self) -> bool:
        """Whether mentions are spans: of tokens, or of characters."""
        tokens = "start" in self.at and ("end" in self.at or "stop" in self.at)
        return tokens or ("start_character" in self.at and "end_character" in self.at)

    @property
    def roles(self) -> list[str]:
        """The roles whose columns are read: a mention that has a span needs no other id."""
        return [role for role in self.at if not (role == "mention" and self.has_spans)]


def find_layout(header: Sequence[str]) -> Layout | tuple[str, str]:
    """Find columns by their names, or say what was found and what to do."""
    at: dict[str, int] = {}
    for position, name in enumerate(header):
        role = _ROLE.get(name.strip().lower().translate(_NO_MARKS))
        if role is None:
            continue
        if role in at:
            both = f"the columns `{header[at[role]]}` and `{name}`, which both mean `{role}`"
            return both, "rename the one that is not meant"
        at[role] = position
    layout = Layout(tuple(header), at)
    shown = ", ".join(f"`{name}`" for name in header[:12])
    if not layout.is_whole:
        return f"the header {shown}", "give the columns these names"
    for one, other in (("end", "stop"), ("start", "start_character")):
        if one in at and other in at:
            both = f"the columns `{header[at[one]]}` and `{header[at[other]]}`"
            return both, "leave one of them out"
    return layout


def describe_missing(path: str, line: int, told: tuple[str, str]) -> Problem:
    """Say that a table lacks columns."""
    return Problem(path, line, told[0], _EXPECTED, told[1])


@dataclass(slots=True)
class Table:
    """The columns of a table, by role: numbers, or texts as codes; and the line of each row."""

    path: str
    texts: dict[str, Coded]
    numbers: dict[str, Ints]
    line: Ints
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    labels: Sequence[str] | None = None

    def complain(self, rows: Bools, found: Callable[[int], str], expected: str, hint: str) -> None:
        """List the rows where something is wrong."""
        self.problems += [
            Problem(self.path, int(self.line[row]), found(row), expected, hint)
            for row in np.flatnonzero(rows).tolist()
        ]

    def text(self, role: str, row: int) -> str:
        """Return one cell."""
        coded = self.texts[role]
        return coded.names[int(coded.codes[row])]

    def where(self, rows: Bools) -> Table:
        """Keep some rows."""
        texts = {role: Coded(c.codes[rows], c.names) for role, c in self.texts.items()}
        numbers = {role: values[rows] for role, values in self.numbers.items()}
        labels = None if self.labels is None else _picked(self.labels, np.flatnonzero(rows))
        return Table(self.path, texts, numbers, self.line[rows], self.problems, self.notes, labels)

    def empty(self, role: str) -> Bools:
        """Mark the rows whose cell is empty."""
        if role in self.numbers:
            return np.array(self.numbers[role] == _NOTHING)
        if role == "mention":
            if isinstance(self.labels, ByteTexts):
                return self.labels.empty()
            return np.array([label == "" for label in self.labels or ()], dtype=bool)
        return self.texts[role].is_any([""])


def to_corpus(table: Table, source: str) -> tuple[Corpus, list[Problem]]:
    """Make a corpus of a table, and list all that is wrong with it."""
    documents, document = _documents(table)
    needed = [role for role in ("entity", "mention", *_SPAN) if role in _roles(table)]
    bare = table.empty("entity")
    if "document" in table.texts and bare.any():
        bare = np.logical_and.reduce([table.empty(role) for role in needed])
        table, document = table.where(~bare), document[~bare]
    _check_entities(table)
    start, end, labels = _mentions(table)
    if table.problems:
        return Corpus.without_mentions(documents, source), table.problems
    entity, first = number_by_appearance(pack(document, table.texts["entity"].codes))
    names = table.texts["entity"].names
    corpus = Corpus(
        documents=documents,
        document=document,
        start=start,
        end=end,
        entity=entity,
        entity_names=_picked(names, table.texts["entity"].codes[first]),
        line=table.line,
        labels=labels,
        attributes=_attributes(table, start, end),
        entity_attributes=_entity_attributes(table, entity, first),
        # Of texts that are not known, only that spans count their characters.
        characters=("",) * len(documents) if "start_character" in table.numbers else (),
        source=source,
        notes=tuple(table.notes),
    )
    return corpus, table.problems


def _picked(names: Sequence[str], at: Ints) -> Sequence[str]:
    if isinstance(names, ByteTexts):
        return names.pick(at)
    return [names[one] for one in at.tolist()]


def _roles(table: Table) -> set[str]:
    return {*table.texts, *table.numbers, *(() if table.labels is None else ["mention"])}


def _documents(table: Table) -> tuple[tuple[Document, ...], Ints]:
    """Return the documents in the order of the file, and the document of each row."""
    if "document" not in table.texts:
        one = Document("#1", ("", 1), UNKNOWN, table.path, 1)
        return (one,), np.zeros(len(table.line), dtype=np.int64)
    table.complain(table.empty("document"), lambda _: EMPTY_DOCUMENT[0], *EMPTY_DOCUMENT[1:])
    coded = table.texts["document"]
    document, first = number_by_appearance(coded.codes)
    names = [coded.names[code] for code in coded.codes[first].tolist()]
    return tuple(
        Document(name, name, UNKNOWN, table.path, line)
        for name, line in zip(names, table.line[first].tolist(), strict=True)
    ), document


def _check_entities(table: Table) -> None:
    coded = table.texts["entity"]
    table.complain(
        coded.is_any(NO_ENTITY),
        lambda row: f"the entity `{table.text('entity', row)}`",
        "an entity for each mention",
        "leave out rows without an entity, or give each an entity of its own",
    )
    table.notes += note_noise(table.path, int(np.count_nonzero(coded.is_any([NOISE]))))


def note_noise(path: str, times: int) -> list[str]:
    """Say that several mentions are in the entity that clustering programs use for none."""
    if times < 2:
        return []
    told = f"{path}: {times:,} mentions are in the entity `{NOISE}`, which is read as an entity"
    return [f"{told} like any other; clustering programs write it for what is in none"]


def _mentions(table: Table) -> tuple[Ints, Ints, Sequence[str] | None]:
    """Return the spans of mentions, or their labels and the numbers that count them."""
    numbers = table.numbers
    first = "start_character" if "start_character" in numbers else "start"
    if first in numbers:
        last = next(role for role in ("end_character", "stop", "end") if role in numbers)
        start, end = numbers[first], numbers[last]
        for role in (first, last):
            empty = np.array(numbers[role] == _NOTHING)
            what = f"an empty cell in the column of `{role}`"
            table.complain(empty, lambda _, what=what: what, "a whole number", _BOTH)  # type: ignore[misc]
        if last == "stop":
            end = end - 1
        table.complain(
            (end < start) & (start >= 0) & (numbers[last] >= 0),
            lambda row: f"a mention from {start[row]} to {numbers[last][row]}",
            "mentions of at least one token, the end "
            + ("exclusive" if last == "stop" else "inclusive"),
            "a column named `stop` has exclusive ends, one named `end` inclusive ones",
        )
        return start, end, None
    empty = table.empty("mention")
    table.complain(
        empty, lambda _: "an empty mention cell", "the id of a mention", "leave the row out"
    )
    counted_through = np.arange(len(table.line), dtype=np.int64)
    return counted_through, counted_through, table.labels


def _attributes(table: Table, start: Ints, end: Ints) -> dict[str, NDArray[Any]]:
    columns: dict[str, NDArray[Any]] = {}
    if "type" in table.texts and (types := _types(table)) is not None:
        columns["type"] = types
    for part in ("head", "min"):
        names = f"{part}_start", f"{part}_end"
        if not all(name in table.numbers for name in names):
            continue
        one, other = (table.numbers[name] for name in names)
        inside = (start <= one) & (one <= other) & (other <= end)
        if table.labels is not None:
            inside = one <= other
        table.complain(
            ~inside & ((one != _NOTHING) | (other != _NOTHING)),
            lambda row, part=part, one=one, other=other: (  # type: ignore[misc]
                f"a {part} from {one[row]} to {other[row]} of a mention"
                f" from {start[row]} to {end[row]}"
            ),
            f"a {part} inside its mention, the end inclusive",
            f"leave both cells empty for a mention without a {part}",
        )
        columns.update(zip(names, (one, other), strict=True))
    for role in _OF_MENTIONS:
        if role in table.texts and not table.empty(role).all():
            columns[role] = _array(table.texts[role])
    return columns


def _types(table: Table) -> NDArray[Any] | None:
    coded = table.texts["type"]
    used = np.unique(coded.codes).tolist()
    unknown = [coded.names[at] for at in used if coded.names[at].lower() not in {*KNOWN_TYPES, ""}]
    if unknown:
        known = ", ".join(MENTION_TYPES)
        table.notes.append(
            f"{table.path}: the column of types has `{unknown[0]}`, which is no type of mentions"
            f" ({known}); it is not read"
        )
        return None
    types = Coded(coded.codes, [KNOWN_TYPES.get(name.lower(), "") for name in coded.names])
    return _array(types) if any(types.names) else None


def _entity_attributes(table: Table, entity: Ints, first: Ints) -> dict[str, NDArray[Any]]:
    columns = {}
    for role in _OF_ENTITIES:
        if role not in table.texts:
            continue
        coded = table.texts[role]
        differs = coded.codes != coded.codes[first][entity]
        table.complain(
            differs,
            lambda row, role=role: (  # type: ignore[misc]
                f"the {role} `{table.text(role, row)}` of an entity that is"
                f" `{table.text(role, int(first[entity[row]]))}` before"
            ),
            "one for all mentions of an entity",
            "types of mentions belong into the column `type`",
        )
        if not table.empty(role).all():
            columns[role.removeprefix("entity_")] = _array(coded)[first]
    return columns


def _array(coded: Coded) -> NDArray[Any]:
    return np.array([*coded.names, ""])[coded.codes]


def to_columns(corpus: Corpus) -> dict[str, list[Any]]:
    """Return the columns of a table, with None for nothing.

    A document without mentions has a row with nothing but its name.
    """
    spans = corpus.as_spans()
    columns: dict[str, list[Any]] = {}
    without: list[str] = []
    if not (len(corpus.documents) == 1 and corpus.documents[0].is_unnamed):
        names = [document.name for document in corpus.documents]
        there = np.bincount(corpus.document, minlength=len(names)) > 0
        without = [names[at] for at in np.flatnonzero(~there).tolist()]
        columns["document"] = [names[at] for at in corpus.document.tolist()] + without
    if spans is None:
        columns["mention"] = _writable(corpus.labels or ())
    else:
        ending = "_character" if corpus.unit == "character" else ""
        columns[f"start{ending}"] = spans.start.tolist()
        columns[f"end{ending}"] = spans.end.tolist()
    entity_names = [str(name) for name in corpus.entity_names]
    columns["entity"] = [entity_names[at] for at in corpus.entity.tolist()]
    for name in _WRITTEN:
        values = corpus.attributes.get(name)
        if name.startswith("entity_"):
            of_entities = corpus.entity_attributes.get(name.removeprefix("entity_"))
            values = None if of_entities is None else of_entities[corpus.entity]
        if values is not None:
            nothing = {_NOTHING, ""}
            columns[name] = [None if value in nothing else value for value in values.tolist()]
    rows = len(corpus) + len(without)
    return {name: values + [None] * (rows - len(values)) for name, values in columns.items()}


def _writable(labels: Sequence[Hashable]) -> list[str]:
    """Return labels as texts; only texts and whole numbers stay what they are."""
    if odd := [label for label in labels if not isinstance(label, str | int) or label == ""]:
        raise UsageError(
            f"the mention {odd[0]!r} cannot be written in a table",
            f"{counted(len(odd), 'mention')} must be a text, a whole number or a span",
        )
    return [str(label) for label in labels]
