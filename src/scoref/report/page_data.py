"""What the page's program needs, as small as it can be: documents, mentions, errors, words.

Mentions are flat lists of whole numbers, starts as differences: the program adds them up. A
mention of the key is (start, length - 1, entity, type); one of a response is (start, length - 1,
entity, place of its key mention from 1 or 0, type), its entity below zero for a letter. What is no
plain span has its parts, first and last tokens, beside them. An error is (kind, type, anchor,
meant, mention, ...), where a mention of the response is its place in the list and one of the key
is -1 minus its place.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from scoref.analysis.aligned_mentions import runs
from scoref.analysis.errors import KINDS, TITLES
from scoref.base.arrays import Ints
from scoref.corpus.attributes import MENTION_TYPES
from scoref.metrics.base import F1
from scoref.overlap.table import NOWHERE, Side
from scoref.report.content import Content, Part

BUDGET = 8_000_000
"""How many bytes documents may take, by default."""


def dump(content: object) -> str:
    """Write JSON that can stand in a page: no character of it can end its element."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def data(content: Content, *, with_text: bool, budget: int = BUDGET) -> dict[str, Any]:
    """Return all data of the page; documents beyond the budget, worst first, have no view."""
    comparison = content.comparison
    results = list(comparison.results.values())
    metrics = list(comparison.metrics)
    scores = [
        [
            [
                None if math.isnan(value) else round(value, 5)
                for value in result.counts.unit_scores(result.metric(name), result.policy)[
                    :, F1
                ].tolist()
            ]
            for name in metrics
        ]
        for result in results
    ]
    key = content.parts[0].reading.sides[0]
    mentions = np.bincount(key.document, minlength=len(key.documents)).tolist()
    counts = [part.errors.count_units().tolist() for part in content.parts]
    documents = [
        {
            "name": document.name,
            "tokens": document.length if document.length >= 0 else None,
            "mentions": mentions[at],
            "f1": [[row[at] for row in system] for system in scores],
            "errors": [system[at] for system in counts],
        }
        for at, document in enumerate(key.documents)
    ]
    return {
        "systems": [part.name for part in content.parts],
        "labels": [system.label for system in comparison.systems],
        "metrics": metrics,
        "metric": metrics.index(comparison.metric),
        "kinds": [TITLES[kind] for kind in KINDS],
        "types": list(MENTION_TYPES),
        "documents": documents,
        "text": with_text,
        "views": _views(content, with_text=with_text, budget=budget),
    }


def worst_first(content: Content) -> list[int]:
    """Order documents by the F1 that the best system has in them, worst first."""
    result = next(iter(content.comparison.results.values()))
    metric = result.metric(content.comparison.metric)
    f1 = result.counts.unit_scores(metric, result.policy)[:, F1]
    order: list[int] = np.argsort(np.nan_to_num(f1, nan=2.0), kind="stable").tolist()
    return order


def _views(content: Content, *, with_text: bool, budget: int) -> dict[str, Any]:
    """Return the views of documents that fit into the budget, as JSON of each."""
    maker = _Maker(content, with_text=with_text)
    views: dict[str, Any] = {}
    if not maker.possible:
        return views
    for unit in worst_first(content):
        view = maker.view(unit)
        if view is None:
            continue
        budget -= len(dump(view).encode("utf-8", errors="replace"))
        if budget < 0:
            break
        views[str(unit)] = view
    return views


class _Maker:
    """Makes the views of documents; what concerns all of them is computed once."""

    def __init__(self, content: Content, *, with_text: bool) -> None:
        self.parts = content.parts
        self.with_text = with_text and content.has_words
        first = content.parts[0].reading
        self.text = first.text
        self.place = first.place
        self.possible = all(part.reading.spans is not None for part in content.parts)
        self.systems = [_System(part) for part in content.parts] if self.possible else []
        key = first.sides[0]
        self.lengths = [document.length for document in key.documents]

    def view(self, unit: int) -> dict[str, Any] | None:
        """Return the view of a document."""
        systems = [system.mentions(unit) for system in self.systems]
        length = self.lengths[unit]
        view: dict[str, Any] = {"n": length, "k": systems[0]["k"], "p": systems[0]["kp"]}
        view["r"] = [{"m": one["r"], "p": one["rp"], "e": one["e"]} for one in systems]
        place = int(self.place[unit])
        if self.text is not None and place != NOWHERE:
            first, last = (int(self.text.first[place + at]) for at in (0, 1))
            starts = np.flatnonzero(self.text.starts_sentence[first:last])
            view["s"] = np.diff(starts, prepend=0).tolist()
            view["n"] = last - first
            if self.with_text:
                view["w"] = list(self.text.columns["word"][first:last])
        if view["n"] < 0:
            view["n"] = 1 + max(system.last(unit) for system in self.systems)
        return view


