"""Sides that seem to be swapped: the name of each file says that it is the other side.

Scores do not show it, since only recall and precision change places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePath

_KEYS = frozenset({"gold", "golden", "key", "keys", "reference", "references"})
_RESPONSES = frozenset(
    {
        *("pred", "preds", "predicted", "prediction", "predictions"),
        *("response", "responses", "system", "output", "outputs"),
    }
)


def note_swapped(key: str, response: str) -> list[str]:
    """Note that the key is named like a response, and the response like a key."""
    one, other = set(PurePath(key).parts), set(PurePath(response).parts)
    if _sides(one - other) != (False, True) or _sides(other - one) != (True, False):
        return []
    swapped = "if they are swapped, so are recall and precision"
    return [f"the key is {key} and the response is {response}: {swapped}"]


def _sides(parts: Iterable[str]) -> tuple[bool, bool]:
    """Whether parts of a path have a word for a key, and whether they have one for a response."""
    words = {word for part in parts for word in re.findall("[a-z]+", part.lower())}
    return bool(words & _KEYS), bool(words & _RESPONSES)
