"""Mention lists as JSON: an object per mention, as papers on cross-document coreference have them.

    doc_id, tokens_ids, cluster_id          Cattan et al. (2021): the tokens of each mention
    doc_id, mention_id, coref_chain         WEC (Eirew et al. 2021): the id of each mention

A mention of the first kind is a token span, with `nodes` if it has gaps. A mention of the second
kind is its id, because its positions count from the start of an unnamed context. An entity has the
same name in all documents. The subtopic of a document of ECB+ follows from its name, since two
programs of Cattan et al. number subtopics in opposite ways.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from scoref.base.limits import FREE, proportion_problem
from scoref.base.phrases import counted
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import ecbplus_topics
from scoref.exceptions import Problem
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.problems import Problems
from scoref.formats.json.json_text import (
    MENTION_MARKS,
    JsonLine,
    first_keys,
    json_type,
    parse_lines,
    without_garbage_collection,
)

_NOTHING = ("UNK", "", None)
"""What WEC writes for a mention without a predicted entity."""
_LARGEST = 2**62
_HINT = "write an object per mention, all with the same fields"


class _Fields(NamedTuple):
    """The fields of a kind of list: what a mention is, its entity, and what else is read."""

    mention: str
    entity: str
    predicted: str = ""
    topic: str = "topic"


_OF_TOKENS = _Fields("tokens_ids", "cluster_id")
_OF_IDS = _Fields("mention_id", "coref_chain", "predicted_coref_chain", "topic_id")


def read(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read a list of mentions, or a mention per line; a response has the predicted entities."""
    problems = Problems(path)
    with without_garbage_collection():
        lines = list(parse_lines(stream, problems))
        values = [line.value for line in lines if isinstance(line.value, dict)]
        fields = _OF_TOKENS if values and _OF_TOKENS.mention in values[0] else _OF_IDS
        known = [one for one in values if one.get(fields.predicted) not in _NOTHING]
        reader = _ListReader(fields, problems, is_predicted=wanted.predicted and bool(known))
        for number, line in enumerate(lines, 1):
            reader.add(line, f"mention {number:,}")
    if not lines and not problems:
        problems.add(0, "no mentions", "an object per mention", "is the file complete?")
    if problems:
        return Corpus.without_mentions((), path), problems
    return reader.corpus(len(lines) - len(known)), problems


