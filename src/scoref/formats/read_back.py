"""What a written file does not say: it is read back, and compared with its corpus.

No rule predicts what a format loses. The reader of the format reads what was written, and what
scoring reads of both corpora is compared: documents, mentions, entities, the first of repeated
mentions, what zeros depend on, heads and minimal spans, bridging links, split antecedents. A
difference that can change a score becomes a note. A file without some mentions or entities is
refused.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, first_of_run, pack, pack_jointly
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN
from scoref.corpus.identity import shared_codes
from scoref.corpus.spans import Links, Spans
from scoref.corpus.split_antecedents import SPLIT_ANTECEDENTS, members_of
from scoref.exceptions import UsageError
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import Stream

_HINT = "write another format, for example with --to csv"
_BY_TOKENS = "with --match head, partial, min or overlap"
_BY_HEAD = "with --match head, partial or min"
_MATCHED_BY = {
    "heads": ("head_start", "head_end", "zero"),
    "minimal spans": ("min_start", "min_end"),
}


def notes_on_changes(corpus: Corpus, format: Format, stream: Stream) -> list[str]:  # noqa: A002
    """Read back what was written of a corpus, and note what changes its scores.

    A file that its reader refuses, or that lacks mentions or entities, is refused.
    """
    written, problems = format.read(stream, f"the written {format.name} file", Wanted())
    if problems:
        message = f"the format {format.name} cannot hold this corpus, since its reader would refuse"
        raise UsageError(f"{message} the file: {problems[0]}", _HINT)
    return list(_ReadBack(corpus, written, format).notes())


@dataclass(frozen=True, eq=False)
class _ReadBack:
    """A corpus and what was read of its file."""

    corpus: Corpus
    written: Corpus
    format: Format

    def notes(self) -> Iterator[str]:
        """Yield a note for each kind of difference."""
        yield from self._mention_notes()
        if self.corpus.unit != self.written.unit:
            yield f"{self.format.name} counts characters, not tokens: {_scores(_BY_TOKENS)} change"
        yield from self._entity_notes()
        yield from self._attribute_notes()
        yield from self._link_notes()
        yield from self._split_notes()

    @cached_property
    def _place(self) -> Ints:
        """The document of the corpus for each document of the file."""
        ours, theirs = self.corpus.documents, self.written.documents
        if len(ours) == len(theirs) == 1:
            return np.zeros(1, dtype=np.int64)
        index: dict[Hashable, int] = {one.name: at for at, one in enumerate(ours)}
        index |= {one.id: at for at, one in enumerate(ours)}
        found = [index.get(one.id, index.get(one.name, UNKNOWN)) for one in theirs]
        if sorted(found) != list(range(len(ours))):
            lost = next((at for at in range(len(ours)) if at not in found), 0)
            self._refuse(f"the document {ours[lost].name!r}")
        return np.array(found, dtype=np.int64)

    @cached_property
    def _codes(self) -> list[Ints]:
        """Equal codes for equal mentions of the corpus and of the file."""
        place = self._place[self.written.document]
        if self.corpus.unit == self.written.unit:
            return shared_codes(
                {"corpus": self.corpus, "file": self.written}, [self.corpus.document, place]
            )
        # Tokens and characters have the same order.
        sides = (self.corpus, self.corpus.document), (self.written, place)
        return pack_jointly(*([at, *_ranked_ends(side)] for side, at in sides))

    def _mention_notes(self) -> Iterator[str]:
        ours, theirs = self._codes
        lost = ~np.isin(ours, theirs)
        if len(ours) == len(theirs) and not lost.any():
            return
        nodes = _column(self.corpus, "nodes")[lost]
        if len(ours) == len(theirs) and all("." in one for one in nodes.tolist()):
            many = counted(int(lost.sum()), "mention")
            yield self._note(f"the place of {many} with empty nodes", np.flatnonzero(lost)[0])
        elif lost.any():
            example = self._shown(np.flatnonzero(lost)[0])
            self._refuse(f"{counted(int(lost.sum()), 'mention')}, such as {example}")
        else:
            self._refuse(f"that {len(ours)} mentions are {len(theirs)}")

    @cached_property
    def _first(self) -> tuple[Ints, Ints]:
        """The rows of mentions in the corpus and in the file: of repeated ones, the first."""
        found = []
        for side, codes in zip((self.corpus, self.written), self._codes, strict=True):
            order = np.lexsort((side.entity, codes))
            found.append(order[first_of_run(codes[order])])
        ours, theirs = (codes[rows] for codes, rows in zip(self._codes, found, strict=True))
        return found[0][np.isin(ours, theirs)], found[1][np.isin(theirs, ours)]

    def _entity_notes(self) -> Iterator[str]:
        ours, theirs = self._first
        if _same_partition(self.corpus.entity[ours], self.written.entity[theirs]):
            return
        _, which, times = np.unique(self._codes[0], return_inverse=True, return_counts=True)
        again = times[which[ours]] > 1
        if not _same_partition(
            self.corpus.entity[ours[~again]], self.written.entity[theirs[~again]]
        ):
            self._refuse("which mentions are of one entity")
        many = counted(int(again.sum()), "repeated mention")
        yield self._note(f"which entity has {many} first", ours[again][0])

    def _attribute_notes(self) -> Iterator[str]:
        """Compare what zeros depend on, and what the format supports of heads and minimal spans."""
        if (differ := self._differ("zero_deps", _dependencies)).any():
            zeros = counted(int(differ.sum()), "zero depends", "zeros depend")
            yield self._note(f"what {zeros} on", self._first[0][differ][0])
        for what, names in _MATCHED_BY.items():
            if what not in self.format.supports:  # which another note lists
                continue
            known = _column(self.corpus, names[0])[self._first[0]] != UNKNOWN
            differ = known & np.logical_or.reduce([self._differ(name) for name in names])
            if differ.any():
                many = counted(int(differ.sum()), "mention")
                example = self._first[0][differ][0]
                yield self._note(f"the {what} of {many}", example, _BY_HEAD)

    def _differ(self, name: str, parse: Callable[[str], str] | None = None) -> Bools:
        """Mark the first mentions with another value of an attribute."""
        sides = self.corpus, self.written
        if not any(name in side.attributes for side in sides):
            return np.zeros(len(self._first[0]), dtype=bool)
        ours, theirs = (
            _column(side, name)[rows] for side, rows in zip(sides, self._first, strict=True)
        )
        if parse is not None:
            ours, theirs = (np.array([parse(str(one)) for one in c]) for c in (ours, theirs))
        return np.asarray(ours != theirs, dtype=bool)

    def _link_notes(self) -> Iterator[str]:
        for what, metric in (("bridging", "bridging"), ("non_referring", "nonreferring")):
            ours, theirs = (getattr(side, what) for side in (self.corpus, self.written))
            every = np.arange(len(self.corpus.documents))
            if lost := len(_links(ours, every) - _links(theirs, self._place)):
                noun = "bridging link" if what == "bridging" else "non-referring mention"
                yield self._note(counted(lost, noun), None, f"with --metric {metric}")

    def _split_notes(self) -> Iterator[str]:
        """Compare split antecedents, if the format supports them; else another note says so."""
        if f"entity {SPLIT_ANTECEDENTS}" not in self.format.supports:
            return
        ours, theirs = self._first
        partner = dict(
            zip(
                self.corpus.entity[ours].tolist(), self.written.entity[theirs].tolist(), strict=True
            )
        )
        stated = {
            (partner.get(whole), frozenset(map(partner.get, known)))
            for whole, members in members_of(self.corpus).items()
            if (known := [one for one in members if one is not None])
        }
        read = {(whole, frozenset(found)) for whole, found in members_of(self.written).items()}
        if lost := len(stated - read):
            many = counted(lost, "split antecedent")
            yield self._note(many, None, "with --split-antecedents")

    def _note(self, what: str, example: int | None, how: str = "") -> str:
        shown = "" if example is None else f", such as {self._shown(example)}"
        return f"{self.format.name} cannot hold {what}{shown}: {_scores(how)} change"

    def _shown(self, row: int) -> str:
        """Show a mention of the corpus."""
        document = self.corpus.documents[self.corpus.document[row]].name
        nodes = str(_column(self.corpus, "nodes")[row])
        return f"{f'({nodes})' if nodes else self.corpus.mention(row)} in document {document}"

    def _refuse(self, what: str) -> NoReturn:
        raise UsageError(f"the format {self.format.name} cannot hold {what}", _HINT)


def _scores(how: str) -> str:
    return f"scores of this corpus {how}".rstrip()


def _column(corpus: Corpus, name: str) -> NDArray[Any]:
    """Return an attribute of mentions; without it, all values are unknown."""
    found = corpus.attributes.get(name)
    if found is not None:
        return found
    is_number = name.endswith(("_start", "_end"))
    return np.full(len(corpus), UNKNOWN if is_number else "")


def _dependencies(text: str) -> str:
    """Return what a zero depends on; a zero without a parent matches by its position."""
    return text if ":" in text else ""


def _same_partition(one: Ints, other: Ints) -> bool:
    """Whether two columns of entities put the same mentions together."""
    both = pack(one, other) if len(one) else one
    return len(np.unique(both)) == len(np.unique(one)) == len(np.unique(other))


def _ranked_ends(corpus: Corpus) -> list[Ints]:
    """Return the ranks of starts and ends among all, and whether a mention is discontinuous."""
    ends = [np.unique(column, return_inverse=True)[1] for column in (corpus.start, corpus.end)]
    return [*ends, (_column(corpus, "nodes") != "").astype(np.int64)]


def _links(found: Links | Spans | None, place: Ints) -> set[Any]:
    """Return bridging links, or spans, as tuples; `place` has the number of each document."""
    if found is None:
        return set()
    spans = [found] if isinstance(found, Spans) else [*found]
    columns = [
        (
            place[one.document].tolist(),
            one.start.tolist(),
            one.end.tolist(),
            [""] * len(one.start) if one.nodes is None else one.nodes.tolist(),
        )
        for one in spans
    ]
    return set(zip(*(column for one in columns for column in one), strict=True))
