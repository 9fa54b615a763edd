"""A response that a language model wrote: aligned with the words of the key before it is scored."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING

from scoref.corpus.text import COLUMNS
from scoref.policy import Policy
from scoref.preparation.inputs import CachedInput, Input, ReadOptions, as_corpus, is_read_once

if TYPE_CHECKING:
    from scoref.generated.align import GeneratedAlignment


def align_response(
    key: Input, response: Input, policy: Policy, options: ReadOptions, columns: Collection[str]
) -> tuple[Input, Input, GeneratedAlignment | None]:
    """Return both sides, the response as a corpus if it is generated text, and its alignment.

    Nothing is read unless the policy names a markup.
    """
    if policy.markup == "none":
        return key, response, None
    from scoref.generated.align import align, is_generated  # noqa: PLC0415  # few ask for it

    source = response.source if isinstance(response, CachedInput) else response
    if not is_generated(source):
        return key, response, None
    once = is_read_once(key)
    corpus = as_corpus(key, "key", options, COLUMNS if once else {"word", *columns})
    how = policy.markup, policy.unclosed_tags
    encoding = options.of_side("response")[1]
    found = align(corpus, source, *how, encoding=encoding)  # type: ignore[arg-type]
    shown = str(source) if isinstance(source, str | PathLike) else "response"
    aligned = replace(found.corpus, source=shown, notes=tuple(found.notes))
    return corpus if once else key, aligned, found
