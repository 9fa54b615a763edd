"""Every engine and feature says which policies it supports, and why not others."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args, get_type_hints

import pytest

from scoref import Policy
from scoref.exceptions import UsageError
from scoref.policy.capabilities import EDITING, LIMITS, SPARK, require, supports, unsupported

WITHOUT_EFFECT_ON_EDITS = {
    *("duplicates", "missing_documents", "extra_documents", "types", "markup", "repair"),
    *("unclosed_tags", "positions", "pair_documents"),
}


def test_the_table_has_fields_and_values_of_policies() -> None:
    """A value that was renamed is renamed here too."""
    choices = Policy.choices()
    for feature, limits in LIMITS.items():
        for field, limit in limits.items():
            assert set(limit.values) < set(choices[field]), feature


def test_every_feature_supports_the_default() -> None:
    """Nothing has to be chosen."""
    for feature in LIMITS:
        assert supports(Policy(), feature)
        require(Policy(), feature)


@pytest.mark.parametrize("feature", LIMITS)
def test_a_refusal_is_complete(feature: str) -> None:
    """All names in a message are known."""
    for field, limit in LIMITS[feature].items():
        value = next(one for one in Policy.choices()[field] if one not in limit.values)
        policy = Policy()
        object.__setattr__(policy, field, value)
        assert not supports(policy, feature)
        assert list(unsupported(policy, feature)) == [f"--{field.replace('_', '-')} {value}"]
        with pytest.raises(UsageError) as error:
            require(policy, feature)
        assert bool(error.value.message) == bool(limit.problem)
        assert "{" not in error.value.message + error.value.hint


def test_messages() -> None:
    """With the feature, the field, and what to do."""
    with pytest.raises(UsageError, match="the Spark engine is not available with compat e2e, wh"):
        require(Policy(compat="e2e"), SPARK)
    with pytest.raises(
        UsageError, match="nested drop cannot be combined with unit corpus"
    ) as error:
        Policy(nested="drop", unit="corpus")
    assert error.value.hint == "positions are those of a document: use --unit document"


def test_the_editor_follows_the_default_policies() -> None:
    """And others that do not change how an edited response is scored."""
    named = {field.name for field in fields(Policy)}
    assert set(LIMITS[EDITING]) | WITHOUT_EFFECT_ON_EDITS == named
    assert all(
        LIMITS[EDITING][one.name].values == (one.default,)
        for one in fields(Policy)
        if one.name in LIMITS[EDITING]
    )
    assert supports(Policy(duplicates="error"), EDITING)
    assert not supports(Policy(singletons="drop"), EDITING)


def test_choices_are_the_values_of_the_types() -> None:
    """The type of a field and its choices are stated together."""
    hints = get_type_hints(Policy)
    for name, choices in Policy.choices().items():
        assert get_args(hints[name]) in ((), choices)
