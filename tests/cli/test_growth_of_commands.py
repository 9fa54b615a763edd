"""Time of every command grows linearly: four times the mentions take at most eight times as long.

The time is the CPU time of the command, without starting Python. Every policy and every condition
of `--where` is a command here, and so is every format and markup that is written.
"""

from __future__ import annotations

import time
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple

import pytest

from scoref.cli import COMMANDS, main
from scoref.formats.registry import MODULES, find_format
from scoref.policy import Policy
from tests.growing import FAMILIES, write

MENTIONS = 1000
LEAST_SECONDS = 0.05
"""What is faster than this is not compared: it is the noise of the clock."""

_FEW = "--trials 200"
SCORES = [
    "-m all",
    "--per-document --to json",
    f"--intervals {_FEW}",
    "-m lmuc,lb3,lceafm,lceafe --types words",
    "-m arcs --types columns",
    "-m mor",
    "-m ceaf(overlap=dice)",
    "-m vmeasure(mentions=shared),vi(mentions=shared),ami(mentions=shared)",
    "-m merge_distance(mentions=shared),purity,closest,exact_entity,fowlkes_mallows",
    "-m b3(extended) --duplicates keep",
    *(f"--where {one}" for one in ("type=pronoun", "entity_size>5", "distance<3", "length=1")),
    *(f"--where {one}" for one in ("nested=no", "document=d0", "document_length<500")),
]
POLICIES = [
    "--match head", "--match partial", "--match min", "--match mina", "--match overlap=0.5",
    "--match partial-craft",
    "--zeros linear", "--unit corpus", "--unit topic", "--unit column=10", "--singletons drop",
    "--duplicates first", "--missing-documents error", "--extra-documents ignore",
    "--undefined skip", "--types words", "--average macro", "--split-antecedents score",
    "--positions own-tokens", "--pair-documents similar", "--compat corefud-1.2", "--compat e2e",
    "--nested drop", "--verb-phrases drop", "--repair drop-brackets", "--check-words always",
    "--window 50", "--window 50:20", "--window 3s", "--window 50 --compat bookcoref-window",
]  # fmt: skip
"""A value of each policy that is not the default. `align` tries those of generated text."""

OTHERS = [
    "count K R",
    f"compare K R S {_FEW}",
    f"compare K a=R b=S c=R d=S {_FEW} --details",
    f"gate K S R {_FEW}",
    "power K R S",
    "agreement K R S",
    "stress K R",
    "errors K R",
    "errors K R --mode kk2013",
    "errors K R --to jsonl",
    "errors K R --show d0",
    "seams K R --window 50",
    "slices K R --by entity_size --by document_length --by depth -m conll",
    "slices K R S --by length --meaning share",
    "slices K R --preset chains -m conll",
    "curves K R",
    "sweep K R",
    "sweep K R S -m muc,b3",
    "stitch K R -o OUT.conll",
    "estimate K R --missing singleton",
    "sample K -n 100 --by entity",
    "sample K -n 100 --by size --pilot R",
    "explain K R",
    "explain K R --top 0 --to json",
    "report K R S -o OUT.html",
    "report K R -o OUT.html --with-text",
    "stats K",
    "validate K",
    "validate --fix K --diff",
    "official all K R none",
    *(f"baseline {kind} K -o OUT.conll" for kind in ("one-entity", "string-match", "head-match")),
]
WRITTEN = [
    *(name for name in MODULES if find_format(name).write is not None),
    *("crac", "crac-json", "markdown", "brackets", "xml", "quotes"),
]
CASES = [
    *(f"score K R {flags}" for flags in ("", *SCORES, *POLICIES)),
    *OTHERS,
    *(f"convert K -o OUT --to {name} --force" for name in WRITTEN),
    *(f"align K {markup}" for markup in ("crac", "brackets", "xml")),
]


class Run(NamedTuple):
    """The CPU time of a command, and its exit code."""

    seconds: float
    code: int


def run(command: str, family: str, n: int, folder: Path) -> Run:
    """Write a corpus, and run a command on it."""
    folder.mkdir()
    key, response = write(FAMILIES[family](n), folder)
    second = folder / "second.conll"
    second.write_bytes(key.read_bytes())
    names = {"K": key, "R": response, "S": second, "OUT": folder / "made.jsonl"}
    names |= {"OUT.html": folder / "made.html", "OUT.conll": folder / "made.conll"}
    words = command.split()
    if words[0] == "align":
        markup, made = words.pop(), folder / "text.jsonl"
        assert main(["convert", str(response), "-o", str(made), "--to", markup]) == 0
        words += [str(made), "-o", str(folder / "aligned.conll"), "--markup", "auto"]
    parts = (word.rpartition("=") for word in words)
    arguments = [f"{a}{b}{names.get(c, c)}" for a, b, c in parts]
    start = time.process_time()
    code = main(arguments)
    return Run(time.process_time() - start, code)


def assert_linear(command: str, family: str, folder: Path) -> None:
    """Compare two sizes; what a command refuses at both sizes has no time."""
    times = []
    for times_as_many in (1, 4):
        n = times_as_many * MENTIONS
        seconds, code = run(command, family, n, folder / str(times_as_many))
        assert code in (0, 1, 2, 3)
        times.append(seconds)
    if times[1] > 8 * max(times[0], LEAST_SECONDS):  # once more: other programs disturb
        again = run(command, family, 4 * MENTIONS, folder / "again").seconds
        times[1] = min(times[1], again)
    assert times[1] <= 8 * max(times[0], LEAST_SECONDS), times


def test_every_command_and_policy_is_tried() -> None:
    """All commands that read corpora, and all policies."""
    tried = {command.split()[0] for command in CASES}
    without_corpora = {"metrics", "papers", "completion", "playground", "view"}
    assert tried == {*COMMANDS} - without_corpora
    flags = {word for flags in POLICIES + SCORES for word in flags.split() if word[:2] == "--"}
    of_policies = {f"--{field.name.replace('_', '-')}" for field in fields(Policy)}
    assert of_policies - flags == {"--markup", "--unclosed-tags"}  # those of `align`


@pytest.mark.usefixtures("capsys")
@pytest.mark.parametrize(
    ("number", "command"),
    [
        (number, command)
        for number, command in enumerate(CASES)
        if number % 7 == 0 or command.startswith(("errors K R --show", "official"))
    ],
)
def test_a_sample_grows_linearly(number: int, command: str, tmp_path: Path) -> None:
    """Each command with another kind of corpus."""
    assert_linear(command, [*FAMILIES][number % len(FAMILIES)], tmp_path)


@pytest.mark.long
@pytest.mark.usefixtures("capsys")
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("command", CASES)
def test_time_grows_linearly(command: str, family: str, tmp_path: Path) -> None:
    """Every command with every kind of corpus."""
    assert_linear(command, family, tmp_path)
