"""What a policy does to one side before it is scored: repeated mentions, singletons."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints, first_of_run, pack
from scoref.base.phrases import counted
from scoref.corpus.cache import cached
from scoref.corpus.corpus import Corpus
from scoref.corpus.identity import mention_codes
from scoref.exceptions import MentionError, Problem
from scoref.policy import Policy


class Repeats(NamedTuple):
    """How many mentions are repeated; the first of them, and the line where it is."""

    times: int = 0
    first: str = ""
    line: int = 0

    def notes(self, policy: Policy, side: str) -> list[str]:
        """Say that the first ones are kept, or refuse to choose if the policy says so."""
        if not self.times:
            return []
        many = counted(self.times, "mention")
        first = f": {self.first}" if self.first else ""
        first += f" (line {self.line})" if self.line else ""
        if policy.duplicates == "error":
            raise MentionError(
                f"the {side} repeats {many}{first}",
                "--duplicates first keeps the one in the entity that appears first",
            )
        more = ", ..." if first and self.times > 1 else ""
        return [f"the {side} repeats {many}, the first is kept{first}{more}"]

    def __add__(self, other: object) -> Repeats:
        """Add those of another part of a side, of which the first is the one that stands first."""
        if not isinstance(other, Repeats):
            return NotImplemented
        earliest = min((part for part in (self, other) if part.times), key=_line, default=self)
        return earliest._replace(times=self.times + other.times)


def _line(repeats: Repeats) -> int:
    return repeats.line


class Cleaned(NamedTuple):
    """A corpus without repeated mentions, and what was done to it."""

    corpus: Corpus
    repeats: Repeats
    singletons: int


@cached
def clean(corpus: Corpus, policy: Policy) -> Cleaned:
    """Drop repeated mentions of a side or of a part of it, then singletons if the policy says so.

    A summary says so, or refuses repeated mentions, when all parts are known.
    """
    whole = corpus
    kept, repeated = repeated_mentions(corpus, *_distinguishing(corpus, policy))
    repeats = Repeats()
    if len(repeated):
        at, again = int(kept[0]), int(repeated[0])
        repeats = Repeats(len(repeated), _say(corpus, at, again), int(corpus.line[again]))
        rows = np.ones(len(corpus), dtype=bool)
        rows[repeated] = False
        corpus = corpus.where(rows)
    singletons = 0
    if policy.singletons == "drop":
        size = np.bincount(corpus.entity, minlength=corpus.entity_count)
        rows = size[corpus.entity] > 1
        singletons = int(np.count_nonzero(~rows))
        corpus = corpus.where(rows)
    if whole.cache is not None:
        corpus.enable_cache()
    return Cleaned(corpus, repeats, singletons)


def _distinguishing(corpus: Corpus, policy: Policy) -> list[Ints]:
    """Return the columns, beside its tokens, that distinguish a mention for corefud-scorer.

    That scorer keeps a mention in several entities and, where heads are matched, with several
    heads.
    """
    if policy.compat == "none":
        return []
    if policy.match != "head" or not len(corpus):
        return [corpus.entity]
    zero = corpus.attributes.get("zero", np.full(len(corpus), ""))
    return [
        corpus.entity,
        corpus.attributes["head_start"],
        np.unique(zero, return_inverse=True)[1],
    ]


def repeated_mentions(corpus: Corpus, *distinguishing: Ints) -> tuple[Ints, Ints]:
    """Return the rows of mentions that are kept, and beside each the row that repeats it.

    Of equal mentions, the one in the entity that appears first is kept. Mentions that differ in
    the `distinguishing` columns are not equal.
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
    """Whether no code stands twice; those that rise, as in many files, need not be sorted."""
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
            _say(corpus, at, again),
            "each mention once",
            "scoring keeps the one in the entity that appears first",
        )
        for at, again in zip(kept.tolist(), repeated.tolist(), strict=True)
    ]


def _say(corpus: Corpus, kept: int, again: int) -> str:
    """Say where a mention stands twice."""
    document = corpus.documents[corpus.document[again]]
    one = corpus.entity_names[corpus.entity[kept]]
    other = corpus.entity_names[corpus.entity[again]]
    same = corpus.entity[kept] == corpus.entity[again]
    where = f"twice in entity {one}" if same else f"in entities {one} and {other}"
    if corpus.labels is not None:
        return f"mention {corpus.labels[again]!r} of document {document.name} {where}"
    start, end = int(corpus.start[again]), int(corpus.end[again])
    span = f"tokens {start}-{end}" if end > start else f"token {start}"
    return f"{span} of document {document.name} {where}"
