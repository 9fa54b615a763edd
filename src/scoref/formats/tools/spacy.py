"""spaCy documents: groups of spans named `coref_clusters_1`, `coref_clusters_2`, ...

`from_docs` takes documents, and needs only their attributes. Files of spaCy's DocBin are read with
spaCy. The checks of names and spans, and the columns of sentences, serve Stanza's documents too.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

from scoref.base.phrases import counted, listed, type_of
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import MentionError, Problem, UsageError
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.text import BLOCK, read_bytes

PREFIX = "coref_clusters"
_SOME = 256
_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, zlib.error)
"""What spaCy raises for files that are not as it writes them."""


def from_docs(
    docs: Iterable[Any], names: Sequence[str] | None = None, *, prefix: str = PREFIX
) -> Corpus:
    """Make a corpus of spaCy documents: one entity per group of spans with the prefix.

    Heads are the roots of the spans, if the documents are parsed. Without `names`, documents are
    paired by their order.
    """
    builder = CorpusBuilder("spaCy documents", text=True)
    groups: dict[str, None] = {}
    for doc, name in with_names(docs, names, "spans"):
        groups.update(dict.fromkeys(map(str, doc.spans)))
        _add(builder, doc, name, prefix)
    if groups and not any(group.startswith(prefix) for group in groups):
        raise UsageError(
            f"no group starts with {prefix!r}; groups found: {listed(list(groups))}",
            "name the prefix: scoref.formats.tools.spacy.from_docs(docs, prefix=...)",
        )
    if builder.documents and not groups:
        builder.notes.append("no spaCy document has a group of spans: did the resolver run?")
    return builder.corpus()


def from_docbin(docbin: Any) -> Corpus:
    """Make a corpus of the documents of a DocBin, which are paired by their order."""
    vocab = import_module("spacy").blank("xx").vocab
    return from_docs(docbin.get_docs(vocab))


def _add(builder: CorpusBuilder, doc: Any, name: str, prefix: str) -> None:
    tokens = list(doc)
    number = builder.document(name, len(tokens))
    parsed = bool(doc.has_annotation("DEP")) if hasattr(doc, "has_annotation") else False
    for group, spans in doc.spans.items():
        if not str(group).startswith(prefix):
            continue
        for span in spans:
            where = f"the group {group} of {builder.documents[number].name}"
            start, end = check_span(span.start, span.end, len(tokens), where)
            head = span.root.i if parsed else -1
            entity = builder.entity(number, str(group))
            builder.mention(number, (start, end), entity, head_start=head, head_end=head)
    starts = [
        at for at, token in enumerate(tokens) if not at or getattr(token, "is_sent_start", False)
    ]
    for low, high in zip(starts, [*starts[1:], len(tokens)], strict=True):
        add_sentence(builder, tokens[low:high], word="text", pos="tag_", lemma="lemma_")


def with_names(
    documents: Iterable[Any], names: Sequence[str] | None, attribute: str
) -> Iterator[tuple[Any, str]]:
    """Yield documents with their names; documents without names are paired by their order.

    Documents have an `attribute` with their entities.
    """
    if hasattr(documents, attribute) or not isinstance(documents, Iterable):
        message = f"found {type_of(documents)}, expected a list of documents"
        raise UsageError(message, "pass one document as [document]")
    if names is None:
        yield from ((_check(document, attribute), "") for document in documents)
        return
    documents, names = list(documents), list(names)
    if not len(documents) == len(names) == len(set(names)) or "" in names:
        found = f"found {counted(len(documents), 'document')} and the names {listed(names)}"
        raise UsageError(f"{found}, expected different names", "name each document once")
    for document, name in zip(documents, names, strict=True):
        yield _check(document, attribute), name


def _check(document: Any, attribute: str) -> Any:
    if getattr(document, attribute, None) is None:
        message = f"found {type_of(document)} without `{attribute}`, expected a document"
        raise UsageError(message, "pass a list of documents that the library has processed")
    return document


def check_span(start: Any, stop: Any, length: int, where: str) -> tuple[int, int]:
    """Return a span with an inclusive end, if it is in the text."""
    if type(start) is int and type(stop) is int and 0 <= start < stop <= length:
        return start, stop - 1
    raise MentionError(
        f"{where} has a mention from {start!r} to {stop!r} in a text of {length} tokens",
        "ends are exclusive, and mentions have at least one token",
    )


def add_sentence(builder: CorpusBuilder, tokens: Sequence[Any], **attributes: str) -> None:
    """Add a sentence to a text: its columns, and the attribute of a token that each has.

    An attribute that a token lacks, or that is None, becomes an empty string.
    """
    columns: dict[str, list[str]] = {}
    for column, attribute in attributes.items():
        values = [getattr(token, attribute, None) for token in tokens]
        columns[column] = ["" if value is None else str(value) for value in values]
    builder.sentence(**columns)


def read(stream: Stream, path: str, _: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read the documents of a DocBin."""
    try:
        tokens = import_module("spacy.tokens")
    except ImportError:
        raise UsageError(
            "files of the format spacy require spaCy, which is not installed",
            "pip install spacy, or convert the documents with scoref.formats.tools.spacy.from_docs",
        ) from None
    data = read_bytes(stream)
    try:
        docs = tokens.DocBin().from_bytes(data)
        corpus = from_docbin(docs)
        left = _size_after_end(data)
    except _DAMAGE as error:
        found = f"damaged data ({str(error)[:80]})"
        return Corpus.without_mentions((), path), [Problem(path, 0, found, "a file of DocBin")]
    problems = [] if corpus.documents else [Problem(path, 0, "no documents", "spaCy documents")]
    if left:  # spaCy reads the first of two files that were joined
        found, hint = f"{left:,} bytes after the documents", "are these two files that were joined?"
        problems.append(Problem(path, 0, found, "the end of the file", hint))
    return corpus, problems


def _size_after_end(data: bytes) -> int:
    """Return how many bytes follow the compressed documents."""
    unpacker, rest = zlib.decompressobj(), data
    while rest and not unpacker.eof:
        unpacker.decompress(rest, BLOCK)
        rest = unpacker.unconsumed_tail
    return len(unpacker.unused_data)


def _recognise(head: bytes) -> bool:
    """Whether a file is from DocBin: compressed, with the names of its columns first."""
    if not head.startswith((b"\x78\x9c", b"\x78\x01", b"\x78\xda")):
        return False
    try:
        begin = zlib.decompressobj().decompress(head, _SOME)
    except zlib.error:
        return False
    return b"attrs" in begin


FORMAT = Format("spacy", "spaCy's DocBin", _recognise, read, suffix=".spacy")
