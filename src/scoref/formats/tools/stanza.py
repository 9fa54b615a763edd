"""Stanza documents: `doc.coref`, chains of mentions.

A mention has the number of its sentence, of its first word and of the word after its last, all from
0. A mention of an empty node has a pair instead: `(4, 1)` is the node 4.1 of the sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import MentionError
from scoref.formats.tools.spacy import add_sentence, check_span, with_names


def from_documents(docs: Iterable[Any], names: Sequence[str] | None = None) -> Corpus:
    """Make a corpus of Stanza documents: one entity per chain.

    Without `names`, documents are paired by their order.
    """
    builder = CorpusBuilder("Stanza documents", text=True)
    for doc, name in with_names(docs, names, "coref"):
        _add(builder, doc, name)
    corpus = builder.corpus()
    if corpus.documents and not len(corpus):
        return replace(corpus, notes=("no Stanza document has a chain: did `coref` run?",))
    return corpus


def _add(builder: CorpusBuilder, doc: Any, name: str) -> None:
    lengths = [len(sentence.words) for sentence in doc.sentences]
    first = [sum(lengths[:at]) for at in range(len(lengths))]
    number = builder.document(name, sum(lengths))
    for order, chain in enumerate(doc.coref):
        title = str(getattr(chain, "index", order))
        entity = builder.entity(number, title)
        for mention in chain.mentions:
            where = f"chain {title} of {builder.documents[number].name}"
            at = mention.sentence
            if type(at) is not int or not 0 <= at < len(lengths):
                message = f"{where} has a mention in sentence {at!r} of {len(lengths)}"
                raise MentionError(message, "sentences are counted from 0")
            if isinstance(mention.start_word, tuple):
                word, empty = mention.start_word
                place = first[at] + max(int(word) - 1, 0)
                builder.mention(number, (place, place), entity, nodes=f"{place}.{empty}")
                continue
            start, end = check_span(mention.start_word, mention.end_word, lengths[at], where)
            builder.mention(number, (first[at] + start, first[at] + end), entity)
    for sentence in doc.sentences:
        columns = {"word": "text", "lemma": "lemma", "pos": "upos", "head": "head"}
        add_sentence(builder, sentence.words, **columns, deprel="deprel")
