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
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Unpack

import numpy as np

from scoref.analysis.presets.answers import PresetScores, PresetTable
from scoref.base.phrases import counted
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.matching.inputs import Input, OneOrTwo, ReadOptions
from scoref.matching.same_text import AUTO, Checks
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.policy import Policy, PolicyLike, PolicyOptions
from scoref.result import Score
from scoref.scoring import score_with

_SIDES = ("pro", "anti")
_METRICS = ("muc", "b3", "ceafe", "lea", "conll")
_TYPE = re.compile(r"(?:(?<![a-z])(dev|test)[_-]?)?type[ _-]?([12])(?![0-9])")
_SIDE = re.compile(
    r"(?<![a-z])(?:((?:not|anti)[_-]?stereotyped?|anti)|(?:pro[_-]?)?stereotyped?|pro)(?![a-z])"
)


class WinoBiasPart(NamedTuple):
    """The scores of the documents of one part, such as `dev type1` and `pro`.

    `dropped` documents are those of the key in which the response has no mention at all.
    """

    dataset: str
    side: str
    scores: dict[str, Score]
    documents: int
    dropped: int


@dataclass(frozen=True, slots=True, eq=False)
class WinoBiasScores(PresetScores):
    """The scores of each part, and the average and difference of pro and anti.

    * `parts`: The parts, each with `dataset`, `side`, `scores`, `documents` and `dropped`.
    * `signatures`: The signatures of the pairs of files.
    * `notes`: What a user should know about the data.
    """

    parts: tuple[WinoBiasPart, ...]
    signatures: tuple[str, ...]
    notes: tuple[str, ...]

    def f1(self) -> dict[str, dict[str, dict[str, float]]]:
        """Return the F1 of each dataset by `pro` and `anti`, their `average` and `difference`."""
        found: dict[str, dict[str, dict[str, float]]] = {}
        for part in self.parts:
            f1 = {name: score.f1 for name, score in part.scores.items()}
            found.setdefault(part.dataset, {})[part.side] = f1
        for rows in found.values():
            if len(rows) == len(_SIDES):
                pro, anti = (rows[side] for side in _SIDES)
                rows["average"] = {name: (pro[name] + anti[name]) / 2 for name in pro}
                rows["difference"] = {name: pro[name] - anti[name] for name in pro}
        return found

    def tables(self) -> Sequence[PresetTable]:
        """Return a table of F1 per dataset."""
        return [PresetTable(f"F1, {dataset}", rows) for dataset, rows in self.f1().items()]

    def remarks(self) -> Sequence[str]:
        """Return the signatures."""
        return self.signatures

    def content(self) -> dict[str, Any]:
        """Return F1 by dataset, and the scores of each part."""
        parts = [
            {**part._asdict(), "scores": {name: one._asdict() for name, one in part.scores.items()}}
            for part in self.parts
        ]
        return {"signatures": self.signatures, "f1": self.f1(), "parts": parts, "notes": self.notes}

    def __repr__(self) -> str:
        return f"<WinoBiasScores: {', '.join(f'{p.dataset} {p.side}' for p in self.parts)}>"


def winobias(
    pairs: Sequence[tuple[Input, Input]],
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
    *,
    encoding: OneOrTwo = None,
    check_words: Checks = AUTO,
    **choices: Unpack[PolicyOptions],
) -> WinoBiasScores:
    """Return the scores of each part of WinoBias, and the average and difference of pro and anti.

    The other parameters are those of `score`.

    * `pairs`: Key and response of each part, or one pair with the documents of several parts, such
      as two directories.
    * `metrics`: By default MUC, B³, CEAFe, LEA and the CoNLL average.
    """
    chosen, policy = find_metrics(metrics or _METRICS), Policy.of(policy, **choices)
    (mentions,) = find_metrics(["mentions"])
    every = [*chosen, *([] if mentions in chosen else [mentions])]
    found: dict[tuple[str, str], list[Counts]] = defaultdict(list)
    signatures, notes = [], dict[str, None]()
    for key, response in pairs:
        reading = ReadOptions.under(policy, format, encoding, check_words)
        result = score_with(key, response, tuple(every), policy, reading)
        signatures.append(result.signature)
        notes |= dict.fromkeys(result.notes)
        names = [_part(document, result.key.source) for document in result.counts.units]
        for part in dict.fromkeys(names):
            rows = np.flatnonzero([name == part for name in names])
            found[part].append(result.counts.where(rows))
    order = sorted(found, key=lambda part: (part[0], _SIDES.index(part[1])))
    parts = tuple(_score(part, found[part], chosen, policy) for part in order)
    notes |= dict.fromkeys(_part_notes(parts))
    return WinoBiasScores(parts, tuple(dict.fromkeys(signatures)), tuple(notes))


def _part(document: str, source: str) -> tuple[str, str]:
    """Return the dataset and the side that a document or its file states."""
    for name in (document.lower(), source.lower()):
        kind, side = _TYPE.search(name), _SIDE.search(name)
        if kind and side:
            return " ".join(filter(None, (kind[1], f"type{kind[2]}"))), _SIDES[bool(side[1])]
    raise UsageError(
        f"document {document} of {source} does not state its part of WinoBias, expected a name such"
        " as nw/dev_type1/not_stereotype//0, or a key such as dev_type1_anti.conll",
        "name each file of the key after its part: type1 or type2, and pro or anti",
    )


def _score(
    part: tuple[str, str], several: Sequence[Counts], metrics: Iterable[Metric], policy: Policy
) -> WinoBiasPart:
    """Return the scores of the documents of several pairs of files."""
    units = tuple(unit for one in several for unit in one.units)
    if len(set(units)) < len(units):
        twice = f"two pairs of files have the same documents of {' '.join(part)}"
        raise UsageError(twice, "name each pair once")
    rows = {name: np.concatenate([one.rows[name] for one in several]) for name in several[0].rows}
    counts = Counts(units, several[0].metrics, rows)
    scores = {one.name: Score(*counts.scores(one, policy).tolist()) for one in metrics}
    of_response = rows["mentions"][:, 3]
    return WinoBiasPart(*part, scores, len(units), int(np.count_nonzero(of_response == 0)))


def _part_notes(parts: Sequence[WinoBiasPart]) -> Iterator[str]:
    """Note documents without a response, and datasets of which one side is missing."""
    names = {part[:2] for part in parts}
    for dataset, side, _, documents, dropped in parts:
        if dropped:
            of = f"of {counted(documents, 'document')}"
            yield f"{dataset} {side}: the response has no mention in {dropped:,} {of}"
        (other,) = {*_SIDES} - {side}
        if (dataset, other) not in names:
            yield f"{dataset} has no {other} documents: no average and no difference"
