"""What is measured: scoref beside `wc`, beside `import numpy`, and on ten times the data."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import Command, Measurement, Ratio, measure, run, tell
from benchmarks.report import Row, Section

LITBANK = Path(__file__).parents[2] / "shared" / "data" / "litbank"

_WC_TARGET = 3.5
_ALL_TARGET = 5.0
READ = {"conll": ".conll", "corefud": ".conllu", "jsonl": ".jsonl", "csv": ".csv"}
# Each that a pair with words and different mentions on both sides can be scored with.
EVERY_MEASURE = (
    *("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll", "pairwise"),
    *(f"ceaf(phi={phi})" for phi in (1, 2)),
    *(f"ceaf(overlap={overlap})" for overlap in ("dice", "min", "jaccard")),
    *(f"b3(twinless={practice})" for practice in ("0", "all", "rn", "sys", "v4")),
    *(f"ceafm(twinless={practice})" for practice in ("rn", "sys", "v4")),
    *(f"ceafe(twinless={practice})" for practice in ("rn", "v4")),
    *("blanc(alpha=0.2)", "blanc(boundary=luo2014)", "blanc(mentions=shared)"),
    *(f"lea(importance={name})" for name in ("uniform", "links", "mention_types")),
    *(f"{name}(mentions=shared)" for name in ("rand", "ari", "nmi")),
    *("lmuc", "lb3", "lceafm", "lceafe", "nec"),
    *(f"arcs(kind={kind})" for kind in ("immediate", "inferred", "anchor")),
)
_NUMPY_TARGET = 2.0
_GENERATE = Path(__file__).with_name("generate.py")
_DOCUMENTS = 100  # as many as LitBank has
_TIMES = 10
_TINY = """\
#begin document ({name}); part 000
{name}\t0\t0\tAnna\t_\t{first}
{name}\t0\t1\tsaw\t_\t-
{name}\t0\t2\ther\t_\t(1
{name}\t0\t3\tdog\t_\t1)
{name}\t0\t4\t.\t_\t-

{name}\t0\t0\tIt\t_\t(1)
{name}\t0\t1\tsaw\t_\t-
{name}\t0\t2\ther\t_\t(0)
{name}\t0\t3\ttoo\t_\t-
{name}\t0\t4\t.\t_\t-
#end document
"""


class Pair(NamedTuple):
    """A key and a response, and what to call them."""

    title: str
    key: Path
    response: Path

    @property
    def megabytes(self) -> float:
        """The size of both files."""
        return sum(path.stat().st_size for path in (self.key, self.response)) / 1e6


@dataclass(frozen=True, slots=True)
class Bench:
    """Where to write, how often to run, and whether to leave out what takes long."""

    directory: Path
    rounds: int = 7
    peer_rounds: int = 1
    quick: bool = False

    def measure(self, *commands: Command) -> list[Measurement]:
        """Measure commands in interleaved rounds."""
        return measure(commands, self.rounds, self.directory)


def scoref(pair: Pair, name: str = "scoref score", *options: str) -> Command:
    """Score a pair with the command that stands beside this interpreter."""
    program = Path(sys.executable).with_name("scoref")
    return Command.of(name, program, "score", pair.key, pair.response, *options)


def tiny_pair(directory: Path) -> Pair:
    """Write two documents of ten tokens; the response misses a mention of the first."""
    pair = Pair("a tiny pair", directory / "tiny_key.conll", directory / "tiny_response.conll")
    second = _TINY.format(name="two", first="(0)")
    pair.key.write_text(_TINY.format(name="one", first="(0)") + second, encoding="utf-8")
    pair.response.write_text(_TINY.format(name="one", first="-") + second, encoding="utf-8")
    return pair


def litbank_pair(bench: Bench) -> Pair:
    """Return LitBank where it is at hand, otherwise a pair of its shape."""
    key, response = LITBANK / "key.conll", LITBANK / "response.conll"
    if key.exists() and response.exists():
        return Pair("LitBank", key, response)
    return generated_pair(bench, 1)


def generated_pair(bench: Bench, times: int) -> Pair:
    """Generate a pair of LitBank's shape with so many times its documents."""
    tell(f"generating {times} times LitBank's size")
    directory = bench.directory / f"generated_{times}"
    # In a process of its own: see the note on NumPy and memory in `measure`.
    generate = (sys.executable, _GENERATE, directory, f"--documents={times * _DOCUMENTS}")
    run(Command.of("generate", *generate), bench.directory)
    return Pair(f"generated x{times}", directory / "key.conll", directory / "response.conll")


