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
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeGuard

from scoref.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.base import Format, Wanted
from scoref.formats.builder import CorpusBuilder, TextBuilder
from scoref.formats.jsonl_writer import write
from scoref.formats.jsontext import first_keys
from scoref.formats.lines import Stream
from scoref.formats.peeking import read_text

INCLUSIVE, EXCLUSIVE = "inclusive", "exclusive"
TOKEN, SUBTOKEN, CHARACTER = "token", "subtoken", "character"
NAMES = ("doc_key", "doc_id", "document_id", "doc_name", "id")
GOLD = ("clusters", "span_clusters", "clusters_token_offsets", "gold_clusters")
PREDICTED = ("predicted_clusters", "pred_clusters", "clusters_pred")
_ENDS = {"span_clusters": EXCLUSIVE, "clusters_token_offsets": INCLUSIVE}
_TEXTS = ("sentences", "tokens", "cased_words", "text")
_OBJECTS = re.compile(rb'"sentences"\s*:\s*\[\s*\{')
_SHOWN = 60
_HINT = "--format jsonl-inclusive or jsonl-exclusive says what the ends are"


class Words(NamedTuple):
    """The text of a document: sentences of words, or characters."""

    sentences: list[list[str]]
    characters: str = ""

    def count(self, unit: str) -> int:
        """Return how many offsets there are."""
        return len(self.characters) if unit == CHARACTER else sum(map(len, self.sentences))


class Read(NamedTuple):
    """A line: where it stands, its document, its offsets and what they count."""

    line: int
    name: str
    words: Words
    entities: list[list[tuple[int, int]]]
    unit: str
    end: str | None
    value: dict[str, Any]


