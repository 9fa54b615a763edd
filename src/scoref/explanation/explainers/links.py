"""Links, which are pairs of mentions: pairwise F1, the Rand index, and what BLANC counts too."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from scoref.explanation.blocks import Block, Formula, Grid, GridColumns, Total
from scoref.explanation.explainer import (
    CountedTerms,
    Explainer,
    Scored,
    score_alone,
    score_formulas,
)
from scoref.explanation.explainers.twinless import restrict_to_shared
from scoref.explanation.expressions import (
    ONE,
    TWO,
    ZERO,
    Number,
    Over,
    Product,
    Sum,
    evaluate,
    links,
)
from scoref.explanation.scene import Scene

_LINKS = (
    "Two mentions of one entity are a coreference link: an entity of n mentions has n(n - 1)/2."
    " A link is common if both sides have it: a key entity and a response entity that share n"
    " mentions have n(n - 1)/2 links in common. The key has ck links, the response cr, both cc."
)
_SHARES = (
    "Recall is the share of the key's links that are common, precision the share of the"
    " response's links."
)
_AGREEMENT = "Both sides agree on the pairs that both put together (cc) or both put apart (nn)."
_CHANCE = (
    "By chance alone, with entities of these sizes, the expected number of common links is key"
    " links times response links over all pairs. The greatest possible number is taken to be the"
    " mean of both sides' links."
)
_CONFUSION = (
    "Pairs of mentions: rows say what the key has, columns what the response has; a pair is"
    " missing on a side that lacks one of its mentions"
)


class LinkCounts(NamedTuple):
    """Pairs of mentions, counted: coreferent (c) or not (n) in the key, response, both.

    `ck_shared` and `cr_shared` are pairs of mentions that both sides have.
    """

    ck: Fraction
    cr: Fraction
    cc: Fraction
    nk: Fraction
    nr: Fraction
    nn: Fraction
    in_key: Fraction
    in_response: Fraction
    shared: Fraction
    ck_shared: Fraction
    cr_shared: Fraction

    @property
    def common_apart(self) -> Formula:
        """The pairs that both sides have and both put apart."""
        apart = Sum((links(self.shared),), (self.ck_shared, self.cr_shared))
        expression = Sum((apart, self.cc))
        return Formula("nn", expression, evaluate(expression))

    @property
    def all_pairs(self) -> Formula:
        """All pairs of key mentions."""
        if self.in_key < 2:
            return Formula("all pairs", None, ZERO)
        total = Over(Product((self.in_key, self.in_key - 1)), TWO)
        return Formula("all pairs", total, evaluate(total))


def count_links(scene: Scene) -> LinkCounts:
    """Count the links of both kinds."""
    table = scene.table
    sizes = (table.key_size, table.res_size, table.count)
    in_key, in_response, shared = (Fraction(int(size.sum())) for size in sizes)
    ck, cr, cc, ck_shared, cr_shared = (
        Fraction(int(links(size).sum())) for size in (*sizes, table.key_kept, table.res_kept)
    )
    nk, nr = links(in_key) - ck, links(in_response) - cr
    nn = links(shared) - ck_shared - cr_shared + cc
    return LinkCounts(ck, cr, cc, nk, nr, nn, in_key, in_response, shared, ck_shared, cr_shared)


def link_tables(scene: Scene) -> list[Block]:
    """Show the coreference links of each key entity, response entity and pair of them."""
    tables: list[Block] = []
    for names, n, caption in (
        ({"entity": scene.key_side.names}, scene.key_side.sizes, "Links of the key (ck)"),
        (
            {"entity": scene.response_side.names},
            scene.response_side.sizes,
            "Links of the response (cr)",
        ),
        (scene.cell_columns(), scene.cell_sizes[0], "Common links (cc)"),
    ):
        columns = {**names, "n": n, "n(n - 1)/2": Total(links(n))}
        has_links = any(size > 1 for size in n)
        tables.append(scene.grid(columns, caption, n) if has_links else f"{caption}: none.")
    return tables


def confusion_table(counts: LinkCounts) -> Grid:
    """Cross the kinds of links: what the key says of a pair, and what the response says."""
    ck, cr, cc, nk, nr, nn, *_, ck_shared, cr_shared = counts
    together, apart = ck_shared - cc, cr_shared - cc
    columns: GridColumns = {
        "key \\ response": ["coreferent", "not coreferent", "(not in the key)", "all"],
        "coreferent": [cc, apart, cr - cr_shared, cr],
        "not coreferent": [together, nn, nr - together - nn, nr],
        "(not in the response)": [ck - ck_shared, nk - apart - nn, None, None],
        "all": [ck, nk, None, None],
    }
    return Grid(columns, _CONFUSION)


def pairwise() -> Explainer:
    """Explain the F1 of links."""

    def count(scene: Scene) -> CountedTerms:
        ck, cr, cc, *_ = count_links(scene)
        return CountedTerms((cc, ck, cc, cr), [_LINKS, _SHARES, *link_tables(scene)])

    return Explainer(count)


def rand(mentions: str = "same") -> Explainer:
    """Explain the Rand index."""

    def count(scene: Scene) -> CountedTerms:
        scene, changes = restrict_to_shared(scene, mentions)
        counts = count_links(scene)
        agreeing = Sum((counts.cc, counts.nn))
        blocks: list[Block] = [
            *(*changes, _LINKS, *link_tables(scene)),
            *(counts.all_pairs, counts.common_apart, confusion_table(counts), _AGREEMENT),
            Formula("agreeing pairs", agreeing, evaluate(agreeing)),
        ]
        return CountedTerms((counts.cc + counts.nn, links(counts.in_key)), blocks)

    def score(columns: Sequence[Number], undefined: str) -> Scored:
        return score_alone("Rand index", Over(*columns), undefined)

    return Explainer(count, score)


def ari(mentions: str = "same") -> Explainer:
    """Explain the adjusted Rand index."""

    def count(scene: Scene) -> CountedTerms:
        scene, changes = restrict_to_shared(scene, mentions)
        ck, cr, cc, *_ = counts = count_links(scene)
        by_chance = Over(Product((ck, cr)), links(counts.in_key))
        expected = evaluate(by_chance)
        most = Over(Sum((ck, cr)), TWO)
        blocks: list[Block] = [
            *(*changes, _LINKS, *link_tables(scene), _CHANCE, counts.all_pairs),
            Formula("expected", by_chance, expected)
            if expected is not None
            else Formula("expected", None, ZERO, "there are no pairs"),
            Formula("most", most, evaluate(most)),
        ]
        return CountedTerms((cc, expected or ZERO, (ck + cr) / 2, counts.in_key), blocks)

    return Explainer(count, _score_ari)


def _score_ari(columns: Sequence[Number], undefined: str) -> Scored:
    common, expected, most, mentions = columns
    ratio = Over(Sum((common,), (expected,)), Sum((most,), (expected,)))
    if evaluate(ratio) is None and mentions > 0:
        why = "no room above chance because both sides are the same, which counts as 1"
        return score_formulas([Formula("adjusted Rand index", ratio, ONE, why)])
    return score_alone("adjusted Rand index", ratio, undefined)
