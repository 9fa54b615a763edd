"""A histogram counts as the table that it stands for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref import Corpus
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.matching.alignment import join
from scoref.metrics import Metric, find_metrics, histogram
from scoref.metrics.ceaf import best_total
from scoref.metrics.clusters import KEY_PARTS, RESPONSE_PARTS, count_purity
from scoref.metrics.histogram import CellBins, EntityBins, Histogram, distinct_rows
from scoref.metrics.needs import SAME_MENTIONS
from scoref.metrics.table import Table
from tests.metrics.test_every_metric import METRICS, table
from tests.strategies import Pair

BY_SUMS = {name: metric for name, metric in METRICS.items() if metric.by_sums}
OTHERS = {name: metric for name, metric in METRICS.items() if not metric.by_sums}
UNALIGNED = {name for name in BY_SUMS if name.startswith("ceaf") and "twinless" in name}
PHIS = (1, 2, 3, 4)

LABELS = st.lists(st.integers(-1, 5), min_size=40, max_size=40)


@st.composite
def large_pairs(draw: st.DrawFn) -> Pair:
    """Draw a document of up to 40 mentions: enough for entities that are alike."""
    sides = []
    for _ in range(2):
        labels = draw(LABELS)
        found = [
            [f"m{at}" for at, label in enumerate(labels) if label == entity] for entity in range(6)
        ]
        alone = [[f"m{at}"] for at, label in enumerate(labels) if label < 0 and at % 3]
        sides.append([*(entity for entity in found if entity), *alone])
    return sides[0], sides[1]


def joined(pair: Pair, metric: Metric | None = None) -> Table:
    """Join a document, with the same mentions on both sides if a metric needs that."""
    key, response = pair
    if metric is not None and SAME_MENTIONS in metric.needs:
        ours, theirs = ({m for e in side for m in e} for side in pair)
        key = [*key, *([m] for m in sorted(theirs - ours))]
        response = [*response, *([m] for m in sorted(ours - theirs))]
    one, other = Corpus.from_entities({"d": key}), Corpus.from_entities({"d": response})
    return join(one, other, np.zeros(1, dtype=np.int64)).table()


def of_table(table: Table) -> Histogram:
    """Make the histogram of a table as if the table were one unit."""
    key, res = table.cell_key, table.cell_res
    key_kept, res_kept = table.key_kept, table.res_kept
    cells = (table.count, table.key_size[key], key_kept[key], table.res_size[res], res_kept[res])
    return Histogram(
        EntityBins(*distinct_rows([table.key_size, key_kept])),
        EntityBins(*distinct_rows([table.res_size, res_kept])),
        CellBins(*distinct_rows(cells)),
    )


def compressed(whole: Table) -> Table:
    """Return the histogram of a table, with what its best alignments are worth."""
    best = {phi: float(best_total(whole, phi)[0]) for phi in PHIS}
    best[KEY_PARTS], _, best[RESPONSE_PARTS], _ = count_purity(whole)[0].tolist()
    return of_table(whole).table("d", best)


@pytest.mark.parametrize("metric", BY_SUMS.values(), ids=BY_SUMS)
@given(pair=large_pairs())
def test_a_histogram_counts_like_its_table(metric: Metric, pair: Pair) -> None:
    """One definition of a metric serves both, whatever was done to twinless mentions."""
    whole = joined(pair, metric)
    if metric.name in UNALIGNED:
        with pytest.raises(UsageError, match="aligns single entities"):
            Counts.of(compressed(whole), [metric])
        return
    counted = Counts.of(whole, [metric]).rows[metric.name]
    found = Counts.of(compressed(whole), [metric]).rows[metric.name]
    np.testing.assert_allclose(found, counted, rtol=1e-12, atol=1e-12)


def test_the_sums_of_most_metrics_are_enough() -> None:
    """All that do not look at mentions, their types or their tokens."""
    families = {name.partition("(")[0] for name in BY_SUMS}
    assert families == {
        *("mentions", "muc", "b3", "ceafm", "ceafe", "ceaf", "blanc", "lea", "pairwise"),
        *("rand", "ari", "nmi", "vmeasure", "vi", "ami"),
        *("fowlkes_mallows", "purity", "exact_entity", "merge_distance"),
    }
    assert all(part.by_sums for metric in find_metrics(["conll"]) for part in metric.parts)


@pytest.mark.parametrize("metric", [m for m in OTHERS.values() if not m.parts])
def test_other_metrics_are_refused(metric: Metric) -> None:
    """They would count alike entities once, in silence."""
    whole = table(metric, {"d": [["a", "b"], ["c", "e"]]}, {"d": [["a", "b"], ["c", "e"]]})
    with pytest.raises(UsageError, match="only a histogram is left"):
        Counts.of(compressed(whole), [metric])


def test_a_metric_of_ones_own_is_refused() -> None:
    """Nobody knows whether it sums."""
    (own,) = find_metrics([lambda table: np.ones((len(table.units), 4))])
    with pytest.raises(UsageError, match="only a histogram is left"):
        Counts.of(compressed(joined(([["a"]], [["a"]]))), [own])


def test_ceaf_is_refused_without_its_totals() -> None:
    """Rows that stand for many entities cannot be aligned."""
    rows = of_table(joined(([["a", "b"]], [["a", "b"]])))
    assert Counts.of(rows.table("d", {3: 2.0}), find_metrics(["ceafm"])).rows["ceafm"][0, 0] == 2
    with pytest.raises(UsageError, match="CEAF aligns single entities"):
        Counts.of(rows.table("d", {3: 2.0}), find_metrics(["ceafe"]))


@given(st.lists(large_pairs(), min_size=1, max_size=4), st.randoms())
def test_parts_add_to_the_same_bits_in_any_order(pairs: list[Pair], random: object) -> None:
    """However a unit is divided, as long as no entity is."""
    parts = [of_table(joined(pair)) for pair in pairs]
    key = [[f"{at}{m}" for m in e] for at, pair in enumerate(pairs) for e in pair[0]]
    response = [[f"{at}{m}" for m in e] for at, pair in enumerate(pairs) for e in pair[1]]
    whole = of_table(joined((key, response)))
    random.shuffle(parts)  # type: ignore[attr-defined]
    for ours, theirs in zip(histogram.add(parts), whole, strict=True):
        for column, expected in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(column, expected)


def test_alike_rows_are_few() -> None:
    """Ten thousand pairs of mentions, all found, are one row."""
    pairs = [[f"{at}a", f"{at}b"] for at in range(10_000)]
    found = of_table(joined((pairs, pairs)))
    assert [column.tolist() for column in found.cells] == [[2], [2], [2], [2], [2], [10_000]]
    counts = Counts.of(found.table("d"), find_metrics(["muc", "b3"]))
    assert counts.rows["muc"].tolist() == [[1e4, 1e4, 1e4, 1e4]]
    assert counts.rows["b3"].tolist() == [[2e4, 2e4, 2e4, 2e4]]


def test_cells_without_their_entities_are_refused() -> None:
    """Whoever builds a histogram from queries may have made a mistake."""
    whole = of_table(joined(([["a", "b"]], [["a", "b"]])))
    none = of_table(joined(([], [])))
    with pytest.raises(UsageError, match="cells of entities that it does not have"):
        whole._replace(keys=none.keys).table("d")
