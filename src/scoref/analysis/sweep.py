"""sweep(): the scores of an output under all practices of cross-document coreference.

A practice is a level that links may not cross (documents, subtopics, topics, the corpus), whether
singletons are kept or dropped, and whether all mentions are scored or only those that both sides
have. Cattan et al. (2021) show that the same output differs by 20 points and more between them.

A row of all mentions is what `score` returns with the unit and the singletons of its practice. Both
sides are read once. Detection is the score of mentions. Linking alone is the score of shared
mentions: mentions of one side only are removed first, and singletons are those that remain. So with
given mentions, shared mentions are all mentions.

Links are compared inside and across documents: how many of their pairs are found and right, and
what their repair would gain, as in `seams`, with documents in place of windows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import NamedTuple, Unpack

import numpy as np

from scoref.analysis.levels import COLUMNS, TOPIC, Level, find_levels
from scoref.analysis.seams import ACROSS, INSIDE, gains_of_repairs, scores_of
from scoref.base.arrays import Floats
from scoref.base.progress import progress
from scoref.base.viewed import Tabular
from scoref.corpus.corpus import Corpus
from scoref.exceptions import UsageError
from scoref.matching.alignment import Alignment
from scoref.matching.document_pairing import find_key_documents, rename_similar_documents
from scoref.matching.inputs import Input, OneOrTwo, ReadOptions, as_corpus
from scoref.matching.pipeline import Prepared, prepare
from scoref.matching.regrouping import units_in_key, without_notes_on_units
from scoref.matching.requirements import CORPUS, Requirements
from scoref.matching.same_text import AUTO, NEVER, Checks
from scoref.matching.windows import cut_entities
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.partition import PAIRWISE
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy, PolicyLike, PolicyOptions
from scoref.policy.capabilities import SWEEP, require
from scoref.policy.policy import Keep
from scoref.result import Score

METRICS = ("muc", "b3", "ceafe", "lea", "conll")
KEEP: Keep = "keep"
DROP: Keep = "drop"
SINGLETONS = (KEEP, DROP)
EVERY, SHARED = MENTIONS = ("all", "shared")
_DETECTED = "mentions"
_DETECTION = find_metrics([_DETECTED])
_PART = "part"  # the attribute with the document of a mention, while documents are merged


class Practice(NamedTuple):
    """A way to score: a level, singletons (keep or drop) and mentions (all or shared)."""

    level: Level
    singletons: str
    mentions: str

    @property
    def name(self) -> str:
        """The practice as a user names it, such as `topic/drop/all`."""
        return f"{self.level.name}/{self.singletons}/{self.mentions}"


class SweptScore(NamedTuple):
    """The scores of a system under a practice; shared mentions have no detection."""

    system: str
    practice: Practice
    detection: Score | None
    scores: dict[str, Score]
    signature: str


class LinkPrices(NamedTuple):
    """Links of a system at the largest level, inside and across the parts of the smallest one.

    `links` are pairs of mentions of one entity: their number in the key and in the response, and
    recall, precision and F1.
    """

    links: dict[str, tuple[int, int, Score]]
    scores: dict[str, Score]
    gains: dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Sweep(Tabular):
    """All scores, the practice that was chosen, and the prices of links by system."""

    swept: tuple[SweptScore, ...]
    chosen: Practice
    prices: dict[str, LinkPrices]
    signature: str
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        practices = len(self.practices)
        return f"<Sweep: {len(self.systems)} systems, {practices} practices>"

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(dict.fromkeys(one.system for one in self.swept))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(self.swept[0].scores)

    @property
    def practices(self) -> tuple[Practice, ...]:
        """All practices, from small to large levels."""
        return tuple(dict.fromkeys(one.practice for one in self.swept))

    def of(self, system: str) -> dict[Practice, SweptScore]:
        """Return the scores of a system by practice."""
        return {one.practice: one for one in self.swept if one.system == system}

    def range(self, system: str) -> dict[str, tuple[float, float]]:
        """Return the lowest and the highest F1 of each metric over all practices."""
        found = {}
        for metric in self.metrics:
            f1 = self._f1(system, metric)
            found[metric] = float(np.fmin.reduce(f1)), float(np.fmax.reduce(f1))
        return found

    def reversals(self, metric: str) -> list[tuple[str, str, int, int]]:
        """Return pairs of systems that some practices order differently.

        A pair comes with the number of practices under which the first is better, and the second.
        """
        found = []
        for one, other in combinations(self.systems, 2):
            difference = self._f1(one, metric) - self._f1(other, metric)
            better, worse = int(np.sum(difference > 0)), int(np.sum(difference < 0))
            if better and worse:
                found.append((one, other, better, worse))
        return found

    def _f1(self, system: str, metric: str) -> Floats:
        return np.array([one.scores[metric].f1 for one in self.of(system).values()])


def sweep(
    key: Input,
    systems: Mapping[str, Input] | Input,
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
    *,
    practice: str | None = None,
    encoding: OneOrTwo = None,
    check_words: Checks = AUTO,
    **choices: Unpack[PolicyOptions],
) -> Sweep:
    """Score systems under all practices of cross-document coreference.

    * `systems`: A response, or responses by name: `{"base": "base.conll"}`.
    * `metrics`: MUC, B³, CEAFe, LEA and CoNLL by default.
    * `practice`: The practice of the paper, as `LEVEL`, `LEVEL/keep` or `LEVEL/drop/shared`. By
      default links may cross the documents of a topic, or those of the corpus if there are no
      topics, without singletons, over all mentions.

    The other parameters are those of `score`. The practices choose `unit` and `singletons`.
    """
    metrics = find_metrics(METRICS if metrics is None else metrics, SWEEP)
    policy = Policy.of(policy, **choices)
    require(policy, SWEEP)
    options = ReadOptions.under(policy, format, encoding, check_words)
    reading = Requirements.of((*_DETECTION, *metrics), policy, options)
    columns = reading.of_key | reading.of_response | {*COLUMNS}
    key = as_corpus(key, "key", options, columns).enable_cache()
    every = find_levels(key)
    marked = _mark_documents(key, key, every[0], policy)
    chosen = _parse_practice(practice, every)
    named = systems if isinstance(systems, Mapping) else {"response": systems}
    if not named:
        raise UsageError("found no response", "pass a response, or responses by name")
    swept: list[SweptScore] = []
    prices: dict[str, LinkPrices] = {}
    notes: list[str] = []
    with progress("scoring practices", len(named) * len(every) * len(SINGLETONS)) as advance:
        for name, source in named.items():
            response = as_corpus(source, "response", options, columns)
            pair = marked, _mark_documents(key, response, every[0], policy)
            for level, singletons in product(every, SINGLETONS):
                of_practice = replace(policy, unit=level.unit, singletons=singletons)
                found = prepare(*pair, reading._replace(policy=of_practice))
                reading = reading._replace(options=options._replace(check_words=NEVER))
                whole, summary = found.alignment, found.summary
                if singletons == KEEP:
                    linking = whole.where((whole.key != NOWHERE) & (whole.res != NOWHERE))
                    notes += (*summary.words, *summary.near_misses)
                    notes += without_notes_on_units(summary.response.notes)
                    if level == every[-1]:
                        notes += without_notes_on_units(found.notes)
                        prices[name] = _price(found, every[0], metrics)
                else:
                    linking = _without_singletons(linking)
                for mentions, rows in ((EVERY, whole), (SHARED, linking)):
                    one = Practice(level, singletons, mentions)
                    swept.append(_score(name, one, found._replace(alignment=rows), metrics))
                advance(1)
            reading = reading._replace(options=options)
    signature = next(one.signature for one in swept if one.practice == chosen)
    return Sweep(tuple(swept), chosen, prices, signature, tuple(dict.fromkeys(notes)))


def _parse_practice(practice: str | None, levels: Sequence[Level]) -> Practice:
    """Return the practice that a user names, or the default."""
    names = [level.name for level in levels]
    default = TOPIC if TOPIC in names else CORPUS
    level, singletons, mentions, *more = [*(practice or default).split("/"), "", ""][:4]
    singletons, mentions = singletons or DROP, mentions or EVERY
    known = level in names and singletons in SINGLETONS and mentions in MENTIONS
    if not known or any(more):
        raise UsageError(
            f"unknown practice {practice!r}",
            f"write LEVEL/SINGLETONS/MENTIONS: one of {', '.join(names)}; keep or drop; all or"
            " shared",
        )
    return Practice(levels[names.index(level)], singletons, mentions)


def _mark_documents(key: Corpus, corpus: Corpus, level: Level, policy: Policy) -> Corpus:
    """Return a side with the document of each mention, by the smallest level, as the key counts."""
    if policy.pair_documents == "similar":
        corpus = rename_similar_documents(key, corpus)
    part = units_in_key(key, corpus, find_key_documents(key, corpus), level.unit)
    return replace(corpus, attributes={**corpus.attributes, _PART: part}).enable_cache()


def _score(
    system: str, practice: Practice, prepared: Prepared, metrics: Sequence[Metric]
) -> SweptScore:
    """Score what is prepared for a practice."""
    scores = scores_of(prepared.alignment, (*_DETECTION, *metrics), prepared.policy)
    detection = scores[_DETECTED] if practice.mentions == EVERY else None
    of_metrics = {metric.name: scores[metric.name] for metric in metrics}
    return SweptScore(system, practice, detection, of_metrics, prepared.signature)


def _without_singletons(alignment: Alignment) -> Alignment:
    """Drop the singletons of each side from an alignment."""
    sides = []
    for entity in (alignment.key, alignment.res):
        present = entity != NOWHERE
        size = np.append(np.bincount(entity[present]), 0)  # NOWHERE is the last
        sides.append(np.where(size[entity] > 1, entity, NOWHERE))
    found = replace(alignment, key=sides[0], res=sides[1])
    return found.where((sides[0] != NOWHERE) | (sides[1] != NOWHERE))


def _price(prepared: Prepared, level: Level, metrics: Sequence[Metric]) -> LinkPrices:
    """Compare links inside and across the parts of the smallest level, and repair each of them."""
    parts = "the corpus" if level.unit == CORPUS else f"{level.name}s"
    names = {name: f"links {name.split()[1]} {parts}" for name in (INSIDE, ACROSS)}
    whole, policy = prepared.alignment, prepared.policy
    part = whole.column(_PART)
    if part is None:  # neither side has a mention
        part = np.zeros(len(whole.unit), dtype=np.int64)
    cut = replace(
        whole,
        units=tuple(map(str, range(1 + int(part.max(initial=0))))),
        unit=part.astype(np.int64),
        key=cut_entities(whole.key, part),
        res=cut_entities(whole.res, part),
    )
    scores = scores_of(whole, metrics, policy)
    gains = gains_of_repairs(whole, cut, scores, metrics, policy)
    inside, every = (PAIRWISE.count(one.table()).sum(axis=0) for one in (cut, whole))
    links = {}
    for name, pairs in ((INSIDE, inside), (ACROSS, every - inside)):
        score = Score(*PAIRWISE.scores(pairs, policy.undefined).tolist())
        links[names[name]] = int(pairs[1]), int(pairs[3]), score
    return LinkPrices(links, scores, {names.get(name, name): one for name, one in gains.items()})
