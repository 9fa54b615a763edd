"""ECB+: events and entities that are coreferent across documents, as XML, one document per file.

    <Document doc_name="1_1ecbplus.xml" doc_id="DOC1">
    <token t_id="1" sentence="0" number="0">Anna</token>
    <Markables>
    <HUMAN_PART_PER m_id="1"><token_anchor t_id="1"/></HUMAN_PART_PER>
    <HUMAN_PART_PER m_id="2" RELATED_TO="" TAG_DESCRIPTOR="anna" instance_id="HUM7"/>
    </Markables>
    <Relations>
    <CROSS_DOC_COREF r_id="9" note="HUM7"><source m_id="1"/><target m_id="2"/></CROSS_DOC_COREF>
    </Relations>
    </Document>

A markable with tokens is a mention. A markable without tokens is an instance, the target of a
relation. The note of a relation is the name of an entity in all documents. A relation within a
document has no note, and a mention without a relation is a singleton.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import NamedTuple

from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import ecbplus_topics
from scoref.formats.format import Format, Wanted, text_reader
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import parse_whole_numbers
from scoref.formats.tools.safe_xml import Element, parse_xml

_ROOT = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s|<\?[^>]*>|<!DOCTYPE[^>]*>|<!--(?:(?!-->).)*-->)*"
    rb"<Document\s[^>]*\bdoc_name\s*=",
    re.DOTALL,
)
_TOPIC, _SUBTOPIC, _SENTENCE = "column=1", "column=2", "sentence"
_EVENTS = ("ACTION_", "NEG_ACTION_")
_ENTITIES = ("HUMAN_PART", "NON_HUMAN_PART", "LOC_", "TIME_")
_UNKNOWN = "UNKNOWN_INSTANCE_TAG"
_ACROSS, _WITHIN = "CROSS_DOC_COREF", "INTRA_DOC_COREF"
_TAGS = "a tag of ECB+, which starts with ACTION_, NEG_ACTION_, HUMAN_PART, NON_HUMAN_PART, LOC_"
_OTHER_CORPUS = "of the XML of CAT and CROMER, only ECB+ is read; is this the right file?"
_BLANKS = " \t\r\n"
_SHOWN = 40


class _Token(NamedTuple):
    """A token: its word, and the number of its sentence."""

    word: str
    sentence: str


class _Markable(NamedTuple):
    """A markable: its tag, its line, its tokens (none for an instance), and its `instance_id`."""

    tag: str
    line: int
    tokens: tuple[int, ...]
    instance: str


@dataclass(slots=True)
class _EcbPlusReader:
    """Collects the tokens, markables and relations of a document."""

    name: str
    problems: Problems
    tokens: list[_Token] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    markables: dict[str, _Markable] = field(default_factory=dict)
    entities: dict[str, str] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    relations: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)

    def read(self, document: Element) -> None:
        self.check_content(document, "token", "Markables", "Relations")
        last = (-1, -1)
        for token in document.each("token"):
            last = self.read_token(token, last)
        if not self.tokens:
            hint = "is the file complete?"
            self.problems.add(document.line, "a document without <token>", "tokens", hint)
        for markable in self.only_part(document, "Markables"):
            self.read_markable(markable)
        for relation in self.only_part(document, "Relations"):
            self.read_relation(relation)

    def check_content(self, element: Element, *allowed: str) -> None:
        """Refuse elements that are unknown in this place, and text between elements."""
        expected = " and ".join(f"<{name}>" for name in allowed) or "an empty element"
        self.check_text(element, expected)
        for child in element.children:
            if child.name not in allowed:
                found = f"<{child.name}> in <{element.name}>"
                self.problems.add(child.line, found, expected, _OTHER_CORPUS)

    def check_text(self, element: Element, expected: str) -> None:
        if text := element.text.strip(_BLANKS):
            found = f"the text `{text[:_SHOWN]}` in <{element.name}>"
            hint = "remove the text: only a <token> has text"
            self.problems.add(element.line, found, expected, hint)

    def only_part(self, document: Element, name: str) -> list[Element]:
        """Return the content of a part of the document that occurs once."""
        parts = list(document.each(name))
        if len(parts) != 1:
            line = parts[1].line if parts else document.line
            found = f"a second <{name}>" if parts else f"a document without <{name}>"
            hint = "is the file complete?" if not parts else "put all content into one of them"
            self.problems.add(line, found, f"one <{name}>", hint)
            return []
        self.check_text(parts[0], "elements only")
        return parts[0].children

    def check_id(self, element: Element, name: str, kind: str, known: Collection[str]) -> bool:
        """Refuse an element without an id, or with the id of an earlier one."""
        if name and name not in known:
            return True
        found = (
            f"the {kind} `{name[:_SHOWN]}` again" if name else f"<{element.name}> without {kind}"
        )
        expected, hint = f"different {kind}s", f"give each element of a document a different {kind}"
        self.problems.add(element.line, found, expected, hint)
        return False

    def read_token(self, token: Element, last: tuple[int, int]) -> tuple[int, int]:
        """Add a token, and return the numbers of its sentence and of the token in it."""
        name, *written = (token.attributes.get(a, "") for a in ("t_id", "sentence", "number"))
        numbers = parse_whole_numbers(*written)
        for child in token.children:
            expected, hint = "the word of a token", "write `<` in a word as &lt;"
            self.problems.add(child.line, f"<{child.name}> in <token>", expected, hint)
        if not name or numbers is None:
            shown = " ".join(f'{key}="{value[:20]}"' for key, value in token.attributes.items())
            expected = "a t_id, and whole numbers as sentence and number"
            hint = 'write <token t_id="1" sentence="0" number="0">'
            self.problems.add(token.line, f"<token {shown[:80]}>", expected, hint)
            return last
        if name in self.places:
            found, hint = f"the token {name[:_SHOWN]} again", "give each token a different t_id"
            self.problems.add(token.line, found, "tokens with different t_ids", hint)
            return last
        sentence, number = numbers
        following = last[1] + 1 if sentence == last[0] else 0
        if sentence < last[0] or number != following:
            found = f"token {number} of sentence {sentence}"
            expected = f"token {following} of sentence {max(sentence, last[0])}"
            hint = "list the tokens in the order of the text; is a token missing?"
            self.problems.add(token.line, found, expected, hint)
        self.places[name] = len(self.tokens)
        self.tokens.append(_Token(token.text.strip(_BLANKS), str(sentence)))
        return sentence, number

    def read_markable(self, markable: Element) -> None:
        """Add a mention or an instance."""
        tag, line, attributes = markable.name, markable.line, markable.attributes
        self.check_content(markable, "token_anchor")
        name = attributes.get("m_id", "")
        if not self.check_id(markable, name, "m_id", self.markables):
            return
        is_instance = "TAG_DESCRIPTOR" in attributes
        if is_instance != (not markable.children):
            what = "has a TAG_DESCRIPTOR" if is_instance else "has no TAG_DESCRIPTOR"
            has = f"{'has' if markable.children else 'has no'} tokens and {what}"
            found, expected = f"the markable {name[:_SHOWN]}, which {has}", "one of the two"
            hint = "a mention has tokens (<token_anchor>), an instance has a TAG_DESCRIPTOR"
            self.problems.add(line, found, expected, hint)
        if not tag.startswith((*_EVENTS, *_ENTITIES)) and (tag != _UNKNOWN or not is_instance):
            self.problems.add(line, f"<{tag[:_SHOWN]}>", f"{_TAGS} or TIME_", _OTHER_CORPUS)
        tokens = self.read_anchors(markable, name)
        instance = attributes.get("instance_id", "")
        self.markables[name] = _Markable(tag, line, tuple(sorted(tokens)), instance)

    def read_anchors(self, markable: Element, name: str) -> set[int]:
        """Return the tokens of a markable."""
        tokens: set[int] = set()
        for anchor in markable.each("token_anchor"):
            self.check_content(anchor)
            token = anchor.attributes.get("t_id", "")
            place = self.places.get(token)
            if place is None:
                found = f"an anchor to the token `{token[:_SHOWN]}`"
                expected, hint = "the t_id of a token of the document", "is a token missing?"
                self.problems.add(anchor.line, found, expected, hint)
                continue
            if place in tokens:
                where = f"{self.problems.path}:{anchor.line}"
                self.notes.append(f"{where}: token {token} is twice in markable {name}")
            tokens.add(place)
        return tokens

    def read_relation(self, relation: Element) -> None:
        """Give the sources of a relation their entity."""
        kind, line = relation.name, relation.line
        if kind not in (_ACROSS, _WITHIN):
            expected = f"<{_ACROSS}> or <{_WITHIN}>"
            self.problems.add(line, f"<{kind[:_SHOWN]}> in <Relations>", expected, _OTHER_CORPUS)
            return
        self.check_content(relation, "source", "target")
        number, note = (relation.attributes.get(name, "") for name in ("r_id", "note"))
        self.check_id(relation, number, "r_id", self.relations)
        self.relations.add(number)
        if bool(note) != (kind == _ACROSS):
            found = f"<{kind}> {'with' if note else 'without'} a note"
            expected = f"a note in <{_ACROSS}>, and none in <{_WITHIN}>"
            hint = "the note is the name of the entity in all documents"
            self.problems.add(line, found, expected, hint)
            return
        if "/" in note:  # only names that the reader gives have one, so that they stay different
            found, hint = f"the note `{note[:_SHOWN]}`", "write another character, such as `_`"
            self.problems.add(line, found, "a note without `/`", hint)
        self.check_target(relation, note)
        name = note or f"{self.name}/r{number}"
        if name in self.names:
            found = f"the entity {name[:_SHOWN]} again (the first is in line {self.names[name]})"
            hint = "put all its sources into one relation"
            self.problems.add(line, found, "one relation per entity and document", hint)
        self.names[name] = line
        for source in relation.each("source"):
            self.read_source(source, name)

    def check_target(self, relation: Element, note: str) -> None:
        """Refuse a relation whose target is not an instance, or is that of another entity."""
        targets = list(relation.each("target"))
        if len(targets) != 1:
            found = f"a relation with {len(targets)} targets"
            hint = "is the file complete?"
            self.problems.add(relation.line, found, "one <target>", hint)
        for target in targets:
            self.check_content(target)
            name = target.attributes.get("m_id", "")
            markable = self.markables.get(name)
            if markable is None or markable.tokens:
                found = f"the target `{name[:_SHOWN]}`" + (", which is a mention" * bool(markable))
                expected = "the m_id of an instance, which is a markable without tokens"
                hint = "name a mention in <source>, and its instance in <target>"
                self.problems.add(target.line, found, expected, hint)
            elif markable.instance != note and (markable.instance or relation.name == _WITHIN):
                found = f"a target with the instance_id `{markable.instance[:_SHOWN]}`"
                expected = f"the note of the relation, `{note[:_SHOWN]}`" if note else "none"
                hint = f"an instance_id is the note of a <{_ACROSS}>"
                self.problems.add(target.line, found, expected, hint)

    def read_source(self, source: Element, entity: str) -> None:
        """Give a mention its entity."""
        self.check_content(source)
        name = source.attributes.get("m_id", "")
        markable = self.markables.get(name)
        if markable is None or not markable.tokens:
            what = ", which is an instance" if markable else ""
            expected = "the m_id of a mention, which is a markable with tokens"
            hint = "add the markable, or remove the source"
            self.problems.add(source.line, f"the source `{name[:_SHOWN]}`{what}", expected, hint)
        elif name in self.entities:
            found = f"the mention {name[:_SHOWN]} in a second relation or twice in one"
            hint = "remove one of its sources"
            self.problems.add(source.line, found, "each mention in one relation at most", hint)
        else:
            self.entities[name] = entity


def _parse(kept: str, text: str, wanted: Wanted, problems: Problems) -> Corpus:
    """Parse the file of one document, and keep `events`, `entities` or all."""
    builder = CorpusBuilder(problems.path)
    root = parse_xml(text, problems)
    if problems:
        return builder.corpus()
    document = root.children[0]
    name = document.attributes.get("doc_name", "").removesuffix(".xml")
    if document.name != "Document" or not name:
        is_document = document.name == "Document"
        found = "<Document> without a doc_name" if is_document else f"<{document.name[:_SHOWN]}>"
        expected, hint = '<Document doc_name="1_1ecb.xml">', "is this the right file?"
        problems.add(document.line, found, expected, hint)
        return builder.corpus()
    reader = _EcbPlusReader(name, problems)
    reader.read(document)
    return builder.corpus() if problems else _corpus(reader, kept, document.line, wanted)


def _corpus(reader: _EcbPlusReader, kept: str, line: int, wanted: Wanted) -> Corpus:
    """Return the mentions of a document in the order of the text, and its words."""
    topics = ecbplus_topics(reader.name)
    units = dict(zip((_TOPIC, _SUBTOPIC), topics, strict=True)) if topics else {}
    columns = wanted.columns & {"word", _SENTENCE, *units}
    builder = CorpusBuilder(reader.problems.path, text=bool(columns))
    number = builder.document(reader.name, len(reader.tokens), line)
    builder.notes += reader.notes
    found = [(one, name) for name, one in reader.markables.items() if one.tokens]
    for markable, name in sorted(found, key=lambda one: (one[0].tokens[0], -one[0].tokens[-1])):
        if kept and (kept == "events") != markable.tag.startswith(_EVENTS):
            continue
        first, last = markable.tokens[0], markable.tokens[-1]
        is_contiguous = last - first + 1 == len(markable.tokens)
        entity = builder.entity(number, reader.entities.get(name, f"{reader.name}/m{name}"))
        builder.mention(
            number,
            (first, last),
            entity,
            markable.line,
            label=markable.tag,
            nodes="" if is_contiguous else " ".join(map(str, markable.tokens)),
        )
    for name, group in groupby(reader.tokens, key=lambda token: token.sentence):
        words = [token.word for token in group]
        values = {"word": words, _SENTENCE: [name] * len(words)}
        values |= {unit: [value] * len(words) for unit, value in units.items()}
        builder.sentence(**{column: values[column] for column in values if column in columns})
    return builder.corpus()


def _format(name: str, title: str, kept: str) -> Format:
    read = text_reader(partial(_parse, kept))
    return Format(name, title, _ROOT.match, read, suffix=".xml", sees_words=True)


FORMAT = _format("ecbplus", "ECB+ XML", "")
EVENTS = _format("ecbplus-events", "ECB+ XML, only events", "events")
ENTITIES = _format("ecbplus-entities", "ECB+ XML, only entities", "entities")
