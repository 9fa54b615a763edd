"""Other scorers on the same pair, where they are found."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from benchmarks.jobs import GUM, Bench, Pair, scoref
from benchmarks.measure import Command, CommandError, Measurement, measure, run, tell, total
from benchmarks.report import Row, Section

_REFERENCE = "SCOREF_REFERENCE_SCORER"
_COVAL = "SCOREF_COVAL"
_COREFUD = "SCOREF_COREFUD"
_COREFUD_TARGET = 30
_METRICS = ("muc", "bcub", "ceafm", "ceafe")
_SLOW_METRICS = ("blanc",)


class Peer(NamedTuple):
    """Another scorer: its commands for a pair, or none where it is not found."""

    name: str
    hint: str
    commands: Callable[[Bench, Pair], list[Command]]


def beside_peers(bench: Bench, pair: Pair, tiny: Pair) -> Section:
    """Compare scoref with every other scorer that is found."""
    usable: list[Peer] = []
    remarks = ["scoref score computes all of its default metrics in one run"]
    for peer in PEERS:
        if problem := _try_out(bench, peer, tiny):
            remarks.append(problem)
        else:
            usable.append(peer)
    rows = tuple(Row(measured, pair.megabytes) for measured in _measure(bench, usable, pair))
    return Section(
        title=f"Other scorers ({pair.title}, {pair.megabytes:.1f} MB, rounds: {bench.peer_rounds})",
        rows=rows,
        remarks=tuple(remarks),
    )


def _measure(bench: Bench, peers: list[Peer], pair: Pair) -> Iterator[Measurement]:
    """Yield what scoref costs, then each scorer, with a sum if it takes several commands."""
    if not peers:
        return
    jobs = [peer.commands(bench, pair) for peer in peers]
    # Trying them out has warmed them up, and some take a minute.
    measured = iter(
        measure(
            [scoref(pair), *chain.from_iterable(jobs)],
            bench.peer_rounds,
            bench.directory,
            warm_up=False,
        )
    )
    yield next(measured)
    for peer, commands in zip(peers, jobs, strict=True):
        parts = list(islice(measured, len(commands)))
        yield from parts
        if len(parts) > 1:
            yield total(f"{peer.name}, all of these", parts)


def _try_out(bench: Bench, peer: Peer, tiny: Pair) -> str:
    """Run a scorer on the tiny pair, and return what is wrong with it."""
    commands = peer.commands(bench, tiny)
    if not commands:
        return f"{peer.name} was not found: {peer.hint}"
    tell(f"trying out {peer.name}")
    try:
        for command in commands:
            run(command, bench.directory)
    except CommandError as error:
        return f"{peer.name} does not work here: {error}"
    return ""


def _reference(bench: Bench, pair: Pair) -> list[Command]:
    if not (checkout := os.environ.get(_REFERENCE)):
        return []
    program = Path(checkout).resolve() / "scorer.pl"
    metrics = _METRICS if bench.quick else (*_METRICS, *_SLOW_METRICS)
    return [
        Command.of(
            f"reference scorer, {metric}", "perl", program, metric, pair.key, pair.response, "none"
        )
        for metric in metrics
    ]


def _coval(_: Bench, pair: Pair) -> list[Command]:
    if not (checkout := os.environ.get(_COVAL)):
        return []
    # Python finds the package beside the script; the environment need not name it.
    program = Path(checkout).resolve() / "scorer.py"
    return [Command.of("coval", sys.executable, program, pair.key, pair.response)]


def _scorch(bench: Bench, pair: Pair) -> list[Command]:
    """Convert both sides, since scorch reads a directory of JSON files, and score them."""
    if not find_spec("scorch"):
        return []
    key, response = (bench.directory / "scorch" / pair.title / side for side in ("key", "response"))
    for side in (key, response):
        side.mkdir(parents=True, exist_ok=True)
    convert = (sys.executable, "-m", "scorch.conll")
    score = str(Path(sys.executable).with_name("scorch"))
    steps = (
        (*convert, str(pair.key), str(key)),
        (*convert, str(pair.response), str(response)),
        (score, str(key), str(response)),
    )
    return [Command("scorch, with conversion", steps)]


def _coreference_eval(bench: Bench, pair: Pair) -> list[Command]:
    """Score JSON lines, which are written beforehand: it reads nothing else."""
    if not find_spec("corefeval"):
        return []
    program = Path(sys.executable).with_name("scoref")
    written = []
    for path in (pair.key, pair.response):
        target = bench.directory / f"{pair.title.replace(' ', '_')}_{path.stem}.jsonl"
        run(Command.of("convert", program, "convert", path, "-o", target), bench.directory)
        written.append(target)
    key, response = written
    words = (sys.executable, "-m", "corefeval", "-g", key, "-p", response)
    return [Command.of("coreference-eval (muc, b3, ceafe, lea), from JSON lines", *words)]


def beside_corefud(bench: Bench) -> Section:
    """Compare scoref with corefud-scorer on CorefUD files, mentions matched by their heads."""
    key, response = GUM / "gum.key.conllu", GUM / "xrenner.response.conllu"
    checkout = os.environ.get(_COREFUD)
    if not key.exists() or not checkout:
        missing = f"{_COREFUD} can name a checkout" if key.exists() else "the files are not here"
        return Section(title="CorefUD", rows=(), remarks=(f"not measured: {missing}",))
    program = Path(checkout).resolve() / "corefud-scorer.py"
    pair = Pair("GUM", key, response)
    every = ("-m", "all", "-s", "--", key, response)
    commands = [
        scoref(pair, "scoref score --match head", "--match", "head"),
        Command.of("corefud-scorer, its metrics", sys.executable, program, *every),
    ]
    ours, theirs = measure(commands, bench.peer_rounds, bench.directory)
    times = theirs.against(ours)
    met = "met" if times.median >= _COREFUD_TARGET else "missed"
    return Section(
        title=f"CorefUD (GUM, 70 documents, {pair.megabytes:.1f} MB)",
        rows=(Row(ours, pair.megabytes), Row(theirs, pair.megabytes)),
        remarks=(f"at least {_COREFUD_TARGET} times faster wanted, measured {times}: {met}",),
    )


PEERS = (
    Peer("reference scorer", f"{_REFERENCE} can name a checkout", _reference),
    Peer("coval", f"{_COVAL} can name a checkout", _coval),
    Peer("scorch", "`pip install scorch` adds it", _scorch),
    Peer("coreference-eval", "`pip install coreference-eval` adds it", _coreference_eval),
)
