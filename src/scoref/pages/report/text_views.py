"""The documents of the page in compact form: mentions, errors, words.

A mention is a text, its first and last token: "12-14", or "12-14,17-17" with two parts; one without
words is "12", its place. A list of mentions is flat: each key mention is followed by its entity and
type, and each response mention by its entity, the place of its key mention, from 1, or 0, and its
type. The number of an entity is below zero for a letter. An error is (kind, type, anchor, meant,
mention, ...), where a response mention is its place in the list, and a key mention is -1 minus its
place. The gain of each error is in millionths of F1, or null, and its classes are those of its
first mention.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from scoref.analysis.aligned_mentions import runs
from scoref.base.arrays import Ints
from scoref.corpus.attributes import MENTION_TYPES
from scoref.metrics.table import NOWHERE, SideName
from scoref.pages.report.content import Content, SystemAnalysis, error_classes
from scoref.pages.toolkit import dump


def text_views(content: Content, units: list[int], budget: int) -> dict[str, Any]:
    """Return the views of documents that fit into the budget, in this order of preference."""
    views: dict[str, Any] = {}
    if any(analysis.mentions.spans is None for analysis in content.analyses):
        return views
    systems = [_SystemView(content, analysis) for analysis in content.analyses]
    for unit in units:
        view = _view(content, systems, unit)
        budget -= len(dump(view).encode("utf-8", errors="replace"))
        if budget < 0:
            break
        views[str(unit)] = view
    return views


def _view(content: Content, systems: list[_SystemView], unit: int) -> dict[str, Any]:
    """Return the view of a document."""
    mentions = content.analyses[0].mentions
    first_system, *_ = views = [system.view(unit) for system in systems]
    length, text = mentions.sides[0].documents[unit].length, mentions.text
    if length < 0:
        length = 1 + max(system.last_token(unit) for system in systems)
    view: dict[str, Any] = {"n": length, "k": first_system["k"]}
    view["r"] = [{name: one[name] for name in ("m", "e", "g", "c")} for one in views]
    if text is not None and (place := int(mentions.place[unit])) != NOWHERE:
        first, last = (int(text.first[place + at]) for at in (0, 1))
        starts = np.flatnonzero(text.starts_sentence[first:last])
        view["s"] = np.diff(starts, prepend=0).tolist()
        view["n"] = last - first
        if content.with_text:
            view["w"] = list(text.columns["word"][first:last])
    return view


class _SystemView:
    """The mentions of one system and of the key, by document, and the errors of the system."""

    def __init__(self, content: Content, analysis: SystemAnalysis) -> None:
        mentions, numbers = analysis.mentions, analysis.mentions.numbers
        self.errors, self.mentions = analysis.errors, mentions
        units = np.arange(len(mentions.table.units) + 1)
        self.rows = np.argsort(mentions.order)
        self.bounds = np.searchsorted(mentions.unit[self.rows], units).tolist()
        sides: tuple[SideName, SideName] = ("key", "response")
        self.spans = {side: mentions.side_spans(side) for side in sides}
        self.key = np.append(numbers.key_number, 0)[mentions.key]
        self.res = np.append(numbers.res_number, 0)[mentions.res]
        self.place = np.zeros(len(self.rows), dtype=np.int64)
        self.type = np.where(mentions.type == NOWHERE, len(MENTION_TYPES), mentions.type)
        listing = analysis.errors.listing
        self.gains, self.classes = analysis.gains, error_classes(content, analysis)
        self.error_bounds = np.searchsorted(mentions.unit[listing.first_row], units).tolist()
        # A key mention with a span error is shown as the response mention that means it.
        self.shown = np.arange(len(self.rows))
        wrong = np.flatnonzero(listing.meant != NOWHERE)
        self.shown[listing.meant[wrong]] = wrong

    def _rows_of(self, unit: int) -> Ints:
        return self.rows[self.bounds[unit] : self.bounds[unit + 1]]

    def last_token(self, unit: int) -> int:
        """Return the last token of any mention in a document."""
        rows = self._rows_of(unit)
        return max(int(end[rows].max(initial=0)) for _, end in self.spans.values())

    def view(self, unit: int) -> dict[str, Any]:
        """Return the mentions of both sides in a document, and its errors."""
        rows = self._rows_of(unit)
        in_key = rows[self.mentions.key[rows] != NOWHERE]
        in_res = rows[self.mentions.res[rows] != NOWHERE]
        self.place[in_key] = np.arange(1, len(in_key) + 1)
        places = {row: -1 - at for at, row in enumerate(in_key.tolist())}
        places |= {row: at for at, row in enumerate(in_res.tolist())}
        errors = range(self.error_bounds[unit], self.error_bounds[unit + 1])
        return {
            "k": self._flat("key", in_key, self.key[in_key]),
            "m": self._flat("response", in_res, self.res[in_res], self.place[in_res]),
            "e": [self._error(at, places) for at in errors],
            "g": [_millionths(float(self.gains[at])) for at in errors],
            "c": self.classes[errors.start : errors.stop].tolist(),
        }

    def _error(self, at: int, places: dict[int, int]) -> list[int | None]:
        listing = self.errors.listing
        anchor, meant = self.errors.related(at)
        shown = [places[int(self.shown[row])] for row in listing.rows_of(at)]
        anchor_place = None if anchor == NOWHERE else places[int(self.shown[anchor])]
        kind, mention_type = int(listing.kind[at]), int(self.errors.types[at])
        return [kind, mention_type, anchor_place, places.get(meant), *shown]

    def _flat(self, side: SideName, rows: Ints, *columns: Ints) -> list[str | int]:
        """Return mentions as texts, each followed by its numbers."""
        numbers = np.stack([*columns, self.type[rows]], axis=1).tolist()
        texts = self._texts(side, rows)
        return [one for text, row in zip(texts, numbers, strict=True) for one in (text, *row)]

    def _texts(self, side: SideName, rows: Ints) -> list[str]:
        start, end = (column[rows].tolist() for column in self.spans[side])
        texts = [f"{first}-{last}" for first, last in zip(start, end, strict=True)]
        nodes = self.mentions.table.mentions.attribute(side, "nodes")
        for at, row in enumerate([] if nodes is None else rows.tolist()):
            if nodes is not None and nodes[row]:
                parts = [f"{first}-{last}" for first, last in runs(str(nodes[row]))]
                texts[at] = ",".join(parts) or str(start[at])
        return texts


def _millionths(gain: float) -> int | None:
    return None if math.isnan(gain) else round(1e6 * gain)