class _ListReader:
    """Adds mentions to a corpus, or what is wrong with them to the problems."""

    def __init__(self, fields: _Fields, problems: Problems, *, is_predicted: bool) -> None:
        self.fields = fields
        self.problems = problems
        self.is_predicted = is_predicted
        self.builder = CorpusBuilder(problems.path)
        self.labels: list[str] = []
        self.documents: dict[str, int] = {}
        self.topics: dict[tuple[str, str], str] = {}

    def add(self, line: JsonLine, which: str) -> None:
        """Add a mention, unless a response has no predicted entity for it."""
        value, fields, before = line.value, self.fields, len(self.problems)
        if not isinstance(value, dict):
            self.problems.add(line.number, json_type(value), "an object per mention", _HINT)
            return
        document, entity = (self._name(line, which, one) for one in ("doc_id", fields.entity))
        if fields is _OF_TOKENS:
            tokens = _tokens(line, which, self.problems)
        else:
            label = self._name(line, which, fields.mention)
        has_predicted = value.get(fields.predicted) not in _NOTHING
        predicted = self._name(line, which, fields.predicted) if has_predicted else ""
        entity = predicted if self.is_predicted else entity
        attributes = self._topics(line, which, document)
        if len(self.problems) > before:
            return
        if (number := self.documents.get(document)) is None:
            number = self.documents[document] = self.builder.document(document, line=line.number)
        if not entity:
            return
        attributes["head_lemma"] = _head_lemma(value).casefold()
        span = 0, 0
        if fields is _OF_TOKENS:
            span = tokens[0], tokens[-1]
            if len(tokens) <= span[1] - span[0]:
                attributes["nodes"] = " ".join(map(str, tokens))
        else:
            self.labels.append(label)
        of_document = self.builder.entity(number, entity)
        self.builder.mention(number, span, of_document, line.number, **attributes)

    def _name(self, line: JsonLine, which: str, field: str, *, required: bool = True) -> str:
        """Return the text or the whole number of a field."""
        content = line.value.get(field)
        if type(content) in {str, int} and content != "":
            return str(content)
        if required or content not in (None, ""):
            what = "an empty string" if content == "" else json_type(content)
            found = f"with {what} as `{field}`" if field in line.value else f"without `{field}`"
            expected = "a string or a whole number"
            self.problems.add(line.number, f"{which} {found}", expected, _HINT)
        return ""

    def _topics(self, line: JsonLine, which: str, document: str) -> dict[str, str]:
        """Return the topic and the subtopic of a document, of which it has one each."""
        names = [
            self._name(line, which, field, required=False)
            for field in (self.fields.topic, "subtopic")
        ]
        names = ["" if name == "-1" else name for name in names]
        topics = dict(zip(("topic", "subtopic"), ecbplus_topics(document) or names, strict=True))
        for kind, name in topics.items():
            first = self.topics.setdefault((document, kind), name)
            if first != name:
                found = f"document {document} with the {kind} {first!r} and {name!r}"
                self.problems.add(line.number, found, f"one {kind} per document", _HINT)
        return topics

    def corpus(self, unpredicted: int) -> Corpus:
        """Return the corpus; `unpredicted` mentions have no predicted entity."""
        corpus = self.builder.corpus()
        if self.is_predicted:
            note = f"{corpus.source}: `{self.fields.predicted}` is read, not `{self.fields.entity}`"
            if unpredicted:
                note += f"; {counted(unpredicted, 'mention')} without a predicted entity"
                note += f" {'is' if unpredicted == 1 else 'are'} not read"
            corpus = replace(corpus, notes=(note,))
        if self.fields is _OF_TOKENS:
            return corpus
        rows = np.arange(len(corpus), dtype=np.int64)
        return replace(corpus, start=rows, end=rows, labels=tuple(self.labels))


def _tokens(line: JsonLine, which: str, problems: Problems) -> tuple[int, ...]:
    """Return the tokens of a mention in the order of the text."""
    tokens = line.value.get(_OF_TOKENS.mention)
    is_list = isinstance(tokens, list) and set(map(type, tokens)) == {int}
    if not is_list or min(tokens) < 0 or max(tokens) >= _LARGEST or len({*tokens}) < len(tokens):
        found = f"{which} with `{_OF_TOKENS.mention}` {str(tokens)[:40]}"
        expected = "a list of different positions, such as [3, 4]"
        problems.add(line.number, found, expected, _HINT)
        return ()
    last = max(tokens)
    if last > FREE:
        found = f"a token at position {last:,}"
        far = proportion_problem(last, line.size, found, problems.path, line.number)
        problems += [far] if far else []
    return tuple(sorted(tokens))


def _head_lemma(value: dict[str, Any]) -> str:
    """Return the lemma of the head, if the lemmas of a mention are those of its words."""
    if isinstance(lemma := value.get("mention_head_lemma"), str):
        return lemma
    words, lemmas = (
        text.split() if isinstance(text := value.get(field), str) else []
        for field in ("tokens", "lemmas")
    )
    if not words or len(words) != len(lemmas):
        return ""
    from scoref.linguistics.types import core_head  # noqa: PLC0415  # few lists have lemmas

    return lemmas[core_head(words)]


def _recognise(head: bytes) -> bool:
    """Whether a file begins with an object that has a document and an entity."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip().removeprefix(b"[")
    keys = first_keys(start)
    return keys is not None and "doc_id" in keys and bool(keys & MENTION_MARKS)


FORMAT = Format(
    name="mentionlist",
    title="mention lists as JSON (Cattan, WEC)",
    recognise=_recognise,
    read=read,
    suffix=".json",
)
