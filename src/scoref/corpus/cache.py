"""A cache of values computed from a corpus, for a key that scores many responses."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, Self, TypeVar, cast, runtime_checkable


@runtime_checkable
class Cacheable(Protocol):
    """An object that may have a cache. Without a cache, values are computed on each call."""

    @property
    def cache(self) -> dict[Any, Any] | None:
        """The values computed so far, or None."""

    def enable_cache(self) -> Self:
        """Cache values from now on."""


Owner = TypeVar("Owner", bound=Cacheable)
Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


def cached(
    function: Callable[Concatenate[Owner, Arguments], Found],
) -> Callable[Concatenate[Owner, Arguments], Found]:
    """Decorate a function of a corpus: it runs once per arguments if the corpus has a cache."""

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
