"""Removal of repeated mentions and singletons from one side, as the policy says."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints, first_of_run, pack
from scoref.base.phrases import counted
from scoref.corpus.cache import cached
from scoref.corpus.corpus import Corpus
from scoref.corpus.identity import mention_codes
from scoref.exceptions import MentionError, Problem
from scoref.policy import E2E, Policy
from scoref.policy.capabilities import ORDINARY_JOIN


class Repeats(NamedTuple):
    """The number of repeated mentions, a description of the first one, and its line."""

    times: int = 0
    first: str = ""
    line: int = 0

    def notes(self, policy: Policy, side: str) -> list[str]:
        """Return a note on repeated mentions, or raise an error if the policy refuses them."""
        if not self.times:
            return []
        many = counted(self.times, "mention")
        first = f": {self.first}" if self.first else ""
        first += f" (line {self.line})" if self.line else ""
        if policy.duplicates == "error":
            raise MentionError(
                f"the {side} repeats {many}{first}",
                "--duplicates first keeps the mention of the entity that appears first",
            )
        many += " in the same entity" if policy.duplicates == "keep" else ""
        more = ", ..." if first and self.times > 1 else ""
        return [f"the {side} repeats {many}; the first one is kept{first}{more}"]

    def __add__(self, other: object) -> Repeats:
        """Add the repeated mentions of another part of the side."""
        if not isinstance(other, Repeats):
            return NotImplemented
        parts = [part for part in (self, other) if part.times]
        first = min(parts, key=lambda part: part.line, default=self)
        return first._replace(times=self.times + other.times)


class Cleaned(NamedTuple):
    """A corpus without repeated mentions, and what was removed from it.

    `others` counts the mentions that were removed since they are nested or verb phrases.
    """

    corpus: Corpus
    repeats: Repeats
    singletons: int
    others: int


@cached
def clean(corpus: Corpus, policy: Policy) -> Cleaned:
    """Drop repeated mentions of a side, or of a part, then what else the policy drops.

    The summary of all parts makes the notes, and refuses repeated mentions if the policy does.
    """
    original = corpus
    kept, repeated = repeated_mentions(corpus, *_distinguishing(corpus, policy))
    repeats = Repeats()
    if len(repeated):
        at, again = int(kept[0]), int(repeated[0])
        repeats = Repeats(
            len(repeated), _describe_repeat(corpus, at, again), int(corpus.line[again])
        )
        rows = np.ones(len(corpus), dtype=bool)
        rows[repeated] = False
        corpus = corpus.where(rows)
    singletons = 0
    if policy.singletons == "drop":
        size = np.bincount(corpus.entity, minlength=corpus.entity_count)
        rows = size[corpus.entity] > 1
        singletons = int(np.count_nonzero(~rows))
        corpus = corpus.where(rows)
    kept_before = len(corpus)
    if "drop" in (policy.nested, policy.verb_phrases):
        from scoref.matching.nested_and_verbal import drop_nested_and_verbal  # noqa: PLC0415

        corpus = drop_nested_and_verbal(corpus, policy)
    if original.cache is not None:
        corpus.enable_cache()
    return Cleaned(corpus, repeats, singletons, kept_before - len(corpus))


def _distinguishing(corpus: Corpus, policy: Policy) -> list[Ints]:
    """Return the columns that distinguish mentions with the same tokens for another scorer.

    CorefEvaluator keeps every mention. corefud-scorer keeps a mention in several entities and, if
    it matches heads, also with several heads.
    """
    if policy.duplicates == "keep":
        return [corpus.entity]
    if policy.compat in ORDINARY_JOIN or policy.duplicates == "error":
        return []
    if policy.compat == E2E:
        return [np.arange(len(corpus))]
    if policy.match != "head" or not len(corpus):
        return [corpus.entity]
    zero = corpus.attributes.get("zero", np.full(len(corpus), ""))
    return [
        corpus.entity,
        corpus.attributes["head_start"],
        np.unique(zero, return_inverse=True)[1],
    ]


def repeated_mentions(corpus: Corpus, *distinguishing: Ints) -> tuple[Ints, Ints]:
    """Return the rows of repeated mentions: for each, the row that is kept and the row itself.

    Of equal mentions, the mention of the entity that appears first is kept. Mentions that differ
    in the `distinguishing` columns are not equal.
    """
    codes = pack(mention_codes(corpus), *distinguishing)
    if _all_differ(codes):
        nothing = np.zeros(0, dtype=np.int64)
        return nothing, nothing
    order = np.lexsort((corpus.entity, codes))
    first = first_of_run(codes[order])
    original = order[np.flatnonzero(first)[np.cumsum(first) - 1]]
    in_file_order = np.argsort(order[~first])
    return original[~first][in_file_order], order[~first][in_file_order]


def _all_differ(codes: Ints) -> bool:
    """Whether all codes differ; ascending codes, as in many files, need no sorting."""
    if (codes[1:] > codes[:-1]).all():
        return True
    in_order = np.sort(codes)
    return not np.any(in_order[1:] == in_order[:-1])


def duplicate_problems(corpus: Corpus) -> list[Problem]:
    """List repeated mentions as problems of a file."""
    kept, repeated = repeated_mentions(corpus)
    return [
        Problem(
            corpus.documents[corpus.document[again]].source,
            int(corpus.line[again]),
            _describe_repeat(corpus, at, again),
            "each mention once",
            "scoring keeps the mention of the entity that appears first",
        )
        for at, again in zip(kept.tolist(), repeated.tolist(), strict=True)
    ]


def _describe_repeat(corpus: Corpus, kept: int, again: int) -> str:
    document = corpus.documents[corpus.document[again]]
    one, other = corpus.entity[kept], corpus.entity[again]
    names = corpus.entity_names[one], corpus.entity_names[other]
    where = (
        f"twice in entity {names[0]}" if one == other else f"in entities {names[0]} and {names[1]}"
    )
    if corpus.labels is not None:
        return f"mention {corpus.labels[again]!r} of document {document.name} {where}"
    start, end = int(corpus.start[again]), int(corpus.end[again])
    span = f"{corpus.unit}s {start}-{end}" if end > start else f"{corpus.unit} {start}"
    return f"{span} of document {document.name} {where}"
