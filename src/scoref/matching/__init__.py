"""Which response mention is which key mention. Every way to match, by name.

A matcher takes two corpora and the key document of each response mention, and returns a
code for each mention of either side: equal codes mean the same mention.
"""

from __future__ import annotations

from collections.abc import Callable

from scoref.arrays import Ints
from scoref.corpus import Corpus
from scoref.matching.exact import match_exact

Matcher = Callable[[Corpus, Corpus, Ints], tuple[Ints, Ints]]

MATCHERS: dict[str, Matcher] = {"exact": match_exact}
