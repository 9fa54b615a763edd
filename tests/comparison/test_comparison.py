"""compare(): ranks, letters, intervals, tests, and what metrics make of each other."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref import Comparison, Policy
from scoref.base.phrases import letters
from scoref.comparison.ranking import kendall_tau, rank_groups
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.metrics.base import Metric
from scoref.result import Result, Side
from tests.comparison.systems import make_key, make_system

KEY = make_key(30)
GOOD, FAIR, BAD = (make_system(KEY, wrong, seed) for seed, wrong in enumerate((0.1, 0.13, 0.5)))
METRICS = ["muc", "b3", "ceafe", "conll"]


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    """Three systems: two alike, one worse."""
    systems = {"bad": BAD, "good": GOOD, "fair": FAIR}
    return scoref.compare(KEY, systems, METRICS, trials=2000)


class TestRanking:
    """Best first, with ranks that the test can defend."""

    def test_systems_are_sorted_by_the_chosen_metric(self, comparison: Comparison) -> None:
        """Conll if it is there."""
        assert comparison.metric == "conll"
        assert [system.name for system in comparison.systems] == ["good", "fair", "bad"]
        assert [system.label for system in comparison.systems] == ["a", "b", "c"]
        values = [system.scores["conll"].f1 for system in comparison.systems]
        assert values == sorted(values, reverse=True)

    def test_scores_are_those_of_score(self, comparison: Comparison) -> None:
        """To the last bit."""
        for name, response in (("good", GOOD), ("bad", BAD)):
            ours = comparison[name].scores
            theirs = scoref.score(KEY, response, METRICS).scores
            assert str(ours) == str(theirs)

    def test_intervals_are_those_of_score(self, comparison: Comparison) -> None:
        """The draws are the same for one system and for many."""
        found = scoref.score(KEY, BAD, METRICS).intervals(trials=2000)
        for metric in METRICS:
            assert comparison["bad"].intervals[metric].f1 == pytest.approx(found[metric].f1)

    def test_groups_share_a_rank(self, comparison: Comparison) -> None:
        """Two systems that do not differ share rank 1, and the other has rank 3."""
        assert [system.rank for system in comparison.systems] == [1, 1, 3]
        assert comparison["good"].beats["conll"] == ("c",)
        assert comparison["bad"].beats["conll"] == ()

    def test_pairs(self, comparison: Comparison) -> None:
        """Differences with intervals, p-values before and after correction."""
        assert len(comparison.pairs["conll"]) == 3
        pair = comparison.pair("bad", "good")
        assert (pair.one, pair.other) == ("good", "bad")
        assert pair.difference == pytest.approx(
            comparison["good"].scores["conll"].f1 - comparison["bad"].scores["conll"].f1
        )
        assert pair.interval is not None
        assert 0 < pair.interval.low < pair.difference < pair.interval.high
        assert pair.p == 1 / 2001
        assert pair.adjusted == pytest.approx(3 / 2001)
        assert pair.significant
        assert not pair.exact
        close = comparison.pair("good", "fair")
        assert close.p > 0.05
        assert not close.significant

    def test_the_documents_behind_a_difference(self, comparison: Comparison) -> None:
        """Leaving the first one out changes the difference as it says."""
        document, moved = comparison.pair("good", "bad", "b3").influences[0]
        rest = {name: entities for name, entities in KEY.items() if name != document}
        good, bad = (
            scoref.score(rest, {name: system[name] for name in rest}, ["b3"])["b3"].f1
            for system in (GOOD, BAD)
        )
        whole = comparison.pair("good", "bad", "b3").difference
        assert whole - (good - bad) == pytest.approx(moved)

    def test_another_metric_ranks(self) -> None:
        """By any way to write its name."""
        ranked = scoref.compare(KEY, {"x": GOOD, "y": BAD}, ["muc", "b3"], by="bcub", trials=99)
        assert ranked.metric == "b3"
        last = scoref.compare(KEY, {"x": GOOD, "y": BAD}, ["muc", "b3"], trials=99)
        assert last.metric == "b3"

    def test_unknown_names(self, comparison: Comparison) -> None:
        """Are refused with what there is."""
        with pytest.raises(UsageError, match="unknown system 'best'"):
            comparison["best"]
        with pytest.raises(UsageError, match="this result has no metric 'lea'"):
            scoref.compare(KEY, {"x": GOOD}, ["muc"], by="lea")
        with pytest.raises(UsageError, match="unknown baseline 'z'"):
            scoref.compare(KEY, {"x": GOOD}, baseline="z")


class TestDesign:
    """Tests, corrections, baselines, blocks, strata."""

    def test_a_baseline_is_tested_against_all(self) -> None:
        """All others are tested only against it, and have no ranks."""
        systems = {"good": GOOD, "fair": FAIR, "bad": BAD}
        found = scoref.compare(KEY, systems, ["conll"], baseline="fair", trials=500)
        pairs = [(pair.one, pair.other) for pair in found.pairs["conll"]]
        assert pairs == [("good", "fair"), ("fair", "bad")]
        assert [system.rank for system in found.systems] == [None] * 3
        assert found["fair"].beats["conll"] == ("c",)
        with pytest.raises(UsageError, match="were not tested"):
            found.pair("good", "bad")

    def test_without_correction(self) -> None:
        """P-values stay as they are."""
        systems = {"good": GOOD, "fair": FAIR, "bad": BAD}
        found = scoref.compare(KEY, systems, ["b3"], correction="none", trials=500)
        assert all(pair.p == pair.adjusted for pair in found.pairs["b3"])

    def test_the_bootstrap_test(self) -> None:
        """Finds the same large difference."""
        found = scoref.compare(KEY, {"x": GOOD, "y": BAD}, METRICS, test="bootstrap", trials=500)
        assert found.pair("x", "y").p < 0.01
        assert found["x"].beats["conll"] == ("b",)

    def test_an_average_is_tested_as_an_average(self) -> None:
        """Whole documents are exchanged: p of conll is none of its parts' p."""
        key = make_key(7, seed=5)
        one, other = make_system(key, 0.2, 1), make_system(key, 0.25, 2)
        found = scoref.compare(key, {"x": one, "y": other}, METRICS)
        p_values = {metric: found.pairs[metric][0].p for metric in METRICS}
        scored = [scoref.score(key, system, METRICS) for system in (one, other)]
        observed = abs(scored[0]["conll"].f1 - scored[1]["conll"].f1)
        names = list(key)
        extreme = 0
        for swaps in range(2 ** len(names)):
            mixed = [
                {
                    name: (one, other)[(swaps >> at & 1) ^ side][name]
                    for at, name in enumerate(names)
                }
                for side in (0, 1)
            ]
            f1 = [scoref.score(key, system, ["conll"])["conll"].f1 for system in mixed]
            extreme += abs(f1[0] - f1[1]) >= observed - 1e-12
        assert p_values["conll"] == extreme / 2 ** len(names)

    @pytest.mark.parametrize("average", ["micro", "macro"])
    def test_macro_averages_are_resampled_as_such(self, average: str) -> None:
        """The difference is that of the scores shown."""
        policy = Policy(average=average)  # type: ignore[arg-type]
        found = scoref.compare(KEY, {"x": GOOD, "y": BAD}, METRICS, policy, trials=200)
        for metric in METRICS:
            x, y = (found[name].scores[metric].f1 for name in "xy")
            assert found.pairs[metric][0].difference == pytest.approx(x - y)
            assert found["x"].intervals[metric].f1.low <= x <= found["x"].intervals[metric].f1.high
            assert x == scoref.score(KEY, GOOD, [metric], policy)[metric].f1

    def test_blocks_are_exchanged_as_a_whole(self) -> None:
        """Two genres are two blocks: four exchanges, and p is at least one half."""
        found = scoref.compare(KEY, {"x": GOOD, "y": BAD}, ["b3"], blocks=r"^(\w)/")
        pair = found.pair("x", "y")
        assert (pair.p, pair.exact, pair.differing) == (0.5, True, 2)
        assert found.units.kind == "block"
        assert found.blind.startswith("no difference can be significant")

    def test_strata_and_blocks_take_mappings_and_functions(self) -> None:
        """As well as expressions."""
        systems = {"x": GOOD, "y": BAD}
        by_regex = scoref.compare(KEY, systems, ["b3"], strata="^[^/]+", trials=300)
        by_map = scoref.compare(
            KEY, systems, ["b3"], strata={name: name[0] for name in KEY}, trials=300
        )
        by_call = scoref.compare(KEY, systems, ["b3"], strata=lambda name: name[0], trials=300)
        plain = scoref.compare(KEY, systems, ["b3"], trials=300)
        assert by_regex.to_json() == by_map.to_json() == by_call.to_json()
        assert by_regex.units.strata == ("a", "b")
        ours, theirs = by_regex.pair("x", "y"), plain.pair("x", "y")
        assert ours.p == theirs.p, "exchanges know no strata"
        assert ours.interval != theirs.interval

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"strata": "["}, "is not a regular expression"),
            ({"blocks": "z"}, "does not match the document a/0"),
            ({"strata": {}}, "strata has no entry for document a/0"),
            ({"blocks": r"\d$", "strata": r"^."}, "has documents of several strata"),
            ({"level": 0.95}, "the level is 0.95, but must be above 0 and at most 0.5"),
            ({"method": "t"}, "unknown kind of interval 't'"),
            ({"test": "t"}, "unknown test 't'"),
            ({"correction": "fdr"}, "unknown correction 'fdr'"),
            ({"seed": -1}, "seed is -1"),
        ],
    )
    def test_wrong_settings(self, options: dict[str, object], message: str) -> None:
        """Say what is wrong."""
        key = make_key(12, genres="aab")
        with pytest.raises(UsageError, match=message):
            scoref.compare(key, {"x": key, "y": key}, ["b3"], **options)  # type: ignore[arg-type]

    def test_a_stratum_of_one_is_a_caution(self) -> None:
        """It is in every draw."""
        found = scoref.compare(
            KEY, {"x": GOOD}, ["b3"], strata=lambda name: name == "a/0", trials=50
        )
        assert any("1 stratum of one document (True)" in caution for caution in found.cautions)


