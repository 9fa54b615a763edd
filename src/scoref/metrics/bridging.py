"""Bridging: which mentions are understood by another one, and by which.

A bridging link leads from an anaphor ("the door") to an anchor of another entity ("a house").
Links are compared at one of three levels:

    anaphor   a mention that has a link on both sides is right, whatever its anchor
    mention   a link is right if the other side has one from the same anaphor to the same anchor
    entity    or to another mention of the key entity that the anchor is in

A link that is wrong is missing in the key's eyes and spurious in the response's: it counts in
both denominators. Mentions are the same if the policy matches them; those that are in no entity,
since they refer to nothing or are singletons that were dropped, if their spans are equal.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints, first_of_run, pack_alike, sum_by
from scoref.corpus.spans import same_spans
from scoref.metrics.base import About, Metric
from scoref.metrics.needs import BRIDGING, SPANS
from scoref.metrics.parameters import one_of
from scoref.overlap.mention_rows import MentionRows
from scoref.overlap.table import NOWHERE, Side, Table

SIDES: tuple[Side, Side] = ("key", "response")
_LEVELS = ("entity", "mention", "anaphor")


class Ends(NamedTuple):
    """The links of a side, each once: their ends as numbers; `at` is where they stand."""

    anaphor: Ints
    anchor: Ints
    at: Ints

    def once(self) -> Ends:
        """Leave out links that stand twice."""
        first = np.unique(np.stack([self.anaphor, self.anchor]), axis=1, return_index=True)[1]
        return Ends._make(column[first] for column in self)


def count(table: Table, level: str) -> Floats:
    """Count the links that are right, and those of each side; or anaphors."""
    rows, units = table.mentions, len(table.units)
    ends = ends_of(rows, level)
    key, response = (
        sum_by(rows.bridging(side).anaphor.document[found.at], np.ones(len(found.at)), units)
        for side, found in zip(SIDES, ends, strict=True)
    )
    at, _ = common(*ends)
    right = sum_by(rows.bridging("key").anaphor.document[at], np.ones(len(at)), units)
    return np.stack([right, key, right, response], axis=-1)


def ends_of(rows: MentionRows, level: str) -> tuple[Ends, Ends]:
    """Return the links of both sides, with equal numbers for what a level does not tell apart."""
    key, response, entity = _links(rows)
    if level == "mention":
        return key, response
    if level == "entity":
        key, response = (one._replace(anchor=entity[one.anchor]) for one in (key, response))
        return key, response
    key, response = (one._replace(anchor=0 * one.anchor).once() for one in (key, response))
    return key, response


def _links(rows: MentionRows) -> tuple[Ends, Ends, Ints]:
    """Return the links of both sides by numbers that the same mentions share.

    Also return a number for each mention that those of a key entity share; a mention that is in
    none has its own.
    """
    ours, theirs = rows.bridging("key"), rows.bridging("response")
    in_key, in_response = (np.flatnonzero(side != NOWHERE) for side in (rows.key, rows.res))
    numbers = same_spans(
        *ours,
        *theirs,
        rows.spans("key").where(in_key),
        rows.spans("response").where(in_response),
    )
    many = 1 + max(int(number.max(initial=NOWHERE)) for number in numbers)
    of_row = np.full(len(rows.unit), NOWHERE, dtype=np.int64)
    of_row[in_key] = numbers[4]
    # A response mention is what it was matched with; if with nothing, it is no key mention.
    same = np.arange(many)
    matched = of_row[in_response] != NOWHERE
    alone = numbers[5][~matched & np.isin(numbers[5], numbers[4])]
    same[alone] = many + np.arange(len(alone))
    same[numbers[5][matched]] = of_row[in_response[matched]]
    entity = np.arange(many + len(alone)) + len(rows.unit)
    entity[numbers[4]] = rows.key[in_key]
    places = np.arange(len(numbers[0])), np.arange(len(numbers[2]))
    return (
        Ends(numbers[0], numbers[1], places[0]).once(),
        Ends(same[numbers[2]], same[numbers[3]], places[1]).once(),
        entity,
    )


def common(key: Ends, response: Ends) -> tuple[Ints, Ints]:
    """Return where the links stand that both sides have, as often as both have them."""
    ours, theirs = pack_alike([key.anaphor, key.anchor], [response.anaphor, response.anchor])
    in_key, in_response = np.argsort(ours, kind="stable"), np.argsort(theirs, kind="stable")
    ours, theirs = pack_alike(
        [ours[in_key], _times(ours[in_key])], [theirs[in_response], _times(theirs[in_response])]
    )
    _, at, other = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    return key.at[in_key[at]], response.at[in_response[other]]


def _times(codes: Ints) -> Ints:
    """Count how often each code stood before, in a column where equal ones stand together."""
    first = np.flatnonzero(first_of_run(codes))
    return np.arange(len(codes)) - np.repeat(first, np.diff(first, append=len(codes)))


@cache
def bridging(level: str = "entity") -> Metric:
    """Make the measure of one of the three levels."""
    one_of("bridging", "level", level, _LEVELS)
    return Metric(
        name="bridging",
        count=lambda table: count(table, level),
        symmetric=level != "entity",
        needs=frozenset({SPANS, BRIDGING}),
        about=About(
            title="Bridging",
            formula="R = right links / key links, P = right links / response links; a link is"
            " right if the other side has one from the same anaphor to the same anchor"
            " (level=mention) or to a mention of the same key entity (level=entity);"
            " level=anaphor counts anaphors, whatever their anchors",
            paper="Yu et al. 2022 (Universal Anaphora scorer); Khosla et al. 2021",
            rewards="anaphors that are found and linked to the right anchor",
            ignores="relations (part, set and the like), and entities but as anchors",
        ),
    )
