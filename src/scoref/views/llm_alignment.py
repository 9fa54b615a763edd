"""The outcome of an alignment as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from scoref.llm.align import GeneratedAlignment
from scoref.llm.placed_mentions import AlignedDocument


def render_text(found: GeneratedAlignment, *, changes: bool = False) -> str:
    """Return the fidelity in a few lines, and each change of the text in one."""
    lines = found.fidelity.lines()
    if changes:
        lines += [line for one in found.documents for line in _change_lines(found, one)]
    return "\n".join(lines)


def _change_lines(found: GeneratedAlignment, document: AlignedDocument) -> Iterator[str]:
    number = next(at for at, one in enumerate(found.documents) if one is document)
    for kind, start, end, words in document.changes:
        place = f"{document.name}, token {start}"
        source = ""
        if end > start and found.corpus.text is not None:
            source = " ".join(found.corpus.text.words(number, start, end - 1))
        shown = {
            "altered": f"`{source}` became `{words}`",
            "dropped": f"`{source}` was dropped",
            "inserted": f"`{words}` was inserted",
        }[kind]
        yield f"{place}: {shown}"


def render_json(found: GeneratedAlignment, *, changes: bool = False) -> str:
    """Return the fidelity of all documents together and of each document."""
    content = found.to_dict()
    for one in found.documents if changes else ():
        content["documents"][one.name]["changes"] = [change._asdict() for change in one.changes]
    return json.dumps(content, ensure_ascii=False, indent=2)