class TestEdges:
    """Few documents, few systems, many systems, equal systems."""

    def test_one_document_has_scores_only(self) -> None:
        """And says why, and what would help."""
        key = {"d": [["a", "b"], ["c"]]}
        found = scoref.compare(key, {"x": key, "y": {"d": [["a"], ["b"]]}})
        assert [system.rank for system in found.systems] == [None, None]
        assert found["x"].intervals == {}
        assert math.isnan(found.pair("x", "y").p)
        assert "intervals and tests require at least 2 documents" in str(found)
        assert "`#begin document`" in str(found)
        with pytest.raises(UsageError, match="intervals and tests require at least 2 documents"):
            scoref.score(key, key).intervals()

    def test_few_documents_are_a_caution(self) -> None:
        """Below ten of equal size, whatever their number is."""
        for documents, careful in ((8, True), (20, False)):
            key = make_key(documents)
            found = scoref.compare(key, {"x": make_system(key, 0.3, 1)}, ["b3"], trials=50)
            assert bool(found.cautions) is careful
            assert found.effective["b3"].number <= documents

    def test_a_test_that_cannot_find_anything_says_so(self) -> None:
        """With five documents the smallest p is 1/16."""
        key = make_key(5)
        empty: dict[str, list[list[str]]] = {name: [] for name in key}
        found = scoref.compare(key, {"x": key, "y": empty}, ["b3"])
        assert found.pair("x", "y").p == 1 / 16
        assert "smallest possible p is 0.062" in found.blind
        six = make_key(6)
        empty = {name: [] for name in six}
        found = scoref.compare(six, {"x": six, "y": empty}, ["b3"])
        assert found.pair("x", "y").p == 1 / 32
        assert found["x"].beats["b3"] == ("b",)
        assert found.blind == ""
        many = scoref.compare(six, {"x": six, "y": empty, "z": empty}, ["b3"])
        assert "0.031 (0.094 after Holm's correction)" in many.blind

    def test_a_pair_that_differs_in_few_documents(self) -> None:
        """Thirty documents, of which five differ: p is 1/16 at best, and a caution says so."""
        system = make_system(KEY, 0.3, 1)
        changed = {name: [] if at < 5 else system[name] for at, name in enumerate(KEY)}
        found = scoref.compare(KEY, {"x": system, "y": changed}, ["b3"], trials=99)
        assert found.pair("x", "y").p == 1 / 16
        assert found.blind == ""
        (caution,) = found.cautions
        assert caution.startswith("x and y differ in only 5 documents, so p cannot be below 0.062")
        same = scoref.compare(KEY, {"x": system, "y": system}, ["b3"], trials=99)
        (caution,) = same.cautions
        assert caution.startswith("x and y: the 30 documents show no variance of the difference by")

    def test_too_few_trials_for_many_pairs(self) -> None:
        """More trials help there."""
        found = scoref.compare(KEY, {"x": GOOD, "y": FAIR, "z": BAD}, ["b3"], trials=50)
        assert found.blind.endswith("use more --trials")

    def test_identical_systems_tie(self) -> None:
        """P is 1, and they share a rank behind a better one."""
        found = scoref.compare(KEY, {"x": BAD, "y": BAD, "z": GOOD}, ["b3"], trials=500)
        assert [(s.name, s.rank) for s in found.systems] == [("z", 1), ("x", 2), ("y", 2)]
        assert found.pair("x", "y").p == 1
        assert found.pair("x", "y").exact
        assert found.taus == {}

    def test_one_system(self) -> None:
        """It has intervals, and beats no system."""
        found = scoref.compare(KEY, {"x": GOOD}, METRICS, trials=50)
        assert found.pairs == dict.fromkeys(METRICS, ())
        assert found.systems[0].rank == 1

    def test_no_system(self) -> None:
        """Is nothing to compare."""
        with pytest.raises(UsageError, match="at least one system"):
            scoref.compare(KEY, {})

    def test_a_missing_document_is_noted_with_the_system(self) -> None:
        """And scored as the policy says."""
        partial = {name: entities for name, entities in GOOD.items() if name != "b/3"}
        found = scoref.compare(KEY, {"x": GOOD, "y": partial}, ["b3"], trials=50)
        assert found.notes == (
            "y: the response lacks 1 of 30 documents: b/3; scored as an empty response",
        )
        with pytest.raises(scoref.ScorefError, match="lacks 1 of 30"):
            scoref.compare(KEY, {"x": partial}, policy=Policy(missing_documents="error"))

    def test_a_note_on_the_key_is_said_once(self) -> None:
        """Not once for each system."""
        key = {"d": [["a", "b"], ["b", "c"]], "e": [["a"]]}
        found = scoref.compare(key, {"x": {"d": [["a"]]}, "y": {"d": [["c"]]}}, ["b3"])
        assert sum("the key repeats" in note for note in found.notes) == 1

    def test_undefined_scores(self) -> None:
        """A score that does not exist comes last, and no system beats it."""
        key = {f"d{at}": [["a"]] for at in range(8)}
        pairs = {f"d{at}": [["a", "x"]] for at in range(8)}
        policy = Policy(undefined="skip")
        found = scoref.compare(key, {"x": key, "y": pairs}, ["muc", "b3"], policy, by="muc")
        assert [system.name for system in found.systems] == ["y", "x"]
        assert found.pair("x", "y").p == 1
        assert found.to_json()
        assert str(found)

    def test_seed_zero_is_a_seed(self) -> None:
        """The same twice, another for one."""
        runs = [
            scoref.compare(KEY, {"x": GOOD, "y": FAIR}, ["b3"], seed=seed, trials=200).to_json()
            for seed in (0, 0, 1)
        ]
        assert runs[0] == runs[1] != runs[2]

    @pytest.mark.parametrize("jobs", [2, 8])
    def test_any_number_of_workers(self, jobs: int) -> None:
        """Gives the same bits."""
        one, many = (
            scoref.compare(KEY, {"x": GOOD, "y": FAIR}, METRICS, jobs=n, method="bca").to_json()
            for n in (1, jobs)
        )
        assert one == many


