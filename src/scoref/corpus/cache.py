"""A cache for what is computed from a corpus, such as a key that scores many responses."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, Self, TypeVar, cast, runtime_checkable


@runtime_checkable
class Cacheable(Protocol):
    """What may have a cache; without one, everything is computed anew."""

    @property
    def cache(self) -> dict[Any, Any] | None:
        """What was computed so far, or None."""

    def enable_cache(self) -> Self:
        """Begin to cache."""


Owner = TypeVar("Owner", bound=Cacheable)
Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


def cached(
    function: Callable[Concatenate[Owner, Arguments], Found],
) -> Callable[Concatenate[Owner, Arguments], Found]:
    """Compute something from a corpus only once, if the corpus has a cache."""

    @wraps(function)
    def look_up(owner: Owner, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Found:
        if owner.cache is None:
            return function(owner, *args, **kwargs)
        place = (function.__qualname__, *args, *kwargs.items())
        if place not in owner.cache:
            found = function(owner, *args, **kwargs)
            owner.cache[place] = found.enable_cache() if isinstance(found, Cacheable) else found
        return cast("Found", owner.cache[place])

    return look_up
