"""Scores under all practices: a row per practice, their range, and the prices of links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoref.analysis.levels import Level
from scoref.analysis.sweep import EVERY, KEEP, Practice, Sweep
from scoref.base.viewed import MetricName
from scoref.matching.requirements import CORPUS
from scoref.views.formatting import as_dicts, percent
from scoref.views.model import BaseView, Page, TableView
from scoref.views.seams import gains_table

_PLACE = ("level", "unit", "singletons", "mentions")
_FIELDS = ("recall", "precision", "f1")
_MARK = " *"


@dataclass(frozen=True, slots=True)
class SweepView(BaseView):
    """F1 by practice and metric with the range at the end; then links, and what they cost."""

    sweep: Sweep

    def page(self) -> Page:
        """Return the tables of each system, and the sentence for the paper."""
        tables: list[TableView] = []
        for system in self.sweep.systems:
            tables += [self._scores(system), self._links(system), self._gains(system)]
        remarks = [f"for the paper: {self.sentence(system)}" for system in self.sweep.systems]
        metric, practices = self._main, len(self.sweep.practices)
        for one, other, better, worse in self.sweep.reversals(metric):
            remarks.append(
                f"{one} is better than {other} in {metric} under {better} of {practices} practices,"
                f" and worse under {worse}"
            )
        return Page(tables=tables, remarks=remarks, signature=self.sweep.signature)

    @property
    def _main(self) -> str:
        """The metric of sentences: CoNLL, or the last one."""
        metrics = self.sweep.metrics
        return "conll" if "conll" in metrics else metrics[-1]

    def sentence(self, system: str) -> str:
        """Return a sentence that states the practice, the score and the range of a system."""
        chosen, metric = self.sweep.chosen, self._main
        score = self.sweep.of(system)[chosen].scores[metric]
        low, high = self.sweep.range(system)[metric]
        return (
            f"{system} has {metric} F1 {percent(score.f1, 2)} with {_in_words(chosen)}; under all"
            f" {len(self.sweep.practices)} practices, it ranges from {percent(low, 2)} to"
            f" {percent(high, 2)}"
        )

    def _scores(self, system: str) -> TableView:
        rows = []
        for practice, one in self.sweep.of(system).items():
            mark = _MARK if practice == self.sweep.chosen else ""
            found = percent(one.detection.f1, 2) if one.detection else ""
            f1 = (percent(score.f1, 2) for score in one.scores.values())
            level, singletons, mentions = practice
            rows.append([_named(level), singletons, f"{mentions}{mark}", found, *f1])
        ends = self.sweep.range(system).values()
        for name, at in (("lowest", 0), ("highest", 1)):
            rows.append([name, "", "", "", *(percent(one[at], 2) for one in ends)])
        total = ["range", "", "", "", *(percent(high - low, 2) for low, high in ends)]
        header = [
            "F1, level",
            "singletons",
            "mentions",
            "detection",
            *map(MetricName, self.sweep.metrics),
        ]
        return TableView(header, rows, total, left=3, title=self._title(system, "practices"))

    def _title(self, system: str, title: str) -> str:
        return title if len(self.sweep.systems) == 1 else f"{system}: {title}"

    def _links(self, system: str) -> TableView:
        rows = [
            [name, f"{key:,}", f"{response:,}", *(percent(value, 2) for value in score)]
            for name, (key, response, score) in self.sweep.prices[system].links.items()
        ]
        header = ["pairs of mentions", "key", "response", "recall", "precision", "F1"]
        return TableView(header, rows, title=self._title(system, "links"))

    def _gains(self, system: str) -> TableView:
        found = self.sweep.prices[system]
        level = self.sweep.practices[-1].level.name
        title = f"prices of losses ({level}, all mentions, with singletons)"
        return gains_table(found.scores, found.gains, self._title(system, title))

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per system, practice and metric."""
        yield ["system", *_PLACE, "metric", *_FIELDS]
        for one in self.sweep.swept:
            place = [one.system, *_practice(one.practice).values()]
            detection = {"detection": one.detection} if one.detection else {}
            for metric, score in (detection | one.scores).items():
                yield [*place, metric, *score]

    def content(self) -> dict[str, Any]:
        """Return everything."""
        systems = self.sweep.systems
        prices = self.sweep.prices.items()
        return {
            "signature": self.sweep.signature,
            "practice": _practice(self.sweep.chosen),
            "sentences": {system: self.sentence(system) for system in systems},
            "scores": [
                {
                    "system": one.system,
                    **_practice(one.practice),
                    "detection": one.detection and one.detection._asdict(),
                    "scores": as_dicts(one.scores),
                    "signature": one.signature,
                }
                for one in self.sweep.swept
            ],
            "ranges": {
                system: {
                    metric: {"low": low, "high": high}
                    for metric, (low, high) in self.sweep.range(system).items()
                }
                for system in systems
            },
            "reversals": [
                dict(zip(("one", "other", "better", "worse"), found, strict=True))
                for found in self.sweep.reversals(self._main)
            ],
            "links": {
                system: {
                    name: {"key": key, "response": response, "score": score._asdict()}
                    for name, (key, response, score) in price.links.items()
                }
                for system, price in prices
            },
            "gains": {system: price.gains for system, price in prices},
            "notes": self.sweep.notes,
        }


def _practice(practice: Practice) -> dict[str, str]:
    return dict(zip(_PLACE, (*practice.level, *practice[1:]), strict=True))


def _named(level: Level) -> str:
    return level.name if level.name == level.unit else f"{level.name} ({level.unit})"


def _in_words(practice: Practice) -> str:
    """Describe a practice, as in `links within a topic (column=1), without singletons`."""
    level, singletons, mentions = practice
    links = f"links within a {_named(level)}"
    if level.unit == CORPUS:
        links = "links across all documents of the corpus"
    kept = "with singletons" if singletons == KEEP else "without singletons"
    which = "over all mentions" if mentions == EVERY else "over mentions that both sides have"
    return f"{links}, {kept}, {which}"
