"""Corpora for the tests of analyses."""

from __future__ import annotations

import scoref
from tests.strategies import MENTIONS, Pair, named


def sides(documents: list[Pair], pronouns: set[str]) -> tuple[scoref.Corpus, scoref.Corpus]:
    """Make two corpora whose mentions have types."""
    types = {m: "pronoun" if m in pronouns else "name" for m in MENTIONS}
    key, response = (scoref.Corpus.from_entities(side, types=types) for side in named(documents))
    return key, response
