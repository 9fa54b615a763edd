"""Promises that every metric keeps. A new metric is tested the moment it is registered."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.base.arrays import Floats
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.corpus import Corpus
from scoref.counts.counts import Counts
from scoref.matching.alignment import join
from scoref.matching.document_pairing import pair_documents
from scoref.metrics import FAMILIES, Metric, find_metrics
from scoref.metrics.needs import SAME_MENTIONS, ZEROS
from scoref.metrics.registry import DEFAULT
from scoref.metrics.table import Table
from scoref.policy import Policy
from tests.strategies import MENTIONS, SHARED, Pair, Partition, corpora, named, pairs, partitions

VARIANTS = (
    "blanc(alpha=0.2)",
    "blanc(boundary=luo2014)",
    "blanc(boundary=rh2011)",
    "blanc(mentions=shared)",
    "ceaf(phi=1)",
    "ceaf(phi=2)",
    "ceaf(phi=4)",
    *(f"b3(twinless={practice})" for practice in ("0", "all", "rn", "sys", "v4")),
    *(f"ceafm(twinless={practice})" for practice in ("rn", "sys", "v4")),
    *(f"ceafe(twinless={practice})" for practice in ("rn", "v4")),
    *(f"lea(importance={name})" for name in ("uniform", "links", "mention_types")),
    "rand(mentions=shared)",
    "ari(mentions=shared)",
    "nmi(mentions=shared)",
    "mentions(typed)",
    "pairwise(typed)",
    "b3(extended)",
    "vmeasure(mentions=shared)",
    "vi(unit=bits)",
    "vi(mentions=shared)",
    "ami(mentions=shared)",
    "merge_distance(split=2,merge=0.5)",
    "merge_distance(mentions=shared)",
    "lb3(nom=0.5,pro=0.25,sing=1e-20)",
    "arcs(kind=inferred)",
    "arcs(kind=anchor)",
    "arcs(of=noun)",
    "ceaf(overlap=dice)",
    "ceaf(phi=4,overlap=jaccard,nam_nom=0.5,nam_pro=0.1,nom_pro=0.2)",
    "ceaf(overlap=min,nom=0.5,pro=0.1)",
    "mentions(match=lenient)",
    "mentions(match=lenient,credit=half)",
    "lea(importance=entity_type,org=0.5)",
    "bridging(level=mention)",
    "bridging(level=anaphor)",
    "ace(year=2007)",
    "ace(valuation=mention)",
)
METRICS = {metric.name: metric for metric in find_metrics([*FAMILIES, *VARIANTS])}


def typed(side: dict[str, Partition], *, zeros: bool = False) -> Corpus:
    """Make a corpus whose mentions are spans that overlap their neighbours.

    Their types go by their letters, their heads are their last tokens, or empty nodes behind
    them, and the type of an entity goes by the first of its letters. Each mention is bridging to
    the one before it, and every other letter refers to nothing.
    """
    names = {name: [[span(m) for m in entity] for entity in side[name]] for name in side}
    about = {
        span(letter): {"type": MENTION_TYPES[ord(letter) % 3], "head": (span(letter)[1],) * 2}
        for letter in MENTIONS + "xyz"
    }
    if zeros:
        about = {mention: {**told, "zero": f"{mention[1]}.1"} for mention, told in about.items()}
    entities = {
        name: [{"type": "PER" if ord(min(entity)) % 2 else "ORG"} for entity in side[name]]
        for name in side
    }
    spans = {name: sorted(m for entity in names[name] for m in entity) for name in names}
    return Corpus.from_entities(
        names,
        mentions=dict.fromkeys(side, about),
        entities=entities,
        bridging={name: dict(zip(spans[name][1:], spans[name], strict=False)) for name in spans},
        non_referring={name: [m for m in spans[name] if m[0] % 4 == 0] for name in spans},
    )


def span(letter: str) -> tuple[int, int]:
    """Return the span that stands for a letter."""
    return 2 * ord(letter), 2 * ord(letter) + 2


def table(metric: Metric, key: dict[str, Partition], response: dict[str, Partition]) -> Table:
    """Join two sides into a table, made of the same mentions if the metric needs that."""
    if SAME_MENTIONS in metric.needs:
        key, response = completed(key, response), completed(response, key)
    zeros = ZEROS in metric.needs
    ours, theirs = typed(key, zeros=zeros), typed(response, zeros=zeros)
    return join(ours, theirs, pair_documents(ours, theirs, Policy()).key_document).table()


def completed(side: dict[str, Partition], other: dict[str, Partition]) -> dict[str, Partition]:
    """Give a side the mentions that only the other has, as singletons."""

    def missing(name: str) -> Partition:
        here = {mention for entity in side[name] for mention in entity}
        return [[m] for entity in other[name] for m in entity if m not in here]

    return {name: [*entities, *missing(name)] for name, entities in side.items()}


def count(metric: Metric, key: dict[str, Partition], response: dict[str, Partition]) -> Floats:
    """Count two sides."""
    return Counts.of(table(metric, key, response), [metric]).rows[metric.name]


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
class TestEveryMetric:
    """Each test runs once per registered metric."""

    @SHARED
    @given(documents=pairs())
    def test_scores_lie_between_zero_and_one(self, metric: Metric, documents: Pair) -> None:
        """No input gives less than the lowest score, more than 100 %, or a warning."""
        counts = count(metric, *named([documents]))
        for undefined in ("zero", "one", "skip"):
            scores = metric.scores(counts, undefined)
            defined = scores[~np.isnan(scores)]
            assert (defined >= metric.lowest).all()
            assert metric.is_distance or (defined <= 1 + 1e-12).all()

    @SHARED
    @given(partition=partitions())
    def test_a_perfect_response_scores_best(self, metric: Metric, partition: Partition) -> None:
        """It is 1, or no distance, if the key has links of both kinds for a metric to see."""
        partition = [*partition, ["x", "y"], ["z"]]
        scores = metric.scores(count(metric, {"d": partition}, {"d": partition})[0])
        assert scores[2] == pytest.approx(0.0 if metric.is_distance else 1.0)
        if metric.has_sides and not metric.parts:
            assert scores == pytest.approx([1.0, 1.0, 1.0])

    @SHARED
    @given(documents=corpora())
    def test_a_corpus_counts_like_its_shards(self, metric: Metric, documents: list[Pair]) -> None:
        """The rows of shards, one after the other, are the very same bits."""
        key, response = named(documents)
        whole = Counts.of(table(metric, key, response), [metric])
        shards = [
            Counts.of(table(metric, {name: key[name]}, {name: response[name]}), [metric])
            for name in key
        ]
        rows = np.vstack([shard.rows[metric.name] for shard in shards])
        together = Counts(tuple(key), (metric,), {metric.name: rows})
        assert together.units == whole.units
        np.testing.assert_array_equal(whole.rows[metric.name], together.rows[metric.name])
        for average in ("micro", "macro"):
            policy = Policy(average=average)
            np.testing.assert_array_equal(
                whole.scores(metric, policy), together.scores(metric, policy)
            )

    @SHARED
    @given(documents=corpora(), data=st.data())
    def test_order_is_irrelevant(
        self, metric: Metric, documents: list[Pair], data: st.DataObject
    ) -> None:
        """Of documents, of entities, and of the mentions in an entity."""
        key, response = named(documents)

        def shuffled(side: dict[str, Partition]) -> dict[str, Partition]:
            names = data.draw(st.permutations(list(side)))
            return {
                name: [
                    data.draw(st.permutations(e)) for e in data.draw(st.permutations(side[name]))
                ]
                for name in names
            }

        counts = count(metric, key, response)
        again_key, again_response = shuffled(key), shuffled(response)
        again = count(metric, again_key, again_response)
        rows = [list(again_key).index(name) for name in key]
        np.testing.assert_allclose(counts, again[rows], rtol=1e-12, atol=1e-15)
        if metric.name in DEFAULT:  # to the last bit: pages count with a script of their own
            np.testing.assert_array_equal(counts, again[rows])

    @SHARED
    @given(documents=pairs())
    def test_swapping_sides_swaps_recall_and_precision(
        self, metric: Metric, documents: Pair
    ) -> None:
        """Where the metric says that it is symmetric."""
        if not metric.symmetric:
            return
        one, other = documents
        there = metric.scores(count(metric, {"d": one}, {"d": other}), "skip")
        back = metric.scores(count(metric, {"d": other}, {"d": one}), "skip")
        np.testing.assert_allclose(there, back[:, [1, 0, 2]], rtol=1e-12)

    @SHARED
    @given(documents=corpora(least=2))
    def test_scores_take_any_leading_axes(self, metric: Metric, documents: list[Pair]) -> None:
        """One call scores a corpus, each document, or every bootstrap draw."""
        counts = count(metric, *named(documents))
        apart = np.stack([metric.scores(row) for row in counts])
        np.testing.assert_array_equal(metric.scores(counts), apart)
        np.testing.assert_array_equal(metric.scores(np.stack([counts, counts]))[1], apart)

    def test_has_one_column_per_count(self, metric: Metric) -> None:
        """The names in `columns` are the columns of `count`, also of one table of no mentions."""
        assert count(metric, {"d": [["a", "b"]]}, {"d": [["a"]]}).shape == (1, len(metric.columns))
        assert count(metric, {"d": []}, {"d": []}).shape == (1, len(metric.columns))

    def test_tells_about_itself(self, metric: Metric) -> None:
        """`scoref metrics NAME` has something to say."""
        assert metric.about is not None
        assert all(getattr(metric.about, name) for name in ("title", "formula", "paper"))
        assert metric.about.rewards
        assert metric.about.ignores

    def test_its_name_can_be_read_back(self, metric: Metric) -> None:
        """What a table prints can be typed."""
        (again,) = find_metrics([metric.name])
        assert again.name == metric.name


@given(documents=pairs())
def test_blanc_is_symmetric_away_from_its_boundary(documents: Pair) -> None:
    """With links of both kinds on both sides, its rule never looks at the key alone."""
    one, other = ([*side, ["x", "y"], ["z"]] for side in documents)
    metric = METRICS["blanc"]
    there = metric.scores(count(metric, {"d": one}, {"d": other}))
    back = metric.scores(count(metric, {"d": other}, {"d": one}))
    np.testing.assert_allclose(there, back[:, [1, 0, 2]], rtol=1e-12)
