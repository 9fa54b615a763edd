"""Links, which are pairs of mentions (pairwise F1, Rand index, what BLANC counts), and NMI."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from scoref.explanation.blocks import Formula, Grid, GridColumns, Total
from scoref.explanation.explainer import (
    Columns,
    Scored,
    Steps,
    f1,
    score_formulas,
    settled,
    show_entities,
)
from scoref.explanation.expressions import ONE, TWO, ZERO, Number, Over, Product, Sum, links
from scoref.explanation.scene import Scene
from scoref.metrics.table import NOWHERE

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
        return Formula.of("nn", Sum((apart, self.cc)))

    @property
    def all_pairs(self) -> Formula:
        """All pairs of key mentions."""
        if self.in_key < 2:
            return Formula("all pairs", None, ZERO)
        return Formula.of("all pairs", Over(Product((self.in_key, self.in_key - 1)), TWO))


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


def show_links(steps: Steps) -> None:
    """Show the coreference links of each key entity, response entity and pair of them."""
    scene, (key, response) = steps.scene, steps.scene.sides
    of_cells = scene.cell_columns(), scene.table.count, "Common links (cc)"
    for names, n, caption in (
        ({"entity": key.names}, key.sizes, "Links of the key (ck)"),
        ({"entity": response.names}, response.sizes, "Links of the response (cr)"),
        of_cells,
    ):
        if (n > 1).any():
            steps.table(caption, {**names, "n": n, "n(n - 1)/2": Total(links(n))}, n)
        else:
            steps.show(f"{caption}: none.")


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


def restrict_to_shared(steps: Steps, mentions: str) -> Steps:
    """Leave out mentions that only one side has if `mentions` is "shared"; show what changed."""
    if mentions != "shared":
        return steps
    before, after = steps.scene, steps.scene.shared()
    steps.show("Mentions that only one side has are left out, and entities that become empty.")
    steps = Steps(after, steps.blocks)
    if len(after.at) == len(before.at):
        steps.show("Here it changes nothing for all that follows.")
    for old, new in zip(before.sides, after.sides, strict=True):
        if len(after.at) < np.count_nonzero(old.entity != NOWHERE):
            show_entities(steps, new, f"The {new.side} as changed for all that follows")
    return steps


def pairwise(steps: Steps) -> Columns:
    """Explain the F1 of links."""
    steps.show(_LINKS, _SHARES)
    show_links(steps)
    ck, cr, cc, *_ = count_links(steps.scene)
    return cc, ck, cc, cr


def rand(steps: Steps, mentions: str = "same") -> Columns:
    """Explain the Rand index."""
    steps = restrict_to_shared(steps, mentions)
    steps.show(_LINKS)
    show_links(steps)
    counts = count_links(steps.scene)
    steps.show(counts.all_pairs, counts.common_apart, confusion_table(counts), _AGREEMENT)
    steps.show(Formula.of("agreeing pairs", Sum((counts.cc, counts.nn))))
    return counts.cc + counts.nn, links(counts.in_key)


def ari(steps: Steps, mentions: str = "same") -> Columns:
    """Explain the adjusted Rand index."""
    steps = restrict_to_shared(steps, mentions)
    steps.show(_LINKS)
    show_links(steps)
    ck, cr, cc, *_ = counts = count_links(steps.scene)
    expected = Formula.of("expected", Over(Product((ck, cr)), links(counts.in_key)))
    if expected.value is None:
        expected = Formula("expected", None, ZERO, "there are no pairs")
    most = Formula.of("most", Over(Sum((ck, cr)), TWO))
    steps.show(_CHANCE, counts.all_pairs, expected, most)
    return cc, expected.value or ZERO, (ck + cr) / 2, counts.in_key


def score_ari(columns: Sequence[Number], undefined: str, **_: Any) -> Scored:
    """Divide what is above chance by the most that can be."""
    common, expected, most, mentions = columns
    ratio = Over(Sum((common,), (expected,)), Sum((most,), (expected,)))
    index = Formula.of("adjusted Rand index", ratio)
    if index.value is None and mentions > 0:
        why = "no room above chance because both sides are the same, which counts as 1"
        index = Formula(index.name, ratio, ONE, why)
    return score_formulas([settled(index, undefined)])


_INFORMATION = (
    "With N mentions in all, a pair of entities of sizes |k| and |r| that shares n mentions adds"
    " n log2(n N / (|k| |r|)) to the information that the sides have of each other. An entity of"
    " n mentions adds n log2(N / n) to the entropy of its side. Both are in bits times mentions."
    " Recall is the information over the entropy of the key, precision over that of the response."
)


def nmi(steps: Steps, mentions: str = "same") -> Columns:
    """Explain normalised mutual information: information, two entropies, mentions."""
    steps = restrict_to_shared(steps, mentions)
    scene = steps.scene
    total = int(scene.table.key_size.sum())
    steps.show(_INFORMATION, Formula("N", None, Fraction(total)))
    n, k, r = scene.cell_sizes
    terms = n * np.log2(n * total / (k * r))
    columns: GridColumns = {**scene.cell_columns(), "|k|": k, "|r|": r}
    columns["n log2(n N / (|k| |r|))"] = Total(terms.tolist())
    (information,) = steps.table("Information", columns, terms)
    entropies: Columns = ()
    for side in scene.sides:
        n = side.sizes
        terms = n * np.log2(total / n)
        columns = {"entity": side.names, "n": n, "n log2(N / n)": Total(terms.tolist())}
        entropies += steps.table(f"Entropy of the {side.side}", columns, terms)
    return max(information, 0.0), *entropies, Fraction(total)


def score_nmi(columns: Sequence[Number], undefined: str, **_: Any) -> Scored:
    """Divide the information by the entropies."""
    information, key, response, mentions = columns
    if mentions == 0:
        why = "0/0 because there are no mentions"
        nothing = [Formula(name, None, None) for name in ("recall", "precision", "F1")]
        return score_formulas([settled(formula, undefined, why) for formula in nothing])
    no_entropy = key == response == 0
    recall = _side("recall", Over(information, key), no_entropy=no_entropy)
    precision = _side("precision", Over(information, response), no_entropy=no_entropy)
    return score_formulas([recall, precision, f1(recall.value, precision.value, undefined)])


def _side(name: str, ratio: Over, *, no_entropy: bool) -> Formula:
    value = Formula.of(name, ratio).value
    if value is not None:
        return Formula(name, ratio, min(value, 1.0))
    if no_entropy:
        return Formula(name, None, ONE, "neither side has entropy: all is one entity on both")
    return Formula(name, None, ZERO, "this side has no entropy, but the other side has")
