"""BookNLP: a table of mentions, .entities, with the table of tokens, .tokens, beside it.

    COREF   start_token   end_token   prop   cat   text
    93      0             1           PROP   PER   Mr Bennet

Tokens are counted through the book from 0, ends inclusive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scoref.corpus.builder import CorpusBuilder, TextBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.text import read_text

_HEADER = re.compile(
    rb"(\xef\xbb\xbf)?COREF\tstart_token\tend_token\tprop\tcat\ttext\r?$", re.MULTILINE
)
_TYPES = {"PROP": "name", "NOM": "nominal", "PRON": "pronoun"}
_TEXT = {
    "word": "word",
    "lemma": "lemma",
    "pos": "POS_tag",
    "deprel": "dependency_relation",
}
_LONGEST = 18


@dataclass(slots=True)
class _Table:
    """Rows of a table with a header, split at tabs; wrong ones are listed and left out."""

    path: str
    text: str
    needed: Sequence[str]
    problems: list[Problem] = field(default_factory=list)

    def rows(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the line and the cells of each row."""
        lines = self.text.split("\n")
        header = lines[0].rstrip("\r").split("\t")
        if missing := [name for name in self.needed if name not in header]:
            found = f"the header {', '.join(header)[:80]}"
            hint = "is this the right file?"
            self.problems.append(Problem(self.path, 1, found, f"a column {missing[0]}", hint))
            return
        for number, line in enumerate(lines[1:], 2):
            if not line.strip():
                continue
            cells = line.rstrip("\r").split("\t")
            if len(cells) != len(header):
                found = f"a row of {len(cells)} cells"
                expected = f"{len(header)} as in the header"
                hint = "cells have tabs between them"
                self.problems.append(Problem(self.path, number, found, expected, hint))
                continue
            yield number, dict(zip(header, cells, strict=True))


def read(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read the mentions of a book, and its tokens if they stand beside it."""
    text, problems = read_text(stream, path)
    if problems:
        return CorpusBuilder(path).corpus(), problems
    tokens, problems = _tokens_beside(path)
    has_words = tokens is not None and bool(wanted.columns & _TEXT.keys())
    builder = CorpusBuilder(path, words=TextBuilder() if has_words else None)
    document = builder.document("", -1 if tokens is None else len(tokens))
    table = _Table(path, text, ("COREF", "start_token", "end_token", "prop", "cat"), problems)
    for line, cells in table.rows():
        ends = [cells["start_token"].strip(), cells["end_token"].strip()]
        known = all(end.isascii() and end.isdecimal() and len(end) <= _LONGEST for end in ends)
        span = (int(ends[0]), int(ends[1])) if known else (1, 0)
        if span[0] > span[1]:
            found = f"a mention from `{ends[0][:20]}` to `{ends[1][:20]}`"
            problems.append(Problem(path, line, found, "two tokens, from 0", "ends are inclusive"))
        elif tokens is not None and span[1] >= len(tokens):
            found, expected = f"the token {span[1]}", f"one of the {len(tokens)} tokens beside it"
            hint = "do both files come from one run?"
            problems.append(Problem(path, line, found, expected, hint))
        elif not cells["COREF"].strip():
            problems.append(Problem(path, line, "an empty COREF", "an entity", "leave it out"))
        else:
            entity = builder.entity(document, cells["COREF"].strip())
            kind = _TYPES.get(cells["prop"].strip(), "")
            builder.mention(document, span, entity, line, type=kind, label=cells["cat"].strip())
    if problems:
        return CorpusBuilder(path).corpus(), problems
    if tokens is None:
        builder.notes.append(
            f"{path}: there is no .tokens file beside it, so its length is unknown"
        )
    elif builder.words is not None:
        for sentence in _sentences(tokens):
            builder.words.sentence(
                **{
                    name: [token.get(column, "") for token in sentence]
                    for name, column in _TEXT.items()
                    if name in wanted.columns
                }
            )
    return builder.corpus(), []


def _tokens_beside(path: str) -> tuple[list[dict[str, str]] | None, list[Problem]]:
    beside = Path(path).with_suffix(".tokens")
    if Path(path).suffix != ".entities" or not beside.is_file():
        return None, []
    with beside.open("rb") as stream:
        text, problems = read_text(stream, str(beside))
    table = _Table(str(beside), text, ("word",), problems)
    rows = [cells for _, cells in table.rows()] if not problems else []
    return rows, problems


def _sentences(tokens: Sequence[dict[str, str]]) -> Iterator[list[dict[str, str]]]:
    sentence: list[dict[str, str]] = []
    for token in tokens:
        if sentence and token.get("sentence_ID") != sentence[-1].get("sentence_ID"):
            yield sentence
            sentence = []
        sentence.append(token)
    if sentence:
        yield sentence


def _recognise(head: bytes) -> bool:
    return _HEADER.match(head) is not None


FORMAT = Format(
    name="booknlp",
    title="BookNLP's .entities",
    recognise=_recognise,
    read=read,
    suffix=".entities",
    sees_words=True,
)
