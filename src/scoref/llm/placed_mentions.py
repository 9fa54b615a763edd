"""From one completion to the mentions of one source document, and its fidelity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.llm.fidelity import Fidelity
from scoref.llm.marked_text import ANY, OPEN_END, MarkedText, QuoteList, TextMark
from scoref.llm.markups.markup import TextMarkup
from scoref.llm.quote_placement import place_quotes
from scoref.llm.source_index import SourceIndex
from scoref.llm.word_alignment import (
    ALTERED,
    DROPPED,
    KEPT,
    NOWHERE,
    AlignedWords,
    align_words,
)

Unclosed = Literal["drop", "close-at-sentence", "close-at-end"]
_LEAST_TRUNCATED = 10


@dataclass(frozen=True, slots=True, eq=False)
class SourceDocument:
    """The words of a source document, where its sentences start, and its empty nodes.

    `empties` are (word, decimal) of each empty node that the source is known to have.
    """

    name: str
    words: Sequence[str]
    starts_sentence: Bools
    empties: Collection[tuple[int, int]] = ()


class PlacedMention(NamedTuple):
    """A mention: tokens from `start` to `end`, inclusive, its entity, and its empty nodes.

    `nodes` lists all tokens and empty nodes of a mention that has an empty node.
    """

    start: int
    end: int
    entity: str
    nodes: str = ""


class TextChange(NamedTuple):
    """A change of the text: source tokens from `start` to `end`, exclusive, became `words`."""

    kind: str
    start: int
    end: int
    words: str


@dataclass(slots=True)
class AlignedDocument:
    """The mentions of a completion in its source document."""

    name: str
    markup: str
    mentions: list[PlacedMention] = field(default_factory=list)
    changes: list[TextChange] = field(default_factory=list)
    fidelity: Fidelity = field(default_factory=Fidelity)


def align_completion(
    source: SourceDocument, text: str, markup: TextMarkup, unclosed: Unclosed
) -> AlignedDocument:
    """Parse a completion, and place its mentions on the tokens of a document."""
    parsed = markup.read(text)
    found = AlignedDocument(source.name, markup.name)
    found.fidelity.documents = 1
    found.fidelity.markup = markup.name
    if isinstance(parsed, QuoteList):
        _place_list(source, parsed, found)
    else:
        _place_marks(source, parsed, unclosed, found)
    return found


def _place_marks(
    source: SourceDocument, text: MarkedText, unclosed: Unclosed, found: AlignedDocument
) -> None:
    aligned = align_words(source.words, text.words)
    _describe(source, text, aligned, found)
    fidelity = found.fidelity
    zeros = _place_empties(source, text, aligned)
    closed = _close_marks(source, text.marks, aligned, unclosed)
    columns = aligned.first.tolist(), aligned.last.tolist(), aligned.block.tolist()
    for number, mark in enumerate(text.marks):
        fidelity.mentions += 1
        span: tuple[int, int] | None
        if mark.end == OPEN_END:
            span, adjusted = closed.get(mark), True
        else:
            span, adjusted = _span(mark, *columns)
        nodes = [zeros[empty] for empty in mark.empties]
        if span is None and nodes:
            place = nodes[0][0]
            span = place, place
        if span is None:
            repeated = bool(aligned.is_repeated[mark.start : mark.end].any())
            fidelity.repeated_mentions += repeated
            fidelity.lost += not repeated
            continue
        entity = mark.entity if mark.entity != ANY else f"#{number}"
        has_words = mark.end > mark.start
        words = range(span[0], span[1] + 1) if has_words else range(0)
        written = _nodes(words, nodes) if nodes else ""
        mention = PlacedMention(*span, entity, written)
        fidelity.placed += 1
        fidelity.adjusted += adjusted
        found.mentions.append(mention)


def _span(
    mark: TextMark, first: list[int], last: list[int], block: list[int]
) -> tuple[tuple[int, int] | None, bool]:
    """Return the tokens of the words of a mark, and whether an end moved to another word.

    An opening moves right to the first word that has a token, a closing left to the last one. If
    the words of a mark are in several blocks, the block with the most words counts.
    """
    words = [at for at in range(mark.start, mark.end) if first[at] >= 0]
    if not words:
        return None, False
    if len({block[at] for at in words}) > 1:
        chosen = Counter(block[at] for at in words).most_common(1)[0][0]
        words = [at for at in words if block[at] == chosen]
    adjusted = words[0] != mark.start or words[-1] != mark.end - 1
    return (min(first[at] for at in words), max(last[at] for at in words)), adjusted


def _close_marks(
    source: SourceDocument, marks: Sequence[TextMark], aligned: AlignedWords, unclosed: Unclosed
) -> dict[TextMark, tuple[int, int]]:
    """Close the mentions whose closing tags are missing, as the policy says; or none of them."""
    placed = np.flatnonzero((aligned.first >= 0) & (aligned.block == 0))
    if unclosed == "drop" or not len(placed):
        return {}
    end = int(aligned.last[placed].max())
    sentence_ends = np.append(np.flatnonzero(source.starts_sentence)[1:], len(source.words)) - 1
    found = {}
    for mark in marks:
        at = int(np.searchsorted(placed, mark.start))
        if mark.end == OPEN_END and at < len(placed):
            start = int(aligned.first[placed[at]])
            last = end
            if unclosed == "close-at-sentence":
                last = min(end, int(sentence_ends[np.searchsorted(sentence_ends, start)]))
            found[mark] = start, max(start, last)
    return found


def _place_empties(
    source: SourceDocument, text: MarkedText, aligned: AlignedWords
) -> list[tuple[int, int]]:
    """Return (word, decimal) of each generated empty node.

    It is an empty node of the source next to the word before it, if there is one that is not taken
    yet; otherwise it is a new node after that word.
    """
    if not text.empties:
        return []
    free: dict[int, list[int]] = {}
    for word, decimal in sorted(source.empties, reverse=True):
        free.setdefault(word, []).append(decimal)
    latest = np.concatenate(
        [[NOWHERE], np.where(aligned.last >= 0, np.arange(len(text.words)), -1)]
    )
    before = np.maximum.accumulate(latest)[text.empties]
    new: Counter[int] = Counter({word: max(taken) for word, taken in free.items()})
    placed = []
    for at in before.tolist():
        word = int(aligned.last[at]) if at >= 0 else 0
        near = next((place for place in (word, word - 1, word + 1) if free.get(place)), None)
        if near is not None:
            placed.append((near, free[near].pop()))
        else:
            new[word] = max(new[word], 0) + 1
            placed.append((word, new[word]))
    return placed


def _nodes(words: range, empties: Sequence[tuple[int, int]]) -> str:
    """Write the nodes of a mention with empty nodes: `4 5 5.1`."""
    nodes = sorted([*((word, 0) for word in words), *empties])
    return " ".join(f"{word}.{decimal}" if decimal else str(word) for word, decimal in nodes)


def _describe(
    source: SourceDocument, text: MarkedText, aligned: AlignedWords, found: AlignedDocument
) -> None:
    """Count kept, altered, dropped, inserted, moved and repeated words, and list the changes."""
    fidelity = found.fidelity
    states = np.bincount(aligned.tokens, minlength=3)
    fidelity.tokens = len(source.words)
    fidelity.dropped, fidelity.altered, fidelity.kept = (
        int(states[state]) for state in (DROPPED, ALTERED, KEPT)
    )
    fidelity.moved = int((aligned.block > 0).sum())
    fidelity.repeated = int(aligned.is_repeated.sum())
    placed = np.flatnonzero(aligned.first >= 0)
    low, high = _inside(text, placed)
    inserted = (aligned.block == NOWHERE) & (np.arange(len(text.words)) >= low)
    inserted &= np.arange(len(text.words)) < high
    fidelity.tags = {name: number for name, number in text.damage.items() if number}
    stray = sum(word.count("[") for word in text.words) - sum(w.count("[") for w in source.words)
    if stray > 0:  # brackets that are not those of the source were never closed
        fidelity.tags["unclosed"] = fidelity.tags.get("unclosed", 0) + stray
        inserted[[at for at, word in enumerate(text.words) if word == "["]] = False
    fidelity.inserted = int(inserted.sum())
    fidelity.outside = int(
        (aligned.block == NOWHERE).sum() - (aligned.block[low:high] == NOWHERE).sum()
    )
    tail = _dropped_tail(aligned.tokens)
    if tail >= _LEAST_TRUNCATED:
        fidelity.truncated[source.name] = len(source.words) - tail
    found.changes = _changes(text, aligned, inserted)


def _inside(text: MarkedText, placed: Ints) -> tuple[int, int]:
    """Return the first and the end of the lines of the generated text that have source words.

    Lines before and after, such as "Here is the annotated text:", do not belong to the text.
    """
    if not len(placed):
        return 0, 0
    first, last = int(placed[0]), int(placed[-1])
    low = max((start for start in text.lines if start <= first), default=0)
    high = min((start for start in text.lines if start > last), default=len(text.words))
    return low, high


def _dropped_tail(tokens: Ints) -> int:
    """Return how many tokens at the end were dropped."""
    there = np.flatnonzero(tokens != DROPPED)
    return len(tokens) - (int(there[-1]) + 1 if len(there) else 0)


def _changes(text: MarkedText, aligned: AlignedWords, inserted: Bools) -> list[TextChange]:
    """List altered and dropped tokens, and inserted words before the token that follows them."""
    words_of: dict[int, list[str]] = {}
    altered = set(np.flatnonzero(aligned.tokens == ALTERED).tolist())
    is_altered = np.concatenate([[0], np.cumsum(aligned.tokens == ALTERED)])
    touches = is_altered[aligned.last + 1] > is_altered[np.maximum(aligned.first, 0)]
    for word in np.flatnonzero((aligned.first >= 0) & touches).tolist():
        for token in range(int(aligned.first[word]), int(aligned.last[word]) + 1):
            if token in altered:
                words_of.setdefault(token, []).append(text.words[word])
    changes = [
        TextChange("altered", token, token + 1, " ".join(words_of.get(token, ())))
        for token in sorted(altered)
    ]
    dropped = aligned.tokens == DROPPED
    edges = np.flatnonzero(np.diff(np.concatenate([[False], dropped, [False]])))
    for low, high in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        changes.append(TextChange("dropped", low, high, ""))
    in_order = np.where((aligned.block == 0) & (aligned.last >= 0), np.arange(len(inserted)), -1)
    latest = np.maximum.accumulate(in_order)
    for word in np.flatnonzero(inserted).tolist():
        at = int(aligned.last[latest[word]]) + 1 if latest[word] >= 0 else 0
        changes.append(TextChange("inserted", at, at, text.words[word]))
    return sorted(changes, key=lambda change: change.start)


def _place_list(source: SourceDocument, parsed: QuoteList, found: AlignedDocument) -> None:
    """Place quotes, and then the antecedents of pronouns."""
    index = SourceIndex(source.words)
    sentences = np.cumsum(source.starts_sentence).tolist()
    sentences = [max(one, 1) for one in sentences]
    placed = place_quotes(parsed.quotes, index, sentences)
    fidelity = found.fidelity
    if parsed.is_cut:
        fidelity.tags["unclosed"] = 1
    mentions: list[PlacedMention] = []
    for quote, span in zip(parsed.quotes, placed.spans, strict=True):
        if not quote.entity:
            continue  # a pronoun that refers to nothing
        fidelity.mentions += 1
        if span is None:
            fidelity.lost += 1
        else:
            fidelity.placed += 1
            mentions.append(PlacedMention(*span, quote.entity))
    fidelity.ambiguous = len(placed.ambiguous)
    fidelity.adjusted = len(placed.altered)
    fidelity.out_of_order = len(placed.out_of_order)
    mentions += _antecedents(parsed, index, placed.spans)
    found.mentions = mentions


def _antecedents(
    parsed: QuoteList, index: SourceIndex, spans: Sequence[tuple[int, int] | None]
) -> list[PlacedMention]:
    """Return the nearest occurrence of each antecedent before its pronoun, or else after it.

    An antecedent that does not occur in the text, such as `the narrator`, only names an entity.
    """
    pronouns = {span for span in spans if span is not None}
    found: dict[PlacedMention, None] = {}
    for number, text in parsed.answers:
        span = spans[number]
        if span is None:
            continue
        places = [
            (one.start, one.end)
            for one in index.occurrences(text)
            if one.distance < 3 and (one.start, one.end) != span
        ]
        before = [place for place in places if place[1] < span[0] or place[0] < span[0]]
        chosen = before[-1] if before else places[0] if places else None
        if chosen is not None and chosen not in pronouns:
            found[PlacedMention(*chosen, text)] = None
    return list(found)
