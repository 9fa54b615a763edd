"""Mention lists as JSON: an object per mention, as papers on cross-document coreference have them.

    doc_id, tokens_ids, cluster_id          Cattan et al. (2021): the tokens of each mention
    doc_id, mention_id, coref_chain         WEC (Eirew et al. 2021): the id of each mention

A mention of the first kind is a token span, with `nodes` if it has gaps. A mention of the second
kind is its id, because its positions count from the start of an unnamed context. An entity has the
same name in all documents. The subtopic of a document of ECB+ follows from its name, since two
programs of Cattan et al. number subtopics in opposite ways.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    subtopic: str = ""
    lemma: str = ""


_OF_TOKENS = _Fields("tokens_ids", "cluster_id", subtopic="subtopic", lemma="lemmas")
_OF_IDS = _Fields(
    "mention_id", "coref_chain", "predicted_coref_chain", "topic_id", lemma="mention_head_lemma"
)


class _ListedMention(NamedTuple):
    """A mention: its line, its document, its tokens or its id, its entity, and attributes."""

    line: int
    document: str
    mention: Any
    entity: str
    predicted: str
    attributes: dict[str, str]


def read(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read a list of mentions, or a mention per line."""
    problems, found = Problems(path), []
    fields: _Fields | None = None
    with without_garbage_collection():
        for number, line in enumerate(parse_lines(stream, problems), 1):
            if isinstance(line.value, dict):
                fields = fields or (_OF_TOKENS if _OF_TOKENS.mention in line.value else _OF_IDS)
                found.append(_mention(line, fields, f"mention {number:,}", problems))
            else:
                expected = "an object per mention"
                problems.add(line.number, json_type(line.value), expected, _HINT)
    if not found and not problems:
        problems.add(0, "no mentions", "an object per mention", "is the file complete?")
    mentions = [one for one in found if one is not None]
    topics = _check_topics(mentions, problems)
    if problems or fields is None:
        return Corpus.without_mentions((), path), problems
    return _corpus(mentions, fields, topics, path, wanted), problems


def _mention(
    line: JsonLine, fields: _Fields, which: str, problems: Problems
) -> _ListedMention | None:
    """Return a mention, or add what is wrong with its fields to the problems."""
    value, before = line.value, len(problems)

    def name(field: str, *, required: bool = True) -> str:
        content = value.get(field)
        if type(content) in {str, int} and content != "":
            return str(content)
        if required or content not in (None, ""):
            what = "an empty string" if content == "" else json_type(content)
            found = f"with {what} as `{field}`" if field in value else f"without `{field}`"
            problems.add(line.number, f"{which} {found}", "a string or a whole number", _HINT)
        return ""

    document, entity = name("doc_id"), name(fields.entity)
    mention: Any
    if fields is _OF_TOKENS:
        mention = _tokens(line, which, problems)
        predicted, lemma = "", _head_lemma(value)
    else:
        mention = name(fields.mention)
        content = value.get(fields.predicted)
        predicted = "" if content in _NOTHING else name(fields.predicted)
        lemma = value.get(fields.lemma)
        lemma = lemma if isinstance(lemma, str) else ""
    topic = name(fields.topic, required=False)
    subtopic = name(fields.subtopic, required=False) if fields.subtopic else ""
    if len(problems) > before:
        return None
    topic = "" if topic == "-1" and fields is _OF_IDS else topic
    if of_name := ecbplus_topics(document):
        topic, subtopic = of_name
    attributes = {"topic": topic, "subtopic": subtopic, "head_lemma": lemma.casefold()}
    return _ListedMention(line.number, document, mention, entity, predicted, attributes)


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
    words, lemmas = (
        text.split() if isinstance(text := value.get(field), str) else []
        for field in ("tokens", "lemmas")
    )
    if not words or len(words) != len(lemmas):
        return ""
    if len(words) == 1:
        return lemmas[0]
    from scoref.linguistics.types import core_head  # noqa: PLC0415  # few lists have lemmas

    return lemmas[core_head(words)]


def _check_topics(mentions: Sequence[_ListedMention], problems: Problems) -> frozenset[str]:
    """Return which of topic and subtopic all mentions have; refuse two for a document."""
    stated = set()
    for name in ("topic", "subtopic"):
        first: dict[str, str] = {}
        for one in mentions:
            value = one.attributes[name]
            if first.setdefault(one.document, value) != value:
                both = f"{first[one.document]!r} and {value!r}"
                found = f"document {one.document} with the {name} {both}"
                problems.add(one.line, found, f"one {name} per document", _HINT)
                break
        if mentions and all(first.values()):
            stated.add(name)
    return frozenset(stated)


def _corpus(
    mentions: Sequence[_ListedMention],
    fields: _Fields,
    topics: frozenset[str],
    path: str,
    wanted: Wanted,
) -> Corpus:
    """Return the corpus; a response has the predicted entities, if the list has any."""
    builder = CorpusBuilder(path)
    predicted = sum(bool(one.predicted) for one in mentions) if wanted.predicted else 0
    if predicted:
        field = f"{path}: `{fields.predicted}` is read, not `{fields.entity}`"
        builder.notes.append(
            f"{field}; {counted(len(mentions) - predicted, 'mention')} without a predicted entity"
            f" {'is' if len(mentions) - predicted == 1 else 'are'} not read"
            if predicted < len(mentions)
            else field
        )
    documents: dict[str, int] = {}
    labels: list[str] = []
    for one in mentions:
        if (number := documents.get(one.document)) is None:
            number = documents[one.document] = builder.document(one.document, line=one.line)
        if predicted and not one.predicted:
            continue
        entity = builder.entity(number, one.predicted if predicted else one.entity)
        attributes = {
            name: value
            for name, value in one.attributes.items()
            if name in topics or name == "head_lemma"
        }
        span = 0, 0
        if fields is _OF_TOKENS:
            span = one.mention[0], one.mention[-1]
            if len(one.mention) <= span[1] - span[0]:
                attributes["nodes"] = " ".join(map(str, one.mention))
        else:
            labels.append(one.mention)
        builder.mention(number, span, entity, one.line, **attributes)
    corpus = builder.corpus()
    if fields is _OF_TOKENS:
        return corpus
    rows = np.arange(len(corpus), dtype=np.int64)
    return replace(corpus, start=rows, end=rows, labels=tuple(labels))


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
