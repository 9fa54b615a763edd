"""Requirements of a score: which columns of each side are read, and what is inferred from them.

A `Requirements` value is made once per score. Everything that reads a side asks it: the pipeline, a
`Key` that is read before its responses, prefetching processes, and analyses that show words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from scoref.corpus.text import COLUMNS
from scoref.formats.format import IF_CHEAP
from scoref.matching.inputs import Input, ReadOptions, is_read_once
from scoref.matching.positions import CONVERSIONS, OWN_TOKENS
from scoref.matching.same_text import AUTO, NEVER
from scoref.metrics import Metric
from scoref.metrics.needs import (
    HEADS,
    KEY_HEADS,
    MINIMAL_SPANS_OR_HEADS,
    PARSES,
    TYPES,
    VERB_PHRASES,
)
from scoref.policy import ALL_MENTIONS, Policy
from scoref.policy.capabilities import ORDINARY_JOIN

if TYPE_CHECKING:
    from scoref.matching.fields import Field

DOCUMENT, CORPUS, TOPIC = "document", "corpus", "topic"
"""The units of scoring that every format has; others are columns of a file."""

_FOR_HEADS = frozenset({"word", "pos", "parse", "head"})
_COLUMNS = {
    TYPES: frozenset({"word", "pos", "parse", "head"}),
    HEADS: _FOR_HEADS,
    KEY_HEADS: _FOR_HEADS,
    MINIMAL_SPANS_OR_HEADS: _FOR_HEADS,
    PARSES: frozenset({"word", "pos", "parse"}),
    VERB_PHRASES: frozenset({"word", "parse"}),
}
"""The columns from which the needs of metrics and policies can be inferred."""

_MATCHING = {
    "head": {HEADS},
    "partial": {KEY_HEADS},
    "min": {MINIMAL_SPANS_OR_HEADS},
    "mina": {PARSES},
}

_MAY_BE_STATED = frozenset({HEADS, KEY_HEADS, MINIMAL_SPANS_OR_HEADS})
"""Needs that a file may state; words are read only if it does not state them."""


class Requirements(NamedTuple):
    """What one score requires of its two sides, known before anything is read.

    Both sides have the same words, so the columns of the text are those of the key, or those of the
    response if the key has no text. Some columns are required of each side.

    * `policy`: The policy; when its `match` is resolved, so are the requirements (`_replace`).
    * `options`: How the files are read, and when their words are compared.
    * `of_metrics`: What the metrics need in addition to entities.
    * `shown`: Columns of the text that the caller shows.
    * `at_once`: Whether a side cannot be read again, so that all that may be needed is read first.
    """

    policy: Policy
    options: ReadOptions = ReadOptions()
    of_metrics: frozenset[str] = frozenset()
    shown: frozenset[str] = frozenset()
    at_once: bool = False

    @classmethod
    def of(
        cls,
        metrics: Iterable[Metric],
        policy: Policy,
        options: ReadOptions | None = None,
        *,
        needs: Collection[str] = (),
        shown: Collection[str] = (),
    ) -> Requirements:
        """Return what metrics and a policy require, with further `needs` of the caller."""
        options = options or ReadOptions()
        return cls(policy, options, needs_of(metrics).union(needs), frozenset(shown))

    def reading(self, *sources: Input) -> Requirements:
        """Return what is required if these inputs are read: all at once, if one is a stream."""
        return self._replace(at_once=True) if any(map(is_read_once, sources)) else self

    @property
    def needs(self) -> frozenset[str]:
        """What is inferred, if it is not stated: heads for matching, types for `where`, ..."""
        policy = self.policy
        needs = self.of_metrics
        needs = needs.union(*(field.needs for field in self.selected_by))
        needs |= {VERB_PHRASES} if policy.verb_phrases == "drop" else set()
        # Under compat, heads are found as corefud-scorer finds them.
        return (
            needs | _MATCHING.get(policy.match, set()) if policy.compat in ORDINARY_JOIN else needs
        )

    @property
    def selected_by(self) -> tuple[Field, ...]:
        """The fields that mentions are selected by."""
        if self.policy.where == ALL_MENTIONS:
            return ()
        from scoref.matching.fields import FIELDS  # noqa: PLC0415  # few ask for it
        from scoref.matching.where import parse_conditions  # noqa: PLC0415

        return tuple(FIELDS[one.field] for one in parse_conditions(self.policy.where))

    @property
    def text(self) -> frozenset[str]:
        """The columns of the text that are read first, from the key if it has a text."""
        needs = self.needs if self.at_once else self.needs - _MAY_BE_STATED
        conversion = CONVERSIONS.get(self.policy.positions)
        return self.shown.union(
            *(_COLUMNS.get(need, ()) for need in needs),
            *(field.columns for field in self.selected_by),
            conversion.columns if conversion else (),
            {"word"} if "s" in self.policy.window.removeprefix("none") else (),  # of sentences
        )

    @property
    def later(self) -> Requirements:
        """What is read in a second attempt, if a side does not state all heads or minimal spans."""
        needed = (_COLUMNS.get(need, ()) for need in self.needs)
        return self._replace(shown=self.shown.union(*needed))

    @property
    def of_each(self) -> frozenset[str]:
        """The columns that are read of each side: those of units, and words to be compared."""
        columns = set(unit_columns(self.policy.unit))
        if self.options.check_words != NEVER:
            read = self.text or self.options.check_words != AUTO
            columns.add("word" if read else IF_CHEAP)
        return frozenset(columns | ({"word"} if self.policy.positions == OWN_TOKENS else set()))

    @property
    def of_key(self) -> frozenset[str]:
        """The columns that are read first of the key."""
        columns = self.text | self.of_each
        return columns | self.for_alignment if self.at_once and self._may_be_generated else columns

    @property
    def of_response(self) -> frozenset[str]:
        """The columns that are read of the response if the key has no text."""
        return self.text | self.of_each

    @property
    def for_alignment(self) -> frozenset[str]:
        """The columns of the key with which generated text is aligned."""
        return frozenset(COLUMNS) if self.at_once else self.shown | {"word"}

    @property
    def _may_be_generated(self) -> bool:
        return self.policy.markup != "none"


def unit_columns(unit: str) -> frozenset[str]:
    """Return the column of the file that defines a unit, if any."""
    if unit in (DOCUMENT, CORPUS):
        return frozenset()
    return frozenset({"column=1" if unit == TOPIC else unit})


def needs_of(metrics: Iterable[Metric]) -> frozenset[str]:
    """Return what metrics need in addition to entities."""
    return frozenset(
        need for metric in metrics for part in (metric, *metric.parts) for need in part.needs
    )
