"""Every format, by name, and the way from a path to a corpus.

To add a format: write its file with a FORMAT, then add one line to MODULES.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import NamedTuple, cast

from scoref.base.progress import Advance, progress
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus, Document
from scoref.corpus.text import COLUMNS
from scoref.exceptions import FormatError, Problem, UsageError
from scoref.formats.conll import conll
from scoref.formats.format import Format, Wanted
from scoref.formats.io.peekable import PeekableStream
from scoref.formats.io.signatures import describe
from scoref.formats.io.sources import Source, open_source, sources, total_size, write_whole
from scoref.formats.order_of_repeats import FIRST_OF_REPEATS, may_change_first

__all__ = [
    "MODULES",
    "Format",
    "Outcome",
    "Wanted",
    "find_format",
    "format_of_file",
    "format_of_name",
    "inspect",
    "lost",
    "put_together",
    "read",
    "read_source",
    "write",
]

# Only the module of the format that is asked for, or those needed to tell what a file is, are
# imported: reading CoNLL columns should not wait for a parser of JSON. A variant of a format,
# `module:NAME`, is chosen by its name alone.
MODULES = {
    "conll": "conll.conll:FORMAT",
    "corefud": "conllu.corefud.corefud:FORMAT",
    "jsonl": "json.jsonl.jsonl:FORMAT",
    "jsonl-inclusive": "json.jsonl.jsonl:WITH_INCLUSIVE_ENDS",
    "jsonl-exclusive": "json.jsonl.jsonl:WITH_EXCLUSIVE_ENDS",
    "csv": "table.delimited:FORMAT",
    "tsv": "table.tsv:FORMAT",
    "parquet": "table.parquet:FORMAT",
    "clusters": "json.clusters.clusters:FORMAT",
    "conllua": "conllu.conllua.conllua:FORMAT",
    "conllua-deixis": "conllu.conllua.conllua:DISCOURSE_DEIXIS",
    "apf": "tools.apf:FORMAT",
    "brat": "tools.brat:FORMAT",
    "booknlp": "tools.booknlp:FORMAT",
    "corenlp": "tools.corenlp:FORMAT",
    "webanno": "tools.webanno:FORMAT",
    "spacy": "tools.spacy:FORMAT",
}


# How attributes are called in `Format.keeps` and in notes.
_TOLD = {"head_start": "heads", "min_start": "minimal spans", "type": "mention types"}
_PARTS = frozenset({"head_end", "min_end", "zero_deps", "zero", "tag"})


def find_format(name: str) -> Format:
    """Return a format by its name."""
    if name not in MODULES:
        from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

        close = get_close_matches(name, MODULES, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"one of: {', '.join(MODULES)}"
        raise UsageError(f"unknown format {name!r}", hint)
    module, _, variable = MODULES[name].partition(":")
    found = getattr(import_module(f"scoref.formats.{module}"), variable)
    return cast("Format", found)


def read(
    path: str | PathLike[str],
    format: str | None = None,  # noqa: A002
    *,
    words: bool | Collection[str] = False,
    predicted: bool = False,
    encoding: str | None = None,
) -> Corpus:
    """Read a file, a directory of files, or standard input (`-`).

    The format is told from the content. With `words`, also read the words and what the file
    says of each, or only the named columns of these: `corpus.text`. With `predicted`, read the
    predicted entities of a file that has gold ones too.
    """
    columns = () if words is False else COLUMNS if words is True else words
    wanted = Wanted(frozenset(columns), predicted)
    corpus, problems = inspect(path, format, wanted, encoding=encoding, stop=True)
    if problems:
        raise FormatError(problems, str(path))
    return corpus


def inspect(
    path: str | PathLike[str],
    format: str | None = None,  # noqa: A002
    wanted: Wanted | None = None,
    *,
    encoding: str | None = None,
    stop: bool = False,
) -> tuple[Corpus, list[Problem]]:
    """Read like `read`, but return all problems, or with `stop` those of the first bad file."""
    given = sources(path)
    total = total_size(given)
    with progress(f"reading {Path(path).name or path}", total, "B") as advance:
        outcomes = (
            read_source(source, format, wanted or Wanted(), encoding, advance) for source in given
        )
        return put_together(path, outcomes, stop=stop)


class Outcome(NamedTuple):
    """What one source had: its corpus, unless its format is unclear, and what is wrong with it."""

    source: Source
    corpus: Corpus | None
    problems: list[Problem]


def read_source(
    source: Source,
    format: str | None,  # noqa: A002
    wanted: Wanted,
    encoding: str | None,
    advance: Advance | None = None,
) -> Outcome:
    """Read one of the files that a path stands for; `advance` is told how many bytes were read."""
    if source.parts:
        from scoref.formats.table import parquet  # noqa: PLC0415  # it needs pyarrow

        if format not in (None, parquet.FORMAT.name):
            expected = f"files of the format {format}"
            hint = "leave --format out, or name a directory of such files"
            found = "a directory of Parquet files"
            return Outcome(source, None, [Problem(source.shown, 0, found, expected, hint)])
        return Outcome(source, *parquet.read_parts(source.parts, source.shown))
    with open_source(source, encoding) as stream:
        peeked = PeekableStream(stream, advance)
        chosen = find_format(format) if format else detect(peeked.head, source.shown)
        if isinstance(chosen, Problem):
            return Outcome(source, None, [chosen])
        return Outcome(source, *chosen.read(peeked, source.shown, wanted.of(chosen)))


def put_together(
    path: str | PathLike[str], outcomes: Iterable[Outcome], *, stop: bool
) -> tuple[Corpus, list[Problem]]:
    """Make one corpus of the sources of a path, or with `stop` go no further than a bad one."""
    found: list[tuple[Source, Corpus]] = []
    problems: list[Problem] = []
    for source, corpus, more in outcomes:
        problems.extend(more)
        if corpus is not None:
            found.append((source, corpus))
        if problems and stop:
            break
    if not found:
        return CorpusBuilder(str(path)).corpus(), problems
    if len(found) == 1 and not found[0][0].stem:
        return found[0][1], problems
    renamed = [_name_after_file(corpus, source.stem) for source, corpus in found]
    problems.extend(_repeated(renamed))
    return Corpus.concatenate(renamed, str(path)), problems


def detect(head: bytes, path: str) -> Format | Problem:
    """Tell the format of a file from its first bytes, or say why that cannot be done."""
    for certain in ("conll", "corefud"):  # no other format has their comments
        if (format_ := find_format(certain)).recognise(head):
            return format_
    others = [find_format(name) for name, home in MODULES.items() if home.endswith(":FORMAT")][1:]
    if not head.strip():
        return conll.FORMAT  # whose reader says that the file is empty
    fitting = [one for one in others if one.recognise(head)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = " or ".join(f"{one.name} ({one.title})" for one in fitting)
        return Problem(
            path,
            0,
            f"a file that could be {names}",
            "a file of one format",
            "--format names the right one",
        )
    known = ", ".join(f"{one.name} ({one.title})" for one in (conll.FORMAT, *others))
    return Problem(
        path,
        0,
        f"no `#begin document` line in {describe(head.lstrip())}",
        "a file of a known format",
        f"the formats read are: {known}; --format names one",
    )


def write(corpus: Corpus, path: str | PathLike[str], format: str | None = None) -> None:  # noqa: A002
    """Write a corpus to a file, which appears only when it is whole."""
    chosen = find_format(format or "conll")
    if chosen.write is None:
        can = ", ".join(name for name in MODULES if find_format(name).write is not None)
        raise UsageError(f"{chosen.name} is read, but not written", f"written are: {can}")
    with write_whole(path) as stream:
        chosen.write(corpus, stream)
    for suffix, data in (chosen.beside(corpus) if chosen.beside else {}).items():
        with write_whole(Path(path).with_suffix(suffix)) as stream:
            stream.write(data)


def format_of_file(path: str | PathLike[str]) -> str | None:
    """Return the format that a file has, or the first file of a directory; None if it is unclear.

    Standard input can be read only once, so it is not looked at.
    """
    source = sources(path)[0]
    if source.path is None:
        return None
    if source.parts:
        return "parquet"
    with open_source(source) as stream:
        found = detect(PeekableStream(stream).head, source.shown)
    return found.name if isinstance(found, Format) else None


def format_of_name(path: str | PathLike[str]) -> str:
    """Return the format that the name of a file to be written stands for."""
    suffixes: dict[str, str] = {}
    for name in MODULES:
        one = find_format(name)
        if one.write is not None and one.suffix:
            suffixes.setdefault(one.suffix, name)
    for suffix, name in suffixes.items():
        if str(path).endswith(suffix):
            return name
    raise UsageError(
        f"the name {path} does not say which format to write",
        f"it ends in none of {', '.join(suffixes)}; --to names a format",
    )


def lost(corpus: Corpus, format: str) -> list[str]:  # noqa: A002
    """List what a corpus has and a format does not hold."""
    keeps = find_format(format).keeps
    columns = corpus.text.columns if corpus.text is not None else ()
    told = {
        **{name: name for name in columns},
        **{
            _TOLD.get(name, name): name
            for name, values in corpus.attributes.items()
            if name not in _PARTS and (values != "").any() and (values != -1).any()
        },
        **{f"entity {name}": name for name in corpus.entity_attributes},
    }
    if FIRST_OF_REPEATS not in keeps and may_change_first(corpus, format):
        told[FIRST_OF_REPEATS] = "entity"
    return [name for name in told if name not in keeps]


def _name_after_file(corpus: Corpus, stem: str) -> Corpus:
    """Give the unnamed documents of a directory's file the name of the file."""
    unnamed = sum(document.is_unnamed for document in corpus.documents)

    def renamed(document: Document) -> Document:
        if not document.is_unnamed:
            return document
        name = f"{stem}{document.name}" if unnamed > 1 else stem
        return document._replace(name=name, id=name)

    return replace(corpus, documents=tuple(map(renamed, corpus.documents)))


def _repeated(corpora: Sequence[Corpus]) -> list[Problem]:
    """List documents of one name and part that stand in several files."""
    first: dict[object, Document] = {}
    problems = []
    for corpus in corpora:
        for document in corpus.documents:
            before = first.setdefault(document.id, document)
            if before.source != document.source:
                found = f"document {document.name} again (first in {before.source}:{before.line})"
                expected = "documents of different names or parts in the files of a directory"
                hint = "rename one, or name a directory that has each document once"
                problems.append(Problem(document.source, document.line, found, expected, hint))
    return problems
