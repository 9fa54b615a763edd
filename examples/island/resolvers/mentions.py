"""Mention detection with a word list: pronouns, names, and noun phrases with `of`-phrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from resolvers.lexicon import (
    CLOSED,
    DEFINITE,
    DETERMINERS,
    GENDERS,
    NOT_NAMES,
    NOUNS,
    POSSESSIVE,
    PRONOUNS,
    SPEECH,
    TITLES,
)

Span = tuple[int, int]
MODIFIERS = 3
"""How many words that are not nouns can stand between a determiner and its noun."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mention as the resolvers see it; `end` is inclusive, `quote` is 0 outside quotes."""

    start: int
    end: int
    sentence: int
    kind: str
    words: tuple[str, ...]
    head: str
    genders: str
    numbers: str
    person: int
    quote: int

    @property
    def span(self) -> Span:
        """The first and the last token."""
        return self.start, self.end

    @property
    def is_definite(self) -> bool:
        """Whether the phrase begins with a definite determiner."""
        return self.words[0].lower() in DEFINITE

    @property
    def core(self) -> tuple[str, ...]:
        """The words in lower case, without determiner and possessive ending."""
        words = tuple(word.lower() for word in self.words)
        words = words[:-1] if words[-1] in ("'s", "'") else words
        return words[1:] if words[0] in DETERMINERS and len(words) > 1 else words

    def shares_name(self, other: Candidate) -> bool:
        """Whether both are names, and one has all words of the other, apart from titles."""
        if self.kind != "name" or other.kind != "name":
            return False
        words, others = set(self.core) - TITLES, set(other.core) - TITLES
        return words <= others or others <= words

    def agrees(self, other: Candidate) -> bool:
        """Whether gender and number are compatible."""
        return bool(set(self.genders) & set(other.genders)) and bool(
            set(self.numbers) & set(other.numbers)
        )


@dataclass(frozen=True, slots=True)
class Scene:
    """A document: its words, its candidates in text order, and who speaks at each of them."""

    words: list[str]
    candidates: list[Candidate]
    speakers: list[int | None]


def read_scene(sentences: Sequence[Sequence[str]]) -> Scene:
    """Find the candidates of a document and their speakers."""
    found: list[Candidate] = []
    words: list[str] = []
    quote, quotes = 0, 0
    for number, sentence in enumerate(sentences):
        marks = []
        for word in sentence:
            if word == '"':
                quotes += quote == 0
                quote = 0 if quote else quotes
            marks.append(quote)
        for start, end in sorted(_spans(sentence), key=lambda span: (span[0], -span[1])):
            place = len(words) + start, len(words) + end
            found.append(_candidate(sentence[start : end + 1], place, number, marks[start]))
        words += sentence
    return Scene(words, found, _speakers(sentences, words, found))


def _spans(words: Sequence[str]) -> set[Span]:
    """Find the mentions of a sentence."""
    base = sorted(set(_base_phrases(words)))
    ends = dict(base)  # where the longest phrase that starts at a token ends
    found = {(at, at) for at, word in enumerate(words) if word.lower() in PRONOUNS} | set(base)
    for start, end in reversed(base):
        if words[end + 1 : end + 2] == ["of"] and end + 2 in ends:
            ends[start] = ends[end + 2]
            found = found - {(start, end)} | {(start, ends[start])}
        if words[end + 1 : end + 2] == ["and"] and end + 2 in ends and words[start][0].isupper():
            found.add((start, ends[end + 2]))
    return found


def _base_phrases(words: Sequence[str]) -> Iterator[Span]:
    """Yield names and noun phrases without what follows their head."""
    at = 0
    while at < len(words):
        end = _phrase_end(words, at)
        if end is None:
            at += 1
            continue
        if words[end + 1 : end + 2] in (["'s"], ["'"]):
            yield at, end + 1
            outer = _noun_end(words, end + 2)
            if outer is not None:
                yield at, outer
                end = outer
        else:
            yield at, end
        at = end + 1


