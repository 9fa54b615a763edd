"""What a comparison claims: the same in any order, about all pairs at once, and about runs."""

from __future__ import annotations

import json
import math
import random
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref import Comparison
from scoref.exceptions import UsageError
from scoref.metrics import find_metric
from scoref.resampling.sampling_options import Sampling
from scoref.resampling.significance import randomisation_tests
from tests.comparison.systems import Documents, make_key, make_system

METRICS = ["muc", "b3", "conll"]
KEY = make_key(30)
SEEDS = {"good": (1, 2, 3), "fair": (4, 5, 6), "bad": (7, 8, 9)}
WRONG = {"good": 0.1, "fair": 0.13, "bad": 0.4}
RUNS = {name: [make_system(KEY, WRONG[name], seed) for seed in SEEDS[name]] for name in SEEDS}


def shuffled(documents: Documents, seed: int) -> Documents:
    """Return the documents in another order."""
    names = list(documents)
    random.Random(seed).shuffle(names)  # noqa: S311
    return {name: documents[name] for name in names}


def numbers(comparison: Comparison) -> str:
    """Return everything that a comparison says, as one text; the signature has no order."""
    return comparison.to_json()


class TestOrder:
    """Draws do not depend on the order of documents, nor on that of systems."""

    @pytest.mark.parametrize("method", ["jackknife", "percentile", "bca"])
    @pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
    def test_of_documents(self, method: str, test: str) -> None:
        """The same bits."""
        options = {"method": method, "test": test, "trials": 400, "correction": "maxt"}
        systems = {name: runs[0] for name, runs in RUNS.items()}
        one = scoref.compare(KEY, systems, METRICS, **options)  # type: ignore[arg-type]
        for seed in range(3):
            key = shuffled(KEY, seed)
            others = {name: shuffled(runs, seed + 1) for name, runs in systems.items()}
            other = scoref.compare(key, others, METRICS, **options)  # type: ignore[arg-type]
            assert numbers(other) == numbers(one)

    def test_of_documents_in_blocks_and_strata(self) -> None:
        """The same bits, although counts are summed."""
        systems = {name: runs[0] for name, runs in RUNS.items()}
        options = {"blocks": r"(\d)$", "trials": 400}
        one = scoref.compare(KEY, systems, METRICS, **options)  # type: ignore[arg-type]
        other = scoref.compare(shuffled(KEY, 1), systems, METRICS, **options)  # type: ignore[arg-type]
        assert numbers(other) == numbers(one)
        options = {"strata": "^.", "trials": 400, "method": "percentile"}
        one = scoref.compare(KEY, systems, METRICS, **options)  # type: ignore[arg-type]
        other = scoref.compare(shuffled(KEY, 1), systems, METRICS, **options)  # type: ignore[arg-type]
        assert numbers(other) == numbers(one)

    def test_of_systems(self) -> None:
        """The ranking sorts them."""
        systems = {name: runs[0] for name, runs in RUNS.items()}
        one = scoref.compare(KEY, systems, METRICS, trials=400, correction="maxt")
        turned = dict(reversed(systems.items()))
        other = scoref.compare(KEY, turned, METRICS, trials=400, correction="maxt")
        assert numbers(other) == numbers(one)

    def test_of_scores(self) -> None:
        """`score --intervals` draws the same way."""
        response = RUNS["bad"][0]
        one = scoref.score(KEY, response, METRICS).intervals(method="percentile", trials=300)
        turned = scoref.score(shuffled(KEY, 4), response, METRICS)
        assert turned.intervals(method="percentile", trials=300).by_metric == one.by_metric


@pytest.fixture(scope="module")
def found() -> Comparison:
    """Three systems of three runs each."""
    return scoref.compare(KEY, RUNS, METRICS, trials=1000)


