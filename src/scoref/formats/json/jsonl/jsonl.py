"""JSON lines of neural systems: a document a line, entities as lists of offsets.

Systems agree on little: offsets count tokens, subtokens or characters, and a span's end is
its last token or the one after it. What a field's name does not settle is told from the
offsets themselves, and a file that leaves it open is refused.

    sentences, clusters             e2e, LingMess, BookCoref: tokens, end told from the content
    sentences, subtoken_map, ...    minimized: subtokens, end inclusive
    cased_words, span_clusters      wl-coref: tokens, end exclusive
    tokens, clusters_token_offsets  maverick: tokens, end inclusive
    text, clusters                  fastcoref: characters, end exclusive
    offsets                         what this program writes: says what the offsets are
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from scoref.base.arrays import Bools, Ints, number_by_appearance
from scoref.corpus.builder import CorpusBuilder, TextBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import Document, distinct_names
from scoref.corpus.text import Text
from scoref.exceptions import Problem
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.peeking import MARK, as_text, read_bytes
from scoref.formats.json.json_text import first_keys, many_objects
from scoref.formats.json.jsonl.fields import (
    EXCLUSIVE,
    GOLD,
    INCLUSIVE,
    NAMES,
    PREDICTED,
    SUBTOKEN,
    convention,
    entity_fields,
    find_layout,
)
from scoref.formats.json.jsonl.index import Line, parse_words, read_lines
from scoref.formats.json.jsonl.spans import NO_NUMBERS, Read, Spans, to_tokens
from scoref.formats.json.jsonl.text import CHARACTER, NO_WORDS, TEXTS, Words, add_words, words_of
from scoref.formats.json.jsonl.writer import write
from scoref.formats.json.numbered import Numbered
from scoref.formats.order_of_repeats import FIRST_OF_REPEATS

_OBJECTS = re.compile(rb'"sentences"\s*:\s*\[\s*\{')
_SHOWN = 60
_LARGEST = 2**62
_CHUNK = 1 << 20
_HINT = "--format jsonl-inclusive or jsonl-exclusive says what the ends are"


@dataclass(slots=True)
class _Reader:
    path: str
    wanted: Wanted
    end: str | None
    problems: list[Problem] = field(default_factory=list)
    predicted: int = 0
    # Gives the words of the first document whose ends no field settles.
    open_words: Callable[[], Words] | None = None

    def complain(self, line: int, found: str, expected: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, line, found, expected, hint))

    def read(self, data: bytes, text: str) -> Corpus:
        read = [one for one in self.lines(data, text) if one is not None]
        if not read and not self.problems:
            self.complain(0, "no documents", "a JSON object a line", "is the file whole?")
        units = {one.unit == CHARACTER for one in read}
        if len(units) > 1:
            self.complain(0, "offsets of tokens and of characters", "one kind in a file")
        self.check_names(read)
        spans = Spans.of(read)
        self.settle_ends(read, spans)
        return self.corpus(read, spans) if not self.problems else CorpusBuilder(self.path).corpus()

    def lines(self, data: bytes, text: str) -> Iterator[Read | None]:
        """Read lines: by their index what is plain, anything else by the json module."""
        number, at = 1, 0
        # Lists and columns other than of words need what else is in a line.
        plain = self.wanted.columns <= {"word"} and not text.lstrip().startswith("[")
        choose = partial(find_layout, predicted=self.wanted.predicted)
        while plain and at < len(data):
            to = data.find(b"\n", at + _CHUNK) + 1 or len(data)
            found = read_lines(data[at:to], number, choose)
            if found is None:  # so will be the rest, which is not tried in vain
                break
            yield from map(self.plain_line, found)
            number, at = number + data.count(b"\n", at, to), to
        rest = data[at:].decode() if at else text
        for line, value in self.values(rest, number):
            yield self.line(line, value)

    def plain_line(self, found: Line) -> Read | None:
        """Make of a line by its index what `line` makes of its value."""
        layout = found.layout
        clusters = layout.keys[layout.entities]
        if clusters in PREDICTED:
            self.predicted += any(name in layout.keys for name in GOLD)
        has_map = layout.subtokens >= 0
        unit, end = convention(found.stated, clusters, of_text=False, has_map=has_map)
        length = 0 if unit == CHARACTER else found.words
        to_token = None
        if unit == SUBTOKEN and len(found.subtokens):
            to_token = self.subtokens(found.line, found.subtokens.tolist(), length)
            if to_token is None:
                return None
        end = self.end or end
        if end is None and self.open_words is None and len(found.offsets):
            self.open_words = partial(parse_words, found)
        words = parse_words(found) if self.wanted.columns and unit != CHARACTER else NO_WORDS
        mentions = found.sizes, found.offsets
        return Read(found.line, found.name, length, *mentions, unit, end, to_token, words, {})

    def values(self, text: str, first: int) -> Iterator[tuple[int, Any]]:
        """Yield the JSON value of each line; a file that is one list of objects will do too."""
        if first == 1 and text.lstrip().startswith("["):
            try:
                for value in json.loads(text):
                    yield 1, value
            except (ValueError, RecursionError) as error:
                line = getattr(error, "lineno", 0)
                self.complain(line, f"text that is no JSON ({_reason(error)})", "JSON")
            return
        parse = json.JSONDecoder().raw_decode
        for number, line in enumerate(text.split("\n"), first):
            if not line or line.isspace():
                continue
            try:
                # As json.loads does, without its search for blanks on either side: on short
                # lines that is a tenth of the time. What is not plain is left to json.loads.
                value, end = parse(line) if line[0] == "{" else (None, 0)
                if end < len(line) and (not end or line[end:].strip(" \t\r")):
                    value = json.loads(line)
            except (ValueError, RecursionError) as error:
                found = f"a line that is no JSON ({_reason(error)})"
                self.complain(number, found, "a JSON object", "one document a line")
                continue
            yield number, value

    def line(self, line: int, value: Any) -> Read | None:
        if not isinstance(value, dict):
            self.complain(line, f"a JSON {type(value).__name__}", "a JSON object, a document each")
            return None
        name = next((str(value[key]) for key in NAMES if key in value), "")
        words = words_of(value, by_sentence=bool(self.wanted.columns))
        if words is None:
            self.complain_of_text(line, value)
        clusters = self.clusters(line, value)
        if words is None or clusters is None:
            return None
        found = self.entities(line, value[clusters], clusters)
        if found is None:
            return None
        unit, end = convention(
            str(value.get("offsets", "")),
            clusters,
            of_text=bool(not words.sentences and words.characters),
            has_map="subtoken_map" in value,
        )
        end = self.end or end
        length = words.count(unit)
        to_token = None
        if unit == SUBTOKEN and value["subtoken_map"] != []:
            to_token = self.subtokens(line, value["subtoken_map"], length)
            if to_token is None:
                return None
        if end is None and self.open_words is None and len(found[1]):
            self.open_words = partial(Words, words.sentences)
        if not self.wanted.columns:
            words, value = words if unit == CHARACTER else NO_WORDS, {}
        return Read(line, name, length, *found, unit, end, to_token, words, value)

    def complain_of_text(self, line: int, value: dict[str, Any]) -> None:
        if any(name in value for name in TEXTS[:-1]):
            self.complain(line, "a text that is no list of words", "lists of words")
        else:
            known = ", ".join(TEXTS)
            self.complain(line, f"the fields {_fields(value)}", f"one of: {known}")

    def clusters(self, line: int, value: dict[str, Any]) -> str | None:
        """Return the field that has the entities: gold ones, or predicted if these are wanted."""
        found, twice = entity_fields(value, predicted=self.wanted.predicted)
        if twice:
            self.complain(line, f"both {twice[0]} and {twice[1]}", "one field with entities")
            return None
        if not found:
            expected = f"a field with entities, one of: {', '.join((*GOLD, *PREDICTED))}"
            self.complain(line, f"the fields {_fields(value)}", expected)
            return None
        self.predicted += bool(found[0] in PREDICTED and found[1:])
        return found[0]

    def entities(self, line: int, value: Any, name: str) -> tuple[Ints, Ints] | None:
        """Return the sizes of entities, and the starts and ends of all mentions in turn.

        The lists are taken apart by functions of the standard library, which look at a number
        in the time that a loop in Python takes to begin.
        """
        entities = value.values() if isinstance(value, dict) else value
        try:
            mentions = list(chain.from_iterable(entities))
            flat = list(chain.from_iterable(mentions))
            whole = set(map(len, mentions)) <= {2} and set(map(type, flat)) <= {int}
        except TypeError:
            whole = False
        if not whole:
            self.complain(line, f"{name} that are no lists of [start, end]", "pairs of numbers")
            return None
        sizes = [size for size in map(len, entities) if size]
        if flat and not -_LARGEST < min(flat) <= max(flat) < _LARGEST:
            flat = [max(-_LARGEST, min(offset, _LARGEST)) for offset in flat]  # refused later
        return np.array(sizes, dtype=np.int64), np.array(flat, dtype=np.int64)

    def subtokens(self, line: int, value: Any, length: int) -> array[int] | None:
        """Return the token of each subtoken."""
        if isinstance(value, list) and set(map(type, value)) <= {int} and len(value) >= length:
            rises = all(map(int.__le__, value, value[1:]))
            if rises and value[0] >= 0 and value[-1] < _LARGEST:
                return array("q", value)
        found = f"a subtoken_map that is not for {length} subtokens"
        self.complain(line, found, "the number of the token of each subtoken, in order")
        return None

    def check_names(self, read: list[Read]) -> None:
        """Refuse two documents of one name: only one of them could be paired."""
        first: dict[str, Read] = {}
        for one in read:
            before = first.setdefault(one.name, one) if one.name else one
            if before is not one:
                found = f"document {one.name} again (it stands at line {before.line} already)"
                self.complain(one.line, found, "documents of different names", "rename one")

    def settle_ends(self, read: list[Read], spans: Spans) -> None:
        """Tell from the offsets of the file what the ends are that no field settles."""
        is_open = np.array([one.end is None for one in read], dtype=bool)[spans.document]
        if not is_open.any():
            self.end = self.end or INCLUSIVE
            return
        length = np.array([one.length for one in read], dtype=np.int64)
        inclusive = np.flatnonzero(is_open & (spans.start == spans.end))
        exclusive = np.flatnonzero(is_open & (spans.end == length[spans.document]))

        def shown(row: int) -> tuple[int, int, int]:
            line = read[int(spans.document[row])].line
            return int(spans.start[row]), int(spans.end[row]), line

        if len(inclusive) and len(exclusive):
            start, end, line = shown(exclusive[0])
            one, other, before = shown(inclusive[0])
            self.complain(
                line,
                f"the span [{start}, {end}], whose end can only be exclusive, but at line"
                f" {before} {[one, other]}, whose end can only be inclusive",
                "ends of one kind",
                _HINT,
            )
        elif not len(inclusive) and not len(exclusive):
            start, end, line = shown(int(np.argmax(is_open)))
            sentences = self.open_words().sentences if self.open_words else []
            words = list(chain.from_iterable(sentences))
            readings = (" ".join(words[start : end + 1]), " ".join(words[start:end]))
            both = " or ".join(f"`{_short(text)}`" for text in readings)
            self.complain(
                line,
                f"spans such as [{start}, {end}], which can be {both}",
                "a file that tells whether ends are inclusive or exclusive",
                _HINT,
            )
        else:
            self.end = INCLUSIVE if len(inclusive) else EXCLUSIVE

    def corpus(self, read: list[Read], spans: Spans) -> Corpus:
        document = spans.document
        length = np.array([one.length for one in read], dtype=np.int64)
        last = np.array([(one.end or self.end) == EXCLUSIVE for one in read], dtype=np.int64)
        start, end = spans.start, spans.end - last[document]
        fits = (start >= 0) & (start <= end) & (end < length[document])
        sizes = np.concatenate([NO_NUMBERS, *(one.sizes for one in read)])
        entity = np.repeat(np.arange(len(sizes)), sizes)
        many = np.array([len(one.sizes) for one in read], dtype=np.int64)
        number = np.arange(len(sizes)) - np.repeat(np.cumsum(many) - many, many)
        if not fits.all():
            self.complain_of_spans(read, spans, ~fits, length + last)
            document, start, end, entity = (c[fits] for c in (document, start, end, entity))
            number = number[entity[number_by_appearance(entity)[1]]]
            entity = number_by_appearance(entity)[0]
        if any(one.to_token is not None for one in read):
            start, end = to_tokens(read, document, start), to_tokens(read, document, end)
        characters = bool(read) and read[0].unit == CHARACTER
        return Corpus(
            documents=self.documents(read),
            document=document,
            start=start,
            end=end,
            entity=entity,
            entity_names=Numbered(number),
            line=np.array([one.line for one in read], dtype=np.int64)[document],
            text=self.text(read, characters=characters) if self.wanted.columns else None,
            characters=tuple(one.words.characters for one in read) if characters else (),
            source=self.path,
            notes=(f"{self.path}: predicted entities are read, not the gold ones",)
            if self.predicted
            else (),
        )

    def documents(self, read: list[Read]) -> tuple[Document, ...]:
        """Return documents by name; those without one are paired by their order."""
        found = []
        for number, one in enumerate(read, 1):
            tokens = 1 + one.to_token[-1] if one.to_token else one.length
            name, identity = (one.name, one.name) if one.name else (f"#{number}", ("", number))
            found.append(Document(name, identity, tokens, self.path, one.line))
        return distinct_names(found)

    def text(self, read: list[Read], *, characters: bool) -> Text:
        words = TextBuilder()
        for one in read:
            words.document()
            if not characters:
                add_words(words, one.words, one.value, one.to_token, self.wanted.columns)
        return words.text()

    def complain_of_spans(self, read: list[Read], spans: Spans, odd: Bools, stop: Ints) -> None:
        """List the spans that are not in their texts."""
        for row in np.flatnonzero(odd).tolist():
            number = int(spans.document[row])
            self.complain(
                read[number].line,
                f"the span [{spans.start[row]}, {spans.end[row]}] in document {read[number].name}",
                f"offsets from 0 to {stop[number] - 1}, the end not before the start",
                _HINT,
            )


def _reason(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return str(getattr(error, "msg", error))[:80]


def _fields(value: dict[str, Any]) -> str:
    return ", ".join(list(value)[:8]) or "none"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _reading(end: str | None) -> Any:
    def read(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
        data = read_bytes(stream).removeprefix(MARK)
        text, problems = as_text(data, path)
        reader = _Reader(path, wanted, end, problems)
        with many_objects():
            corpus = reader.read(data, text) if not problems else CorpusBuilder(path).corpus()
        return corpus, reader.problems

    return read


def recognise(head: bytes) -> bool:
    """Whether a file starts with an object that has one of the fields of these systems."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    keys = first_keys(start.removeprefix(b"["))
    if keys is None or _OBJECTS.search(start):  # sentences that are objects are CoreNLP's
        return False
    return bool(keys & {*NAMES[:3], *TEXTS, *GOLD[1:], *PREDICTED})


FORMAT = Format(
    name="jsonl",
    title="JSON lines of neural systems",
    recognise=recognise,
    read=_reading(None),
    write=write,
    suffix=".jsonl",
    keeps=frozenset({"word", "speaker", FIRST_OF_REPEATS}),
    sees_words=True,
)
WITH_INCLUSIVE_ENDS = replace(
    FORMAT,
    name="jsonl-inclusive",
    title="the same, ends inclusive",
    read=_reading(INCLUSIVE),
)
WITH_EXCLUSIVE_ENDS = replace(
    FORMAT,
    name="jsonl-exclusive",
    title="the same, ends exclusive",
    read=_reading(EXCLUSIVE),
    write=None,
)
