"""What metrics derive from a table, computed once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from scoref.metrics.table import Table

Derived = TypeVar("Derived")


def cached_per_table(function: Callable[[Table], Derived]) -> Callable[[Table], Derived]:
    """Cache what a function of a table returns as long as the table exists.

    Metrics of one family share what they derive, such as the types in each entity.
    """
    cache: WeakKeyDictionary[Table, Derived] = WeakKeyDictionary()

    @wraps(function)
    def cached(table: Table) -> Derived:
        if table not in cache:
            cache[table] = function(table)
        return cache[table]

    return cached
