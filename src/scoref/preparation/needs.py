"""Needs of metrics and policies in addition to entities, and the columns that provide them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from scoref.alignment.where import parse_conditions
from scoref.metrics import Metric
from scoref.metrics.needs import (
    HEADS,
    KEY_HEADS,
    MENTION_TYPES,
    MINIMAL_SPANS_OR_HEADS,
    VERB_PHRASES,
)
from scoref.policy import Policy
from scoref.preparation.inferred_attributes import columns_for, needs_of_matching
from scoref.preparation.regrouping import unit_columns
from scoref.preparation.same_text import Checks, columns_to_check

MAY_BE_STATED = frozenset({HEADS, KEY_HEADS, MINIMAL_SPANS_OR_HEADS})
"""Needs that a file may state; words are read only if it does not state them."""


def needs_of(metrics: Iterable[Metric]) -> frozenset[str]:
    """Return what metrics need in addition to entities."""
    return frozenset(
        need for metric in metrics for part in (metric, *metric.parts) for need in part.needs
    )


def needs_under(policy: Policy, needs: Collection[str]) -> frozenset[str]:
    """Add what a policy needs: heads for matching, mention types for `where`."""
    selected_by = {condition.field for condition in parse_conditions(policy.where)}
    needs = frozenset(needs) | ({MENTION_TYPES} if "type" in selected_by else set())
    needs |= {VERB_PHRASES} if policy.verb_phrases == "drop" else set()
    # Under compat, heads are found as corefud-scorer finds them.
    return needs | needs_of_matching(policy) if policy.compat == "none" else needs


def first_columns(needs: Collection[str], *, once: bool) -> frozenset[str]:
    """Return the columns that are read first: all that may be needed if input is read `once`."""
    return columns_for(needs if once else frozenset(needs) - MAY_BE_STATED)


def columns_of_key(
    policy: Policy, needs: Collection[str], check_words: Checks, *, once: bool
) -> frozenset[str]:
    """Return the columns of a key's text that the pipeline reads first."""
    columns = first_columns(needs_under(policy, needs), once=once)
    return columns | unit_columns(policy.unit) | columns_to_check(check_words, read=bool(columns))
