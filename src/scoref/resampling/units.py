"""Units of resampling: documents, or blocks of documents, optionally within strata."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scoref.base.arrays import Bools, Floats, Ints
from scoref.base.phrases import counted, listed
from scoref.exceptions import UsageError

Rule = str | Mapping[str, Any] | Callable[[str], Any]
"""A rule that groups documents: a regular expression on names, a mapping, or a function."""

_PARTS = (
    r"^(.+)/\d{3}$",  # the part numbers of CoNLL files
    r"(?i)^(.+)[-_. /](?:part|pt|chapter|chap|ch|section)[-_. ]?\d+$",
)
"""Names of documents that look like parts of one text; the first group is the text."""


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Units of resampling; `block` is the unit of each document, `stratum` the one of each unit.

    Documents and units are sorted by name, so that draws do not depend on the order of documents
    in files. `order` has the places of the sorted documents among the documents as given. Strata
    with one unit show no variance, so they are merged; `merged` has their names. `unit` is that of
    the policy: what is called a document here can be a topic. `uncounted` is the number of units
    that were left out because nothing was counted in them: they are not observations.
    """

    documents: tuple[str, ...]
    names: tuple[str, ...]
    order: Ints
    kind: str = "document"
    block: Ints | None = None
    stratum: Ints | None = None
    strata: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    unit: str = "document"
    uncounted: int = 0

    @classmethod
    def of(
        cls,
        documents: Sequence[str],
        blocks: Rule | None = None,
        strata: Rule | None = None,
        has_counts: Bools | None = None,
    ) -> Units:
        """Group documents into blocks, and blocks into strata.

        `has_counts` says in which documents anything was counted. Units without any of them are
        left out, unless no unit has any.
        """
        if has_counts is not None and has_counts.any() and not has_counts.all():
            every = cls.of(documents, blocks, strata)
            if every.block is not None:  # a block with a counted document keeps all its documents
                has_counts = (
                    np.bincount(every.block, weights=has_counts[every.order])[every.block] > 0
                )
                has_counts = has_counts[np.argsort(every.order)]
            kept = np.flatnonzero(has_counts)
            found = cls.of([documents[at] for at in kept.tolist()], blocks, strata)
            left_out = len(every) - len(found)
            return replace(found, order=kept[found.order], uncounted=left_out)
        places = sorted(range(len(documents)), key=documents.__getitem__)
        order = np.array(places, dtype=np.int64)
        documents = names = tuple(documents[at] for at in places)
        block, kind = None, "document"
        if blocks is not None:
            names, block = _group(documents, blocks, "blocks")
            kind = "block"
        if strata is None:
            return cls(documents, names, order, kind, block)
        groups, stratum = _group(documents, strata, "strata")
        if block is not None:
            stratum = _strata_of_blocks(names, block, stratum)
        stratum, merged = _merge_lone(stratum)
        lone = tuple(groups[at] for at in merged)
        return cls(documents, names, order, kind, block, stratum, groups, lone)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def freedom(self) -> int:
        """The degrees of freedom of a variance between units: their number without the strata."""
        strata = 1 if self.stratum is None else len(np.unique(self.stratum))
        return len(self) - strata

    def sort(self, rows: Floats) -> Floats:
        """Sort rows of documents, which are along the second last axis, by name."""
        if np.array_equal(self.order, np.arange(rows.shape[-2])):
            return rows
        return np.ascontiguousarray(rows.take(self.order, axis=-2))

    def sum(self, rows: Floats) -> Floats:
        """Sum sorted rows of documents into rows of units, along the second last axis."""
        if self.block is None:
            return rows
        sums = np.zeros((len(self), *rows.shape[:-2], rows.shape[-1]))
        np.add.at(sums, self.block, np.moveaxis(rows, -2, 0))
        return np.moveaxis(sums, 0, -2)

    def __str__(self) -> str:
        """Say how many units are resampled, and how many are left out."""
        others = f" ({self.uncounted:,} without mentions are left out)" if self.uncounted else ""
        return f"{counted(len(self), self.kind)}{others}"

    def check(self) -> None:
        """Refuse to resample a single unit."""
        if reason := self.refusal():
            raise UsageError(reason, self.remedy())

    def refusal(self) -> str:
        """Return the reason why units cannot be resampled, or an empty string."""
        if len(self) > 1:
            return ""
        kinds = f"{self.kind}s with mentions" if self.uncounted else f"{self.kind}s"
        return (
            f"intervals and tests require at least 2 {kinds}, found {len(self)}: they are"
            f" computed from the differences between {self.kind}s"
        )

    def remedy(self) -> str:
        """Return what makes intervals and tests possible."""
        if self.block is not None:
            return "change --blocks to an expression that makes several blocks"
        if self.unit != "document":
            return (
                f"leave --unit {self.unit} out if the files have several documents, or divide them"
                " by another column (--unit column=N)"
            )
        return (
            "give each text a `#begin document` of its own in every file, or divide documents by"
            " topic (--unit topic) or another column of the file"
        )

    def cautions(self) -> list[str]:
        """Return warnings about units that are not independent, or that show no variance."""
        found = []
        if self.merged:
            found.append(
                f"{counted(len(self.merged), 'stratum', 'strata')} of one {self.kind}"
                f" ({listed(self.merged)}): one {self.kind} shows no variance, so it counts as a"
                " member of another stratum"
            )
        if self.block is None and (hint := _parts_hint(self.documents)):
            found.append(hint)
        return found


