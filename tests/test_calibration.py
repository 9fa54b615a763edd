"""Quick simulations with fixed seeds, with bounds that a broken method fails.

`make calibration` has more. Each share comes from 100 to 250 corpora, and bounds are about three
standard errors wide.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from calibration import experiments as run
from calibration.__main__ import PAGE, SECTIONS, VERSION, markdown
from calibration.agreement import alpha_coverage
from calibration.candidates import candidate_coverage
from calibration.estimates import corpus, estimate_coverage
from calibration.limits import LARGER_IS_HARDER, SAME_SIZES, perfect_coverage, warnings
from calibration.pool import Pool, Shape, draw_runs
from calibration.real import CORPORA, real_coverage
from calibration.simulate import pool
from calibration.slices import slice_findings, system_findings

from scoref.policy import Policy
from tests.sampled import sampled

NUMBER = 250
pytestmark = pytest.mark.slow


def test_the_pool_is_heavy_tailed_and_its_systems_are_alike() -> None:
    """Some documents have many times the mentions of most, and scores are realistic."""
    sizes = pool().size
    assert sizes.max() > 30 * np.median(sizes)
    statistic = pool(Shape()).statistic("conll")
    scores = statistic.score(statistic.rows.sum(axis=1))[:, 2]
    assert 0.6 < scores.min() < scores.max() < 0.9
    assert scores.std() < 0.005
    small = [Pool(Shape(documents=50, systems=1), seed).statistic("b3").rows for seed in (1, 1, 2)]
    assert np.array_equal(small[0], small[1])
    assert not np.array_equal(small[0], small[2])


@pytest.mark.parametrize(
    ("metric", "count"),
    sampled(product(["conll", "b3", "ceafe", "lea"], [10, 50]), every=5, several=True),
)
def test_intervals_of_scores_cover(metric: str, count: int) -> None:
    """The percentile interval of ten documents covers 85 %, and would fail."""
    (found,) = run.score_coverage(metric, count, NUMBER, ["jackknife"])
    assert 90.5 <= found.percent <= 99


@pytest.mark.parametrize("by", ["entity", "size"])
def test_intervals_from_sampled_entities_cover(by: str) -> None:
    """All eleven scores; where huge entities hold most pairs, a caution says what falls short."""
    found = estimate_coverage(corpus(20_000, "geometric"), by, 200, NUMBER)
    assert len(found.covered) == 11
    assert all(90.5 <= one.percent <= 99 for one in found.covered.values())
    tail = estimate_coverage(corpus(20_000, "pareto"), "entity", 200, NUMBER)
    assert tail.covered["pairwise", "precision"].percent < 90
    assert tail.warned.percent > 85


@pytest.mark.parametrize("share", [0.05, 0.5])
def test_slices_that_are_equal_are_seldom_found_to_differ(share: float) -> None:
    """From the rest, or two systems from each other."""
    for whole in (False, True):
        found = slice_findings("conll", share, 20, NUMBER, whole=whole)
        assert found.tried > NUMBER / 2
        assert 1 <= found.percent <= 10
    assert system_findings("conll", share, 20, 100).percent <= 12


@pytest.mark.parametrize("count", [10, 50])
def test_intervals_of_differences_cover(count: int) -> None:
    """And percentile intervals do not, on ten documents."""
    jackknife, percentile = run.difference_coverage(
        "conll", count, NUMBER, ["jackknife", "percentile"]
    )
    assert 91 <= jackknife.percent <= 99.5
    assert percentile.percent < jackknife.percent


def test_the_default_covers_best_on_few_documents() -> None:
    """Among all candidates, on ten documents."""
    found = {name: one.percent for name, one in candidate_coverage("conll", 10, 200).items()}
    default = found.pop("the same, logit scale (default)")
    assert abs(default - 95) <= min(abs(value - 95) for value in found.values()) + 1


@pytest.mark.parametrize(
    ("test", "count"),
    sampled(product(["randomisation", "bootstrap"], [5, 10, 30]), every=4, several=True),
)
def test_tests_rarely_find_what_is_not_there(test: str, count: int) -> None:
    """The bootstrap without Student's t finds 12 % on ten documents, and would fail."""
    found = run.false_findings("conll", count, NUMBER, test)
    assert found.percent <= 9.2
    assert found.percent >= (1 if count > 5 else 0)


@pytest.mark.parametrize("difference", [False, True])
def test_strata_of_two(difference: bool) -> None:  # noqa: FBT001
    """Sixteen strata of two documents; the usual bootstrap covers 76 and 80 %."""
    found = run.strata_coverage("conll", 16, 2, NUMBER, difference=difference)
    assert 87 <= found.percent <= 99


