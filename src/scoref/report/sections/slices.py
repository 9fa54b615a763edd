"""The slices of a report: classes of mentions, and the entities that each system gets right."""

from __future__ import annotations

from itertools import permutations

from scoref.analysis.contrast import VERDICTS, only_right
from scoref.analysis.slices import Slice
from scoref.base.phrases import counted
from scoref.report.content import Content, SystemAnalysis
from scoref.report.formatting import DASH, mention_text, percent
from scoref.report.markup import Markup, join, section, table, tag

_SHOWN = 8


def slices(content: Content, *, with_text: bool) -> Markup:
    """Show how well each system resolves mentions of each class."""
    by_class: dict[str, dict[str, dict[str, Slice]]] = {}
    for analysis in content.analyses:
        for one in analysis.summary.slices:
            by_class.setdefault(one.by, {}).setdefault(one.name, {})[analysis.name] = one
    groups = [("", ("mentions",)), *((a.name, ("B³", "resolved")) for a in content.analyses)]
    blocks = []
    for by, classes in by_class.items():
        rows = []
        for name, found in classes.items():
            row: list[str] = [name, f"{next(iter(found.values())).key_mentions:,}"]
            for analysis in content.analyses:
                row += _cells(found.get(analysis.name))
            rows.append(row)
        blocks.append(table(f"by {by}", groups, rows, f"By {by}"))
    return section(
        "slices",
        "Mentions by class",
        "B³ is the F1 over the mentions of each class; by distance, it is the recall, because"
        " only key mentions have a distance. Resolved is the share of anaphors whose response"
        " entity has an earlier mention of their key entity; by distance, the nearest earlier"
        " mention.",
        tag("div", blocks, class_="columns wide"),
        _right_entities(content, with_text=with_text),
    )


def _cells(one: Slice | None) -> list[str]:
    if one is None:
        return [DASH, DASH]
    b3 = one.recall if one.by.startswith("distance") else one.f1
    return [percent(b3), percent(one.resolved)]


def _right_entities(content: Content, *, with_text: bool) -> Markup:
    """Show how many entities of each class a system gets right, and how many only it does."""
    analyses = content.analyses
    columns = ("right", "only here")[: len(analyses)]
    rows = []
    for one in content.contrasts:
        row = [one.name if one.by == "all" else f"{one.by} {one.name}", f"{one.entities:,}"]
        for analysis in analyses:
            counts = (one.right[analysis.name], one.alone[analysis.name])
            row += [f"{count:,}" for count in counts[: len(columns)]]
        rows.append(row)
    groups = [("", ("all",)), *((analysis.name, columns) for analysis in analyses)]
    return join(
        tag("h3", "Entities that are exactly right"),
        table("key entities", groups, rows, "Key entities that are exactly right"),
        [_only_right(*pair, with_text=with_text) for pair in permutations(analyses, 2)],
    )


def _only_right(one: SystemAnalysis, other: SystemAnalysis, *, with_text: bool) -> Markup:
    """List some entities that one system gets right and another does not."""
    found = only_right(one.entities, other.entities)[:_SHOWN]
    if not found:
        return Markup("")
    mentions = one.mentions
    items = []
    for entity in found:
        row = int(one.entities.anchor[entity])
        words = mention_text(mentions.words(row), mentions.mention(row), with_text=with_text)
        size = counted(int(one.entities.size[entity]), "mention")
        verdict = VERDICTS[other.entities.verdict[entity]]
        document = mentions.table.units[mentions.unit[row]]
        about = tag("span", f"{size}, {verdict} by {other.name} · {document}", class_="soft")
        items.append(tag("li", tag("span", words, class_="words"), " ", about))
    return tag(
        "details",
        tag("summary", f"Right in {one.name}, not in {other.name}"),
        tag("ul", items, class_="plain"),
    )