def _strata_of_blocks(names: Sequence[str], block: Ints, of_document: Ints) -> Ints:
    """Return the stratum of each block; all its documents must be in it."""
    stratum = np.zeros(len(names), dtype=np.int64)
    stratum[block] = of_document
    if np.any(divided := stratum[block] != of_document):
        at = int(block[np.argmax(divided)])
        raise UsageError(
            f"block {names[at]} has documents of several strata",
            "all documents of a block must be in the same stratum",
        )
    return stratum


def _merge_lone(stratum: Ints) -> tuple[Ints, list[int]]:
    """Merge strata of one unit with each other, or the only one with the smallest other stratum."""
    sizes = np.bincount(stratum)
    lone = np.flatnonzero(sizes == 1).tolist()
    others = [at for at in np.argsort(sizes, kind="stable").tolist() if sizes[at] > 1]
    if not lone or len(sizes) == 1:
        return stratum, []
    into = others[0] if len(lone) == 1 else lone[0]
    return np.where(np.isin(stratum, lone), into, stratum), lone


def _parts_hint(documents: Sequence[str]) -> str:
    """Return a hint if documents look like parts of one text, or an empty string."""
    for expression in _PARTS:
        texts: dict[str, list[str]] = {}
        for name in documents:
            if found := re.search(expression, name):
                texts.setdefault(found[1], []).append(name)
        several = {text: parts for text, parts in texts.items() if len(parts) > 1}
        if several:
            parts = [name for names in several.values() for name in names]
            blocks = len(texts) + len(documents) - sum(map(len, texts.values()))
            # Documents that are not parts are blocks of their own.
            rest = "" if all(re.search(expression, name) for name in documents) else "|^.+$"
            flag = f"; --blocks '{expression}{rest}' keeps them together" if blocks > 1 else ""
            return (
                f"{counted(len(parts), 'document')} look like parts of"
                f" {counted(len(several), 'text')} ({listed(parts)}): parts of one text are not"
                f" independent, so intervals can be too narrow and p-values too small{flag}"
            )
    return ""


def _group(documents: Sequence[str], rule: Rule, what: str) -> tuple[tuple[str, ...], Ints]:
    """Return the groups, sorted, and the group of each document."""
    labels = [_label(document, rule, what) for document in documents]
    groups = {label: number for number, label in enumerate(sorted(set(labels)))}
    return tuple(groups), np.array([groups[label] for label in labels], dtype=np.int64)


def _label(document: str, rule: Rule, what: str) -> str:
    """Return the group of a document; an expression gives its first group, or all it matches."""
    if isinstance(rule, Mapping):
        if document not in rule:
            raise UsageError(f"{what} has no entry for document {document}")
        return str(rule[document])
    if not isinstance(rule, str):
        return str(rule(document))
    try:
        found = re.search(rule, document)
    except re.error as error:
        raise UsageError(f"--{what} {rule!r} is not a regular expression: {error}") from None
    if found is None:
        raise UsageError(
            f"--{what} {rule!r} does not match the document {document}",
            "it must match in the name of each document; '^[^/]+' matches the part before a slash",
        )
    return found[1] if found.re.groups and found[1] is not None else found[0]