def test_intervals_of_many_differences_hold_together() -> None:
    """Ten equal systems: each for itself, half of all corpora have an interval without zero."""
    alone = run.family_error("conll", 10, 20, 100, together=False)
    together = run.family_error("conll", 10, 20, 100, together=True)
    assert alone.percent > 30
    assert together.percent <= 11


@pytest.mark.parametrize("count", [10, 50])
def test_a_gate_errs_rarely_at_its_margin(count: int) -> None:
    """With a true loss of exactly --max-drop."""
    failed, passed = run.margin_errors("conll", count, NUMBER)
    assert failed.percent <= 9.2
    assert passed.percent <= 9.2
    assert failed.percent + passed.percent > 2


@pytest.mark.long
def test_runs() -> None:
    """Equal methods whose scores vary by 1.2 points between runs, on 100 documents."""
    drawn = draw_runs(0.1, runs=30, documents=1000)
    alone, both = run.false_findings_of_runs(drawn, "conll", 3, 100, 150)
    assert alone.percent > 7
    assert both.percent <= 10
    assert both.percent < alone.percent


@pytest.mark.long
def test_parts_of_texts() -> None:
    """Are not independent: blocks find less that is not there."""
    parts, blocks = (
        run.false_findings_of_parts("conll", 10, 10, NUMBER, blocks=blocks)
        for blocks in (False, True)
    )
    assert blocks.percent <= 9.2
    assert parts.percent > blocks.percent


@pytest.mark.parametrize("distance", ["passonneau", "masi"])
def test_intervals_of_alpha_cover(distance: str) -> None:
    """On ten documents, where percentile intervals cover 83 %."""
    jackknife, percentile = alpha_coverage(distance, 10, NUMBER, ["jackknife", "percentile"])
    assert 91 <= jackknife.percent <= 99.5
    assert percentile.percent < 91


@pytest.mark.long
def test_documents_needed() -> None:
    """The interval from a pilot of fifty documents covers the truth."""
    found, quantiles = run.pilot_coverage("conll", 50, 150)
    assert found.percent >= 88
    assert quantiles[0] < 0.6, "the estimate alone is far too small in one of ten pilots"


@pytest.mark.parametrize("difference", [False, True])
def test_perfect_documents(difference: bool) -> None:  # noqa: FBT001
    """Five documents show no variance in a third of corpora; intervals without width miss then."""
    found = perfect_coverage("conll", 5, NUMBER, difference=difference)
    assert found.flat.percent > 15
    assert found.covered.percent >= 95
    assert found.by_the_value_alone.percent < 85


def test_larger_documents_that_are_harder() -> None:
    """No interval of a pooled score can cover; macro averages and differences do."""
    (pooled,) = run.score_coverage("conll", 50, NUMBER, shape=LARGER_IS_HARDER)
    macro = Policy(average="macro")
    (mean,) = run.score_coverage("conll", 50, NUMBER, shape=LARGER_IS_HARDER, policy=macro)
    (difference,) = run.difference_coverage("conll", 50, NUMBER, shape=LARGER_IS_HARDER)
    assert pooled.percent < 85
    assert mean.percent >= 90.5
    assert difference.percent >= 90.5


def test_the_caution_about_sizes() -> None:
    """Appears where intervals miss, on fifty documents, and rarely where size does not matter."""
    hard = warnings("conll", 50, NUMBER, LARGER_IS_HARDER)
    assert hard.any_if_missed.percent > 40
    for shape in (SAME_SIZES, Shape(systems=2)):
        assert warnings("conll", 50, NUMBER, shape).by_size.percent <= 20


@pytest.mark.parametrize("name", sampled(CORPORA, every=2))
def test_real_corpora(name: str, data: Path) -> None:
    """Twenty documents, drawn with replacement."""
    assert data.is_dir()
    assert real_coverage(name, "conll", 20, NUMBER).percent >= 89


def test_the_page_has_every_table() -> None:
    """As `make calibration` writes them: a header, a rule, and rows of as many cells."""
    page = PAGE.read_text("utf-8")
    marked = dict(re.findall(r"<!-- (\w+) -->\n(.*?)\n<!-- end -->", page, re.DOTALL))
    assert marked.pop("version") == VERSION, "what a release checks"
    assert set(marked) == set(SECTIONS)
    for name, table in marked.items():
        lines = table.splitlines()
        assert len(lines) > 2, name
        assert len({line.count("|") for line in lines}) == 1, name
    assert markdown((["a", "b"], [["x", "1"]])) == "| a | b |\n| --- | ---: |\n| x | 1 |"
