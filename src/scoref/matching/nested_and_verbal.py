"""Removal of nested mentions and of verb phrases from one side, as coval removes them.

The rules are those of coval (Moosavi & Strube), for its options `remove_nested` and `NP_only`:

* A mention inside another mention of its entity is nested. An entity of which a single mention
  would remain is kept whole or, if singletons are dropped, dropped. A mention inside two others
  counts twice for this rule.
* Verb phrases are dropped, and so is an entity with verb phrases of which at most one mention
  remains.
"""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Bools, pack
from scoref.corpus.corpus import Corpus
from scoref.corpus.spans import Spans, nested
from scoref.exceptions import UsageError
from scoref.linguistics.trees import VERB_PHRASE
from scoref.policy import Policy


def drop_nested_and_verbal(corpus: Corpus, policy: Policy) -> Corpus:
    """Return the corpus without the mentions that the policy drops."""
    if policy.verb_phrases == "drop":
        corpus = corpus.where(_without_verb_phrases(corpus))
    if policy.nested == "drop":
        corpus = corpus.where(_without_nested(corpus, keeps_singletons=policy.singletons == "keep"))
    return corpus


def _without_verb_phrases(corpus: Corpus) -> Bools:
    if not len(corpus):
        return np.zeros(0, dtype=bool)
    if VERB_PHRASE not in corpus.attributes:
        raise UsageError(
            "verb_phrases drop is not available here: it requires key and response with parses",
            "leave --verb-phrases out",
        )
    verbal = corpus.attributes[VERB_PHRASE]
    remaining = np.bincount(corpus.entity[~verbal], minlength=corpus.entity_count)
    affected = np.bincount(corpus.entity[verbal], minlength=corpus.entity_count) > 0
    dropped = affected & (remaining < 2)
    kept: Bools = ~verbal & ~dropped[corpus.entity]
    return kept


def _without_nested(corpus: Corpus, *, keeps_singletons: bool) -> Bools:
    inner, _ = nested(spans_of_entities(corpus))
    size = np.bincount(corpus.entity, minlength=corpus.entity_count)
    times = np.bincount(corpus.entity[inner], minlength=corpus.entity_count)
    leaves_one = (size > 1) & (size - times == 1)
    rows: Bools = np.ones(len(corpus), dtype=bool)
    rows[inner] = False
    rows[leaves_one[corpus.entity]] = keeps_singletons
    return rows


def spans_of_entities(corpus: Corpus) -> Spans:
    """Return the spans of a corpus, with the entities of each document instead of documents."""
    spans = corpus.as_spans()
    if spans is None:
        raise UsageError(
            "nested mentions require mentions that are token spans",
            "pass mentions as (start, end), or leave --nested out",
        )
    entity = np.unique(pack(corpus.entity, corpus.document), return_inverse=True)[1]
    return Spans(entity, spans.start, spans.end, corpus.attributes.get("nodes"))
