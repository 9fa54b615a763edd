"""Names that a format cannot hold: how they are written, and the notes about it.

A name can be any string, but a file cannot hold every name: a blank ends a cell of CoNLL columns,
`|` separates brackets, `NA` is an empty cell of a table. Each format declares what it cannot hold.
One rule renames such strings: each character that the format cannot hold becomes `%` and the
hexadecimal digits of its UTF-8 bytes, as in a URL. A name that looks as if it was renamed, such as
`100%25`, is renamed too, so that different names stay different. An empty name becomes `%`. Words
and attributes are not names: `%` stays as it is there, and an empty value stays empty.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import Document
from scoref.corpus.split_antecedents import SPLIT_ANTECEDENTS, renamed_members
from scoref.exceptions import UsageError

_RENAMED = re.compile(r"^%$|%[0-9A-F]{2}")
_POSITION = re.compile(r"#\d+", re.ASCII)
CONTROL = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff"
"""Characters that no line of text can hold, for character classes."""
EDGES = r"^\s+|\s+$"
"""Blanks on either side, which readers remove."""
TEXT = "[\ud800-\udfff]"
"""Characters that no file in UTF-8 can hold."""


class NameRule:
    """What a format cannot hold in a name.

    * `unsafe`: A pattern of characters to rename.
    * `reserved`: A pattern of whole names that mean something else in the format.
    * `is_printable`: Whether invisible characters are renamed too.
    """

    def __init__(
        self, unsafe: str = TEXT, reserved: str = "", *, is_printable: bool = False
    ) -> None:
        self._is_printable = is_printable
        self._unsafe = re.compile(unsafe)
        self._unsafe_or_mark = re.compile(f"{unsafe}|%")
        self._reserved = re.compile(reserved) if reserved else None

    def write(self, name: str) -> str:
        """Return the name as the format can hold it; different names stay different."""
        if not name:
            return "%"
        is_invisible = self._is_printable and not name.isprintable()
        if is_invisible or self._unsafe.search(name) or _RENAMED.search(name):
            name = self._unsafe_or_mark.sub(lambda found: _encode(found[0]), name)
            if is_invisible:
                name = "".join(one if one.isprintable() else _encode(one) for one in name)
            return name
        if self._reserved is not None and self._reserved.fullmatch(name):
            return _encode(name[0]) + name[1:]
        return name

    def write_value(self, value: str) -> str:
        """Return a word or another value as the format can hold it."""
        return self._unsafe.sub(lambda found: _encode(found[0]), value)


LINE = NameRule(f"[{CONTROL}]|{EDGES}")
"""The rule for the rest of a line, or for a cell between tabs."""


def _encode(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class WrittenNames:
    """Which names a format can hold, and which it has a place for.

    * `document`, `entity`, `mention`: The rules for names; None if the format does not write them.
    * `word`: The rule for words and the other columns of the text.
    * `attributes`: The rules for attributes that are strings, by name; those of entities with
      `entity ` before it.
    * `has_parts`: Whether documents can have parts in addition to names. Otherwise, the part is
      written into the name: `x_1` is part 1 of `x`.
    * `has_unnamed`: Whether several documents can be without a name.
    * `are_global`: Whether an entity of another document must have another name.
    * `are_uniform`: Whether the names of entities must be all whole numbers, or none of them.
    """

    document: NameRule | None = None
    entity: NameRule | None = None
    mention: NameRule | None = None
    word: NameRule | None = None
    attributes: Mapping[str, NameRule] | None = None
    has_parts: bool = False
    has_unnamed: bool = False
    are_global: bool = False
    are_uniform: bool = False


class _Renamer:
    """Renames what a format cannot hold, and collects notes."""

    def __init__(self, format_name: str) -> None:
        self.format_name = format_name
        self.notes: list[str] = []

    def names(self, names: Iterable[str], rule: NameRule, what: str) -> dict[str, str]:
        """Return the new names of those that need one, and note how many."""
        return self._renamed(names, rule.write, what)

    def values(self, values: Sequence[str], rule: NameRule, what: str) -> Sequence[str]:
        """Rename words or other values, and note how many different ones."""
        renamed = self._renamed(values, rule.write_value, what)
        return [renamed.get(one, one) for one in values] if renamed else values

    def _renamed(
        self, texts: Iterable[str], write: Callable[[str], str], what: str
    ) -> dict[str, str]:
        renamed = {one: new for one in dict.fromkeys(texts) if (new := write(one)) != one}
        if renamed:
            one, new = next(iter(renamed.items()))
            self.notes.append(
                f"{self.format_name} cannot hold {_counted(len(renamed), what)}:"
                f" renamed, for example {one!r} to {new!r}"
            )
        return renamed

    def documents(self, documents: Sequence[Document], names: WrittenNames) -> list[Document]:
        """Name documents as the format can; refuse two documents that would have one name."""
        if names.document is None:
            return list(documents)
        is_unnamed = [document.is_unnamed for document in documents]
        keep_unnamed = names.has_unnamed or len(documents) == 1
        pairs = [_name_and_part(document) for document in documents]
        if not names.has_parts:
            pairs = [(f"{name}_{part}" if part else name, 0) for name, part in pairs]
        own = [name for (name, _), unnamed in zip(pairs, is_unnamed, strict=True) if not unnamed]
        renamed = self.names(own, names.document, "document name")
        if any(is_unnamed) and not keep_unnamed:
            positions = NameRule(reserved=_POSITION.pattern)
            renamed |= self.names(
                (name for name in own if _POSITION.fullmatch(name)), positions, "document name"
            )
            many = counted(sum(is_unnamed), "document")
            shown = next(d.name for d in documents if d.is_unnamed)
            self.notes.append(
                f"{self.format_name} requires names of documents: {many} without a name named"
                f" after the position, such as {shown}"
            )
        found = []
        first: dict[tuple[str, int], Document] = {}
        for document, (name, part), unnamed in zip(documents, pairs, is_unnamed, strict=True):
            if unnamed and keep_unnamed:
                found.append(document)
                continue
            new = f"#{part or _position(document)}" if unnamed else renamed.get(name, name)
            if (other := first.setdefault((new, part), document)) is not document:
                raise UsageError(
                    f"{self.format_name} would name the documents {other.name!r} and"
                    f" {document.name!r} both {new!r}",
                    "rename one of them, or write another format with --to",
                )
            found.append(document._replace(name=new, id=(new, part) if part else new))
        return found

    def entities(self, corpus: Corpus, names: WrittenNames) -> Sequence[str]:
        """Name entities as the format can; number them if two have one name."""
        if names.entity is None:
            return corpus.entity_names
        own = [str(name) for name in corpus.entity_names]
        document = np.zeros(len(own), dtype=np.int64)
        if not names.are_global:
            document[corpus.entity] = corpus.document
        times = Counter(zip(document.tolist(), own, strict=True))
        if len(times) < len(own):
            (_, name), many = times.most_common(1)[0]
            if np.any(corpus.attributes.get("element_of", np.array("")) != ""):
                message = f"{many} entities have the name {name!r}, to which mentions can refer"
                raise UsageError(message, "give each entity a name of its own")
            self.notes.append(
                f"{self.format_name} requires different names of entities, but {many} are named"
                f" {name!r}: named all of them e1, e2 and so on, in the order of the file"
            )
            return [f"e{number}" for number in range(1, len(own) + 1)]
        are_numbers = [name.isascii() and name.isdecimal() for name in own]
        if names.are_uniform and 0 < sum(are_numbers) < len(own):
            name = own[are_numbers.index(False)]
            self.notes.append(
                f"{self.format_name} cannot hold numbers and other names of entities in one file,"
                f" such as {name!r}: named all of them 1, 2 and so on, in the order of the file"
            )
            return [str(number) for number in range(1, len(own) + 1)]
        renamed = self.names(own, names.entity, "entity name")
        return [renamed.get(name, name) for name in own] if renamed else corpus.entity_names


def fit_names(corpus: Corpus, format_name: str, names: WrittenNames) -> tuple[Corpus, list[str]]:
    """Return the corpus with names that a format can hold, and a note for each kind of name."""
    renamer = _Renamer(format_name)
    found = replace(
        corpus,
        documents=tuple(renamer.documents(corpus.documents, names)),
        entity_names=renamer.entities(corpus, names),
    )
    if names.word is not None and corpus.text is not None:
        columns = {
            name: renamer.values(values, names.word, f"value of the column {name}")
            for name, values in corpus.text.columns.items()
        }
        found = replace(found, text=replace(corpus.text, columns=columns))
    if names.mention is not None and corpus.labels is not None:
        texts = (label for label in corpus.labels if isinstance(label, str))
        renamed = renamer.names(texts, names.mention, "mention name")
        if renamed:
            labels = tuple(renamed.get(label, label) for label in corpus.labels)  # type: ignore[call-overload]
            found = replace(found, labels=labels)
    of_mentions, of_entities = dict(corpus.attributes), dict(corpus.entity_attributes)
    for name, rule in (names.attributes or {}).items():
        columns_of = of_entities if name.startswith("entity ") else of_mentions
        key = name.removeprefix("entity ")
        if key in columns_of:
            values = [str(value) for value in columns_of[key].tolist()]
            if (new := renamer.values(values, rule, f"value of {name}")) is not values:
                columns_of[key] = np.array(new)
    if found.entity_names is not corpus.entity_names and SPLIT_ANTECEDENTS in of_entities:
        of_entities[SPLIT_ANTECEDENTS] = renamed_members(corpus, list(found.entity_names))
    found = replace(found, attributes=of_mentions, entity_attributes=of_entities)
    for text in corpus.characters:
        if re.search(TEXT, text) or text.startswith("\ufeff"):
            message = f"{format_name} cannot hold the text of the corpus"
            hint = "remove lone surrogates and the byte order mark from the text"
            raise UsageError(message, hint)
    return found, renamer.notes


def _counted(many: int, what: str) -> str:
    noun, _, rest = what.partition(" of ")
    return " of ".join(filter(None, (counted(many, noun), rest)))


def _name_and_part(document: Document) -> tuple[str, int]:
    """Return the name and the number of the part of a document, whose identity can be anything."""
    match document.id:
        case (str(name), int(part)) if part >= 0 and name:
            return name, part
        case str(name):
            return name, 0
    return document.name, 0


def _position(document: Document) -> int:
    return document.id[1] if isinstance(document.id, tuple) else 0
