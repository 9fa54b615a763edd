"""A stand-in for spaCy, which is large: documents of words and groups of spans, read from JSON.

It shows how scoref treats what spaCy returns. How spaCy reads its files is up to spaCy.
"""

from __future__ import annotations

import json
import sys
import zlib
from types import ModuleType, SimpleNamespace
from typing import Any


class StandInDoc(list[Any]):
    """Tokens, and groups of spans."""

    def __init__(self, words: list[str], spans: dict[str, list[tuple[int, int]]]) -> None:
        super().__init__(
            SimpleNamespace(text=word, tag_="", lemma_="", is_sent_start=None) for word in words
        )
        self.spans = {
            name: [SimpleNamespace(start=start, end=end) for start, end in group]
            for name, group in spans.items()
        }


class StandInDocBin:
    """As spaCy's `DocBin`: a file of documents."""

    def __init__(self) -> None:
        self.docs: list[StandInDoc] = []

    def from_bytes(self, data: bytes) -> StandInDocBin:
        """Read a file."""
        value = json.loads(zlib.decompress(data))
        self.docs = [StandInDoc(doc["words"], doc["spans"]) for doc in value["attrs"]]
        return self

    def get_docs(self, _: object) -> list[StandInDoc]:
        """Return the documents."""
        return self.docs


def modules() -> dict[str, ModuleType]:
    """Return the modules that stand in for spaCy."""
    spacy, tokens = ModuleType("spacy"), ModuleType("spacy.tokens")
    spacy.blank = lambda _: SimpleNamespace(vocab=None)  # type: ignore[attr-defined]
    tokens.DocBin = StandInDocBin  # type: ignore[attr-defined]
    return {"spacy": spacy, "spacy.tokens": tokens}


def install() -> None:
    """Let `import spacy` find the stand-in, for the rest of the process."""
    sys.modules.update(modules())
