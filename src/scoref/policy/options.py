"""The choices of a policy as keywords of functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypedDict

from scoref.exceptions import UsageError

_PARAMETERS = ("metrics", "policy", "format", "encoding", "check_words", "trials", "level", "seed")
"""Other parameters of the functions that take choices, which a mistyped keyword may mean."""


class PolicyOptions(TypedDict, total=False):
    """The choices of a policy as keywords: `scoref.score(key, response, singletons="drop")`.

    They have the names and the types of the fields of `Policy`, for editors and type checkers.
    """

    match: str
    zeros: Literal["dependent", "linear"]
    unit: str
    singletons: Literal["keep", "drop"]
    duplicates: Literal["first", "error"]
    missing_documents: Literal["empty", "error"]
    extra_documents: Literal["error", "ignore"]
    where: str
    undefined: Literal["zero", "one", "skip"]
    types: Literal["auto", "file", "columns", "words"]
    average: Literal["micro", "macro"]
    split_antecedents: Literal["ignore", "score", "only"]
    markup: str
    unclosed_tags: Literal["drop", "close-at-sentence", "close-at-end"]
    positions: Literal[
        "same",
        "exclusive-ends",
        "inclusive-ends",
        "from-1",
        "from-0",
        "from-1-exclusive",
        "characters",
        "characters-inclusive",
        "sentence-relative",
        "own-tokens",
    ]
    pair_documents: Literal["same", "similar"]
    compat: Literal["none", "corefud-1.2", "e2e"]
    nested: Literal["keep", "drop"]
    verb_phrases: Literal["keep", "drop"]
    repair: Literal["none", "drop-brackets"]


def check_names(found: Iterable[object], names: Sequence[str], complaint: str) -> None:
    """Refuse names that are not among the choices of a policy, and suggest what was meant."""
    unknown = next((name for name in found if name not in names), None)
    if unknown is None:
        return
    from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

    close = get_close_matches(str(unknown), [*names, *_PARAMETERS], n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}?" if close else f"choices are {', '.join(names)}"
    raise UsageError(f"{complaint} {unknown!r}", hint)
