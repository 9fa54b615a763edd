"""The parts of a report that need no program: they can be read and printed as they are."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scoref.analysis.contrast import VERDICTS
from scoref.analysis.errors import KINDS, TITLES
from scoref.analysis.errors.records import ALL, Repair
from scoref.analysis.errors.summary import Expensive
from scoref.analysis.slices import Slice
from scoref.base.phrases import counted
from scoref.comparison.comparison import Comparison, System
from scoref.comparison.pairwise_tests import Pair
from scoref.render.formatting import interval_line
from scoref.report.charts import bar, legend, whiskers
from scoref.report.content import Content, Part
from scoref.report.markup import Markup, grouped_table, join, table, tag

DASH, MINUS = "\u2013", "\u2212"
_MEANING = {
    "span": "the right mention with the wrong boundaries",
    "conflated": "mentions of another key entity in a response entity",
    "extra_mention": "a mention that the key lacks, in an entity of the key",
    "extra_entity": "an entity that the key lacks",
    "divided": "a part of a key entity apart from the rest",
    "missing_mention": "a mention that the response lacks, of an entity that it has",
    "missing_entity": "an entity that the response lacks",
}


def section(name: str, title: str, *content: str | Markup | list[Markup]) -> Markup:
    """Make a section with a heading that can be linked to."""
    return tag("section", tag("h2", title), *content, id=name, class_="part")


def percent(value: float | None, digits: int = 2) -> str:
    """Show a score in percent, or a dash where there is none."""
    return DASH if value is None or math.isnan(value) else f"{100 * value:.{digits}f}"


def points(value: float) -> str:
    """Show a difference in points, with its sign."""
    if math.isnan(value):
        return DASH
    if abs(value) < 5e-5:
        return "0.00"
    return f"{'+' if value > 0 else MINUS}{100 * abs(value):.2f}"


def glance(content: Content) -> Markup:
    """Put the ranking metric of each system first, and say what the test says."""
    comparison = content.comparison
    cards = []
    for system in comparison.systems:
        score = system.scores[comparison.metric]
        interval = ""
        if comparison.metric in system.intervals:
            low, high = system.intervals[comparison.metric].f1
            interval = f"{percent(low)} to {percent(high)}"
        part = next(part for part in content.parts if part.name == system.name)
        cards.append(
            tag(
                "li",
                tag("h3", tag("b", system.label), " ", system.name),
                tag("p", f"{comparison.metric} F1", class_="soft what"),
                tag("p", percent(score.f1), class_="big"),
                tag("p", f"95 % interval {interval}" if interval else " ", class_="soft"),
                tag("p", _costliest(part, comparison.metric), class_="soft"),
            )
        )
    return tag(
        "div",
        tag("ul", cards, class_="cards"),
        tag("ul", [tag("li", line) for line in _verdicts(comparison)], class_="said"),
        tag("ul", [tag("li", line) for line in _cautions(comparison)], class_="said soft"),
        id="glance",
    )


def _costliest(part: Part, metric: str) -> str:
    """Say how many errors there are, and which kind costs most."""
    many = counted(len(part.errors), "error")
    worst = max(_kinds(part), key=lambda one: one.gains[metric])
    if not worst.gains[metric] > 0:
        return many
    return f"{many}; {TITLES[worst.name]} costs most, {100 * worst.gains[metric]:.2f} points"


def _verdicts(comparison: Comparison) -> list[Markup]:
    """Say how the best system compares with each other one."""
    if comparison.refusal:
        return []
    return [_verdict(pair, comparison) for pair in comparison.pairs[comparison.metric][:3]]


def _cautions(comparison: Comparison) -> list[str]:
    """Say how far to trust intervals and tests."""
    remarks = [*comparison.cautions, comparison.blind, comparison.refusal]
    return [f"{one[0].upper()}{one[1:]}." for one in remarks if one]


def _verdict(pair: Pair, comparison: Comparison) -> Markup:
    better, worse = (pair.one, pair.other) if pair.difference >= 0 else (pair.other, pair.one)
    said = "" if pair.significant else "; the test does not tell them apart"
    interval = ""
    if pair.interval is not None and not math.isnan(pair.interval[0]):
        sign = -1 if pair.difference < 0 else 1
        low, high = sorted(100 * sign * end for end in pair.interval)
        shown = f"{low:.2f}".replace("-", MINUS)
        interval = f" (95 % interval {shown} to {high:.2f}, p = {pair.adjusted:.4f})"
    difference = f" by {100 * abs(pair.difference):.2f} points of {comparison.metric}"
    return join(tag("b", better), " is ahead of ", tag("b", worse), difference, interval, said, ".")


def scores(content: Content) -> Markup:
    """Show every measure: a chart of systems, a table of F1, and all of recall and precision."""
    comparison = content.comparison
    names = [system.name for system in comparison.systems]
    labels = [system.label for system in comparison.systems]
    remarks = [] if comparison.refusal else [interval_line(comparison.sampling, comparison.units)]
    if len(names) > 1 and not comparison.refusal:
        remarks.append(
            "letters after a score: systems it beats at p < 0.05 (randomisation test, Holm's"
            " correction)"
        )
    return section(
        "scores",
        "Scores",
        legend(names, labels),
        tag("div", whiskers(comparison), class_="scroll"),
        table(
            ["F1 in percent", *comparison.metrics],
            [_score_row(system, comparison) for system in comparison.systems],
            "F1 of each system by measure",
            class_="numbers",
        ),
        tag("p", "; ".join(remarks), class_="soft") if remarks else "",
        tag(
            "details",
            tag("summary", "Recall and precision"),
            [
                table(
                    [system.name, "recall", "precision", "F1"],
                    [_all_scores(system, metric) for metric in comparison.metrics],
                    f"Recall, precision and F1 of {system.name}",
                    class_="numbers",
                )
                for system in comparison.systems
            ],
        ),
    )


def _score_row(system: System, comparison: Comparison) -> list[str]:
    best = {
        metric: max(other.scores[metric].f1 for other in comparison.systems)
        for metric in comparison.metrics
    }
    cells: list[str] = [join(tag("b", system.label, class_="label"), " ", system.name)]
    for metric in comparison.metrics:
        value = system.scores[metric].f1
        shown = percent(value)
        beaten = "".join(system.beats.get(metric, ()))
        inner = tag("strong", shown) if value == best[metric] and best else shown
        cells.append(join(inner, tag("sup", beaten) if beaten else ""))
    return cells


def _all_scores(system: System, metric: str) -> list[str]:
    score = system.scores[metric]
    intervals = system.intervals.get(metric)
    cells: list[str] = [metric]
    for at, value in enumerate(score):
        ends = ""
        if intervals is not None and not math.isnan(intervals[at][0]):
            ends = f" [{percent(intervals[at][0])}, {percent(intervals[at][1])}]"
        cells.append(join(percent(value), tag("span", ends, class_="soft")))
    return cells


def errors(content: Content) -> Markup:
    """Show how many errors of each kind there are, and what each kind costs."""
    metric = content.comparison.metric
    most = max(
        (abs(one.gains[metric]) for part in content.parts for one in _kinds(part)), default=0.0
    )
    losses = any(one.gains[metric] < -1e-9 for part in content.parts for one in _kinds(part))
    rows = []
    for at, kind in enumerate(KINDS):
        title = tag("span", TITLES[kind], class_="kind")
        meaning = tag("span", _MEANING[kind], class_="soft meaning")
        cells: list[str] = [join(title, meaning)]
        for part in content.parts:
            one = part.summary.repairs[at]
            price = points(one.gains[metric])
            picture = bar(one.gains[metric], most, f"{price} points", losses=losses)
            cells += [f"{one.count:,}", price, picture]
        rows.append(cells)
    total: list[str] = [tag("span", "all errors", class_="kind")]
    for part in content.parts:
        whole = part.summary.repairs[-1]
        total += [f"{whole.count:,}", points(whole.gains[metric]), ""]
    groups = [(part.name, ("errors", "price", "")) for part in content.parts]
    return section(
        "errors",
        "What went wrong",
        tag(
            "p",
            f"The price of a kind is what {metric} would gain, in points of F1, if all errors of"
            " that kind were repaired and no other. Prices do not add up: what one repair mends,"
            " another may mend too.",
            class_="lead",
        ),
        grouped_table(
            "error", groups, [*rows, total], "Errors by kind, and their price", class_="numbers"
        ),
        [_gains(part) for part in content.parts],
    )


def _kinds(part: Part) -> Sequence[Repair]:
    return [one for one in part.summary.repairs if one.name != ALL]


def _gains(part: Part) -> Markup:
    repairs = part.summary.repairs
    rows = [
        [TITLES.get(one.name, "all errors"), *(points(gain) for gain in one.gains.values())]
        for one in repairs
    ]
    by_type = part.errors.by_type
    types = [name for name in by_type if any(by_type[name].values())]
    counts = [[TITLES[kind], *(f"{by_type[name][kind]:,}" for name in types)] for kind in KINDS]
    return tag(
        "details",
        tag("summary", f"{part.name}: every measure, and types of mentions"),
        table(["price", *repairs[0].gains], rows, f"Prices for {part.name}", class_="numbers"),
        table(
            ["errors", *(name or "unknown" for name in types)],
            counts,
            f"Errors of {part.name} by type of mentions",
            class_="numbers",
        ),
    )


def entities(content: Content, places: dict[str, int], *, with_text: bool) -> Markup:
    """List the entities that cost most, each a link into its document."""
    metric = content.parts[0].summary.metric
    if metric is None:
        nothing = tag("p", "No measure here is a sum over entities, so none can be priced.")
        return section("entities", "Most expensive entities", nothing)
    lists = [
        _expensive(part, at, places, with_text=with_text) for at, part in enumerate(content.parts)
    ]
    return section(
        "entities",
        "Most expensive entities",
        tag(
            "p",
            f"How many points of {metric} an entity accounts for: a key entity by what is not"
            " found of it, a response entity by what does not belong in it.",
            class_="lead",
        ),
        tag("div", lists, class_="columns"),
    )


def _expensive(part: Part, at: int, places: dict[str, int], *, with_text: bool) -> Markup:
    items = []
    for one in part.summary.expensive:
        what = f"{one.side} entity, {counted(one.mentions, 'mention')}"
        if one.verdict and one.verdict != "right":
            what += f", {one.verdict}"
        items.append(
            tag(
                "li",
                tag("span", f"{100 * one.cost:.2f}", class_="cost"),
                _link(part, at, one, places, with_text=with_text),
                tag("span", f"{what} · {one.document}", class_="soft"),
            )
        )
    return tag(
        "div",
        tag("h3", tag("b", part.name)),
        tag("p", f"{100 * part.summary.loss:.2f} points are lost in all.", class_="soft"),
        tag("ol", items, class_="expensive") if items else tag("p", "Nothing is lost."),
    )


def _link(
    part: Part, at: int, one: Expensive, places: dict[str, int], *, with_text: bool
) -> Markup:
    words = _called(one.words, one.span, with_text=with_text)
    words = words if len(words) <= 60 else f"{words[:57]}…"
    if one.document not in places:
        return tag("span", words, class_="words")
    reading, numbering = part.reading, part.numbering
    if one.side == "key":
        number = int(numbering.key_number[reading.key[one.row]])
    else:
        number = int(numbering.res_number[reading.res[one.row]])
    target = f"#doc/{places[one.document]}/{at}/{number}"
    return tag("a", words, href=target, class_="words")


def _called(words: str, span: object, *, with_text: bool) -> str:
    """Call a mention by its words, or by its tokens where words must not be shown."""
    return words if words and with_text else f"tokens {_span(span)}"


def _span(span: object) -> str:
    if isinstance(span, tuple) and len(span) == 2:
        return f"{span[0]}{DASH}{span[1]}" if span[0] != span[1] else str(span[0])
    return str(span)


def slices(content: Content, *, with_text: bool) -> Markup:
    """Show how well mentions of each kind were resolved, systems beside each other."""
    blocks = []
    kinds = dict.fromkeys(one.by for part in content.parts for one in part.summary.slices)
    for by in kinds:
        names = dict.fromkeys(
            one.name for part in content.parts for one in part.summary.slices if one.by == by
        )
        groups = [("", ("mentions",)), *((part.name, ("B³", "resolved")) for part in content.parts)]
        rows = []
        for name in names:
            found = [_slice(part, by, name) for part in content.parts]
            many = next((one.key_mentions for one in found if one is not None), 0)
            row: list[str] = [name, f"{many:,}"]
            for one in found:
                row += [DASH, DASH] if one is None else _slice_cells(one)
            rows.append(row)
        blocks.append(grouped_table(f"by {by}", groups, rows, f"By {by}", class_="numbers"))
    return section(
        "slices",
        "Where it goes well and where not",
        tag(
            "p",
            "B³ F1 over the mentions of each class (recall alone by distance, which only key"
            " mentions have), and the share of anaphors that were resolved: found with an earlier"
            " mention of their entity, by distance with the nearest one.",
            class_="lead",
        ),
        tag("div", blocks, class_="columns wide"),
        _contrast(content, with_text=with_text),
    )


def _slice(part: Part, by: str, name: str) -> Slice | None:
    return next((one for one in part.summary.slices if (one.by, one.name) == (by, name)), None)


def _slice_cells(one: Slice) -> list[str]:
    b3 = one.recall if one.by.startswith("distance") else one.f1
    return [percent(b3), percent(one.resolved)]


def _contrast(content: Content, *, with_text: bool) -> Markup:
    """Show which kinds of entity each system gets right, and which it alone does."""
    parts = content.parts
    several = len(parts) > 1
    names = ("right", "alone") if several else ("right",)
    groups = [("", ("all",)), *((part.name, names) for part in parts)]
    rows = []
    for one in content.contrasts:
        label = one.name if one.by == "all" else f"{one.by} {one.name}"
        row = [label, f"{one.entities:,}"]
        for part in parts:
            row.append(f"{one.right[part.name]:,}")
            if several:
                row.append(f"{one.alone[part.name]:,}")
        rows.append(row)
    shown = [
        tag("h3", "Entities that are exactly right"),
        grouped_table(
            "key entities", groups, rows, "Key entities that are exactly right", class_="numbers"
        ),
    ]
    if several:
        shown += [
            _only(content, one, other, with_text=with_text)
            for one in parts
            for other in parts
            if one != other
        ]
    return join(*shown)


def _only(content: Content, one: Part, other: Part, *, with_text: bool) -> Markup:
    """List some entities that one system gets right and another does not."""
    found = content.only_right(one, other)
    if not found:
        return Markup("")
    reading = one.reading
    items = []
    for entity in found:
        row = int(one.entities.anchor[entity])
        words = _called(reading.words(row), reading.mention(row), with_text=with_text)
        size = counted(int(one.entities.size[entity]), "mention")
        verdict = VERDICTS[other.entities.verdict[entity]]
        document = reading.table.units[reading.unit[row]]
        about = tag("span", f"{size}, {verdict} by {other.name} · {document}", class_="soft")
        items.append(tag("li", tag("span", words, class_="words"), " ", about))
    return tag(
        "details",
        tag("summary", f"Right in {one.name}, not in {other.name}"),
        tag("ul", items, class_="plain"),
    )


def card(content: Content, signature: str, *, with_text: bool) -> Markup:
    """Say what was scored, how, and what must be known to cite it."""
    key = content.key
    facts = [
        ("key", key.source),
        ("documents", f"{key.documents:,}"),
        ("tokens", "not counted" if key.tokens is None else f"{key.tokens:,}"),
        ("mentions", f"{key.mentions:,}"),
        ("entities", f"{key.entities:,} ({key.singletons:,} of one mention)"),
        ("largest entity", counted(key.largest_entity, "mention")),
    ]
    if key.nested_mentions is not None:
        facts.append(("nested mentions", f"{key.nested_mentions:,}"))
        facts.append(("crossing mentions", f"{key.crossing_mentions:,}"))
    facts += [
        (one.name, f"{one.count:,} ({100 * one.share:.1f} %)") for one in key.mentions_by_type
    ]
    responses = [
        [
            part.name,
            part.reading.aligned.response.source,
            f"{part.reading.aligned.response.mentions:,}",
            f"{part.reading.aligned.response.entities:,}",
        ]
        for part in content.parts
    ]
    words = (
        "The words of the documents are in this file."
        if with_text
        else "The words of the documents are not in this file, since corpora are often licensed;"
        " they are shown as bars. scoref report --with-text puts them in."
    )
    return section(
        "card",
        "Data and method",
        tag("dl", [join(tag("dt", name), tag("dd", value)) for name, value in facts]),
        table(["system", "file", "mentions", "entities"], responses, "Responses"),
        tag("p", words, id="words"),
        tag("ul", [tag("li", note) for note in content.notes], class_="plain soft"),
        tag("h3", "Signature"),
        tag("p", tag("code", signature), class_="signature"),
        tag(
            "p",
            "Errors are those of Kummerfeld & Klein (2013) with the strict anchor rule: repairing"
            " all of them gives the key.",
            class_="soft",
        ),
    )
