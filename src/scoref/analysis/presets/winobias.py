"""WinoBias: occupations and pronouns that agree with stereotypes, and that contradict them.

Zhao, Wang, Yatskar, Ordonez & Chang (2018). The sentences of type 1 and of type 2 each exist with a
pronoun that agrees with the stereotype (pro) and with one that contradicts it (anti). Each part is
scored as a corpus of its own. The average of pro and anti is the quality of a system, and their
difference is its bias.

A document states its part in its name, as `nw/dev_type1/stereotype//0` and
`nw/dev_type1/not_stereotype//0` do; else the file of the key does, such as
`dev_type1_anti_stereotype.v4_auto_conll`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Unpack

import numpy as np

from scoref.analysis.presets.preset_scores import PresetScores
from scoref.base.phrases import counted
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.matching.inputs import Input, OneOrTwo, ReadOptions
from scoref.matching.same_text import AUTO, Checks
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.policy import Policy, PolicyLike, PolicyOptions
from scoref.scoring import score_with

_SIDES = ("pro", "anti")
_METRICS = ("muc", "b3", "ceafe", "lea", "conll")
_TYPE = re.compile(r"(?:(?<![a-z])(dev|test)[_-]?)?type[ _-]?([12])(?![0-9])")
_SIDE = re.compile(
    r"(?<![a-z])(?:((?:not|anti)[_-]?stereotyped?|anti)|(?:pro[_-]?)?stereotyped?|pro)(?![a-z])"
)

Part = tuple[str, str]
"""The dataset, such as `dev type1`, and the side."""


def winobias(
    pairs: Sequence[tuple[Input, Input]],
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
    *,
    encoding: OneOrTwo = None,
    check_words: Checks = AUTO,
    **choices: Unpack[PolicyOptions],
) -> PresetScores:
    """Return the F1 of pro and anti, their average and difference: a table per type of sentences.

    The column `dropped` counts the documents of the key in which the response has no mention. The
    other parameters are those of `score`.

    * `pairs`: Key and response of each part, or one pair with the documents of several parts, such
      as two directories.
    * `metrics`: By default MUC, B³, CEAFe, LEA and the CoNLL average.
    """
    chosen, policy = find_metrics(metrics or _METRICS, "this preset"), Policy.of(policy, **choices)
    detection = find_metrics(["mentions"])
    every = (*chosen, *(one for one in detection if one not in chosen))
    reading = ReadOptions.under(policy, format, encoding, check_words)
    results = [score_with(key, response, every, policy, reading) for key, response in pairs]
    found: dict[Part, list[Counts]] = {}
    for result in results:
        names = [_part(document, result.key.source) for document in result.counts.units]
        for part in dict.fromkeys(names):
            rows = np.flatnonzero([name == part for name in names])
            found.setdefault(part, []).append(result.counts.where(rows))
    tables: dict[str, dict[str, dict[str, float]]] = {}
    for dataset, side in sorted(found, key=lambda part: (part[0], _SIDES.index(part[1]))):
        tables.setdefault(dataset, {})[side] = _score(found[dataset, side], chosen, policy)
    for sides in tables.values():
        if len(sides) == len(_SIDES):
            f1 = {one.name: [sides[side][one.name] for side in _SIDES] for one in chosen}
            sides["average"] = {name: (pro + anti) / 2 for name, (pro, anti) in f1.items()}
            sides["difference"] = {name: pro - anti for name, (pro, anti) in f1.items()}
    notes = dict.fromkeys(note for result in results for note in result.notes)
    notes |= dict.fromkeys(_part_notes(tables))
    signatures = dict.fromkeys(result.signature for result in results)
    return PresetScores("winobias", tables, {}, tuple(notes), tuple(signatures))


def _part(document: str, source: str) -> Part:
    """Return the part that a document or its file states."""
    names = document.lower(), PurePath(source).name.lower()
    kind, side = (
        pattern.search(names[0]) or pattern.search(names[1]) for pattern in (_TYPE, _SIDE)
    )
    if kind and side:
        return " ".join(filter(None, (kind[1], f"type{kind[2]}"))), _SIDES[bool(side[1])]
    raise UsageError(
        f"document {document} of {source} does not state its part of WinoBias, expected a name such"
        " as nw/dev_type1/not_stereotype//0, or a key such as dev_type1_anti.conll",
        "name each file of the key after its part: type1 or type2, and pro or anti",
    )


def _score(
    several: Sequence[Counts], metrics: Sequence[Metric], policy: Policy
) -> dict[str, float]:
    """Return the F1 of the documents of several pairs of files, and their numbers."""
    units = tuple(unit for one in several for unit in one.units)
    if len(set(units)) < len(units):
        twice = f"document {units[0]} and others are in two pairs of files"
        raise UsageError(twice, "name each pair once")
    rows = {name: np.concatenate([one.rows[name] for one in several]) for name in several[0].rows}
    counts = Counts(units, several[0].metrics, rows)
    f1 = {one.name: float(counts.scores(one, policy)[2]) for one in metrics}
    dropped = int(np.count_nonzero(rows["mentions"][:, 3] == 0))
    return {**f1, "documents": len(units), "dropped": dropped}


def _part_notes(tables: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Iterator[str]:
    """Note documents without a response, and datasets of which a side is missing."""
    for dataset, rows in tables.items():
        sides = {side: rows[side] for side in _SIDES if side in rows}
        for side, row in sides.items():
            if row["dropped"]:
                of = f"{row['dropped']:,} of {counted(int(row['documents']), 'document')}"
                yield f"{dataset} {side}: the response has no mention in {of}"
        if len(sides) < len(_SIDES):
            yield f"{dataset} has only {next(iter(sides))} documents: no average and no difference"