def as_result(rows: dict[str, list[list[float]]]) -> Result:
    """Make a result of counts alone."""
    metrics = [Metric(name, count=lambda table: np.zeros((len(table.units), 4))) for name in rows]
    documents = len(next(iter(rows.values())))
    counts = Counts(
        tuple(f"d{at}" for at in range(documents)),
        tuple(metrics),
        {name: np.array(values, dtype=np.float64) for name, values in rows.items()},
    )
    side = Side("", documents, 1, 1, 0, 0)
    return Result(side, side, counts, Policy(), Policy().signature("00000000"))


class TestAgreementOfMetrics:
    """Kendall's tau, and disagreements with the documents behind them."""

    def test_metrics_that_disagree_significantly(self) -> None:
        """One metric sees the first system better, the other the second; one document most."""
        high, low = [[9.0, 10, 9, 10]] * 12, [[5.0, 10, 5, 10]] * 12
        strong = [[0.0, 40, 0, 40]]
        one = as_result({"m1": [*high, [30.0, 40, 30, 40]], "m2": [*low, *strong]})
        other = as_result({"m1": [*low, *strong], "m2": [*high, [30.0, 40, 30, 40]]})
        found = scoref.compare(None, {"x": one, "y": other}, by="m1")
        (disagreement,) = found.disagreements
        assert (disagreement.better, disagreement.worse) == ("x", "y")
        assert (disagreement.metric, disagreement.against) == ("m1", "m2")
        assert disagreement.influences[0].document == "d12"
        assert found.taus == {("m1", "m2"): -1.0}
        text = " ".join(str(found).split())
        assert "m1 prefers a x to b y, but m2 prefers the reverse, each significantly" in text
        assert "see d12" in text

    def test_agreeing_metrics(self, comparison: Comparison) -> None:
        """No disagreement; tau for each pair of metrics."""
        assert comparison.disagreements == ()
        assert set(comparison.taus) == set(combinations(METRICS, 2))

    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=9))
    def test_tau_is_that_of_scipy(self, scores: list[tuple[int, int]]) -> None:
        """Ties included."""
        from scipy.stats import kendalltau

        one, other = np.array(scores, dtype=np.float64).T
        ours, theirs = kendall_tau(one, other), kendalltau(one, other).statistic
        assert ours == pytest.approx(theirs, nan_ok=True)


