"""MentionRows: what a metric may ask about the mentions behind an overlap table."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray

from scoref.base.arrays import Ints
from scoref.corpus.spans import Links, Spans
from scoref.overlap.table import Side


class MentionRows(Protocol):
    """The mentions behind a table, one row per mention that either side has.

    Metrics that need more than overlaps read them. A property or method raises a `UsageError`
    that names what is missing if the corpus does not have the information.
    """

    @property
    def unit(self) -> Ints:
        """The document of each mention."""

    @property
    def key(self) -> Ints:
        """The key entity of each mention in the table, or NOWHERE."""

    @property
    def res(self) -> Ints:
        """The response entity of each mention in the table, or NOWHERE."""

    @property
    def type(self) -> Ints:
        """The type of each mention: NAME, NOMINAL or PRONOUN."""

    @property
    def order(self) -> Ints:
        """The position of each mention in the text, comparable within a document."""

    def spans(self, side: Side) -> Spans:
        """The tokens of each mention on a side."""

    def attribute(self, side: Side, name: str) -> NDArray[Any] | None:
        """An attribute of each mention on a side, or None if the side does not have it."""

    def entity_attribute(self, side: Side, name: str) -> NDArray[Any] | None:
        """An attribute of each entity of a side, or None if the side does not have it."""

    def bridging(self, side: Side) -> Links:
        """The bridging links of a side, by unit."""

    def non_referring(self, side: Side) -> Spans:
        """The mentions of a side that refer to nothing, by unit."""