@dataclass(slots=True)
class _Reader:
    path: str
    wanted: Wanted
    end: str | None
    problems: list[Problem] = field(default_factory=list)
    predicted: int = 0

    def complain(self, line: int, found: str, expected: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, line, found, expected, hint))

    def read(self, text: str) -> Corpus:
        read = [one for line, value in self.values(text) if (one := self.line(line, value))]
        if not read and not self.problems:
            self.complain(0, "no documents", "a JSON object a line", "is the file whole?")
        units = {one.unit == CHARACTER for one in read}
        if len(units) > 1:
            self.complain(0, "offsets of tokens and of characters", "one kind in a file")
        self.check_names(read)
        self.settle_ends(read)
        return self.corpus(read) if not self.problems else CorpusBuilder(self.path).corpus()

    def values(self, text: str) -> Iterator[tuple[int, Any]]:
        """Yield the JSON value of each line; a file that is one list of objects will do too."""
        if text.lstrip().startswith("["):
            try:
                for value in json.loads(text):
                    yield 1, value
            except json.JSONDecodeError as error:
                self.complain(error.lineno, f"text that is no JSON ({error.msg})", "JSON")
            return
        for number, line in enumerate(text.split("\n"), 1):
            if line and not line.isspace():
                try:
                    value = json.loads(line)
                except (json.JSONDecodeError, RecursionError) as error:
                    found = f"a line that is no JSON ({getattr(error, 'msg', 'nested too deeply')})"
                    self.complain(number, found, "a JSON object", "one document a line")
                    continue
                yield number, value

    def line(self, line: int, value: Any) -> Read | None:
        if not isinstance(value, dict):
            self.complain(line, f"a JSON {type(value).__name__}", "a JSON object, a document each")
            return None
        name = next((str(value[key]) for key in NAMES if key in value), "")
        words = self.words(line, value)
        clusters = self.clusters(line, value)
        if words is None or clusters is None:
            return None
        entities = self.entities(line, value[clusters], clusters)
        if entities is None:
            return None
        unit, end = self.convention(value, clusters, words)
        return Read(line, name, words, entities, unit, self.end or end, value)

    def words(self, line: int, value: dict[str, Any]) -> Words | None:
        """Return the text of a document."""
        sentences = value.get("sentences", value.get("tokens", value.get("cased_words")))
        if sentences is None:
            if isinstance(value.get("text"), str):
                return Words([], value["text"])
            known = ", ".join(_TEXTS)
            self.complain(line, f"the fields {_fields(value)}", f"one of: {known}")
            return None
        if _is_list(sentences, str):
            sentences = _by_sentence(sentences, value.get("sent_id"))
        if not _is_list(sentences, list) or not all(_is_list(s, str) for s in sentences):
            self.complain(line, "a text that is no list of words", "lists of words")
            return None
        return Words(sentences)

    def clusters(self, line: int, value: dict[str, Any]) -> str | None:
        """Return the field that has the entities: gold ones, or predicted if these are wanted."""
        gold = [name for name in GOLD if name in value]
        predicted = [name for name in PREDICTED if name in value]
        for names in (gold, predicted):
            if len(names) > 1:
                self.complain(line, f"both {names[0]} and {names[1]}", "one field with entities")
                return None
        found = predicted + gold if self.wanted.predicted else gold + predicted
        if not found:
            expected = f"a field with entities, one of: {', '.join((*GOLD, *PREDICTED))}"
            self.complain(line, f"the fields {_fields(value)}", expected)
            return None
        self.predicted += bool(found[0] in PREDICTED and gold)
        return found[0]

    def entities(self, line: int, value: Any, name: str) -> list[list[tuple[int, int]]] | None:
        """Return entities as lists of pairs of whole numbers."""
        entities = value.values() if isinstance(value, dict) else value
        try:
            found = [[(start, end) for start, end in mentions] for mentions in entities]
            whole = all(type(o) is int for entity in found for span in entity for o in span)
        except (TypeError, ValueError):
            whole = False
        if not whole:
            self.complain(line, f"{name} that are no lists of [start, end]", "pairs of numbers")
            return None
        return [entity for entity in found if entity]

    def convention(self, value: dict[str, Any], name: str, words: Words) -> tuple[str, str | None]:
        """Return what the offsets of a document count, and what their ends are, if told."""
        stated = str(value.get("offsets", "")).partition("-")
        if stated[0] in (TOKEN, CHARACTER) and stated[2] in (INCLUSIVE, EXCLUSIVE):
            return stated[0], stated[2]
        if not words.sentences and words.characters:
            return CHARACTER, EXCLUSIVE
        if "subtoken_map" in value:
            return SUBTOKEN, INCLUSIVE
        return TOKEN, _ENDS.get(name)

    def check_names(self, read: list[Read]) -> None:
        """Refuse two documents of one name: only one of them could be paired."""
        first: dict[str, int] = {}
        for one in read:
            before = first.setdefault(one.name, one.line) if one.name else one.line
            if before != one.line:
                found = f"document {one.name} again (it stands at line {before} already)"
                self.complain(one.line, found, "documents of different names", "rename one")

    def settle_ends(self, read: list[Read]) -> None:
        """Tell from the offsets of the file what the ends are that no field settles."""
        open_ = [one for one in read if one.end is None]
        spans = [(span, one) for one in open_ for entity in one.entities for span in entity]
        if not spans:
            self.end = self.end or INCLUSIVE
            return
        inclusive = next((x for x in spans if x[0][0] == x[0][1]), None)
        exclusive = next((x for x in spans if x[0][1] == x[1].words.count(TOKEN)), None)
        if inclusive and exclusive:
            (start, end), one = exclusive
            self.complain(
                one.line,
                f"the span [{start}, {end}], whose end can only be exclusive, but at line"
                f" {inclusive[1].line} {list(inclusive[0])}, whose end can only be inclusive",
                "ends of one kind",
                _HINT,
            )
        elif not inclusive and not exclusive:
            (start, end), one = spans[0]
            words = [word for sentence in one.words.sentences for word in sentence]
            readings = (" ".join(words[start : end + 1]), " ".join(words[start:end]))
            shown = " or ".join(f"`{_short(text)}`" for text in readings)
            self.complain(
                one.line,
                f"spans such as [{start}, {end}], which can be {shown}",
                "a file that tells whether ends are inclusive or exclusive",
                _HINT,
            )
        else:
            self.end = INCLUSIVE if inclusive else EXCLUSIVE

    def corpus(self, read: list[Read]) -> Corpus:
        builder = CorpusBuilder(self.path)
        builder.words = TextBuilder() if self.wanted.columns else None
        characters = bool(read) and read[0].unit == CHARACTER
        for one in read:
            to_token = one.value.get("subtoken_map") if one.unit == SUBTOKEN else None
            length = one.words.count(one.unit)
            last = 1 if (one.end or self.end) == EXCLUSIVE else 0
            tokens = 1 + max(to_token, default=-1) if to_token else length
            document = builder.document(one.name, tokens, one.line)
            if builder.words is not None and not characters:
                self.add_words(builder.words, one, to_token)
            for number, entity in enumerate(one.entities):
                at = builder.entity(document, str(number))
                for start, end in entity:
                    if not 0 <= start <= end - last < length:
                        self.complain(
                            one.line,
                            f"the span [{start}, {end}] in document {one.name}",
                            f"offsets from 0 to {length - 1 + last}, the end not before the start",
                            _HINT,
                        )
                        continue
                    span = (start, end - last)
                    if to_token:
                        span = (to_token[span[0]], to_token[span[1]])
                    builder.mention(document, span, at, one.line)
        if self.predicted:
            builder.notes.append(f"{self.path}: predicted entities are read, not the gold ones")
        corpus = builder.corpus()
        texts = tuple(one.words.characters for one in read) if characters else ()
        return replace(corpus, characters=texts)

    def add_words(self, words: TextBuilder, one: Read, to_token: list[int] | None) -> None:
        """Add the words of a document, and its speakers where it has one for each."""
        if to_token:
            words.sentence(word=_joined(one.words.sentences, to_token))
            return
        if self.wanted.columns <= {"word"}:
            words.sentences(one.words.sentences)
            return
        speakers = one.value.get("speakers", one.value.get("speaker"))
        pos = one.value.get("pos")
        at = 0
        for number, sentence in enumerate(one.words.sentences):
            columns: dict[str, list[str]] = {"word": sentence}
            for name, values in (("speaker", speakers), ("pos", pos)):
                if name not in self.wanted.columns:
                    continue
                if _is_list(values, list) and number < len(values):
                    of_sentence = values[number]
                elif _is_list(values, str):
                    of_sentence = values[at : at + len(sentence)]
                else:
                    continue
                if len(of_sentence) == len(sentence):
                    columns[name] = [str(value or "") for value in of_sentence]
            words.sentence(**columns)
            at += len(sentence)