def test_ranks_of_the_conll_systems() -> None:
    """Moosavi & Strube (2016, Table 5): five pairs of neighbours are not different."""
    alike = {
        (1, 2): "martschat, bjorkelund",
        (5, 6): "chen, chunyuang",
        (7, 8): "yuan, shou",
        (9, 10): "songyang, uryupina",
        (11, 12): "zhekova, xinxin",
    }
    ranks = rank_groups(14, lambda one, other: (one, other) not in alike)
    assert ranks == [1, 2, 2, 4, 5, 6, 6, 8, 8, 10, 10, 12, 12, 14]


def test_a_group_is_judged_by_its_first() -> None:
    """A chain of neighbours that do not differ is not a group."""
    assert rank_groups(4, lambda one, other: other - one > 1) == [1, 1, 3, 3]
    assert rank_groups(0, lambda *_: True) == []


def test_letters_go_on_after_z() -> None:
    """As in a spreadsheet."""
    assert [letters(at) for at in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        "a", "z", "aa", "ab", "az", "ba", "zz", "aaa",
    ]  # fmt: skip


counts = st.lists(
    st.lists(st.tuples(*[st.integers(0, 9)] * 4), min_size=3, max_size=3), min_size=2, max_size=5
)


@settings(max_examples=20)
@given(counts)
def test_any_counts_can_be_compared(systems: list[list[tuple[int, ...]]]) -> None:
    """Whatever was counted: ranks rise, p-values are in (0, 1], all renderers work."""
    results = {
        f"s{at}": as_result({"m": [[min(a, b), b, min(c, d), d] for a, b, c, d in rows]})
        for at, rows in enumerate(systems)
    }
    found = scoref.compare(None, results, trials=20)
    ranks = [system.rank or 0 for system in found.systems]
    assert ranks == sorted(ranks)
    assert ranks[0] == 1
    assert all(0 < pair.p <= pair.adjusted <= 1 for pair in found.pairs["m"])
    for output in ("text", "json", "csv", "latex", "markdown"):
        assert found.render(output, details=True)


def test_results_are_systems_too(tmp_path: Path) -> None:
    """And mix with files, counts files and Python objects."""
    result = scoref.score(KEY, GOOD, METRICS)
    result.save_counts(tmp_path / "good.counts.json")
    mixed = scoref.compare(
        KEY, {"x": result, "y": tmp_path / "good.counts.json", "z": GOOD}, METRICS, trials=50
    )
    scores = {str(system.scores) for system in mixed.systems}
    assert len(scores) == 1
    with pytest.raises(UsageError, match="z cannot be scored without a key"):
        scoref.compare(None, {"x": result, "z": GOOD})


@pytest.mark.parametrize("systems", [["a.conll", "b.conll"], 5, None], ids=str)
def test_systems_without_names_are_refused(systems: Any) -> None:
    """A list would be the runs of one system."""
    with pytest.raises(UsageError, match="must be a dict with their names") as error:
        scoref.compare({"d": [["a"]]}, systems)
    assert '{"base": response' in error.value.hint
