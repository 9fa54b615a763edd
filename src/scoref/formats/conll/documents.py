"""The documents of a CoNLL file, from `#begin document` to `#end document`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.document import Document
from scoref.formats.conll.token_lines import BEGIN, TokenLines
from scoref.formats.io.lines import Block
from scoref.formats.io.problems import Problems

_USUAL = re.compile(r"\((?P<name>[^();\s]+)\); part (?P<part>[0-9]{1,18})")
_PART = re.compile(r"\bpart\s+(?P<part>\d{1,18})\s*;?$", re.ASCII)
_EXPECTED = "`#begin document (name); part 000`"


class Heading:
    """A document: `part` as written, and its tokens from `first` up to `last`, excluded.

    `has_end` says whether `#end document` ends it, rather than the next document or the file.
    """

    def __init__(self, name: str, part: str, line: int, first: int) -> None:
        self.name, self.part, self.line = name, part, line
        self.first, self.last = first, -1
        self.has_end = False

    @property
    def shown(self) -> str:
        """The name and the part."""
        return f"{self.name}/{self.part}" if self.part else self.name

    @property
    def id(self) -> str | tuple[str, int]:
        """The name and the number of the part; part 0 and a document without part are the same."""
        number = int(self.part or 0)
        return (self.name, number) if number else self.name


class ConllDocuments:
    """Finds the documents of a file, block by block."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.headings: list[Heading] = []
        self.is_open = False
        self.outside = 0

    @property
    def complete(self) -> int:
        """How many documents have ended."""
        return len(self.headings) - self.is_open

    def add(self, block: Block, lines: TokenLines, count: Ints) -> None:
        """Read the headings of a block; `count` is the number of tokens up to each line."""
        for line, text in lines.edges:
            so_far = int(count[line])
            if begin := BEGIN.match(text):
                self._look_outside(block, count, so_far)
                self._report_outside()
                self.end(so_far)
                name, part = _name_and_part(begin["rest"].decode(errors="backslashreplace"))
                self.headings.append(Heading(name, part, block.first_line + line, so_far))
                self.is_open = True
            elif self.is_open:
                self.end(so_far)
                self.headings[-1].has_end = True
        self._look_outside(block, count, int(count[-1]))

    def end(self, tokens: int) -> None:
        """End the document that is open, if there is one, after so many tokens of the file."""
        if self.is_open:
            self.headings[-1].last = tokens
            self.is_open = False

    def _look_outside(self, block: Block, count: Ints, so_far: int) -> None:
        """Keep the line of the first token after the end of a document, or before any."""
        ended = self.headings[-1].last if self.headings else 0
        if not self.is_open and so_far > ended and not self.outside:
            first = int(np.searchsorted(count, ended, side="right"))  # `count` never falls
            self.outside = block.first_line + first

    def _report_outside(self) -> None:
        if self.outside:
            hint = "put every token between `#begin document` and `#end document`"
            found, expected = "a token outside a document", f"{_EXPECTED} first"
            self.problems.add(self.outside, found, expected, hint)
        self.outside = 0

    def check(self, head: bytes) -> None:
        """Report a file without documents, which starts with `head`, and repeated names."""
        if self.headings:
            self._report_outside()
        elif not head:
            expected = f"a document that starts with {_EXPECTED}"
            self.problems.add(0, "an empty file", expected, "check the program that wrote it")
        else:
            from scoref.formats.io.content import (  # noqa: PLC0415  # only errors need it
                describe_content,
            )

            content = describe_content(head)
            name = f"what looks like {content.name}" if content else "the file"
            hint = content.hint if content else "leave out --format, or name another one"
            found = f"no `#begin document` line in {name}"
            self.problems.add(0, found, f"documents that start with {_EXPECTED}", hint)
        lines: dict[str | tuple[str, int], int] = {}
        for heading in self.headings:
            first_line = lines.setdefault(heading.id, heading.line)
            if heading.name and first_line != heading.line:
                self.problems.add_duplicate(
                    heading.line, heading.shown, first_line, "names or parts"
                )
        self._check_ends()

    def _check_ends(self) -> None:
        """Refuse a document without an end where others have one: the rest of it may be lost."""
        ended = next((heading for heading in self.headings if heading.has_end), None)
        for heading in self.headings:
            if ended and not heading.has_end:
                found = f"document {heading.shown} without `#end document`".replace("  ", " ")
                expected = f"`#end document` as after the document of line {ended.line}"
                hint = "is the document complete? then write `#end document` after it"
                self.problems.add(heading.line, found, expected, hint)

    def __iter__(self) -> Iterator[Document]:
        unnamed = 0
        for heading in self.headings:
            name, identity = heading.name, heading.id
            if not name:
                unnamed += 1
                name, identity = f"#{unnamed}", ("", unnamed)
            length = heading.last - heading.first
            yield Document(name, identity, length, self.problems.path, heading.line, heading.part)


def _name_and_part(rest: str) -> tuple[str, str]:
    """Split `(bc/cctv_0001); part 003`, with or without parentheses and part."""
    if usual := _USUAL.fullmatch(rest):  # halves the cost of a heading
        return usual["name"], usual["part"]
    part, rest = "", rest.strip()
    if found := _PART.search(rest):
        part = found["part"]
        rest = rest[: found.start()].rstrip()
        rest = rest[:-1] if rest.endswith((";", ",")) else rest
    name = rest.rstrip(";").strip()
    if name.startswith("(") and name.endswith(")"):
        name = name[1:-1].strip()
    return name, part