class TestRuns:
    """Several runs per system."""

    def test_one_run_is_no_run(self) -> None:
        """A list of one gives the same bits as the response itself."""
        systems = {name: runs[0] for name, runs in RUNS.items()}
        lists = {name: runs[:1] for name, runs in RUNS.items()}
        one = scoref.compare(KEY, systems, METRICS, trials=400)
        assert numbers(scoref.compare(KEY, lists, METRICS, trials=400)) == numbers(one)

    def test_scores_are_means(self, found: Comparison) -> None:
        """And the spread over runs is apart from the spread over documents."""
        for name, runs in RUNS.items():
            scores = [scoref.score(KEY, run, METRICS)["b3"].f1 for run in runs]
            assert found[name].scores["b3"].f1 == pytest.approx(np.mean(scores))
            assert found[name].deviations["b3"].f1 == pytest.approx(np.std(scores, ddof=1))
            assert [run["b3"].f1 for run in found[name].runs] == scores
            low, high = found[name].intervals["b3"].f1
            assert low < found[name].scores["b3"].f1 < high

    def test_p_values(self, found: Comparison) -> None:
        """The randomisation test of mean counts, widened by the variance between runs."""
        pair = found.pair("good", "fair", "b3")
        results = {
            name: [scoref.score(KEY, run, ["b3"]) for run in RUNS[name]]
            for name in ("good", "fair")
        }
        rows = np.stack(
            [np.mean([run.counts.rows["b3"] for run in runs], axis=0) for runs in results.values()]
        )
        order = np.argsort(list(KEY))
        b3 = find_metric("b3")
        (test,) = randomisation_tests(
            rows[:, order], lambda sums: b3.scores(sums)[..., 2], [(0, 1)], Sampling(trials=1000)
        )
        assert test.p <= pair.p <= min(1.0, test.p + 0.2)
        assert not pair.exact
        assert found["good"].beats["conll"] == ("c",)

    def test_runs_that_do_not_vary_change_nothing(self) -> None:
        """Copies of one run have the p-value of that run."""
        one = scoref.compare(KEY, {"x": RUNS["good"][0], "y": RUNS["bad"][0]}, ["b3"], trials=300)
        copies = {"x": RUNS["good"][:1] * 3, "y": RUNS["bad"][:1] * 3}
        three = scoref.compare(KEY, copies, ["b3"], trials=300)
        assert three.pair("x", "y").p == one.pair("x", "y").p
        assert three.pair("x", "y").interval == pytest.approx(one.pair("x", "y").interval)

    def test_more_variance_between_runs_is_less_certainty(self) -> None:
        """Two good and one bad run against three fair ones."""
        mixed = {"mixed": [RUNS["good"][0], RUNS["good"][1], RUNS["bad"][0]], "fair": RUNS["fair"]}
        found = scoref.compare(KEY, mixed, ["b3"], trials=1000)
        pair = found.pair("mixed", "fair")
        assert pair.p > 0.2
        plain = scoref.compare(KEY, RUNS, ["b3"], trials=1000).pair("good", "fair")
        assert pair.interval is not None
        assert plain.interval is not None
        assert pair.interval.high - pair.interval.low > plain.interval.high - plain.interval.low

    @pytest.mark.parametrize("method", ["percentile", "bca"])
    def test_bootstrap_intervals_are_widened(self, method: str) -> None:
        """By the variance between runs, which draws of documents do not show."""
        varied = {"x": [RUNS["good"][0], RUNS["bad"][0]], "y": [RUNS["fair"][0], RUNS["bad"][1]]}
        options = {"method": method, "trials": 400, "test": "bootstrap"}
        found = scoref.compare(KEY, varied, ["b3"], **options)  # type: ignore[arg-type]
        pair = found.pair("x", "y")
        assert pair.interval is not None
        assert pair.spread is not None
        assert pair.interval.high - pair.interval.low > 3 * pair.spread.error
        assert pair.spread.error**2 > pair.run_variance > 0
        assert pair.p > 0.3

    def test_uneven_runs_are_a_caution(self) -> None:
        """One system has three runs, one or two others have one."""
        systems = {"x": RUNS["good"], "y": RUNS["bad"][0]}
        found = scoref.compare(KEY, systems, ["b3"], trials=99)
        assert any("one run of y: its variance" in caution for caution in found.cautions)
        found = scoref.compare(KEY, {**systems, "z": RUNS["fair"][0]}, ["b3"], trials=99)
        assert any("one run each of z, y: their variance" in one for one in found.cautions)

    def test_every_output(self, found: Comparison) -> None:
        """Text and LaTeX say mean and standard deviation; JSON has every run."""
        mean, spread = (
            f"{100 * value:.2f}"
            for value in (found["good"].scores["conll"].f1, found["good"].deviations["conll"].f1)
        )
        assert f"{mean} ± {spread}" in found.to_text()
        assert f"{mean} ± {spread}" in found.to_markdown()
        assert rf"{mean} $\pm$ {spread}" in found.to_latex()
        assert r"mean $\pm$ sd of 3 runs" in found.to_latex()
        content = json.loads(found.to_json())
        assert [len(system["runs"]) for system in content["systems"]] == [3, 3, 3]
        assert ",3," in found.to_csv()

    def test_results_and_counts_files_as_runs(self, found: Comparison, tmp_path: Path) -> None:
        """The same bits as responses."""
        systems: dict[str, list[object]] = {}
        for name, runs in RUNS.items():
            results = [scoref.score(KEY, run, METRICS) for run in runs]
            path = tmp_path / f"{name}.counts.json"
            results[0].save_counts(path)
            systems[name] = [path, *results[1:]]
        other = scoref.compare(KEY, systems, METRICS, trials=1000)
        assert numbers(other) == numbers(found)

    def test_notes_name_the_run(self) -> None:
        """A document that one run lacks."""
        partial = {name: RUNS["good"][1][name] for name in list(KEY)[1:]}
        found = scoref.compare(KEY, {"x": [RUNS["good"][0], partial]}, ["b3"], trials=50)
        assert found.notes[0].startswith("x, run 2: the response lacks 1 of 30 documents")

    def test_no_runs(self) -> None:
        """Are refused."""
        with pytest.raises(UsageError, match="x has no runs"):
            scoref.compare(KEY, {"x": []}, ["b3"])

    def test_a_figure_of_documents(self, found: Comparison, tmp_path: Path) -> None:
        """Shows means over runs."""
        pytest.importorskip("matplotlib")
        found.draw_documents(tmp_path / "x.svg")
        assert (tmp_path / "x.svg").stat().st_size > 1000


