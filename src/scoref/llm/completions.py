"""Completions: what language models wrote, as files and objects hold it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, NamedTuple

from scoref.exceptions import FormatError, UsageError
from scoref.formats.io.sources import open_source, sources
from scoref.formats.io.text import BYTE_ORDER_MARK, decode, read_bytes

_TEXT = (
    *("completion", "generated_text", "generated", "output", "response", "prediction", "answer"),
    *("content", "body", "message", "choices", "messages", "completions", "outputs", "text"),
)
"""The fields that hold a completion, or lead to it, the most certain first."""
_STATED = ("completion", "generated", "output", "prediction", "answer")
"""The fields that can hold a list of quotes instead of a text."""
_NAME = (
    *("doc_id", "doc_key", "document_id", "document", "docname", "doc", "custom_id", "name", "id"),
    *("file", "filename", "key"),
)
_QUOTE_FIELDS = {"cluster", "entity", "start", "mentions", "mention"}
_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n`]*$", re.MULTILINE)
_MOST_DEPTH = 8


class Completion(NamedTuple):
    """The text that a language model wrote, the document it is for, and the file it is in."""

    text: str
    name: str = ""
    source: str = ""


Generated = str | PathLike[str] | Mapping[str, str] | Sequence[str]


def read_completions(generated: Generated, encoding: str | None = None) -> list[Completion]:
    """Return the completions of a file, a directory, a mapping from names, or a list of texts."""
    if isinstance(generated, Mapping):
        return [Completion(unwrap(text), str(name)) for name, text in generated.items()]
    if isinstance(generated, str | PathLike):
        return list(_read(generated, encoding))
    if all(isinstance(text, str) for text in generated):
        return [Completion(unwrap(text)) for text in generated]
    raise UsageError(
        f"generated text is a {type(generated).__name__}",
        'pass a path, {"document": "text"}, or a list of texts',
    )


def _read(path: str | PathLike[str], encoding: str | None) -> Iterator[Completion]:
    for source in sources(path):
        with open_source(source, encoding) as stream:
            data = read_bytes(stream).removeprefix(BYTE_ORDER_MARK)
        text, problems = decode(data, source.shown, is_plain=True)
        if problems:
            raise FormatError(problems, str(path))
        found = list(_of_json(text)) or [Completion(text, source.stem)]
        for one in found:
            yield Completion(unwrap(one.text), one.name or source.stem, source.shown)


def unwrap(text: str) -> str:
    """Return what is in the code fences of a text, or the whole text if it has none."""
    fences = list(_FENCE.finditer(text))
    if not fences:
        return text
    ends = [fence.start() for fence in fences[1::2]]
    if len(fences) % 2:
        ends.append(len(text))  # the last fence was not closed
    return "\n".join(
        text[fence.end() + 1 : end] for fence, end in zip(fences[::2], ends, strict=True)
    )


def _of_json(text: str) -> Iterator[Completion]:
    """Yield the completions of JSON lines, or of a JSON file; nothing if it holds none."""
    if text.lstrip()[:1] not in ("{", "["):
        return
    values = _values(text)
    documents = [one for one in values if isinstance(one, Mapping)]
    if not documents or len(documents) < len(values):
        return
    if len(documents) == 1 and not _is_crac(documents[0]):
        only = documents[0]
        texts = list(only.values())
        if texts and not _find_text(only) and all(isinstance(one, str) for one in texts):
            yield from (Completion(str(one), str(name)) for name, one in only.items())
            return
    for document in documents:
        names = (document[field] for field in _NAME if isinstance(document.get(field), str | int))
        name = str(next(names, ""))
        if found := _find_text(document):
            yield Completion(found, name)
        elif _is_crac(document) or (len(documents) > 1 and text.lstrip()[0] == "{"):
            yield Completion(json.dumps(document, ensure_ascii=False), name)


def _is_crac(document: Mapping[str, Any]) -> bool:
    return "clusters_token_offsets" in document or "clusters_text_mentions" in document


def _values(text: str) -> list[Any]:
    """Return the values of JSON lines, or the members of one list, or one object."""
    whole = _loads(text)
    if whole is not None:
        return whole if isinstance(whole, list) else [whole]
    lines = [_loads(line) for line in text.splitlines() if line.strip()]
    return [] if None in lines else lines


def _loads(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _find_text(value: Any, depth: int = 0) -> str:
    """Return the completion that an object holds: in a field, or as services answer."""
    if isinstance(value, str):
        return value if depth else ""
    if depth > _MOST_DEPTH:
        return ""
    if isinstance(value, list):
        return next((text for one in reversed(value) if (text := _find_text(one, depth + 1))), "")
    if isinstance(value, Mapping) and not (_is_crac(value) or _QUOTE_FIELDS & value.keys()):
        for field in _STATED:
            if _are_quotes(value.get(field)):
                return json.dumps(value[field], ensure_ascii=False)
        return next(
            (text for field in _TEXT if (text := _find_text(value.get(field), depth + 1))), ""
        )
    return ""


def _are_quotes(value: Any) -> bool:
    """Whether a value is a list of quotes instead of a text, or of an answer of a service."""
    if isinstance(value, list):
        return any(isinstance(one, list) or _are_quotes(one) for one in value)
    return isinstance(value, Mapping) and not _find_text(value)
