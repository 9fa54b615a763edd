"""A cache of values computed from a corpus, for a key that scores many responses."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from scoref.corpus.corpus import Corpus

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


def cached(
    function: Callable[Concatenate[Corpus, Arguments], Found],
) -> Callable[Concatenate[Corpus, Arguments], Found]:
    """Decorate a function of a corpus: it runs once per arguments if the corpus has a cache."""

    @wraps(function)
    def look_up(corpus: Corpus, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Found:
        if corpus.cache is None:
            return function(corpus, *args, **kwargs)
        place = (function.__qualname__, *args, *kwargs.items())
        if place not in corpus.cache:
            corpus.cache[place] = found = function(corpus, *args, **kwargs)
            if isinstance(found, type(corpus)):
                found.enable_cache()
        return cast("Found", corpus.cache[place])

    return look_up
