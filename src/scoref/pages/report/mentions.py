"""The mentions of a report by class, and the entities that each system gets exactly right."""

from __future__ import annotations

import math
from itertools import permutations

from scoref.analysis.contrast import VERDICTS, only_right
from scoref.analysis.slice_tests import SliceScore
from scoref.base.html import Markup, join, tag
from scoref.base.phrases import counted
from scoref.corpus.attributes import MENTION_TYPES
from scoref.matching.fields import FIELDS
from scoref.pages.report.content import Content, SystemAnalysis, slice_names
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
from scoref.pages.toolkit.systems import percent, points

_SHOWN = 8


def mentions(content: Content) -> Markup:
    """Show how well each system resolves mentions of each class."""
    numbers = _class_numbers(content)
    shares = [
        {(one.by, one.name): one.resolved for one in analysis.summary.slices}
        for analysis in content.analyses
    ]
    narrow = len(content.analyses) > MOST_GROUPS
    groups = [("", ("mentions",)), *system_groups(content, ("B³", "resolved"))]
    blocks = []
    for by in (field.name for field in content.fields):
        rows: list[list[Cell]] = []
        for one in (one for one in content.slices if one.by == by):
            row: list[Cell] = [one.name, f"{one.mentions:,}"]
            for at, system in enumerate(one.systems.values()):
                resolved = shares[at].get((by, one.name))
                number = numbers.get((by, one.name))
                filters = {} if number is None else {by: number}
                b3 = system.scores["b3"]
                row += _cells(_b3_link(content, at, b3, filters), b3, resolved, narrow=narrow)
            rows.append(row)
        note = "B³ in percent, and the share that is resolved below it." if narrow else ""
        style = heats(len(content.analyses)) if narrow else "numbers"
        title = by.replace("_", " ")
        blocks.append(table(title, groups, rows, f"Mentions by {title}", class_=style, note=note))
    layout = "columns wide" if len(content.analyses) < MOST_GROUPS else "stack"
    return section(
        "mentions",
        "Mentions",
        "Mentions by class. B³ is the F1 over the mentions of each class. Resolved is the share of"
        " anaphors whose response entity has an earlier mention of their key entity."
        f" {_about_tests(content.slice_tests)} Click B³ to see the errors.",
        tag("div", blocks, class_=layout),
        _right_entities(content),
    )


def _about_tests(tests: int) -> str:
    if not tests:
        return "There are too few documents for tests."
    return (
        "A B³ with ▲ or ▼ is significantly better or worse than that of the other classes, paired"
        f" over documents, at 5 % with Holm's correction over {counted(tests, 'test')}. Point at B³"
        " to see its interval and the difference."
    )


def _class_numbers(content: Content) -> dict[tuple[str, str], int]:
    """Return the number of each class in the data of the page."""
    names = {field.name: slice_names(content, field) for field in content.fields}
    names["type"] = [*MENTION_TYPES, FIELDS["type"].without]
    return {(by, name): at for by, several in names.items() for at, name in enumerate(several)}


def _b3_link(content: Content, at: int, b3: SliceScore, filters: dict[str, int]) -> Markup:
    """Return B³ with a mark if it is significant, as a link to the errors of the class."""
    text = percent(b3.score.f1)
    if b3.test.significant:
        text += " ▲" if b3.test.difference > 0 else " ▼"
    link = cases_link(content, at, text, **filters) if filters else tag("span", text)
    return tag("span", link, title=_about(b3))


def _cells(link: Markup, b3: SliceScore, resolved: float | None, *, narrow: bool) -> list[Cell]:
    if narrow:
        return [Heat(link, percent(resolved), b3.score.f1 or 0.0)]
    return [link, percent(resolved)]


def _about(b3: SliceScore) -> str:
    """Say the interval of B³, and how it differs from the rest."""
    intervals, test = b3.intervals, b3.test
    found = [f"{points(test.difference)} to the rest" if not math.isnan(test.difference) else ""]
    if intervals is not None:
        low, high = (percent(end) for end in intervals.f1)
        found.insert(0, f"95 %: {low} to {high}")
    if test.reason:
        found.append(f"no test: {test.reason}")
    elif not math.isnan(test.adjusted):
        found.append(f"p = {test.adjusted:.4f}" if test.adjusted >= 5e-5 else "p < 0.0001")
    return "; ".join(filter(None, found))


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