def beside_wc(bench: Bench, pair: Pair) -> Section:
    """Compare scoring a pair with counting its words."""
    wc, ours = bench.measure(_wc(pair), scoref(pair))
    return Section(
        title=f"A LitBank-sized pair ({pair.title}, {pair.megabytes:.1f} MB)",
        rows=(Row(wc, pair.megabytes), Row(ours, pair.megabytes)),
        remarks=(_verdict(ours.against(wc), _WC_TARGET),),
    )


def all_measures(bench: Bench, pair: Pair) -> Section:
    """Compare all measures together, those that look at words among them, with the default ones."""
    every = [part for name in EVERY_MEASURE for part in ("-m", name)]
    name = f"scoref score, {len(EVERY_MEASURE)} measures"
    ours, more = bench.measure(scoref(pair), scoref(pair, name, *every))
    return Section(
        title=f"All measures ({pair.title})",
        rows=(Row(ours, pair.megabytes), Row(more, pair.megabytes)),
        remarks=(_verdict(more.against(ours), _ALL_TARGET),),
    )


def readers(bench: Bench, pair: Pair) -> Section:
    """Read the same corpus in several formats, beside counting its words as CoNLL columns."""
    program = Path(sys.executable).with_name("scoref")
    commands, sizes = [_wc(pair)], [pair.megabytes]
    for name, suffix in READ.items():
        files = [bench.directory / f"{path.stem}{suffix}" for path in (pair.key, pair.response)]
        for path, file in zip((pair.key, pair.response), files, strict=True):
            convert = (program, "convert", path, file, "--to", name)
            run(Command.of("convert", *convert), bench.directory)
        commands.append(Command.of(f"scoref validate, {name}", program, "validate", *files))
        sizes.append(sum(file.stat().st_size for file in files) / 1e6)
    measured = bench.measure(*commands)
    return Section(
        title=f"Readers ({pair.title} in several formats, start included)",
        rows=tuple(map(Row, measured, sizes)),
        remarks=("CPU ms/MB below 20 are 50 MB/s",),
    )


def beside_numpy(bench: Bench, tiny: Pair) -> Section:
    """Compare scoring almost nothing with loading NumPy, which scoring cannot do without."""
    numpy = Command.of('python -c "import numpy"', sys.executable, "-c", "import numpy")
    start, ours = bench.measure(numpy, scoref(tiny))
    return Section(
        title="A tiny pair (2 documents, 20 tokens)",
        rows=(Row(start), Row(ours)),
        remarks=(_verdict(ours.against(start), _NUMPY_TARGET),),
    )


def growth(bench: Bench, tiny: Pair) -> Section:
    """Show what ten times the documents cost."""
    small, large = generated_pair(bench, 1), generated_pair(bench, _TIMES)
    once, often, nothing, wc = bench.measure(
        scoref(small, "scoref score x1"),
        scoref(large, f"scoref score x{_TIMES}"),
        scoref(tiny, "scoref score, tiny pair"),
        _wc(large, f"wc -lw x{_TIMES}"),
    )
    sizes = (small.megabytes, large.megabytes, None, large.megabytes)
    rows = tuple(map(Row, (once, often, nothing, wc), sizes))
    first, next_ones = _each_more(rows[2], rows[0]), _each_more(rows[0], rows[1])
    return Section(
        title=f"Growth (generated, {small.megabytes:.1f} and {large.megabytes:.1f} MB)",
        rows=rows,
        remarks=(
            f"{_TIMES} times the data cost {often.against(once)} times the CPU time",
            f"beyond the start, each MB costs {first} up to x1, then {next_ones} up to x{_TIMES}",
            f"at x{_TIMES}, scoref score costs {often.against(wc)} times wc -lw",
        ),
    )


def _wc(pair: Pair, name: str = "wc -lw") -> Command:
    return Command.of(name, "wc", "-lw", pair.key, pair.response)


def _each_more(less: Row, more: Row) -> str:
    """Say what a further megabyte costs, which start-up hides in the cost of all."""
    seconds = more.measured.cpu - less.measured.cpu
    megabytes = (more.megabytes or 0.0) - (less.megabytes or 0.0)
    return f"{1000 * seconds / megabytes:.1f} CPU ms"


def _verdict(measured: Ratio, target: float) -> str:
    met = "met" if measured.median <= target else "missed"
    return f"target: at most {target}, measured {measured}: {met}"
