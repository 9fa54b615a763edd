"""Python objects as corpora: lists, rows, documents of other libraries, tables and open files.

`read_object` is the one place where an object becomes a corpus. It looks at what an object offers,
never at its type alone, so nothing is imported to recognise it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from scoref.base.phrases import type_of
from scoref.corpus.corpus import Corpus
from scoref.corpus.from_entities import unboxed
from scoref.exceptions import UsageError
from scoref.formats.json.jsonl_document import EXCLUSIVE, INCLUSIVE
from scoref.formats.objects.lists import corpus_of_documents, find_documents
from scoref.formats.objects.rows import is_row, read_rows

__all__ = ["is_one_document", "is_one_response", "read_object"]

_WORKS = (
    'pass a path, an open file, a Corpus, {"doc": [["a", "b"], ["c"]]}, a list of entities, rows'
    ' such as {"doc_key": "doc", "clusters": [[[0, 1], [3, 3]]]}, spaCy or Stanza documents, or a'
    " table with the columns document, start, end and entity"
)


def read_object(
    source: Any,
    side: str,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    *,
    predicted: bool = False,
    encoding: str | None = None,
    repair: str = "none",
) -> Corpus:
    """Return the corpus of an object. An iterator is used up.

    * `side`: What messages call the object: `key` or `response`.
    * `format`: The format of an open file; or `jsonl-inclusive` or `jsonl-exclusive` for rows.
    """
    if isinstance(corpus := getattr(source, "corpus", None), Corpus):
        return corpus  # of a Key, or of aligned generated text
    if callable(getattr(source, "read", None)):
        from scoref.formats.corpus_reader import read_open_file  # noqa: PLC0415  # a cycle

        return read_open_file(
            source, side, format, predicted=predicted, encoding=encoding, repair=repair
        )
    end = {"jsonl-inclusive": INCLUSIVE, "jsonl-exclusive": EXCLUSIVE}.get(format or "")
    of_rows = partial(read_rows, side=side, end=end, predicted=predicted)
    if isinstance(source, Mapping):
        return _of_mapping(source, side, of_rows)
    if _is_table(source):
        from scoref.formats.objects.tables import read_table  # noqa: PLC0415  # rarely needed

        found = read_table(source, side)
        return found if isinstance(found, Corpus) else of_rows(found)
    if (corpus := _of_library([source])) is not None:
        return corpus
    source = unboxed(source)
    if isinstance(source, str | bytes) or not isinstance(source, Iterable):
        raise UsageError(f"the {side} is {type_of(source)}, which cannot be scored", _WORKS)
    return _of_items(list(source), side, of_rows)


def is_one_response(items: Iterable[Any]) -> bool:
    """Whether a list holds the documents or entities of one response, not several responses."""
    return all(
        isinstance(unboxed(item), list | tuple | set | frozenset)
        or (isinstance(item, Mapping) and is_row(item))
        or _library_of(item) is not None
        for item in items
    )


def is_one_document(source: Any) -> bool:
    """Whether an object is a document of a library, or a table with its mentions."""
    return _library_of(source) is not None or _is_table(source)


def _of_mapping(
    source: Mapping[Any, Any], side: str, of_rows: Callable[[list[Any]], Corpus]
) -> Corpus:
    """Read entities by document, documents of a library by name, or a single row."""
    if is_row(source):
        return of_rows([source])
    values = list(source.values())
    if (corpus := _of_library(values, [str(name) for name in source])) is not None:
        return corpus
    if values and _is_table(values[0]):
        raise UsageError(
            f"the {side} is {type_of(source)} of tables: {', '.join(map(str, source))}",
            f"pass one of them, such as {side}[{next(iter(source))!r}]",
        )
    return Corpus.from_entities(source, source=side)


def _of_items(items: list[Any], side: str, of_rows: Callable[[list[Any]], Corpus]) -> Corpus:
    """Read rows, documents of a library, or lists of entities."""
    if items and isinstance(items[0], Mapping):
        return of_rows(items)
    if (corpus := _of_library(items)) is not None:
        return corpus
    return corpus_of_documents(find_documents(items, side), side)


def _library_of(document: Any) -> str | None:
    """Return the library of a document: it has groups of spans, or sentences and chains."""
    if hasattr(getattr(document, "spans", None), "items"):
        return "spacy"
    return "stanza" if hasattr(document, "coref") and hasattr(document, "sentences") else None


def _of_library(documents: list[Any], names: list[str] | None = None) -> Corpus | None:
    """Read documents of spaCy or Stanza, or a DocBin, or return None for anything else."""
    library = _library_of(documents[0]) if documents else None
    if library == "spacy":
        from scoref.formats.tools.spacy import from_docs  # noqa: PLC0415  # rarely needed

        return from_docs(documents, names)
    if library == "stanza":
        from scoref.formats.tools.stanza import from_documents  # noqa: PLC0415  # rarely needed

        return from_documents(documents, names)
    if len(documents) == 1 and callable(getattr(documents[0], "get_docs", None)):
        from scoref.formats.tools.spacy import from_docbin  # noqa: PLC0415  # rarely needed

        return from_docbin(documents[0])
    return None


def _is_table(source: Any) -> bool:
    """Whether an object has named columns; its class says it, since columns can be costly."""
    kind = type(source)
    named = any(hasattr(kind, name) for name in ("columns", "column_names", "schema"))
    shares = any(
        hasattr(kind, name)
        for name in ("__arrow_c_stream__", "to_pandas", "to_arrow", "iterrows", "collect_schema")
    )
    return named and shares