class TestTogether:
    """Statements about all pairs, and about all metrics."""

    def test_simultaneous_intervals_are_wider(self) -> None:
        """For three systems; and not for two."""
        systems = {name: runs[0] for name, runs in RUNS.items()}
        found = scoref.compare(KEY, systems, METRICS, trials=2000)
        for pair in found.pairs["conll"]:
            assert pair.interval is not None
            assert pair.simultaneous is not None
            assert pair.simultaneous.low < pair.interval.low
            assert pair.interval.high < pair.simultaneous.high
        assert "hold for all 3 pairs per metric together (max-t)" in str(found)
        two = scoref.compare(KEY, {n: systems[n] for n in ("good", "bad")}, METRICS, trials=200)
        pair = two.pair("good", "bad")
        assert pair.simultaneous == pair.interval
        none = scoref.compare(KEY, systems, METRICS, trials=200, correction="none")
        assert all(pair.simultaneous == pair.interval for pair in none.pairs["b3"])
        assert "each holds for its own pair" in str(none)

    def test_over_all_metrics(self) -> None:
        """Wider still, and larger p-values; the text says so."""
        systems = {name: runs[0] for name, runs in RUNS.items()}
        one = scoref.compare(KEY, systems, METRICS, trials=2000)
        both = scoref.compare(KEY, systems, METRICS, trials=2000, family="all")
        for metric in METRICS:
            for narrow, wide in zip(one.pairs[metric], both.pairs[metric], strict=True):
                assert narrow.simultaneous is not None
                assert wide.simultaneous is not None
                assert wide.simultaneous.high > narrow.simultaneous.high
                assert wide.interval == narrow.interval
                assert wide.p == narrow.p
                assert wide.adjusted >= narrow.adjusted
        assert "Holm's correction over 3 pairs by 3 metrics" in str(both)
        p_values = [pair.p for metric in METRICS for pair in both.pairs[metric]]
        smallest = min(p_values)
        adjusted = [p.adjusted for m in METRICS for p in both.pairs[m] if p.p == smallest]
        assert min(adjusted) == pytest.approx(9 * smallest)

    def test_max_t_is_not_larger_than_holm(self) -> None:
        """Up to the randomness of draws, and never below the p-value itself."""
        systems = {f"s{at}": make_system(KEY, 0.1 + at / 50, at) for at in range(5)}
        holm = scoref.compare(KEY, systems, ["b3"], trials=5000)
        maxt = scoref.compare(KEY, systems, ["b3"], trials=5000, correction="maxt")
        for one, other in zip(holm.pairs["b3"], maxt.pairs["b3"], strict=True):
            assert other.p == one.p
            assert other.p <= other.adjusted <= one.adjusted + 0.02
        assert "step-down max-t correction over 10 pairs per metric" in str(maxt)

    def test_unknown_family(self) -> None:
        """Is refused."""
        with pytest.raises(UsageError, match="unknown family 'both'"):
            scoref.compare(KEY, {"x": KEY}, family="both")  # type: ignore[arg-type]


