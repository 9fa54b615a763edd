"""Simulate, and write the tables and figures of the manual's page: `python -m calibration`.

The tables go into `docs/explanation/calibration.md`, between the comments that name them, and the
figures into `docs/figures`. Seeds are fixed, so the page changes only if a method does.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from calibration import experiments as run
from calibration.agreement import alpha_coverage
from calibration.candidates import candidate_coverage
from calibration.estimates import corpus, estimate_coverage
from calibration.figures import draw_lines
from calibration.limits import LARGER_IS_HARDER, SAME_SIZES, perfect_coverage, warnings
from calibration.pool import Shape, draw_runs
from calibration.real import CORPORA, DATA, documents, real_coverage
from calibration.real import METRICS as REAL_METRICS
from calibration.simulate import Share, pool
from calibration.slices import slice_findings, system_findings
from scoref.policy import Policy
from scoref.resampling.sampling_options import Method
from scoref.version import __version__

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "explanation" / "calibration.md"
VERSION = f"The tables were computed by scoref {__version__}."
"""What the page states after all sections were run, and what a release checks."""
SIZES = (5, 10, 20, 50, 100, 350)
METHODS: tuple[Method, ...] = ("jackknife", "percentile", "bca")
Table = tuple[list[str], list[list[str]]]
Sections = dict[str, Callable[[int], Table]]


def _row(title: str, values: Sequence[float]) -> list[str]:
    return [title, *(f"{value:.1f}" for value in values)]


def _range(values: Sequence[float]) -> str:
    return f"{min(values):.1f}-{max(values):.1f}"


def _sizes(title: str) -> list[str]:
    return [title, *map(str, SIZES)]


def _coverage(
    cover: Callable[[str, int, int, Sequence[Method]], list[Share]],
    number: int,
    methods: Mapping[str, Sequence[Method]],
) -> Table:
    """Return a row per metric and method, and a column per number of documents."""
    rows = []
    for metric, of_metric in methods.items():
        columns = [cover(metric, size, number, of_metric) for size in SIZES]
        rows += [
            _row(f"{metric}, {method}", [column[at].percent for column in columns])
            for at, method in enumerate(of_metric)
        ]
    return _sizes("documents"), rows


def candidates(number: int) -> Table:
    """Coverage of the candidates for the default interval of conll."""
    found = [candidate_coverage("conll", size, number // 2) for size in SIZES]
    rows = [_row(name, [column[name].percent for column in found]) for name in found[0]]
    return _sizes("documents"), rows


def scores(number: int) -> Table:
    """Coverage of 95 % intervals of a score, by number of documents."""
    methods = dict.fromkeys(("conll", "b3", "ceafe", "lea", "blanc"), METHODS[:1])
    return _coverage(
        run.score_coverage, number, methods | dict.fromkeys(("conll", "blanc"), METHODS)
    )


def differences(number: int) -> Table:
    """Coverage of 95 % intervals of a difference, by number of documents."""
    methods = dict.fromkeys(("conll", "b3", "ceafe", "lea"), METHODS[:1])
    return _coverage(run.difference_coverage, number, methods | {"conll": METHODS})


def tails(number: int) -> Table:
    """Coverage of default intervals of conll, if sizes vary less or more than in other sections."""
    rows = []
    for spread in (0.5, 1.4):
        shape = Shape(systems=2, spread=spread)
        mentions = pool(shape).size
        ratio = round(float(np.quantile(mentions, 0.99) / np.median(mentions)))
        for title, cover in (
            ("score", run.score_coverage),
            ("difference", run.difference_coverage),
        ):
            found = [
                cover("conll", size, number, METHODS[:1], shape=shape)[0].percent for size in SIZES
            ]
            rows.append(_row(f"1 % above {ratio} times the median, {title}", found))
    return _sizes("documents"), rows


def tests(number: int) -> Table:
    """Type-I error of the tests, by number of documents."""
    rows = [
        _row(test, [run.false_findings("conll", size, number, test).percent for size in SIZES])
        for test in ("randomisation", "bootstrap")
    ]
    return _sizes("documents"), rows


def slices(number: int) -> Table:
    """Type-I error of the tests of slices, by the size of the slice and number of documents."""
    rows = []
    for title, find in (
        ("mentions by chance, against the rest", partial(slice_findings, whole=False)),
        ("entities by chance, against the rest", partial(slice_findings, whole=True)),
        ("two equal systems", system_findings),
    ):
        for share in (0.05, 0.5):
            found = [find("conll", share, size, number).percent for size in SIZES[1:]]
            rows.append(_row(f"{100 * share:.0f} % of mentions, {title}", found))
    return ["documents", *map(str, SIZES[1:])], rows


def runs(number: int) -> Table:
    """Type-I error for equal methods with several runs, by number of runs."""
    rows = []
    counts = (1, 2, 3, 5)
    for points, spread in (("0.7", 0.06), ("1.2", 0.1)):
        drawn = draw_runs(spread, runs=60)
        for size in (20, 100):
            found = [
                run.false_findings_of_runs(drawn, "conll", of_each, size, number)
                for of_each in counts
            ]
            for at, title in enumerate(("documents alone", "documents and runs")):
                shares = [pair[at].percent for pair in found]
                rows.append(_row(f"sd {points}, {size} documents, {title}", shares))
    return ["runs per system", *map(str, counts)], rows


def strata(number: int) -> Table:
    """Coverage of 95 % intervals with documents drawn within strata."""
    designs = ((16, 2), (8, 4), (4, 10), (4, 25))
    rows = [
        _row(
            title,
            [
                run.strata_coverage("conll", many, size, number, difference=difference).percent
                for many, size in designs
            ],
        )
        for title, difference in (("score", False), ("difference", True))
    ]
    return ["strata x documents", *(f"{many} x {size}" for many, size in designs)], rows


def families(number: int) -> Table:
    """How often some interval of a difference between equal systems excludes 0."""
    designs = [(systems, size) for systems in (5, 10) for size in (20, 100)]
    rows = [
        _row(
            title,
            [
                run.family_error("conll", systems, size, number, together=together).percent
                for systems, size in designs
            ],
        )
        for title, together in (("each for itself", False), ("simultaneous", True))
    ]
    return ["systems, documents", *(f"{systems}, {size}" for systems, size in designs)], rows


def margins(number: int) -> Table:
    """How often a gate fails or passes if the true loss is exactly the margin."""
    found = [run.margin_errors("conll", size, number) for size in SIZES]
    rows = [
        _row("failed", [failed.percent for failed, _ in found]),
        _row("passed", [passed.percent for _, passed in found]),
    ]
    return _sizes("documents"), rows


def parts(number: int) -> Table:
    """Type-I error on parts of texts that each system prefers wholly."""
    designs = ((20, 5), (10, 10), (40, 5))
    rows = [
        _row(
            title,
            [
                run.false_findings_of_parts("conll", texts, of_each, number, blocks=blocks).percent
                for texts, of_each in designs
            ],
        )
        for title, blocks in (("documents", False), ("`--blocks`", True))
    ]
    return ["texts x parts", *(f"{texts} x {of_each}" for texts, of_each in designs)], rows


def alpha(number: int) -> Table:
    """Coverage of 95 % intervals of alpha."""
    return _coverage(alpha_coverage, number, dict.fromkeys(("passonneau", "masi"), METHODS[:2]))


def pilots(number: int) -> Table:
    """The documents needed, from a pilot, as multiples of the truth."""
    sizes = (20, 50, 100, 350)
    found = [run.pilot_coverage("conll", size, number) for size in sizes]
    rows = [_row("the interval covers, in percent", [share.percent for share, _ in found])]
    for at, quantile in enumerate((10, 50, 90)):
        shown = [f"{quantiles[at]:.2f}" for _, quantiles in found]
        rows.append([f"estimate at its {quantile} % quantile, as a multiple of the truth", *shown])
    return ["documents of the pilot", *map(str, sizes)], rows


def perfect(number: int) -> Table:
    """Coverage where systems are right in nearly all documents, by number of documents."""
    rows = []
    for title, difference in (("score", False), ("difference", True)):
        found = [perfect_coverage("conll", size, number, difference=difference) for size in SIZES]
        for at, what in enumerate(
            ("documents show no variance", "the interval covers", "without the bound")
        ):
            rows.append(_row(f"{title}: {what}", [one[at].percent for one in found]))
    return _sizes("documents"), rows


def sizes(number: int) -> Table:
    """Coverage and cautions where larger documents are harder, by number of documents."""
    macro, hard = Policy(average="macro"), LARGER_IS_HARDER
    pooled = [run.score_coverage("conll", size, number, shape=hard) for size in SIZES]
    means = [run.score_coverage("conll", size, number, shape=hard, policy=macro) for size in SIZES]
    apart = [run.difference_coverage("conll", size, number, shape=hard) for size in SIZES]
    rows = [
        _row(f"{title}: the interval covers", [one.percent for (one,) in found])
        for title, found in (
            ("pooled score", pooled),
            ("macro average", means),
            ("difference of pooled scores", apart),
        )
    ]
    warned = [warnings("conll", size, number, hard) for size in SIZES]
    rows.append(_row("a caution about sizes", [one.by_size.percent for one in warned]))
    missed = [one.any_if_missed.percent for one in warned]
    rows.append(_row("any caution, if the interval of the pooled score misses", missed))
    for title, shape in (("the same sizes", SAME_SIZES), ("the sizes above", Shape(systems=2))):
        found = [warnings("conll", size, number, shape).by_size.percent for size in SIZES]
        rows.append(_row(f"a caution about sizes, if {title} do not matter", found))
    return _sizes("documents"), rows


def real(number: int) -> Table:
    """Coverage of default intervals on documents that are drawn from real corpora."""
    drawn = (10, 20, 50)
    rows = []
    for name in CORPORA:
        found = [
            [real_coverage(name, metric, size, number).percent for metric in REAL_METRICS]
            for size in drawn
        ]
        cells = [f"{shares[0]:.1f} ({_range(shares)})" for shares in found]
        rows.append([f"{name} ({documents(name)} documents)", *cells])
    return ["documents drawn", *map(str, drawn)], rows


def estimates(number: int) -> Table:
    """Coverage of intervals from a sample of key entities, by number of draws."""
    drawn = (50, 100, 200, 400, 1000)
    rows = []
    for title, entities, tail in (
        ("geometric", 100_000, "geometric"),
        ("geometric, 3,000 entities", 3_000, "geometric"),
        ("Pareto", 100_000, "pareto"),
    ):
        for by in ("entity", "size"):
            found = [estimate_coverage(corpus(entities, tail), by, n, number) for n in drawn]
            shares = [[one.percent for one in column.covered.values()] for column in found]
            rows.append([f"{title}, by {by}: coverage", *map(_range, shares)])
            warned = [column.warned.percent for column in found]
            rows.append(_row(f"{title}, by {by}: a caution", warned))
    return ["draws", *map(str, drawn)], rows


SECTIONS: Sections = {
    one.__name__: one
    for one in (
        candidates,
        scores,
        differences,
        tails,
        tests,
        slices,
        runs,
        strata,
        families,
        margins,
        parts,
        alpha,
        pilots,
        perfect,
        sizes,
        real,
        estimates,
    )
}


FIGURES = {
    "scores": ("conll, ", "coverage of 95 % intervals of conll, in percent", 95.0),
    "differences": (
        "conll, ",
        "coverage of 95 % intervals of a difference in conll, in percent",
        95.0,
    ),
    "tests": ("", "false findings at the level of 5 %, in percent", 5.0),
}
"""The rows that a figure shows, by the start of their names, its title, and what was promised."""


def markdown(table: Table) -> str:
    """Write a table."""
    header, rows = table
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *rows))


def main() -> None:
    """Run the experiments, and write what they found into the manual."""
    parser = argparse.ArgumentParser(prog="calibration", description=main.__doc__)
    parser.add_argument("--only", choices=SECTIONS, action="append", help="run only this section")
    parser.add_argument("--corpora", type=int, default=1000, help="corpora per cell (1000)")
    parser.add_argument("--print", action="store_true", help="print only, write no file")
    arguments = parser.parse_args()
    for name in arguments.only or SECTIONS:
        start = time.perf_counter()
        if name == "real" and not DATA.is_dir():
            print(f"real: left as it is, since there are no corpora in {DATA}\n", flush=True)
            continue
        table = SECTIONS[name](arguments.corpora)
        text = markdown(table)
        print(f"{name}: {time.perf_counter() - start:.0f} s\n{text}\n", flush=True)
        if not arguments.print:
            write_table(name, text)
            if name in FIGURES:
                start_of_name, title, promised = FIGURES[name]
                lines = {
                    row[0].removeprefix(start_of_name): [float(value) for value in row[1:]]
                    for row in table[1]
                    if row[0].startswith(start_of_name)
                }
                draw_lines(name, SIZES, lines, title, promised)
    if not (arguments.only or arguments.print):
        write_table("version", VERSION)


def write_table(name: str, text: str) -> None:
    """Replace a table of the page."""
    page = PAGE.read_text("utf-8")
    marked = re.compile(rf"(<!-- {name} -->\n)[^<]*(<!-- end -->)")
    if not marked.search(page):
        raise SystemExit(f"{PAGE} has no table {name}")
    PAGE.write_text(marked.sub(lambda found: f"{found[1]}{text}\n{found[2]}", page), "utf-8")


if __name__ == "__main__":
    main()
