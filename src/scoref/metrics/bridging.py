"""Bridging: which mentions are understood through another mention, and through which.

A bridging link leads from an anaphor ("the door") to an anchor of another entity ("a house").
Links are compared at one of three levels:

    anaphor   a mention that has a link on both sides is right, regardless of its anchor
    mention   a link is right if the other side has one from the same anaphor to the same anchor
    entity    or to another mention of the key entity that the anchor is in

A wrong link counts in both denominators: it is missing for the key and spurious for the
response. Mentions are the same if the policy matches them. Mentions in no entity (non-referring
mentions and dropped singletons) are the same if their spans are equal.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints, first_of_run, pack_jointly
from scoref.corpus.spans import same_spans
from scoref.metrics.base import About, Metric
from scoref.metrics.names import one_of
from scoref.metrics.needs import BRIDGING, SPANS
from scoref.metrics.single_mentions import count_by_unit, mentions_of
from scoref.metrics.table import NOWHERE, MentionRows, SideName, Table

SIDES: tuple[SideName, SideName] = ("key", "response")
_LEVELS = ("entity", "mention", "anaphor")


class Ends(NamedTuple):
    """The links of a side, each once: the numbers of their ends, and their positions `at`."""

    anaphor: Ints
    anchor: Ints
    at: Ints

    def once(self) -> Ends:
        """Remove repeated links."""
        first = np.unique(np.stack([self.anaphor, self.anchor]), axis=1, return_index=True)[1]
        return Ends._make(column[first] for column in self)


def count(table: Table, level: str) -> Floats:
    """Count the links, or anaphors, that are right, and those of each side."""
    rows = table.mentions
    key, response = ends_of(rows, level)
    both, _ = common(key, response)
    in_key, in_response = (rows.bridging(side).anaphor.document for side in SIDES)
    return count_by_unit(len(table.units), in_key[both], in_key[key.at], in_response[response.at])


def ends_of(rows: MentionRows, level: str) -> tuple[Ends, Ends]:
    """Return the links of both sides, with equal numbers for ends that are equal at a level."""
    key, response, entity = _links(rows)
    if level == "entity":
        key, response = (one._replace(anchor=entity[one.anchor]) for one in (key, response))
    elif level == "anaphor":
        key, response = (one._replace(anchor=0 * one.anchor).once() for one in (key, response))
    return key, response


def _links(rows: MentionRows) -> tuple[Ends, Ends, Ints]:
    """Return the links of both sides by numbers that the same mentions share.

    Also return a number for each mention, which the mentions of a key entity share; a mention
    in no key entity has a number of its own.
    """
    in_key, in_response = mentions_of(rows, "key"), mentions_of(rows, "response")
    numbers = same_spans(
        *rows.bridging("key"),
        *rows.bridging("response"),
        rows.spans("key").where(in_key),
        rows.spans("response").where(in_response),
    )
    many = 1 + max(int(number.max(initial=NOWHERE)) for number in numbers)
    of_row = np.full(len(rows.unit), NOWHERE, dtype=np.int64)
    of_row[in_key] = numbers[4]
    # A response mention has the number of its match; without a match it is not a key mention.
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
    """Return the positions of the links that both sides have, as often as both have them."""
    one, two = pack_jointly([key.anaphor, key.anchor], [response.anaphor, response.anchor])
    in_key, in_response = np.argsort(one, kind="stable"), np.argsort(two, kind="stable")
    one, two = one[in_key], two[in_response]
    one, two = pack_jointly([one, _times(one)], [two, _times(two)])
    _, at, other = np.intersect1d(one, two, assume_unique=True, return_indices=True)
    return key.at[in_key[at]], response.at[in_response[other]]


def _times(codes: Ints) -> Ints:
    """Count how often each code occurred before, in a column where equal codes are adjacent."""
    first = np.flatnonzero(first_of_run(codes))
    return np.arange(len(codes)) - np.repeat(first, np.diff(first, append=len(codes)))


@cache
def bridging(level: str = "entity") -> Metric:
    """Return the metric of one of the three levels."""
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
            " level=anaphor counts anaphors, regardless of their anchors",
            paper="Yu et al. 2022 (Universal Anaphora scorer); Khosla et al. 2021",
            rewards="anaphors that are found and linked to the right anchor",
            ignores="relations (part, set and the like), and entities except as anchors",
        ),
    )
