"""BookNLP: a table of mentions, .entities, and next to it a table of tokens, .tokens.

    COREF   start_token   end_token   prop   cat   text
    93      0             1           PROP   PER   Mr Bennet

Tokens are counted from 0 through the whole book, ends inclusive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN
from scoref.formats.format import Format, Wanted, text_reader
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import odd_character, parse_whole_numbers, read_companion

_HEADER = re.compile(
    rb"(\xef\xbb\xbf)?COREF\tstart_token\tend_token\tprop\tcat\ttext\r?$", re.MULTILINE
)
_TYPES = {"PROP": "name", "NOM": "nominal", "PRON": "pronoun"}
_TEXT = {"word": "word", "lemma": "lemma", "pos": "POS_tag", "deprel": "dependency_relation"}
_TOKEN = "token_ID_within_document"  # noqa: S105  # a column
_COLUMNS = ("COREF", "start_token", "end_token", "prop", "cat")


def _parse(text: str, wanted: Wanted, problems: Problems) -> Corpus:
    """Parse the mentions of a book, and its tokens if they are in a file next to it."""
    tokens = _read_tokens(problems)
    columns = {name: column for name, column in _TEXT.items() if name in wanted.columns}
    builder = CorpusBuilder(problems.path, text=tokens is not None and bool(columns))
    document = builder.document("", UNKNOWN if tokens is None else len(tokens))
    for line, cells in _rows(text, _COLUMNS, problems):
        span = _span(cells, line, tokens, problems)
        name = cells["COREF"].strip(" ")
        if not name:
            problems.add(line, "an empty COREF", "the number of an entity", "remove the row")
        elif odd := odd_character(name):
            problems.add_odd(line, f"COREF `{name[:20]}`", odd)
        elif span is not None:
            entity = builder.entity(document, name)
            kind = _TYPES.get(cells["prop"].strip(), "")
            builder.mention(document, span, entity, line, type=kind, label=cells["cat"].strip())
    if tokens is None:
        builder.notes.append(
            f"{problems.path}: the number of tokens is unknown, because the .tokens file is missing"
        )
    for sentence in _sentences(tokens or ()):
        words = {name: [one.get(key, "") for one in sentence] for name, key in columns.items()}
        builder.sentence(**words)
    return builder.corpus()


def _span(
    cells: dict[str, str], line: int, tokens: Sequence[dict[str, str]] | None, problems: Problems
) -> tuple[int, int] | None:
    """Return the first and the last token of a mention."""
    first, last = cells["start_token"], cells["end_token"]
    span = parse_whole_numbers(first, last)
    if span is None or span[0] > span[1]:
        found = f"a mention from `{first[:20]}` to `{last[:20]}`"
        problems.add(line, found, "the first and the last token, from 0", "ends are inclusive")
    elif tokens is not None and span[1] >= len(tokens):
        expected = f"one of the {len(tokens)} tokens of the .tokens file"
        problems.add(line, f"the token {span[1]}", expected, "do both files come from one run?")
    else:
        return span[0], span[1]
    return None


def _read_tokens(problems: Problems) -> list[dict[str, str]] | None:
    """Return the rows of the .tokens file next to an .entities file, if it exists."""
    text = read_companion(problems, ".entities", ".tokens")
    if text is None or problems:
        return None if text is None else []
    token_problems = Problems(str(Path(problems.path).with_suffix(".tokens")))
    rows: list[dict[str, str]] = []
    for line, cells in _rows(text, (_TOKEN, "word"), token_problems):
        if cells[_TOKEN].strip(" ") != str(len(rows)):
            found, expected = f"the token `{cells[_TOKEN][:20]}`", f"token {len(rows)}"
            token_problems.add(line, found, expected, "check that no line is missing or moved")
            break
        rows.append(cells)
    problems += token_problems
    return None if token_problems else rows


def _rows(
    text: str, required: Sequence[str], problems: Problems
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line and the cells of each row of a table with a header and tabs."""
    lines = text.split("\n")
    header = lines[0].rstrip("\r").split("\t")
    if missing := [name for name in required if name not in header]:
        found = f"the header {', '.join(header)[:80]}"
        problems.add(1, found, f"a column {missing[0]}", "is this the right file?")
        return
    if repeated := [name for name in header if header.count(name) > 1]:
        problems.add_repeated(1, f"the column {repeated[0][:40]}")
        return
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        cells = line.rstrip("\r").split("\t")
        if len(cells) == len(header):
            yield number, dict(zip(header, cells, strict=True))
        else:
            expected = f"{len(header)} cells as in the header"
            found = f"a row of {len(cells)} cells"
            problems.add(number, found, expected, "put a tab between cells")


def _sentences(tokens: Sequence[dict[str, str]]) -> Iterator[list[dict[str, str]]]:
    for _, sentence in groupby(tokens, key=lambda token: token.get("sentence_ID")):
        yield list(sentence)


_READ = text_reader(_parse, by_lines=True)
FORMAT = Format(
    "booknlp", "BookNLP's .entities", _HEADER.match, _READ, suffix=".entities", sees_words=True
)
