"""The layout of a table: which column has which role, known by the names in the header."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoref.exceptions import FormatError, Problem

# The names of the column of each role, in lower case and without `_`, `-` and blanks.
NAMES = {
    "document": "document doc docid documentid dockey documentkey documentname unit",
    "mention": "mention mentionid id record recordid recid uniqueid",
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
            *("head_start", "head_end", "min_start", "min_end", "nodes", "zero", "zero_deps"),
            *("role", "style", "head_text"),
            *("entity_type", "entity_subtype", "entity_class"),
        )
    },
}
_ROLE = {alias: role for role, aliases in NAMES.items() for alias in aliases.split()}
SPAN_ROLES = ("start", "end", "stop", "start_character", "end_character")
NUMBERS = frozenset({*SPAN_ROLES, "head_start", "head_end", "min_start", "min_end"})
MENTION_ROLES = ("nodes", "zero", "zero_deps", "role", "style", "head_text")
EXTRA_ROLES = ("topic", "subtopic", "head_lemma")
"""Columns that only text tables are read with: engines of large tables have no use for them."""
ENTITY_ROLES = ("entity_type", "entity_subtype", "entity_class")
NO_ENTITY = frozenset({"", "NA", "NaN", "nan", "null", "NULL", "None"})
"""What programs write in the column of entities for a mention without an entity."""

_EXPECTED = (
    "the columns `document`, `start`, `end` and `entity`, or `document`, `mention`, `entity`"
)
_PAIRS = [(f"{part}_start", f"{part}_end") for part in ("head", "min")]
_PAIRS.append(("start_character", "end_character"))
_TOGETHER = [
    *(("start", "end", "stop"), ("end", "start"), ("stop", "start")),
    *(ends for pair in _PAIRS for ends in (pair, pair[::-1])),
]
"""Columns that say nothing alone: each with those of which it requires one."""
_EXTRA = {role.replace("_", ""): role for role in EXTRA_ROLES}
_NO_MARKS = str.maketrans("", "", "_-")


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The header of a table, and the position of the column of each role."""

    header: tuple[str, ...]
    at: Mapping[str, int]

    @property
    def has_spans(self) -> bool:
        """Whether mentions are spans: of tokens, or of characters."""
        tokens = "start" in self.at and ("end" in self.at or "stop" in self.at)
        return tokens or ("start_character" in self.at and "end_character" in self.at)

    @property
    def roles(self) -> list[str]:
        """The roles whose columns are read: with spans, ids of mentions are not read."""
        return [role for role in self.at if not (role == "mention" and self.has_spans)]


def find_layout(
    header: Sequence[str], *, extra: bool = False, with_entities: bool = True
) -> TableLayout | tuple[str, str]:
    """Find columns by their names, or return what was found and a hint.

    A table of records that are to be annotated needs no entities.
    """
    at: dict[str, int] = {}
    further: dict[str, int] = {}
    for position, name in enumerate(header):
        plain = "".join(name.lower().translate(_NO_MARKS).split())
        role = _ROLE.get(plain)
        if role is None:
            if extra and plain in _EXTRA:
                further.setdefault(_EXTRA[plain], position)
            continue
        if role in at:
            both = f"the columns `{header[at[role]]}` and `{name}`, which both mean `{role}`"
            return both, "rename one of them"
        at[role] = position
    layout = TableLayout(tuple(header), {**at, **further})
    has_entities = "entity" in at or not with_entities
    if not has_entities or not ("mention" in at or layout.has_spans):
        shown = ", ".join(f"`{name}`" for name in header[:12])
        return f"the header {shown}", "rename the columns"
    for one, other in (("end", "stop"), ("start", "start_character")):
        if one in at and other in at:
            both = f"the columns `{header[at[one]]}` and `{header[at[other]]}`"
            return both, "remove one of them"
    for one, *others in _TOGETHER:
        if one in at and not any(other in at for other in others):
            column = f"the column `{header[at[one]]}` without `{others[0]}`"
            return column, "add the other column, or rename this one"
    return layout


def layout_problem(path: str, line: int, found: tuple[str, str]) -> Problem:
    """Return the problem of a table without a layout, from what `find_layout` returned."""
    return Problem(path, line, found[0], _EXPECTED, found[1])


def require_layout(header: Sequence[str], path: str) -> TableLayout:
    """Find columns by their names, or refuse the table."""
    found = find_layout(header)
    if isinstance(found, TableLayout):
        return found
    raise FormatError([layout_problem(path, 0, found)])
