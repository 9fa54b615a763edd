"""The mentions of a report by class, and the entities that each system gets exactly right."""

from __future__ import annotations

from itertools import permutations

from scoref.analysis.contrast import VERDICTS, only_right
from scoref.analysis.slices import Slice
from scoref.base.html import Markup, join, tag
from scoref.base.phrases import counted
from scoref.corpus.attributes import MENTION_TYPES
from scoref.pages.report.content import (
    Content,
    SystemAnalysis,
    document_classes,
    mention_classes,
    slice_name,
)
from scoref.pages.report.pieces import (
    MOST_GROUPS,
    Cell,
    Heat,
    cases_link,
    heats,
    mention_text,
    system_groups,
    table,
)
from scoref.pages.toolkit import section
from scoref.pages.toolkit.systems import DASH, percent

_SHOWN = 8


def mentions(content: Content) -> Markup:
    """Show how well each system resolves mentions of each class."""
    by_class: dict[str, dict[str, dict[str, Slice]]] = {}
    for analysis in content.analyses:
        for one in analysis.summary.slices:
            by_class.setdefault(one.by, {}).setdefault(one.name, {})[analysis.name] = one
    numbers = _class_numbers(content)
    narrow = len(content.analyses) > MOST_GROUPS
    groups = [("", ("mentions",)), *system_groups(content, ("B³", "resolved"))]
    blocks = []
    for by, classes in by_class.items():
        rows: list[list[Cell]] = []
        for name, found in classes.items():
            row: list[Cell] = [name, f"{next(iter(found.values())).key_mentions:,}"]
            for at, analysis in enumerate(content.analyses):
                filters = {slice_name(by): numbers.get((by, name))}
                row += _cells(content, at, found.get(analysis.name), filters, narrow=narrow)
            rows.append(row)
        note = "B³ in percent, and the share that is resolved below it." if narrow else ""
        style = heats(len(content.analyses)) if narrow else "numbers"
        blocks.append(table(by, groups, rows, f"Mentions by {by}", class_=style, note=note))
    layout = "stack" if narrow else "columns wide"
    return section(
        "mentions",
        "Mentions",
        "Mentions by class. B³ is the F1 over the mentions of each class; by distance, it is the"
        " recall, because only key mentions have a distance. Resolved is the share of anaphors"
        " whose response entity has an earlier mention of their key entity; by distance, the"
        " nearest earlier mention. Click B³ to see the errors.",
        tag("div", blocks, class_=layout),
        _right_entities(content),
    )


def _class_numbers(content: Content) -> dict[tuple[str, str], int]:
    """Return the number of each class in the data of the page."""
    found = content.analyses[0].mentions
    slices = [*mention_classes(found), *document_classes(found)]
    numbers = {(one.by, name): at for one in slices for at, name in enumerate(one.names)}
    types = (*MENTION_TYPES, "unknown")
    return numbers | {("type", name): at for at, name in enumerate(types)}


def _cells(
    content: Content, at: int, one: Slice | None, filters: dict[str, int | None], *, narrow: bool
) -> list[Cell]:
    if one is None:
        return [DASH] if narrow else [DASH, DASH]
    b3 = one.recall if one.by.startswith("distance") else one.f1
    known = {name: value for name, value in filters.items() if value is not None}
    link = cases_link(content, at, percent(b3), **known) if known else tag("span", percent(b3))
    if narrow:
        return [Heat(link, percent(one.resolved), b3 or 0.0)]
    return [link, percent(one.resolved)]


def _right_entities(content: Content) -> Markup:
    """Show how many entities of each class a system gets right, and how many only it does."""
    analyses, narrow = content.analyses, len(content.analyses) > MOST_GROUPS
    columns = ("right", "only here")[: len(analyses)]
    rows: list[list[Cell]] = []
    for one in content.contrasts:
        row: list[Cell] = [
            one.name if one.by == "all" else f"{one.by} {one.name}",
            f"{one.entities:,}",
        ]
        for analysis in analyses:
            right, alone = one.right[analysis.name], one.alone[analysis.name]
            counts = [f"{count:,}" for count in (right, alone)]
            share = right / one.entities if one.entities else 0.0
            row += [Heat(counts[0], counts[1], share)] if narrow else counts[: len(columns)]
        rows.append(row)
    groups = [("", ("all",)), *system_groups(content, columns)]
    note = "Entities that are right, and below it, how many only this system gets right."
    pairs = list(permutations(analyses, 2))
    if narrow:
        pairs = [pair for pair in pairs if analyses[0] in pair]
    lists = [_only_right(content, *pair) for pair in pairs]
    best = f"Entities that {analyses[0].name} gets right and others do not, and vice versa"
    return join(
        tag("h3", "Entities that are exactly right"),
        table(
            "key entities",
            groups,
            rows,
            "Key entities that are exactly right",
            class_=heats(len(analyses)) if narrow else "numbers",
            note=note if narrow else "",
        ),
        tag("details", tag("summary", best), tag("div", lists, class_="inner"))
        if narrow
        else lists,
    )


def _only_right(content: Content, one: SystemAnalysis, other: SystemAnalysis) -> Markup:
    """List some entities that one system gets right and another does not."""
    found = only_right(one.entities, other.entities)[:_SHOWN]
    if not found:
        return Markup("")
    rows = one.mentions
    items = []
    for entity in found:
        row = int(one.entities.anchor[entity])
        words = mention_text(content, rows.words(row), rows.mention(row))
        size = counted(int(one.entities.size[entity]), "mention")
        verdict = VERDICTS[other.entities.verdict[entity]]
        document = rows.table.units[rows.unit[row]]
        about = tag("span", f"{size}, {verdict} by {other.name} · {document}", class_="soft")
        items.append(tag("li", tag("span", words, class_="words"), " ", about))
    return tag(
        "details",
        tag("summary", f"Right in {one.name}, not in {other.name}"),
        tag("ul", items, class_="plain"),
    )