class _System:
    """The rows of one system by document, and its errors."""

    def __init__(self, part: Part) -> None:
        reading, numbering = part.reading, part.numbering
        self.part = part
        order = np.argsort(reading.order)
        bounds = np.searchsorted(reading.unit[order], np.arange(len(reading.table.units) + 1))
        self.rows = order
        self.bounds = bounds.tolist()
        self.spans: dict[Side, tuple[Ints, Ints]] = {
            "key": reading.side_spans("key"),
            "response": reading.side_spans("response"),
        }
        self.key = np.append(numbering.key_number, 0)[reading.key]
        self.place = np.zeros(len(order), dtype=np.int64)
        self.res = np.append(numbering.res_number, 0)[reading.res]
        self.type = np.where(reading.type == NOWHERE, len(MENTION_TYPES), reading.type)
        listing = part.errors.listing
        unit = reading.unit[listing.rows[listing.first[:-1]]]
        self.errors = np.searchsorted(unit, np.arange(len(reading.table.units) + 1)).tolist()
        # A key mention whose span the response gets wrong is the response's mention.
        self.stand_in = np.arange(len(reading.unit))
        wrong = np.flatnonzero(listing.meant != NOWHERE)
        self.stand_in[listing.meant[wrong]] = wrong

    def _of(self, unit: int) -> Ints:
        return self.rows[self.bounds[unit] : self.bounds[unit + 1]]

    def last(self, unit: int) -> int:
        """Return the last token that a mention of a document has."""
        return max(int(end[self._of(unit)].max(initial=0)) for _, end in self.spans.values())

    def mentions(self, unit: int) -> dict[str, Any]:
        """Return the mentions of both sides in a document, and its errors."""
        rows = self._of(unit)
        reading = self.part.reading
        ours = rows[reading.key[rows] != NOWHERE]
        theirs = rows[reading.res[rows] != NOWHERE]
        self.place[ours] = np.arange(1, len(ours) + 1)
        places = {int(row): -1 - at for at, row in enumerate(ours.tolist())}
        places |= {int(row): at for at, row in enumerate(theirs.tolist())}
        listing, errors = self.part.errors.listing, self.part.errors
        described = []
        for at in range(self.errors[unit], self.errors[unit + 1]):
            wrong = listing.rows[listing.first[at] : listing.first[at + 1]]
            anchor, meant = errors.related(at)
            described.append(
                [
                    int(listing.kind[at]),
                    int(errors.types[at]),
                    self._place(anchor, places),
                    self._place(meant, places, key=True),
                    *(self._place(row, places) for row in wrong.tolist()),
                ]
            )
        return {
            "k": self._flat("key", ours, self.key[ours]),
            "kp": self._parts("key", ours),
            "r": self._flat("response", theirs, self.res[theirs], self.place[theirs]),
            "rp": self._parts("response", theirs),
            "e": described,
        }

    def _parts(self, side: Side, rows: Ints) -> dict[int, list[int]]:
        """Return the parts of mentions that are no plain spans, by their place."""
        nodes = self.part.reading.table.mentions.attribute(side, "nodes")
        if nodes is None:
            return {}
        return {
            at: [end for run in runs(str(nodes[row])) for end in run]
            for at, row in enumerate(rows.tolist())
            if nodes[row]
        }

    def _place(self, row: int, places: dict[int, int], *, key: bool = False) -> int | None:
        if row == NOWHERE:
            return None
        return places[row if key else int(self.stand_in[row])]

    def _flat(self, side: Side, rows: Ints, *columns: Ints) -> list[int]:
        start, end = (column[rows] for column in self.spans[side])
        all_columns = [np.diff(start, prepend=0), end - start, *columns, self.type[rows]]
        flat: list[int] = np.stack(all_columns, axis=1).reshape(-1).tolist()
        return flat
