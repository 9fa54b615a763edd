"""A response that a language model wrote: aligned with the words of the key before it is scored."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from scoref.corpus.text import COLUMNS
from scoref.generated.align import GeneratedAlignment, align, is_generated
from scoref.policy import Policy
from scoref.preparation.inputs import CachedInput, Input, ReadOptions, as_corpus, is_read_once


def align_response(
    key: Input, response: Input, policy: Policy, options: ReadOptions, columns: Collection[str]
) -> tuple[Input, Input, GeneratedAlignment | None]:
    """Return both sides, the response as a corpus if it is generated text, and its alignment."""
    source = response.source if isinstance(response, CachedInput) else response
    if not is_generated(source):
        return key, response, None
    wanted = COLUMNS if is_read_once(key) else {"word", *columns}
    corpus = as_corpus(key, "key", options, wanted)
    found = align(
        corpus, source, policy.markup, policy.unclosed_tags, encoding=options.encoding  # type: ignore[arg-type]
    )
    shown = str(source) if not isinstance(source, dict) else "response"
    aligned = replace(found.corpus, source=shown, notes=tuple(found.notes))
    return corpus if is_read_once(key) else key, aligned, found
