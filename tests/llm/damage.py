"""A model of the damage that language models do to a text that they annotate, with known truth.

A document is a list of sentences of tokens. Every token carries the tags of the mentions that
begin and end at it, so that tags travel with their words. The rates are shares of words (or of
mentions, sentences, documents).
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from scoref.corpus.corpus import Corpus

QUOTES = {'"': "\u201c", "'": "\u2019", "``": '"', "''": '"', "-": "\u2013", "--": "\u2014"}
ENTITY_TAGS = {
    "crac": None,
    "markdown": ("[", "](#{})"),
    "brackets": ("[", "]#{}"),
    "brackets-underscore": ("[", "]_{}"),
    "brackets-colon": ("[", ": {}]"),
    "xml": ('<m id="{}">', "</m>"),
    "xml-element": ("<e{}>", "</e{}>"),
    "xml-suffix": ("<m>", "</m>#{}"),
    "xml-pipe": ("<m> ", " | {} </m>"),
}
PREAMBLE = "Sure! Here is the complete annotated text, as requested:\n\n"
POSTAMBLE = "\n\nLet me know if you need anything else."


@dataclass(frozen=True)
class Rates:
    """How often each kind of damage happens."""

    typo: float = 0.0
    other_word: float = 0.0
    form: float = 0.0
    join: float = 0.0
    split: float = 0.0
    drop: float = 0.0
    insert: float = 0.0
    skip_sentence: float = 0.0
    repeat_sentence: float = 0.0
    swap_sentences: float = 0.0
    truncate: float = 0.0
    loop: float = 0.0
    detokenise: float = 0.0
    unclosed: float = 0.0
    unopened: float = 0.0
    renumbered: float = 0.0
    closed_twice: float = 0.0
    empty: float = 0.0
    wrap: float = 0.0


REALISTIC = Rates(
    typo=0.01,
    other_word=0.005,
    form=0.02,
    join=0.005,
    split=0.002,
    drop=0.004,
    insert=0.004,
    skip_sentence=0.005,
    repeat_sentence=0.004,
    swap_sentences=0.004,
    truncate=0.05,
    loop=0.05,
    detokenise=0.3,
    unclosed=0.002,
    unopened=0.002,
    renumbered=0.002,
    closed_twice=0.002,
    empty=0.002,
    wrap=0.3,
)


@dataclass(frozen=True)
class Token:
    """A word of the output, its source token or -1, and the mentions that begin and end at it."""

    text: str
    source: int
    opens: tuple[int, ...] = ()
    closes: tuple[int, ...] = ()
    glued: bool = False


@dataclass
class Document:
    """A document: sentences, and (start, end, entity) of each mention."""

    sentences: list[list[Token]]
    mentions: list[tuple[int, int, str]]
    wrong_entity: dict[int, str] = field(default_factory=dict)
    without_close: set[int] = field(default_factory=set)
    without_open: set[int] = field(default_factory=set)
    twice: set[int] = field(default_factory=set)
    empty_after: set[int] = field(default_factory=set)


def documents(corpus: Corpus, most: int = 1000) -> list[Document]:
    """Return the documents of a corpus with words, up to so many."""
    found = []
    assert corpus.text is not None
    for number in range(min(len(corpus.documents), most)):
        low, high = corpus.text.first[number : number + 2].tolist()
        words = corpus.text.columns["word"][low:high]
        starts = corpus.text.starts_sentence[low:high]
        rows = np.flatnonzero(corpus.document == number).tolist()
        rows.sort(key=lambda row: (corpus.start[row], -corpus.end[row]))
        mentions = [
            (int(corpus.start[row]), int(corpus.end[row]), str(int(corpus.entity[row])))
            for row in rows
        ]
        opens: dict[int, list[int]] = {}
        closes: dict[int, list[int]] = {}
        for at, (start, end, _) in enumerate(mentions):
            opens.setdefault(start, []).append(at)
            closes.setdefault(end, []).insert(0, at)
        sentences: list[list[Token]] = []
        for at, word in enumerate(words):
            if starts[at] or not sentences:
                sentences.append([])
            token = Token(word, at, tuple(opens.get(at, ())), tuple(closes.get(at, ())))
            sentences[-1].append(token)
        found.append(Document(sentences, mentions))
    return found


def damage(document: Document, rates: Rates, rng: random.Random) -> tuple[Document, bool]:
    """Damage the words, sentences and tags of a document; also say whether it is detokenised."""
    vocabulary = [token.text for sentence in document.sentences for token in sentence]
    sentences = [_damage_words(sentence, rates, rng, vocabulary) for sentence in document.sentences]
    sentences = _damage_sentences(sentences, rates, rng)
    detokenised = rng.random() < rates.detokenise
    if detokenised:
        sentences = [_detokenise(sentence) for sentence in sentences]
    found = Document(sentences, document.mentions)
    for at, (start, end, entity) in enumerate(document.mentions):
        if rng.random() < rates.unclosed and end > start:
            found.without_close.add(at)
        elif rng.random() < rates.unopened and end > start:
            found.without_open.add(at)
        elif rng.random() < rates.renumbered and end > start:
            found.wrong_entity[at] = str(int(entity) + 9000)
        elif rng.random() < rates.closed_twice:
            found.twice.add(at)
    for sentence in sentences:
        for token in sentence:
            if rng.random() < rates.empty:
                found.empty_after.add(id(token))
    return found, detokenised


def _damage_words(
    sentence: Sequence[Token], rates: Rates, rng: random.Random, vocabulary: Sequence[str]
) -> list[Token]:
    found: list[Token] = []
    carried: tuple[int, ...] = ()
    for token in sentence:
        draw = rng.random()
        if rng.random() < rates.insert:
            found.append(Token(rng.choice(vocabulary), -1))
        if draw < rates.drop and len(sentence) > 1:
            # The tags of a dropped word go to its neighbours.
            whole = set(token.opens) & set(token.closes)
            carried += tuple(one for one in token.opens if one not in whole)
            rest = tuple(one for one in token.closes if one not in whole)
            if rest and found:
                found[-1] = replace(found[-1], closes=(*found[-1].closes, *rest))
            continue
        draw -= rates.drop
        text = token.text
        if draw < rates.typo:
            text = _typo(text, rng)
        elif (draw := draw - rates.typo) < rates.other_word:
            text = rng.choice(vocabulary)
        elif (draw := draw - rates.other_word) < rates.form:
            text = _other_form(text, rng)
        if rng.random() < rates.split and len(text) > 3:
            at = rng.randrange(1, len(text))
            text = f"{text[:at]} {text[at:]}"
        opens = (*carried, *token.opens)
        carried = ()
        glued = bool(found) and rng.random() < rates.join and not opens
        glued = glued and not found[-1].closes
        found.append(replace(token, text=text, opens=opens, glued=glued))
    return found


def _typo(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz")
    return rng.choice([text[:at] + letter + text[at + 1 :], text[:at] + letter + text[at:]])


def _other_form(text: str, rng: random.Random) -> str:
    return rng.choice(
        [
            QUOTES.get(text, text),
            text.upper(),
            text.capitalize(),
            unicodedata.normalize("NFD", text),
            text.replace("'", "\u2019").replace("-", "\u2011"),
        ]
    )


def _damage_sentences(
    sentences: Sequence[list[Token]], rates: Rates, rng: random.Random
) -> list[list[Token]]:
    found: list[list[Token]] = []
    for sentence in sentences:
        if rng.random() < rates.skip_sentence:
            continue
        found.append(sentence)
        if rng.random() < rates.repeat_sentence and len(sentence) > 8:
            found.append([replace(token, source=-2) for token in sentence])
    for at in range(len(found) - 1):
        long = len(found[at]) > 8 and len(found[at + 1]) > 8
        if long and rng.random() < rates.swap_sentences:
            found[at], found[at + 1] = found[at + 1], found[at]
    if rng.random() < rates.truncate and len(found) > 4:
        keep = rng.randrange(len(found) // 2, len(found))
        found = [*found[:keep], found[keep][: rng.randrange(1, len(found[keep]) + 1)]]
    if rng.random() < rates.loop and found and len(found[-1]) > 8:
        found += [[replace(token, source=-2) for token in found[-1]]] * rng.randrange(2, 6)
    return found


def _detokenise(sentence: Sequence[Token]) -> list[Token]:
    found: list[Token] = []
    for at, token in enumerate(sentence):
        left = token.text in {",", ".", ";", ":", "!", "?", ")", "]", "'s", "n't", "\u2019s"}
        right = at > 0 and sentence[at - 1].text in {"(", "["}
        found.append(replace(token, glued=token.glued or left or right))
    return found


def render(document: Document, markup: str, rng: random.Random, rates: Rates) -> str:
    """Write a damaged document in a markup."""
    tags = ENTITY_TAGS[markup]
    lines = []
    for sentence in document.sentences:
        text = ""
        for token in sentence:
            if text and not token.glued:
                text += " "
            text += _crac(document, token) if tags is None else _enclosed(document, token, *tags)
        lines.append(text)
    text = (" " if markup == "crac" else "\n").join(lines)
    if rng.random() < rates.wrap:
        fenced = f"```\n{text}\n```"
        text = PREAMBLE + rng.choice([text, fenced]) + rng.choice(["", POSTAMBLE])
    return text


def _entity(document: Document, at: int, *, closing: bool) -> str:
    return (
        document.wrong_entity.get(at, "")
        if closing and at in document.wrong_entity
        else (document.mentions[at][2])
    )


def _crac(document: Document, token: Token) -> str:
    tags = []
    whole = set(token.opens) & set(token.closes)
    for at in token.opens:
        if at in whole:
            tags.append(f"[e{document.mentions[at][2]}]")
        elif at not in document.without_open:
            tags.append(f"[e{document.mentions[at][2]}")
    for at in token.closes:
        if at not in whole and at not in document.without_close:
            tags.append(f"e{_entity(document, at, closing=True)}]")
            if at in document.twice:
                tags.append(tags[-1])
    word, space, rest = token.text.partition(" ")
    # A word that was split has its opening tags on the first part, its closing ones on the last.
    if space and tags:
        first = [tag.rstrip("]") for tag in tags if tag.startswith("[")]
        last = [tag.lstrip("[") for tag in tags if tag.endswith("]")]
        shown = [
            f"{part}|{','.join(own)}" if own else part
            for part, own in ((word, first), (rest, last))
        ]
        return " ".join(shown)
    shown_tags = f"|{','.join(tags)}" if tags else ""
    return f"{token.text}{shown_tags}"


def _enclosed(document: Document, token: Token, opening: str, closing: str) -> str:
    before = "".join(
        opening.format(document.mentions[at][2])
        for at in token.opens
        if at not in document.without_open
    )
    after = ""
    for at in token.closes:
        if at not in document.without_close:
            after += closing.format(_entity(document, at, closing=True)) * (
                1 + (at in document.twice)
            )
    empty = opening.format("7") + closing.format("7") if id(token) in document.empty_after else ""
    return f"{before}{token.text}{after}{empty}"


def surviving(document: Document) -> set[int]:
    """Return the mentions all of whose words are in the output, next to each other."""
    place: dict[int, tuple[int, int]] = {}
    at = 0
    for number, sentence in enumerate(document.sentences):
        for token in sentence:
            if token.source >= 0 and token.source not in place:
                place[token.source] = (number, at)
                at += 1
    found = set()
    for number, (start, end, _) in enumerate(document.mentions):
        places = [place.get(token) for token in range(start, end + 1)]
        if None in places:
            continue
        ranks = [one[1] for one in places if one is not None]
        if ranks == list(range(ranks[0], ranks[0] + len(ranks))):
            found.add(number)
    return found
