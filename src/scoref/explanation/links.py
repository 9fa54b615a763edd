"""Links, which are pairs of mentions: counted by kind, and shown."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from scoref.explanation.blocks import Block, Column, Formula, Grid
from scoref.explanation.expressions import (
    ONE,
    ZERO,
    Sum,
    evaluate,
    pairs,
    whole,
)
from scoref.explanation.scene import Scene, View

LINKS = (
    "Two mentions of one entity are a coreference link: an entity of n mentions has n(n - 1)/2."
    " A link is common if both sides have it: a key entity and a response entity that share n"
    " mentions have n(n - 1)/2 links in common. The key has ck links, the response cr, both cc."
)


class Links(NamedTuple):
    """Pairs of mentions, counted: coreferent (c) or not (n) in the key, response, both."""

    ck: Fraction
    cr: Fraction
    cc: Fraction
    nk: Fraction
    nr: Fraction
    nn: Fraction
    in_key: int
    in_response: int
    shared: int
    ck_shared: Fraction
    cr_shared: Fraction


def count_links(scene: Scene) -> Links:
    """Count the links of both kinds."""
    table = scene.table
    in_key, in_response = int(table.key_size.sum()), int(table.res_size.sum())
    shared = int(table.count.sum())
    ck, cr, cc = (_links(sizes.tolist()) for sizes in (table.key_size, table.res_size, table.count))
    ck_shared, cr_shared = _links(table.key_kept.tolist()), _links(table.res_kept.tolist())
    nn = pairs(shared) - ck_shared - cr_shared + cc
    nk, nr = pairs(in_key) - ck, pairs(in_response) - cr
    return Links(ck, cr, cc, nk, nr, nn, in_key, in_response, shared, ck_shared, cr_shared)


def _links(sizes: list[int]) -> Fraction:
    return sum(map(pairs, sizes), start=ZERO)


def link_tables(scene: Scene) -> list[Block]:
    """Show the coreference links of each key entity, response entity and pair of them."""
    table = scene.table
    return [
        *_entity_links(scene, scene.key_view),
        *_entity_links(scene, scene.res_view),
        *_table(
            scene,
            [Column("key", scene.cell_keys), Column("response", scene.cell_responses)],
            table.count.tolist(),
            "Common links (cc)",
        ),
    ]


def _entity_links(scene: Scene, view: View) -> list[Block]:
    caption = f"Links of the {view.side} ({'ck' if view.side == 'key' else 'cr'})"
    return _table(scene, [Column("entity", view.names)], view.sizes, caption)


def _table(scene: Scene, names: list[Column], sizes: list[int], caption: str) -> list[Block]:
    if not any(size > 1 for size in sizes):
        return [f"{caption}: none."]
    columns = [
        *names,
        Column("n", whole(sizes)),
        Column("n(n - 1)/2", [pairs(size) for size in sizes], summed=True),
    ]
    return [Grid(columns, whole(sizes), scene.limit, caption)]


def common_apart(links: Links) -> Formula:
    """Count the pairs that both sides have and both put apart."""
    apart = Sum((pairs(links.shared),), (links.ck_shared, links.cr_shared))
    expression = Sum((apart, links.cc))
    return Formula("nn", expression, evaluate(expression))


def confusion(links: Links) -> Grid:
    """Cross the kinds of links: what the key says of a pair, and what the response says."""
    together, apart = links.ck_shared - links.cc, links.cr_shared - links.cc
    rows = {
        "coreferent": (
            links.cc,
            together,
            links.ck - links.ck_shared,
            links.ck,
        ),
        "not coreferent": (
            apart,
            links.nn,
            links.nk - apart - links.nn,
            links.nk,
        ),
        "(not in the key)": (
            links.cr - links.cr_shared,
            links.nr - together - links.nn,
            None,
            None,
        ),
        "all": (links.cr, links.nr, None, None),
    }
    titles = ("coreferent", "not coreferent", "(not in the response)", "all")
    columns = [Column("key \\ response", list(rows))]
    columns += [
        Column(title, [row[at] for row in rows.values()]) for at, title in enumerate(titles)
    ]
    caption = (
        "Pairs of mentions: rows say what the key has, columns what the response has; a pair is"
        " not there if one of its mentions is not"
    )
    return Grid(columns, [ONE] * len(rows), 0, caption)
