"""Laws of explanations: the walk-through of every metric finds the metric's own numbers."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.explanation import EXPLAINERS
from scoref.explanation.blocks import Grid
from scoref.explanation.walkthrough import ExactNumbers
from scoref.metrics import FAMILIES, Metric, find_metrics
from scoref.metrics.needs import SAME_MENTIONS, ZEROS
from scoref.policy import Policy
from tests.metrics.test_every_metric import METRICS as EVERY
from tests.metrics.test_every_metric import completed, typed
from tests.strategies import SHARED, Pair, corpora, named

METRICS = EVERY | {
    metric.name: metric
    for metric in find_metrics(
        [
            "ace(year=2008)",
            "ace(year=2007,valuation=mention,coreference=0.3,org=0.1)",
            "arcs(kind=inferred,of=pronoun)",
            "ceaf(nam_nom=0.5,nom=0.3)",
            "lea(importance=entity_type,per=0.1,other=0.3)",
        ]
    )
}
CHOICES = Policy.choices()
POLICIES = [
    Policy(undefined=undefined, average=average)  # type: ignore[arg-type]  # choices are right
    for undefined, average in itertools.product(CHOICES["undefined"], CHOICES["average"])
]


def agrees(numbers: ExactNumbers, expected: tuple[float, float, float]) -> bool:
    """Whether exact numbers are those of a score; None stands for NaN."""
    return all(
        (ours is None) == math.isnan(theirs) and (ours is None or abs(float(ours) - theirs) < 1e-12)
        for ours, theirs in zip(
            (numbers.recall, numbers.precision, numbers.f1), expected, strict=True
        )
    )


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
@SHARED
@given(documents=corpora(most=3), policy=st.sampled_from(POLICIES), limit=st.integers(0, 3))
def test_fractions_are_the_scores(
    metric: Metric, documents: list[Pair], policy: Policy, limit: int
) -> None:
    """Of the document that is explained, and of all documents together."""
    key, response = named(documents)
    if SAME_MENTIONS in metric.needs:
        key, response = completed(key, response), completed(response, key)
    zeros = ZEROS in metric.needs
    sides = typed(key, zeros=zeros), typed(response, zeros=zeros)
    result = scoref.score(*sides, [metric.name], policy)
    first = scoref.explain(*sides, [metric.name], policy, limit=limit)
    walk = first[metric.name]
    assert agrees(walk.document, result.documents[first.document][metric.name])
    if len(documents) > 1:
        assert walk.corpus is not None
        assert agrees(walk.corpus, result[metric.name])
    *_, last = result.documents
    again = scoref.explain(*sides, [metric.name], policy, last)[metric.name]
    assert agrees(again.document, result.documents[last][metric.name])
    assert again.corpus is None


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
@given(documents=corpora(least=2, most=3), policy=st.sampled_from(POLICIES))
@settings(max_examples=5)
def test_every_output_shows_it(metric: Metric, documents: list[Pair], policy: Policy) -> None:
    """Text fits a terminal, JSON has the exact numbers, and nothing is an internal name."""
    key, response = named(documents)
    if SAME_MENTIONS in metric.needs:
        key, response = completed(key, response), completed(response, key)
    zeros = ZEROS in metric.needs
    sides = typed(key, zeros=zeros), typed(response, zeros=zeros)
    explanation = scoref.explain(*sides, [metric.name], policy)
    text = explanation.to_text()
    assert all(len(line) <= 80 for line in text.splitlines() if line != explanation.signature)
    for shown in (text, explanation.to_markdown(), explanation.to_latex()):
        assert "None" not in shown
        assert "Fraction" not in shown
        assert "nan" not in shown
    content = json.loads(explanation.to_json())["metrics"][metric.name]
    for numbers, found in (
        (explanation[metric.name].document, content),
        (explanation[metric.name].corpus, content["corpus"]),
    ):
        assert numbers is not None
        for name in ("recall", "precision", "f1"):
            value = getattr(numbers, name)
            assert (value is None) == (found[name] is None)
            if isinstance(value, Fraction):
                assert Fraction(found[name]["fraction"]) == value
                assert found[name]["value"] == float(value)


RECORDED = {
    *("lmuc", "lb3", "lceafm", "lceafe", "arcs", "ace"),
    *("vmeasure", "vi", "ami", "fowlkes_mallows", "purity", "closest", "exact_entity"),
    "merge_distance",
}
"""Families that are explained by the terms that they sum."""


def test_every_family_has_an_explainer_or_parts_or_is_recorded() -> None:
    """A new metric is explained by the terms of its sums, on purpose."""
    whole = {name for name, family in FAMILIES.items() if not family.metric({}).parts}
    assert whole == EXPLAINERS.keys() | RECORDED


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_what_is_recorded_shows_terms(name: str) -> None:
    """Not only counts."""
    other = "d" if name in ("vmeasure", "vi", "ami", "merge_distance") else "e"
    documents = [(["ab", "cd"], ["ab", "c" + other])]
    key, response = (typed(side, zeros=False) for side in named(documents))  # type: ignore[arg-type]
    walk = scoref.explain(key, response, [name])[name]
    captions = [block.caption for block in walk.steps if isinstance(block, Grid)]
    assert any(caption.startswith("Sums over") for caption in captions)
