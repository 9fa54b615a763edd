"""Which picture shows a metric, and what the picture says in words."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from metric_pages.aligned_picture import LEGEND, aligned_bands
from metric_pages.bars_picture import draw_mean, draw_value
from metric_pages.drawing import Drawing
from metric_pages.examples import Example, example_of
from metric_pages.links_picture import Link, all_links, draw_links, tree_links
from metric_pages.overlap_picture import Band, b_cubed_bands, draw_overlaps, size_bands
from metric_pages.pairs_picture import draw_pairs
from metric_pages.partitions import cells, write
from metric_pages.strip_picture import draw_strip
from scoref import explain
from scoref.metrics.names import parse_name


class Picture(NamedTuple):
    """How a metric is drawn, and a caption that says how to read the drawing."""

    draw: Callable[[Example], Drawing]
    caption: str


def picture(metric: str) -> str:
    """Return the picture of a metric on its example, as HTML."""
    name, _ = parse_name(metric) or ("", {})
    example, shown = example_of(metric), PICTURES[name]
    title = f"How {name} sees the example"
    described = shown.caption.replace("*", "")
    sides = write(example.key.entities), write(example.response.entities)
    description = f"Key {sides[0]}, response {sides[1]}. {described}"
    drawn = shown.draw(example).svg(title, description)
    caption = shown.caption
    return f'<figure class="metric-figure">\n{drawn}\n<figcaption>{caption}</figcaption>\n</figure>'


def _trees(example: Example) -> Drawing:
    return draw_links(example, *tree_links(example))


def _all_links(example: Example) -> Drawing:
    return draw_links(example, *all_links(example))


def _mentions(example: Example) -> Drawing:
    shared = cells(example.key.entities, example.response.entities)
    return draw_overlaps(example, [Band() for _ in shared])


def _aligned(worth: str) -> Callable[[Example], Drawing]:
    return lambda example: draw_overlaps(example, aligned_bands(example, worth), legend=LEGEND)


def _mean(example: Example) -> Drawing:
    walks = explain(*example.corpora(), ["muc", "b3", "ceafe", "conll"])
    names = {"muc": "MUC", "b3": "B³", "ceafe": "CEAFe"}
    parts = [(shown, Fraction(walks[name].document.f1 or 0)) for name, shown in names.items()]
    return draw_mean(parts, Fraction(walks["conll"].document.f1 or 0))


def _value(example: Example) -> Drawing:
    counts = explain(*example.corpora(), ["ace(year=2007)"])["ace(year=2007)"].document.counts
    reference, missed, error, alarm = (Fraction(value) for value in [*counts.values()][:4])
    earned = reference - missed - error
    shares = [
        ("bar right", "earned", earned),
        ("bar spurious", "error", error),
        ("bar missed", "missed", missed),
    ]
    shares += [("bar alarm", "false alarm", alarm)] if alarm else []
    return draw_value(shares, reference)


def _antecedents(example: Example) -> Drawing:
    """Draw an arrow from each anaphor to the mention before it in its entity."""
    key, response = (_previous(side.entities, example) for side in (example.key, example.response))
    above = [
        Link(a, b, "right" if response.get(a) == b else "missed", arrow=True)
        for a, b in key.items()
    ]
    below = [
        Link(a, b, "right" if key.get(a) == b else "spurious", arrow=True)
        for a, b in response.items()
    ]
    return draw_links(example, above, below)


def _previous(entities: tuple[tuple[str, ...], ...], example: Example) -> dict[str, str]:
    order = example.mentions.index
    ordered = (sorted(mentions, key=order) for mentions in entities)
    return {later: one for mentions in ordered for one, later in pairwise(mentions)}


def _zeros(example: Example) -> Drawing:
    """Draw an arrow from each zero to the antecedent that decides."""
    key, response = (_previous(side.entities, example) for side in (example.key, example.response))
    together = {m: set(e) for side in (example.response,) for e in side.entities for m in e}
    above, below = [], []
    for zero in example.zeros:
        right = zero in response and key[zero] in together.get(zero, set())
        above.append(Link(zero, key[zero], "right" if right else "missed", arrow=True))
        if zero in response:
            below.append(Link(zero, response[zero], "right" if right else "spurious", arrow=True))
    return draw_links(example, above, below)


def _bridges(example: Example) -> Drawing:
    """Draw an arrow from each anaphor to its anchor; an anchor of the same entity is right."""
    entity = {m: at for at, mentions in enumerate(example.key.entities) for m in mentions}

    def is_right(anchor: str, other: str | None) -> bool:
        return other is not None and (anchor == other or entity.get(anchor) == entity.get(other))

    key, response = example.key.bridging, example.response.bridging
    above = [
        Link(a, b, "right" if is_right(b, response.get(a)) else "missed", arrow=True)
        for a, b in key.items()
    ]
    below = [
        Link(a, b, "right" if is_right(b, key.get(a)) else "spurious", arrow=True)
        for a, b in response.items()
    ]
    return draw_links(example, above, below)


_TREES = (
    "The fewest links that hold each entity together. A link inside a part that both sides have"
    " together is solid. MUC divides the solid links by all links of a side."
)
_TREES_BY_TYPE = (
    "The fewest links that hold each entity together. The metrics of Chen &amp; Ng weigh each link"
    " by the best type that it can touch. Names (a, e) are underlined, nominals (c, h, x) have a"
    " broken underline, and the others are pronouns."
)
_PAIRS = "Each square is a pair of mentions, one at the bottom and one at the right."
PICTURES = {
    "mentions": Picture(
        _mentions,
        "A band joins each mention with itself on the other side. Six of the seven key"
        " mentions are found, and two of the eight response mentions are spurious.",
    ),
    "muc": Picture(_trees, _TREES),
    "b3": Picture(
        lambda one: draw_overlaps(one, b_cubed_bands(one)),
        "Each band is a pair of entities that share n mentions. The number at its upper end is what"
        " the pair adds to recall, n²/|k|; the number at its lower end is what it adds to"
        " precision, n²/|r|.",
    ),
    "ceafm": Picture(
        _aligned("size"),
        "The number on a band is what the pair is worth: the mentions that it shares. Each entity"
        " is aligned at most once.",
    ),
    "ceafe": Picture(
        _aligned("dice"),
        "The number on a band is what the pair is worth: twice the shared mentions over both"
        " sizes. Each entity is aligned at most once.",
    ),
    "ceaf": Picture(draw_strip, "Mentions that overlap earn a part of what equal mentions earn."),
    "blanc": Picture(draw_pairs, f"{_PAIRS} A pair of which one side lacks a mention is wrong."),
    "lea": Picture(
        _all_links,
        "All links of each entity. LEA takes the share of solid links of each entity, and weighs"
        " it by the size of the entity.",
    ),
    "pairwise": Picture(
        _all_links, "All links of each entity. Solid links are divided by all links of a side."
    ),
    "conll": Picture(_mean, "The F1 of the three parts, and their mean."),
    **dict.fromkeys(
        ("rand", "ari"),
        Picture(draw_pairs, f"{_PAIRS} The Rand index is the share of squares with ✓ or a dot."),
    ),
    "nmi": Picture(
        lambda one: draw_overlaps(one, size_bands(one)),
        "The number of mentions that each pair of entities shares, from which the mutual"
        " information is computed.",
    ),
    **dict.fromkeys(
        ("vmeasure", "vi", "ami"),
        Picture(
            lambda one: draw_overlaps(one, size_bands(one)),
            "The number of mentions that each pair of entities shares. The more bands an entity"
            " has, and the more equal they are, the less it says about the other side.",
        ),
    ),
    **dict.fromkeys(
        ("purity", "closest", "exact_entity"),
        Picture(
            lambda one: draw_overlaps(one, size_bands(one)),
            "The number of mentions that each pair of entities shares. Each entity chooses its best"
            " band.",
        ),
    ),
    "fowlkes_mallows": Picture(
        _all_links, "All links of each entity. Solid links are those of both sides."
    ),
    "merge_distance": Picture(
        lambda one: draw_overlaps(one, size_bands(one)),
        "Each band is a part. A response entity with n bands is split n - 1 times, and a key"
        " entity with n bands is merged n - 1 times.",
    ),
    **dict.fromkeys(("lmuc", "lb3", "lceafm", "lceafe"), Picture(_trees, _TREES_BY_TYPE)),
    "arcs": Picture(
        _antecedents,
        "Each arrow leads from an anaphor to the mention before it in its entity. An arrow that"
        " both sides have is right.",
    ),
    "mor": Picture(
        draw_strip,
        "Tokens of mentions. Recall divides the tokens that aligned mentions share by the tokens"
        " of key mentions, precision by those of response mentions.",
    ),
    "zero": Picture(
        _zeros,
        "Each arrow leads from a zero (z1, z2) to the mention before it in its entity. The zero z2"
        " is linked to the wrong entity.",
    ),
    "bridging": Picture(
        _bridges,
        "Each arrow leads from an anaphor to its anchor. The two anchors of <em>the roof</em> are"
        " mentions of one entity, so the link is right.",
    ),
    "nonreferring": Picture(
        draw_strip, "Both sides mark <em>It</em>. Only the response marks <em>the harbour</em>."
    ),
    "ace": Picture(
        _value,
        "What becomes of the value of the key. The person is found, and pays for the boat that"
        " was added to it. The boat is missed.",
    ),
}