class TestEquivalence:
    """Two one-sided tests."""

    def test_equal_systems_are_equivalent(self) -> None:
        """Copies if documents are enough; similar ones at a wide limit; different ones never."""
        systems = {"x": RUNS["good"][0], "copy": RUNS["good"][0], "bad": RUNS["bad"][0]}
        found = scoref.compare(KEY, systems, ["b3"], trials=300, equivalent=0.01)
        assert not found.pair("x", "copy").equivalent, "a few equal documents are no evidence"
        found = scoref.compare(KEY, systems, ["b3"], trials=300, equivalent=0.3)
        assert found.pair("x", "copy").equivalent
        assert not found.pair("x", "bad").equivalent
        assert "equivalent by b3: a and b" in " ".join(str(found).split())
        wide = scoref.compare(KEY, systems, ["b3"], trials=300, equivalent=0.9)
        assert all(pair.equivalent for pair in wide.pairs["b3"])

    def test_the_interval_decides(self) -> None:
        """Equivalent at 5 % if the 90 % interval is within the limits."""
        systems = {"x": RUNS["good"][0], "y": RUNS["fair"][0]}
        ninety = scoref.compare(KEY, systems, ["b3"], trials=99, level=0.1).pair("x", "y").interval
        assert ninety is not None
        limit = max(abs(ninety.low), abs(ninety.high))
        for factor, same in ((1.01, True), (0.99, False)):
            found = scoref.compare(KEY, systems, ["b3"], trials=99, equivalent=factor * limit)
            assert found.pair("x", "y").equivalent is same

    def test_not_asked(self) -> None:
        """Then nothing is claimed."""
        found = scoref.compare(KEY, {"x": KEY, "y": KEY}, ["b3"], trials=50)
        assert math.isnan(found.pair("x", "y").p_equivalent)
        assert not found.pair("x", "y").equivalent
        with pytest.raises(UsageError, match="the limit of equivalence"):
            scoref.compare(KEY, {"x": KEY}, equivalent=0.0)


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(1, 3))
def test_intervals_and_tests_exist_for_any_runs(seed: int, documents: int, runs: int) -> None:
    """On few documents, with any number of runs; p-values are between 0 and 1."""
    key = make_key(documents, seed)
    systems = {
        name: [make_system(key, 0.3, seed + 10 * at + run) for run in range(runs)]
        for at, name in enumerate("xyz")
    }
    found = scoref.compare(key, systems, ["b3", "conll"], trials=50, equivalent=0.02)
    for one, other in combinations("xyz", 2):
        pair = found.pair(one, other)
        assert 0 < pair.p <= pair.adjusted <= 1
        assert 0 <= pair.p_equivalent <= 1
        assert pair.interval is not None
        assert pair.interval.low <= pair.difference <= pair.interval.high


def test_two_documents_are_never_significant_by_the_bootstrap() -> None:
    """Whatever the difference is, and the text says so."""
    for seed in range(20):
        key = make_key(2, seed)
        empty: Documents = {name: [] for name in key}
        found = scoref.compare(key, {"x": key, "y": empty}, METRICS, test="bootstrap")
        assert not any(pair.significant for pairs in found.pairs.values() for pair in pairs)
        assert "no difference can be significant" in found.blind
        assert found.blind.endswith("use more documents")
