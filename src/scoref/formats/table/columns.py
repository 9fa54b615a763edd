"""The columns of a table by their roles, and the corpus that they make."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, number_by_appearance, pack
from scoref.base.lazy_sequences import BLANKS, ByteTexts
from scoref.base.limits import FREE, proportion_problem
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN, Document
from scoref.corpus.spans import place_of
from scoref.exceptions import Problem
from scoref.formats.table.layout import ENTITY_ROLES, EXTRA_ROLES, MENTION_ROLES, NO_ENTITY

KNOWN_TYPES = {
    **{name: name for name in MENTION_TYPES},
    **dict.fromkeys(("nam", "prop", "proper"), "name"),
    "nom": "nominal",
    **dict.fromkeys(("pro", "pron"), "pronoun"),
}
NOISE = "-1"
EMPTY_DOCUMENT = (
    *("an empty document cell", "the name of a document"),
    "remove the column if the table has one document",
)
_BOTH = "write both the start and the end of a mention"
_EMPTY = -1
# One form for each node, since nodes are compared as texts. Decimals below 0 are before the word.
_NODE = re.compile(r"(0|[1-9]\d{0,17})(\.-?[1-9]\d{0,2})?", re.ASCII)
_OF_ZEROS = ("nodes", "zero", "zero_deps")
_DEPENDENCIES = re.compile(r"(0|[1-9]\d{0,17}) \S", re.ASCII)
_WIDEST = 64


class Coded(NamedTuple):
    """Texts as numbers: `names[codes]`, with one name for each different text."""

    codes: Ints
    names: Sequence[str]

    def is_any(self, texts: Collection[str]) -> Bools:
        """Mark the rows that have one of some texts, with or without blanks around it."""
        found = find_texts(self.names, texts)
        return np.isin(self.codes, found) if found else np.zeros(len(self.codes), dtype=bool)


def find_texts(names: Sequence[str], texts: Collection[str]) -> list[int]:
    """Return where a sequence has one of some texts, with or without blanks around it."""
    if not isinstance(names, ByteTexts):
        return [at for at, name in enumerate(names) if name.strip(BLANKS) in texts]
    found = [at for text in texts for at in names.find(text)]  # the others are not decoded
    edged = names.with_outer_blanks().tolist()
    return found + [at for at in edged if names[at].strip(BLANKS) in texts]


@dataclass(slots=True)
class TableColumns:
    """The columns of a table by role: numbers, or texts as codes; and the line of each row.

    Numbers must be in proportion to the size of the file in bytes, if that is known.
    """

    path: str
    texts: dict[str, Coded]
    numbers: dict[str, Ints]
    line: Ints
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    labels: Sequence[str] | None = None
    file_bytes: int | None = None

    def add_problems(
        self, rows: Bools, found: str | Callable[[int], str], expected: str, hint: str
    ) -> None:
        """Add a problem for each of some rows; `found` can depend on the row."""
        for row in np.flatnonzero(rows).tolist():
            what = found if isinstance(found, str) else found(row)
            self.problems.append(Problem(self.path, int(self.line[row]), what, expected, hint))

    def text(self, role: str, row: int) -> str:
        """Return one cell."""
        coded = self.texts[role]
        return coded.names[int(coded.codes[row])]

    def where(self, rows: Bools) -> TableColumns:
        """Return some rows."""
        texts = {role: Coded(c.codes[rows], c.names) for role, c in self.texts.items()}
        numbers = {role: values[rows] for role, values in self.numbers.items()}
        labels = None if self.labels is None else _picked(self.labels, np.flatnonzero(rows))
        line = self.line[rows]
        return replace(self, texts=texts, numbers=numbers, line=line, labels=labels)

    def empty(self, role: str) -> Bools:
        """Mark the rows whose cell is empty, or has only blanks."""
        if role in self.numbers:
            return np.array(self.numbers[role] == _EMPTY)
        if role == "mention":
            rows = np.zeros(len(self.line), dtype=bool)
            rows[find_texts(self.labels or (), [""])] = True
            return rows
        return self.texts[role].is_any([""])

    def bare(self) -> Bools:
        """Mark the rows with only a document, which are documents without mentions."""
        if "document" not in self.texts or not self.empty("entity").any():
            return np.zeros(len(self.line), dtype=bool)
        roles = {*self.texts, *self.numbers} - {"document"}
        roles |= set() if self.labels is None else {"mention"}
        return np.array(np.logical_and.reduce([self.empty(role) for role in roles]))


def to_corpus(table: TableColumns, source: str) -> tuple[Corpus, list[Problem]]:
    """Make a corpus of a table, and list all problems."""
    documents, document = _documents(table)
    if (bare := table.bare()).any():
        table, document = table.where(~bare), document[~bare]
    _check_entities(table)
    _check_proportions(table)
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
        # The texts are unknown: it is only known that spans count their characters.
        characters=("",) * len(documents) if "start_character" in table.numbers else (),
        source=source,
        notes=tuple(table.notes),
    )
    return corpus, table.problems


def _picked(names: Sequence[str], at: Ints) -> Sequence[str]:
    if isinstance(names, ByteTexts):
        return names.pick(at)
    return [names[one] for one in at.tolist()]


def _documents(table: TableColumns) -> tuple[tuple[Document, ...], Ints]:
    """Return the documents in the order of the file, and the document of each row."""
    if "document" not in table.texts:
        one = Document("#1", ("", 1), UNKNOWN, table.path, 1)
        return (one,), np.zeros(len(table.line), dtype=np.int64)
    table.add_problems(table.empty("document"), *EMPTY_DOCUMENT)
    coded = table.texts["document"]
    document, first = number_by_appearance(coded.codes)
    names = [coded.names[code] for code in coded.codes[first].tolist()]
    return tuple(
        Document(name, name, UNKNOWN, table.path, line)
        for name, line in zip(names, table.line[first].tolist(), strict=True)
    ), document


def _check_entities(table: TableColumns) -> None:
    coded = table.texts["entity"]
    table.add_problems(
        coded.is_any(NO_ENTITY),
        lambda row: f"the entity `{table.text('entity', row)}`",
        "an entity for each mention",
        "remove rows without an entity, or give each mention an entity of its own",
    )
    table.notes += note_noise(table.path, int(np.count_nonzero(coded.is_any([NOISE]))))


def _check_proportions(table: TableColumns) -> None:
    """Refuse positions that no text of a file of this size can have."""
    if table.file_bytes is None:
        return
    for role, values in table.numbers.items():
        for row in np.flatnonzero(values > FREE).tolist():
            amount, line = int(values[row]), int(table.line[row])
            found = f"{amount:,} in the column of `{role}`"
            problem = proportion_problem(amount, table.file_bytes, found, table.path, line)
            table.problems += [problem] if problem else []


def note_noise(path: str, times: int) -> list[str]:
    """Return a note if several mentions are in the entity -1, which can mean no entity."""
    if times < 2:
        return []
    note = (
        f"{path}: {times:,} mentions are in the entity `{NOISE}`, which is scored like any other"
        " entity; clustering programs use it for mentions in no cluster"
    )
    return [note]


def _mentions(table: TableColumns) -> tuple[Ints, Ints, Sequence[str] | None]:
    """Return the spans of mentions, or numbers as spans and the labels of mentions."""
    numbers = table.numbers
    first = "start_character" if "start_character" in numbers else "start"
    if first in numbers:
        last = next(role for role in ("end_character", "stop", "end") if role in numbers)
        start, end = numbers[first], numbers[last]
        for role in (first, last):
            what = f"an empty cell in the column of `{role}`"
            table.add_problems(table.empty(role), what, "a whole number", _BOTH)
        if last == "stop":
            end = end - 1
        table.add_problems(
            (end < start) & (start >= 0) & (numbers[last] >= 0),
            lambda row: f"a mention from {start[row]} to {numbers[last][row]}",
            "mentions of at least one token, the end "
            + ("exclusive" if last == "stop" else "inclusive"),
            "name the column `stop` if ends are exclusive, and `end` if they are inclusive",
        )
        return start, end, None
    what, expected = "an empty mention cell", "the id of a mention"
    table.add_problems(table.empty("mention"), what, expected, "remove the row")
    numbered = np.arange(len(table.line), dtype=np.int64)
    return numbered, numbered, table.labels


def _attributes(table: TableColumns, start: Ints, end: Ints) -> dict[str, NDArray[Any]]:
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
        table.add_problems(
            ~inside & ((one != _EMPTY) | (other != _EMPTY)),
            lambda row, part=part, one=one, other=other: (  # type: ignore[misc]
                f"a {part} from {one[row]} to {other[row]} of a mention"
                f" from {start[row]} to {end[row]}"
            ),
            f"a {part} inside its mention, the end inclusive",
            f"leave both cells empty if the mention has no {part}",
        )
        columns.update(zip(names, (one, other), strict=True))
    for role in (*MENTION_ROLES, *EXTRA_ROLES):
        if role in table.texts and not table.empty(role).all():
            coded = table.texts[role]
            texts = [name if name.strip(BLANKS) else "" for name in coded.names]
            columns[role] = _array(Coded(coded.codes, texts))
    if "nodes" in columns and table.labels is None:
        columns["nodes"] = _checked_nodes(table, columns["nodes"], start, end)
    if {"zero", "zero_deps"} & columns.keys():
        _check_zeros(table, columns)
    return columns


def _check_zeros(table: TableColumns, columns: dict[str, NDArray[Any]]) -> None:
    """Refuse zeros that their mentions do not have, and dependencies without a zero."""
    nodes, zero, depends = (
        columns.setdefault(name, np.full(len(table.line), "")).tolist() for name in _OF_ZEROS
    )
    is_zero = [
        not one or ("." in one and one in of.split(" "))
        for one, of in zip(zero, nodes, strict=True)
    ]
    table.add_problems(
        ~np.array(is_zero, dtype=bool),
        lambda row: f"the zero `{zero[row][:40]}` of a mention with the nodes `{nodes[row][:40]}`",
        "an empty node of the mention, such as `4.1`",
        "leave the cell empty if the head of the mention is a word",
    )
    is_whole = [
        not one or (bool(of) and _DEPENDENCIES.match(one) is not None)
        for one, of in zip(depends, zero, strict=True)
    ]
    table.add_problems(
        ~np.array(is_whole, dtype=bool),
        lambda row: f"`{depends[row][:40]}` in the column of `zero_deps`",
        "the number of the sentence in the document, and the dependencies, such as `0 3:nsubj`",
        "leave the cell empty if the mention is not a zero",
    )


def _checked_nodes(
    table: TableColumns, nodes: NDArray[Any], start: Ints, end: Ints
) -> NDArray[Any]:
    """Return the nodes of mentions, empty for all tokens of a span, and refuse all others."""
    found = nodes.copy()
    wrong = np.zeros(len(nodes), dtype=bool)
    for row in np.flatnonzero(~table.empty("nodes")).tolist():
        places = [place_of(node) for node in nodes[row].split(" ") if _NODE.fullmatch(node)]
        span = int(start[row]), int(end[row])
        rise = all(one < other for one, other in pairwise(places))
        is_whole = len(places) == nodes[row].count(" ") + 1
        wrong[row] = not (rise and is_whole and (places[0][0], places[-1][0]) == span)
        if places == [(token, 0) for token in range(span[0], span[1] + 1)]:
            found[row] = ""
    table.add_problems(
        wrong,
        lambda row: f"the nodes `{nodes[row][:40]}` of a mention from {start[row]} to {end[row]}",
        "the tokens of the mention from its start to its end, such as `3 4 4.1 7`",
        "leave the cell empty if the mention has all tokens from its start to its end",
    )
    return found


def _types(table: TableColumns) -> NDArray[Any] | None:
    coded = table.texts["type"]
    names = [name.strip(BLANKS).lower() for name in coded.names]
    used = np.unique(coded.codes).tolist()
    unknown = [coded.names[at] for at in used if names[at] not in {*KNOWN_TYPES, ""}]
    if unknown:
        table.notes.append(
            f"{table.path}: ignored the column of mention types, because `{unknown[0]}` is not one"
            f" of {', '.join(MENTION_TYPES)}"
        )
        return None
    types = Coded(coded.codes, [KNOWN_TYPES.get(name, "") for name in names])
    return _array(types) if any(types.names) else None


def _entity_attributes(table: TableColumns, entity: Ints, first: Ints) -> dict[str, NDArray[Any]]:
    columns = {}
    for role in ENTITY_ROLES:
        if role not in table.texts:
            continue
        coded = table.texts[role]
        differs = coded.codes != coded.codes[first][entity]
        table.add_problems(
            differs,
            lambda row, role=role: (  # type: ignore[misc]
                f"the {role} `{table.text(role, row)}` for an entity with the {role}"
                f" `{table.text(role, int(first[entity[row]]))}`"
            ),
            "the same value for all mentions of an entity",
            "write mention types into the column `type`",
        )
        if not table.empty(role).all():
            columns[role.removeprefix("entity_")] = _array(coded)[first]
    return columns


def _array(coded: Coded) -> NDArray[Any]:
    """Return the texts of all rows; with a long text among them, as objects of any width."""
    names = [*coded.names, ""]
    is_long = max(map(len, names)) > _WIDEST
    return np.array(names, dtype=object if is_long else None)[coded.codes]
