"""`python -m benchmarks`: measure, and print whether the targets are met."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.jobs import (
    Bench,
    all_measures,
    beside_numpy,
    beside_wc,
    growth,
    litbank_pair,
    readers,
    tiny_pair,
)
from benchmarks.measure import CommandError
from benchmarks.peers import beside_peers
from benchmarks.report import Section, as_markdown, as_text, circumstances


def main() -> int:
    """Measure everything, and return 0 whatever the times are: machines differ."""
    arguments = _parser().parse_args()
    sections: list[Section] = []
    with tempfile.TemporaryDirectory(prefix="scoref-benchmarks-") as directory:
        bench = Bench(Path(directory), arguments.rounds, arguments.peer_rounds, arguments.quick)
        try:
            for section in _sections(bench):
                print(as_text(section), end="\n\n\n", flush=True)
                sections.append(section)
        except CommandError as error:
            print(f"benchmarks: error: {error}", file=sys.stderr)
            return 1
    print(circumstances())
    if arguments.output:
        text = "\n\n".join([*map(as_markdown, sections), circumstances()])
        arguments.output.write_text(text + "\n", encoding="utf-8")
    return 0


def _sections(bench: Bench) -> Iterator[Section]:
    pair, tiny = litbank_pair(bench), tiny_pair(bench.directory)
    yield beside_wc(bench, pair)
    yield beside_numpy(bench, tiny)
    yield all_measures(bench, pair)
    yield readers(bench, pair)
    if not bench.quick:
        yield growth(bench, tiny)
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
    parser.add_argument("--output", type=Path, metavar="FILE", help="also write Markdown")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number


if __name__ == "__main__":
    raise SystemExit(main())