def _phrase_end(words: Sequence[str], at: int) -> int | None:
    word = words[at]
    if word.lower() in DETERMINERS or word.lower() in POSSESSIVE:
        return _noun_end(words, at + 1)
    if _is_name(words, at):
        end = at
        while end + 1 < len(words) and _is_name(words, end + 1):
            end += 1
        return end
    return _noun_end(words, at) if word.lower() in NOUNS else None


def _noun_end(words: Sequence[str], at: int) -> int | None:
    """Return the last noun or name of a phrase whose first word after the determiner is `at`."""
    end = None
    for place in range(at, len(words)):
        word = words[place]
        if word.lower() in NOUNS or _is_name(words, place):
            end = place
        elif end is not None or not _is_modifier(word) or place - at >= MODIFIERS:
            break
    return end


def _is_modifier(word: str) -> bool:
    lowered = word.lower()
    return (
        word[0].isalpha()
        and lowered not in CLOSED
        and lowered not in PRONOUNS
        and lowered not in DETERMINERS
    )


def _is_name(words: Sequence[str], at: int) -> bool:
    word = words[at]
    lowered = word.lower()
    if not word[0].isupper() or word in NOT_NAMES or lowered in PRONOUNS or lowered in CLOSED:
        return False
    starts = at == 0 or words[at - 1] in '".:!?'
    return lowered not in DETERMINERS and not (starts and lowered in NOUNS)


def _candidate(words: Sequence[str], place: Span, sentence: int, quote: int) -> Candidate:
    start, end = place
    first = words[0].lower()
    if len(words) == 1 and first in PRONOUNS:
        genders, numbers, person = PRONOUNS[first]
        return Candidate(
            start, end, sentence, "pronoun", (words[0],), first, genders, numbers, person, quote
        )
    core = list(words[: words.index("of")] if "of" in words else words)
    core = core[:-1] if core[-1] in ("'s", "'") else core
    head = core[-1]
    kind = "name" if head[0].isupper() and head.lower() not in PRONOUNS else "nominal"
    if "and" in core:
        genders, numbers = "mf", "p"
    elif kind == "nominal":
        genders, numbers = NOUNS.get(head.lower(), ("mfn", "s"))
    else:
        known = [GENDERS[word] for word in core if word in GENDERS]
        known += [NOUNS[word.lower()][0] for word in core if word.lower() in NOUNS]
        genders, numbers = known[-1] if known else "mf", "s"
    return Candidate(
        start, end, sentence, kind, tuple(words), head.lower(), genders, numbers, 3, quote
    )


def _speakers(
    sentences: Sequence[Sequence[str]], words: Sequence[str], found: Sequence[Candidate]
) -> list[int | None]:
    """Return the candidate that speaks at each candidate: before a colon, or beside `said`."""
    labels: dict[int, int] = {}
    said: dict[int, int] = {}
    for number, one in enumerate(found):
        if words[one.end + 1 : one.end + 2] == [":"] and (
            one.start == 0 or words[one.start - 1] in ".!?"
        ):
            labels[one.sentence] = number
        beside = {*words[max(one.start - 1, 0) : one.start], *words[one.end + 1 : one.end + 2]}
        if not one.quote and beside & SPEECH:
            said.setdefault(one.sentence, number)
    turns: list[int | None] = []
    for sentence in range(len(sentences)):
        turns.append(labels.get(sentence, turns[-1] if turns and labels else None))
    if labels:
        return [turns[one.sentence] for one in found]
    return [_quoted_speaker(one, said) if one.quote else None for one in found]


def _quoted_speaker(one: Candidate, said: dict[int, int]) -> int | None:
    """Return who says a quote: in the same sentence, or in the nearest one before."""
    return said.get(one.sentence, said.get(one.sentence - 1))