def _by_sentence(words: list[str], numbers: Any) -> list[list[str]]:
    """Split words into sentences by the sentence number of each, if there is one."""
    if not _is_list(numbers, int) or len(numbers) != len(words):
        return [words]
    sentences: list[list[str]] = []
    before = None
    for word, number in zip(words, numbers, strict=True):
        if number != before:
            sentences.append([])
        sentences[-1].append(word)
        before = number
    return sentences


def _joined(sentences: list[list[str]], to_token: list[int]) -> list[str]:
    """Put subtokens together, without the marks of word pieces."""
    words = [""] * (1 + max(to_token))
    pieces = [piece for sentence in sentences for piece in sentence]
    for piece, token in zip(pieces, to_token, strict=False):
        if piece not in ("[CLS]", "[SEP]", "<s>", "</s>"):
            words[token] += piece.removeprefix("##").lstrip("\u0120\u2581")
    return words


def _is_list(value: Any, kind: type) -> TypeGuard[list[Any]]:
    return isinstance(value, list) and (not value or isinstance(value[0], kind))


def _fields(value: dict[str, Any]) -> str:
    return ", ".join(list(value)[:8]) or "none"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _reading(end: str | None) -> Any:
    def read(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
        text, problems = read_text(stream, path)
        reader = _Reader(path, wanted, end, problems)
        corpus = reader.read(text) if not problems else CorpusBuilder(path).corpus()
        return corpus, reader.problems

    return read


def recognise(head: bytes) -> bool:
    """Whether a file starts with an object that has one of the fields of these systems."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    keys = first_keys(start.removeprefix(b"["))
    if keys is None or _OBJECTS.search(start):  # sentences that are objects are CoreNLP's
        return False
    return bool(keys & {*NAMES[:3], *_TEXTS, *GOLD[1:], *PREDICTED})


FORMAT = Format(
    name="jsonl",
    title="JSON lines of neural systems",
    recognise=recognise,
    read=_reading(None),
    write=write,
    suffix=".jsonl",
    keeps=frozenset({"word", "speaker"}),
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
