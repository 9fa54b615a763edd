"""What a file writes for one thing, and where it deviates from this."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from scoref.base.arrays import Ints

_MOST_LINES = 1000


class Deviation(NamedTuple):
    """A place where a file deviates: its line and what is there, and where it does not."""

    line: int
    found: str
    usual: str
    usual_line: int


@dataclass(slots=True)
class Usage:
    """Counts the ways in which a file writes something, with the first lines of each way."""

    counts: dict[str, int] = field(default_factory=dict)
    places: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    def add(self, way: str, lines: Ints, text: Callable[[int], str] | None = None) -> None:
        """Add lines that use a way; `text` returns what the n-th of them has (default: `way`)."""
        if not len(lines):
            return
        self.counts[way] = self.counts.get(way, 0) + len(lines)
        places = self.places.setdefault(way, [])
        for number, line in enumerate(lines[: _MOST_LINES - len(places)].tolist()):
            places.append((line, text(number) if text else way))

    def deviations(self) -> Iterator[Deviation]:
        """Yield the places, at most a thousand of each way, that are not written the usual way."""
        if len(self.counts) < 2:
            return
        usual = max(self.counts, key=lambda way: (self.counts[way], -self.places[way][0][0]))
        line, text = self.places[usual][0]
        for way, places in self.places.items():
            if way != usual:
                yield from (Deviation(*place, text, line) for place in places)
