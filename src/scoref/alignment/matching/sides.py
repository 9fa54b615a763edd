"""What a matcher takes: both sides, and which documents are the same."""

from __future__ import annotations

from typing import NamedTuple

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus


class Sides(NamedTuple):
    """Key and response; `document` is the key document of each response mention."""

    key: Corpus
    response: Corpus
    document: Ints
