"""Fidelity: how much of its source a generated text kept, and what became of its mentions."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from scoref.base.phrases import counted


@dataclass(slots=True)
class Fidelity:
    """Counts over documents. Two can be added.

    Source tokens are `kept`, `altered` or `dropped`; `moved` tokens are kept or altered in another
    place. Generated words without a token are `inserted`, `repeated`, or `outside`: before or
    after the text. `truncated` are the documents whose text ends early, with the token at which it
    ends. Quotes have no words, so all token counts are 0.

    `tags` counts tags by what was wrong with them. Of the `mentions` that the completion states,
    those that are not `lost` or `repeated` are placed; `adjusted` ones begin or end at another
    word than stated, because that word has no token; `ambiguous` ones could be elsewhere.
    """

    markup: str = ""
    documents: int = 0
    tokens: int = 0
    kept: int = 0
    altered: int = 0
    dropped: int = 0
    moved: int = 0
    inserted: int = 0
    repeated: int = 0
    outside: int = 0
    truncated: dict[str, int] = field(default_factory=dict)
    tags: dict[str, int] = field(default_factory=dict)
    mentions: int = 0
    placed: int = 0
    adjusted: int = 0
    ambiguous: int = 0
    out_of_order: int = 0
    lost: int = 0
    repeated_mentions: int = 0

    def __iadd__(self, other: Fidelity) -> Self:
        names = [name for name in (self.markup, other.markup) if name]
        self.markup = ", ".join(dict.fromkeys(", ".join(names).split(", "))) if names else ""
        for one in fields(self):
            mine, more = getattr(self, one.name), getattr(other, one.name)
            if isinstance(mine, int):
                setattr(self, one.name, mine + more)
            elif isinstance(mine, dict):
                for name, number in more.items():
                    mine[name] = mine.get(name, 0) + number if one.name == "tags" else number
        return self

    @property
    def share_kept(self) -> float:
        """The share of source tokens that were kept, or NaN if the completion has no text."""
        return self.kept / self.tokens if self.tokens else float("nan")

    def content(self) -> dict[str, Any]:
        """Return all counts, for JSON."""
        return asdict(self)

    def lines(self) -> list[str]:
        """Describe the fidelity in two to four lines."""
        found = [f"generated text in {self.markup}, {counted(self.documents, 'document')}"]
        if self.tokens:
            shares = ", ".join(
                f"{100 * number / self.tokens:.2f} % {name}"
                for name, number in (
                    ("kept", self.kept),
                    ("altered", self.altered),
                    ("dropped", self.dropped),
                )
            )
            more = _listed(
                inserted=self.inserted,
                moved=self.moved,
                repeated=self.repeated,
                outside=self.outside,
            )
            found.append(f"words: {shares} of {self.tokens:,}{more}")
        if self.truncated:
            first = list(self.truncated.items())[:3]
            where = ", ".join(f"{name} at token {at:,}" for name, at in first)
            found.append(f"truncated: {counted(len(self.truncated), 'document')} ({where})")
        if tags := _listed(**self.tags):
            found.append(f"tags: {tags.removeprefix('; ')}")
        more = _listed(
            adjusted=self.adjusted,
            ambiguous=self.ambiguous,
            out_of_order=self.out_of_order,
            lost=self.lost,
            repeated=self.repeated_mentions,
        )
        found.append(f"mentions: {self.placed:,} of {self.mentions:,} placed{more}")
        return found


def _listed(**counts: int) -> str:
    """List the counts that are not 0: `; 3 inserted, 8 outside the text`."""
    shown = {"outside": "outside the text", "out_of_order": "out of order"}
    parts = [f"{number:,} {shown.get(name, name)}" for name, number in counts.items() if number]
    return f"; {', '.join(parts)}" if parts else ""
