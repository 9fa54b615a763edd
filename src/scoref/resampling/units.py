"""Units of resampling: documents, or blocks of documents, optionally within strata."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.base.phrases import counted, listed
from scoref.exceptions import UsageError

Rule = str | Mapping[str, Any] | Callable[[str], Any]
"""A rule that groups documents: a regular expression on names, a mapping, or a function."""

FEW = 20
"""With fewer units than this, intervals and tests come with a caution."""


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Units of resampling; `block` is the unit of each document, `stratum` the one of each unit."""

    documents: tuple[str, ...]
    names: tuple[str, ...]
    kind: str = "document"
    block: Ints | None = None
    stratum: Ints | None = None
    strata: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, documents: Sequence[str], blocks: Rule | None = None, strata: Rule | None = None
    ) -> Units:
        """Group documents into blocks, and blocks into strata."""
        documents = names = tuple(documents)
        block, kind = None, "document"
        if blocks is not None:
            names, block = _group(documents, blocks, "blocks")
            kind = "block"
        if strata is None:
            return cls(documents, names, kind, block)
        groups, of_document = _group(documents, strata, "strata")
        if block is None:
            return cls(documents, names, kind, block, of_document, groups)
        stratum = np.zeros(len(names), dtype=np.int64)
        stratum[block] = of_document
        if np.any(divided := stratum[block] != of_document):
            at = int(block[np.argmax(divided)])
            raise UsageError(
                f"block {names[at]} has documents of several strata",
                "all documents of a block must be in the same stratum",
            )
        return cls(documents, names, kind, block, stratum, groups)

    def __len__(self) -> int:
        return len(self.names)

    def sum(self, rows: Floats) -> Floats:
        """Sum rows of documents into rows of units, along the second last axis."""
        if self.block is None:
            return rows
        sums = np.zeros((len(self), *rows.shape[:-2], rows.shape[-1]))
        np.add.at(sums, self.block, np.moveaxis(rows, -2, 0))
        return np.moveaxis(sums, 0, -2)

    def check(self) -> None:
        """Refuse to resample a single unit."""
        if reason := self.refusal():
            raise UsageError(reason, self.remedy())

    def refusal(self) -> str:
        """Return the reason why units cannot be resampled, or an empty string."""
        if len(self) > 1:
            return ""
        return (
            f"intervals and tests require at least 2 {self.kind}s, found {len(self)}: they are"
            f" computed from the differences between {self.kind}s"
        )

    def remedy(self) -> str:
        """Return what makes intervals and tests possible."""
        if self.block is not None:
            return "change --blocks to an expression that makes several blocks"
        return (
            "give each text a `#begin document` of its own in every file, or divide documents by"
            " topic (--unit topic) or another column of the file"
        )

    def cautions(self) -> list[str]:
        """Return warnings about the reliability of intervals and tests."""
        found = []
        if 1 < len(self) < FEW:
            found.append(
                f"only {counted(len(self), self.kind)}: with fewer than {FEW}, intervals tend to be"
                " too narrow, and p-values are rough"
            )
        if self.stratum is not None:
            sizes = np.bincount(self.stratum, minlength=len(self.strata))
            alone = [name for name, size in zip(self.strata, sizes, strict=True) if size == 1]
            if alone and len(self) > 1:
                found.append(
                    f"{counted(len(alone), 'stratum', 'strata')} of one {self.kind}"
                    f" ({listed(alone)}): every draw contains it, so intervals are too narrow"
                )
        return found


def _group(documents: Sequence[str], rule: Rule, what: str) -> tuple[tuple[str, ...], Ints]:
    """Return the groups in order of appearance, and the group of each document."""
    labels = [_label(document, rule, what) for document in documents]
    groups = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    return tuple(groups), np.array([groups[label] for label in labels], dtype=np.int64)


def _label(document: str, rule: Rule, what: str) -> str:
    if isinstance(rule, str):
        return _matched(document, rule, what)
    if isinstance(rule, Mapping):
        if document not in rule:
            raise UsageError(f"{what} has no entry for document {document}")
        return str(rule[document])
    return str(rule(document))


def _matched(document: str, expression: str, what: str) -> str:
    """Return the match of the first group of an expression, or of the whole expression."""
    try:
        found = re.search(expression, document)
    except re.error as error:
        raise UsageError(f"--{what} {expression!r} is not a regular expression: {error}") from None
    if found is None:
        raise UsageError(
            f"--{what} {expression!r} does not match the document {document}",
            "it must match in the name of each document; '^[^/]+' matches the part before a slash",
        )
    return found[1] if found.re.groups and found[1] is not None else found[0]
