"""`python -m benchmarks`: measure, and print whether the targets are met."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.books import books
from benchmarks.estimates import estimates
from benchmarks.generated import generated
from benchmarks.growth import growth
from benchmarks.jobs import (
    ROOT,
    Bench,
    all_metrics,
    beside_numpy,
    beside_wc,
    clusterings,
    litbank_pair,
    practices,
    readers,
    slices,
    tiny_pair,
)
from benchmarks.measure import CommandError
from benchmarks.memory import hard_cases, million_mentions, training_loop
from benchmarks.peers import beside_corefud, beside_peers
from benchmarks.report import Section, as_markdown, as_text, circumstances
from benchmarks.spark import ROWS as SPARK_ROWS
from benchmarks.spark import spark
from benchmarks.tables import tables


def main() -> int:
    """Measure everything, and return 0 whatever the times are: machines differ."""
    arguments = _parser().parse_args()
    sections: list[Section] = []
    with tempfile.TemporaryDirectory(prefix="scoref-benchmarks-") as directory:
        bench = Bench(Path(directory), arguments.rounds, arguments.peer_rounds, arguments.quick)
        try:
            chosen = _sections(bench, arguments.rows)
            if arguments.spark is not None:
                chosen = spark(bench, tuple(arguments.spark or SPARK_ROWS))
            for section in chosen:
                print(as_text(section), end="\n\n\n", flush=True)
                sections.append(section)
        except CommandError as error:
            print(f"benchmarks: error: {error}", file=sys.stderr)
            return 1
    print(circumstances())
    if arguments.output:
        text = "\n\n".join([*map(as_markdown, sections), circumstances()])
        arguments.output.write_text(text + "\n", encoding="utf-8")
    draw(sections, arguments.plot)
    return 0


def draw(sections: Sequence[Section], figure: Path) -> None:
    """Draw what more data costs, in a process of its own: this one stays small."""
    points = [point._asdict() for section in sections for point in section.points]
    figure.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as stream:
        json.dump(points, stream)
        stream.flush()
        words = (sys.executable, "-m", "benchmarks.plot", stream.name, str(figure))
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        problem = done.stderr.strip().rpartition("\n")[2]
        print(f"benchmarks: no figure: {problem}", file=sys.stderr)
    else:
        print(f"the figure is {figure}")


def _sections(bench: Bench, rows: Sequence[int | None]) -> Iterator[Section]:
    pair, tiny = litbank_pair(bench), tiny_pair(bench.directory)
    yield beside_wc(bench, pair)
    yield beside_numpy(bench, tiny)
    yield all_metrics(bench, pair)
    yield clusterings(bench, pair)
    yield slices(bench, pair)
    yield practices(bench, pair)
    yield readers(bench, pair)
    yield growth(bench, pair)
    yield million_mentions(bench)
    yield hard_cases(bench)
    yield training_loop(bench)
    yield books(bench)
    yield generated(bench)
    for size in rows:
        yield tables(bench, size)
    yield estimates(bench)
    yield beside_corefud(bench)
    yield beside_peers(bench, pair, tiny)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Compare the CPU time of scoref with that of `wc`, of `import numpy` and of"
        " other scorers, in about a minute and with 300 MB of temporary files. Progress goes to"
        " standard error.",
    )
    parser.add_argument("--rounds", type=_positive, default=7, metavar="N", help="default: 7")
    parser.add_argument(
        "--peer-rounds",
        type=_positive,
        default=1,
        metavar="N",
        help="rounds with other scorers, which take long (default: 1)",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="skip the pair of ten times the size, and BLANC by the reference scorer",
    )
    parser.add_argument(
        "--rows",
        type=_positive,
        nargs="+",
        default=[None],
        metavar="N",
        help="the size of the two tables, or several (default: ten million, with --quick one"
        " million); a hundred million take ten gigabytes of memory, which other engines need",
    )
    parser.add_argument(
        "--spark",
        type=_positive,
        nargs="*",
        metavar="N",
        help="measure only the Spark engine beside the local one, which requires Java and `pip"
        " install '.[spark]'; with the two sizes of tables (default: 10 and 40 million rows, which"
        " take half an hour, 6 GB of memory and 3 GB of temporary files)",
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="also write Markdown")
    parser.add_argument(
        "--plot",
        type=Path,
        metavar="FILE",
        default=ROOT / "build" / "growth.svg",
        help="where to draw cost against size, .svg or .png (default: build/growth.svg)",
    )
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number


if __name__ == "__main__":
    raise SystemExit(main())
