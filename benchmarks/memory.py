"""Documents and loops that are scored from memory: a million mentions, hard cases, checkpoints."""

from __future__ import annotations

from benchmarks.jobs import Bench
from benchmarks.measure import Measurement, run_inside
from benchmarks.report import Row, Section, limit

_MILLION = 1_000_000
_HARD = 100_000
_LOOP_DOCUMENTS = 350
_ROUNDS = 3


def million_mentions(bench: Bench) -> Section:
    """Score one document of a million mentions."""
    size = _HARD if bench.quick else _MILLION
    rows: list[Measurement] = []
    remarks = []
    for sizes in ("pareto", "geometric"):
        found = run_inside(f"realistic response, {sizes} sizes", size, _ROUNDS)
        rows += [_named(one, f"{one.name}, {sizes}") for one in found]
        remarks.append(limit(f"eight metrics, {sizes} sizes", found[0], 3.0))
        remarks.append(limit(f"the slower CEAF, {sizes} sizes", max(found[1:], key=_cpu), 0.5))
    return Section(
        title=f"One document of {size:,} mentions, realistic response",
        rows=tuple(map(Row, rows)),
        different=True,
        remarks=(*remarks, *_ABOUT),
    )


def hard_cases(bench: Bench) -> Section:
    """Score responses that are hard on CEAF."""
    small = 10_000 if bench.quick else _HARD
    large = _HARD if bench.quick else _MILLION
    cases = [
        ("one response entity, key all singletons", large),
        ("response all singletons, one key entity", large),
        *((f"random response, {sizes} sizes", small) for sizes in ("pareto", "geometric")),
        *((f"{kind} response, geometric sizes", small) for kind in ("merged", "split")),
    ]
    rows = []
    for case, size in cases:
        first = run_inside(case, size, _ROUNDS)[0]
        rows.append(_named(first, f"{case}, {size:,} mentions"))
    slowest = max(rows, key=_cpu)
    largest = max(rows, key=lambda one: one.peak)
    return Section(
        title="Hard cases, eight metrics",
        rows=tuple(map(Row, rows)),
        different=True,
        remarks=(
            limit("the slowest", slowest, 10.0),
            f"the largest takes {largest.peak:,.0f} MB (target: at most 2,000)",
            *_ABOUT,
        ),
    )


def training_loop(bench: Bench) -> Section:
    """Score checkpoints of a resolver from its lists of spans."""
    rows = run_inside("training loop", _LOOP_DOCUMENTS, 3 * bench.rounds)
    return Section(
        title=f"A training loop: {_LOOP_DOCUMENTS} documents of OntoNotes size",
        rows=tuple(map(Row, rows)),
        remarks=(
            limit("a checkpoint", rows[0], 0.030),
            f"document by document: {rows[3].cpu / rows[2].cpu:.2f} times a batch",
            *_ABOUT,
        ),
    )


_ABOUT = ("measured within a process: without starting Python and drawing the corpus",)


def _named(measured: Measurement, name: str) -> Measurement:
    return Measurement(name, measured.costs)


def _cpu(measured: Measurement) -> float:
    return measured.cpu
