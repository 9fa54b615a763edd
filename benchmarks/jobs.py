"""What is measured: scoref beside `wc`, beside `import numpy`, in every format."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import Command, Measurement, measure, run, run_inside, tell
from benchmarks.report import Row, Section, verdict

_WC_TARGET = 3.5
_ALL_TARGET = 5.0
_CLUSTERINGS_TARGET = 3.0
_SLICES_TARGET = 3.0
_PRACTICES_TARGET = 4.0
_MB_PER_SECOND = 50
_READ_TIMES = 5
ROOT = Path(__file__).parents[1]
LITBANK = ROOT.parent / "shared" / "data" / "litbank"
GUM = LITBANK.with_name("gum")
READ = {
    "conll": ".conll",
    "jsonl": ".jsonl",
    "corefud": ".conllu",
    "conllua": ".CONLL",
    "csv": ".csv",
    "tsv": ".tsv",
    "parquet": ".parquet",
    "clusters": ".json",
}
"""The formats that are written, and how the names of files end."""
CLUSTERINGS = (
    *(f"{name}(mentions=shared)" for name in ("vmeasure", "vi", "ami", "merge_distance")),
    *("fowlkes_mallows", "purity", "closest", "exact_entity", "b3(extended)"),
)
# Each that a pair with words and different mentions on both sides can be scored with.
EVERY_METRIC = (
    *("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll", "pairwise"),
    *(f"ceaf(phi={phi})" for phi in (1, 2)),
    *(f"ceaf(overlap={overlap})" for overlap in ("dice", "min", "jaccard")),
    *(f"b3(twinless={practice})" for practice in ("0", "all", "rn", "sys", "v4")),
    *(f"ceafm(twinless={practice})" for practice in ("rn", "sys", "v4")),
    *(f"ceafe(twinless={practice})" for practice in ("rn", "v4")),
    *("blanc(alpha=0.2)", "blanc(boundary=luo2014)", "blanc(mentions=shared)"),
    *(f"lea(importance={name})" for name in ("uniform", "links", "mention_types")),
    *(f"{name}(mentions=shared)" for name in ("rand", "ari", "nmi")),
    *CLUSTERINGS,
    *("lmuc", "lb3", "lceafm", "lceafe"),
    *(f"arcs(kind={kind})" for kind in ("immediate", "inferred", "anchor")),
)
_NUMPY_TARGET = 2.0
GENERATE = Path(__file__).with_name("generate.py")
_COPIES = Path(__file__).with_name("copies.py")
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
    tell("generating a pair of LitBank's shape")
    directory = bench.directory / "generated"
    # In a process of its own: see the note on NumPy and memory in `measure`.
    run(Command.of("generate", sys.executable, GENERATE, directory), bench.directory)
    return Pair("generated", directory / "key.conll", directory / "response.conll")


def copies(bench: Bench, pair: Pair, times: int) -> Pair:
    """Write a pair so many times over, into a directory of its own."""
    tell(f"{pair.title} times {times}")
    directory = bench.directory / f"copies_{times}"
    directory.mkdir(exist_ok=True)
    words = (sys.executable, _COPIES, pair.key, pair.response, directory, str(times))
    run(Command.of("copies", *words), bench.directory)
    title = f"{pair.title} x{times}"
    return Pair(title, directory / "key.conll", directory / "response.conll")


def beside_wc(bench: Bench, pair: Pair) -> Section:
    """Compare scoring a pair with counting its words."""
    words, ours = bench.measure(wc(pair), scoref(pair))
    return Section(
        title=f"A LitBank-sized pair ({pair.title}, {pair.megabytes:.1f} MB)",
        rows=(Row(words, pair.megabytes), Row(ours, pair.megabytes)),
        remarks=(verdict(ours.against(words), _WC_TARGET),),
    )


def all_metrics(bench: Bench, pair: Pair) -> Section:
    """Compare all metrics, some of which require words, with the default ones."""
    every = [part for name in EVERY_METRIC for part in ("-m", name)]
    name = f"scoref score, {len(EVERY_METRIC)} metrics"
    ours, more = bench.measure(scoref(pair), scoref(pair, name, *every))
    return Section(
        title=f"All metrics ({pair.title})",
        rows=(Row(ours, pair.megabytes), Row(more, pair.megabytes)),
        remarks=(verdict(more.against(ours), _ALL_TARGET),),
    )


def clusterings(bench: Bench, pair: Pair) -> Section:
    """Compare the metrics of clusterings with the eight default ones."""
    names = [part for name in CLUSTERINGS for part in ("-m", name)]
    title = f"scoref score, {len(CLUSTERINGS)} metrics of clusterings"
    ours, more = bench.measure(scoref(pair), scoref(pair, title, *names))
    return Section(
        title=f"Metrics of clusterings ({pair.title})",
        rows=(Row(ours, pair.megabytes), Row(more, pair.megabytes)),
        remarks=(verdict(more.against(ours), _CLUSTERINGS_TARGET),),
    )


def slices(bench: Bench, pair: Pair) -> Section:
    """Compare scores, intervals and tests of twenty slices with one score."""
    program = Path(sys.executable).with_name("scoref")
    by = [f"--by={field}" for field in ("entity_size", "length", "depth", "nested")]

    def of(meaning: str) -> Command:
        options = (*by, f"--meaning={meaning}")
        return Command.of(
            f"slices, {meaning}", program, "slices", pair.key, pair.response, *options
        )

    once, *found = bench.measure(scoref(pair), of("alone"), of("share"))
    return Section(
        title=f"Twenty slices by eight metrics ({pair.title})",
        rows=tuple(Row(one) for one in (once, *found)),
        remarks=tuple(verdict(one.against(once), _SLICES_TARGET) for one in found),
    )


def practices(bench: Bench, pair: Pair) -> Section:
    """Compare a sweep of all practices of cross-document coreference with one of them."""
    program = Path(sys.executable).with_name("scoref")
    metrics = ("-m", "muc,b3,ceafe,lea,conll")
    one = scoref(pair, "scoref score --unit corpus", "--unit", "corpus", *metrics)
    sweep = Command.of("scoref sweep, 8 practices", program, "sweep", pair.key, pair.response)
    alone, swept = bench.measure(one, sweep)
    return Section(
        title=f"Practices across documents ({pair.title})",
        rows=(Row(alone, pair.megabytes), Row(swept, pair.megabytes)),
        remarks=(verdict(swept.against(alone), _PRACTICES_TARGET),),
    )


def readers(bench: Bench, pair: Pair) -> Section:
    """Read a key in every format that can be written, beside counting its words as CoNLL."""
    pair = pair if bench.quick else copies(bench, pair, _READ_TIMES)
    directory = bench.directory / "formats"
    directory.mkdir()
    program = Path(sys.executable).with_name("scoref")
    for name, suffix in READ.items():
        convert = (program, "convert", pair.key, "-o", directory / f"{name}{suffix}", "--to", name)
        run(Command.of("convert", *convert), bench.directory)
    labels = (sys.executable, "-m", "benchmarks.labels", pair.key, directory / "csv-labels.csv")
    run(Command.of("labels", *labels), ROOT)
    (counted,) = bench.measure(Command.of("wc -lw", "wc", "-lw", pair.key))
    found = run_inside("readers", str(directory), bench.rounds)
    # A table takes less room as Parquet, but is as much work.
    same = {"parquet.parquet": "csv.csv"}
    sizes = [_megabytes(directory / same.get(one.name, one.name)) for one in found]
    rows = [Row(counted, _megabytes(pair.key)), *map(Row, found, sizes)]
    slow = [
        f"{one.name} ({size / one.cpu:.0f})"
        for one, size in zip(found, sizes, strict=True)
        if size / one.cpu < _MB_PER_SECOND
    ]
    wanted = f"at least {_MB_PER_SECOND} MB/s wanted"
    return Section(
        title=f"Readers (the key of {pair.title} in several formats)",
        rows=tuple(rows),
        remarks=(
            f"{wanted}: {'missed by ' + ', '.join(slow) if slow else 'met by all'}",
            "the size of Parquet is that of the same table as CSV",
        ),
    )


def _megabytes(path: Path) -> float:
    return path.stat().st_size / 1e6


def beside_numpy(bench: Bench, tiny: Pair) -> Section:
    """Compare scoring almost nothing with loading NumPy, which scoring cannot do without."""
    numpy = Command.of('python -c "import numpy"', sys.executable, "-c", "import numpy")
    start, ours = bench.measure(numpy, scoref(tiny))
    return Section(
        title="A tiny pair (2 documents, 20 tokens)",
        rows=(Row(start), Row(ours)),
        remarks=(verdict(ours.against(start), _NUMPY_TARGET),),
    )


def wc(pair: Pair, name: str = "wc -lw") -> Command:
    """Count the lines and words of a pair."""
    return Command.of(name, "wc", "-lw", pair.key, pair.response)
