"""Entities aligned one to one: the bands of CEAF, with what each pair is worth."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from metric_pages.examples import Example
from metric_pages.overlap_picture import Band
from metric_pages.partitions import cells
from metric_pages.tables import write_number
from scoref.metrics.assignment.solver import best_alignment

LEGEND = (("band right", "aligned: counts"), ("band idle", "not aligned: does not count"))


def aligned_bands(example: Example, worth: str) -> list[Band]:
    """Return what each pair of entities is worth, and whether it is aligned.

    `worth` is `size` (phi 3), `dice` (phi 4) or `name`: dice if the two share a name.
    """
    key, response = example.key.entities, example.response.entities
    shared = list(cells(key, response))
    worths = []
    for cell in shared:
        n = len(cell.mentions)
        value = Fraction(n)
        if worth != "size":
            value = Fraction(2 * n, len(key[cell.key]) + len(response[cell.response]))
        if worth == "name" and not any(example.types[m] == "name" for m in cell.mentions):
            value = Fraction(0)
        worths.append(value)
    chosen = best_alignment(
        np.array([cell.key for cell in shared]),
        np.array([cell.response for cell in shared]),
        np.array([float(value) for value in worths]),
    )
    return [
        Band(middle=write_number(value), counts=bool(one))
        for value, one in zip(worths, chosen, strict=True)
    ]
