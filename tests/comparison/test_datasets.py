"""Several datasets: what replicates, means with intervals, and the command."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import scoref
from scoref.comparison.datasets import (
    DatasetsComparison,
    average_spread,
    count_effects,
    one_sided,
    partial_conjunction,
)
from scoref.exceptions import UsageError
from scoref.resampling.jackknife import Spread
from tests.cli.test_commands import Capture, run
from tests.comparison.systems import Documents, make_key, make_system, write_conll

METRICS = ["b3", "conll"]


def make_dataset(
    seed: int, documents: int = 24, worse: float = 0.3
) -> tuple[Documents, dict[str, Documents]]:
    """Make a key and three systems, of which two are alike."""
    key = make_key(documents, seed)
    systems = {"ours": 0.1, "same": 0.1, "base": worse}
    return key, {
        name: make_system(key, wrong, 10 * seed + at)
        for at, (name, wrong) in enumerate(systems.items())
    }


@pytest.fixture(scope="module")
def found() -> DatasetsComparison:
    """Five datasets, on the last of which all systems are alike."""
    datasets = {f"d{seed}": make_dataset(seed, worse=0.3 if seed < 4 else 0.1) for seed in range(5)}
    return scoref.compare_datasets(datasets, METRICS, trials=1000)


class TestPartialConjunction:
    """Dror et al. (2017)."""

    def test_bonferroni(self) -> None:
        """The u-th smallest p-value times what is left, never falling."""
        found = partial_conjunction([0.04, 0.001, 0.02, 0.5], independent=False)
        assert found == pytest.approx([0.004, 0.06, 0.08, 0.5])
        assert count_effects([0.04, 0.001, 0.02, 0.5], 0.05, independent=False) == 1

    def test_fisher(self) -> None:
        """Of all p-values from the u-th on, as SciPy combines them."""
        p_values = [0.001, 0.02, 0.04, 0.5]
        found = partial_conjunction(p_values, independent=True)
        expected = [stats.combine_pvalues(p_values[u:], "fisher").pvalue for u in range(4)]
        assert found == pytest.approx(np.maximum.accumulate(expected))
        assert count_effects(p_values, 0.05, independent=True) == 2

    def test_all_and_none(self) -> None:
        """Twelve strong effects are twelve, twelve weak ones none."""
        for independent in (True, False):
            assert count_effects([1e-4] * 12, 0.05, independent=independent) == 12
            assert count_effects([0.9] * 12, 0.05, independent=independent) == 0

    def test_one_sided(self) -> None:
        """Half of it in the right direction; nothing is known without a test."""
        assert one_sided(0.04, 1.0) == 0.02
        assert one_sided(0.04, -1.0) == 0.98
        assert one_sided(math.nan, 1.0) == 1.0

    @pytest.mark.parametrize("independent", [True, False])
    def test_the_count_is_rarely_too_large(self, independent: bool) -> None:  # noqa: FBT001
        """Seven of twelve effects exist: at most 5 of 100 counts are above seven."""
        rng = np.random.default_rng(1)
        above = 0
        for _ in range(1000):
            z = rng.normal(size=12) + np.repeat([3.0, 0.0], [7, 5])
            p_values = stats.norm.sf(z).tolist()
            above += count_effects(p_values, 0.05, independent=independent) > 7
        assert above <= 65


class TestDatasets:
    """compare_datasets()."""

    def test_each_dataset_is_compared_as_alone(self, found: DatasetsComparison) -> None:
        """To the last bit."""
        alone = scoref.compare(*make_dataset(2), METRICS, trials=1000)
        assert found.comparisons["d2"].to_json() == alone.to_json()

    def test_what_replicates(self, found: DatasetsComparison) -> None:
        """Ours beats base on four of five datasets, and nothing is claimed about its twin."""
        pairs = {frozenset((p.one, p.other)): p for p in found.pairs}
        pair = pairs[frozenset(("ours", "base"))]
        assert pair.one == "ours"
        assert pair.at_least == 4
        assert pair.other_at_least == 0
        assert set(pair.better) == {"d0", "d1", "d2", "d3"}
        assert pair.significant
        twins = pairs[frozenset(("ours", "same"))]
        assert not twins.significant
        assert "ours is better than base on at least 4 of 5 datasets at 5 %" in str(found)
        assert "Fisher's, for independent datasets" in " ".join(str(found).split())

    def test_means(self, found: DatasetsComparison) -> None:
        """Every dataset has the same weight."""
        scores = [one["ours"].scores["conll"].f1 for one in found.comparisons.values()]
        spread = found.means["ours"]
        assert spread.value == pytest.approx(np.mean(scores))
        errors = [one.spreads["ours"].error for one in found.comparisons.values()]
        assert spread.error == pytest.approx(np.sqrt(np.sum(np.square(errors))) / 5)

    def test_every_output(self, found: DatasetsComparison) -> None:
        """Tables for people, rows and JSON for programs."""
        content = json.loads(found.render("json"))
        assert set(content["datasets"]) == {f"d{at}" for at in range(5)}
        assert content["datasets"]["d1"]["pairs"]["conll"]
        rows = list(csv.DictReader(io.StringIO(found.render("csv"))))
        assert len(rows) == 3 * 6
        for output in ("text", "latex", "markdown"):
            assert "d4" in found.render(output)

    def test_datasets_that_share_a_key(self) -> None:
        """Are not independent: Bonferroni's test, and a wider interval."""
        key, systems = make_dataset(0)
        twice = {"x": (key, systems), "y": (key, systems)}
        both = scoref.compare_datasets(twice, ["b3"], trials=200)
        one = both.comparisons["x"]
        assert not both.independent
        assert "Bonferroni's, since datasets share a key" in " ".join(str(both).split())
        for name, spread in both.means.items():
            assert spread == pytest.approx(one.spreads[name])

    def test_a_dataset_of_one_document(self) -> None:
        """Has scores, but no p-value, so the mean has no interval."""
        datasets = {"x": make_dataset(0), "tiny": make_dataset(1, documents=1)}
        both = scoref.compare_datasets(datasets, ["b3"], trials=200)
        assert all(pair.interval is None for pair in both.pairs)
        assert "caution: tiny: intervals and tests require" in str(both)
        assert both.render("json")

    def test_different_systems(self) -> None:
        """Are refused with their names."""
        key, systems = make_dataset(0)
        less = {"ours": systems["ours"], "other": systems["base"]}
        datasets = {"x": (key, systems), "y": (key, less)}
        with pytest.raises(
            UsageError, match="datasets x and y have different systems: base, other"
        ):
            scoref.compare_datasets(datasets)
        with pytest.raises(UsageError, match="at least one dataset"):
            scoref.compare_datasets({})

    def test_the_mean_of_spreads(self) -> None:
        """Two equal and independent ones have half the variance, and twice the freedom."""
        one = Spread(0.4, 0.1, 10.0)
        other = Spread(0.6, 0.1, 10.0)
        assert average_spread([one, other]) == pytest.approx((0.5, 0.1 / math.sqrt(2), 20.0, -1, 1))
        together = average_spread([one, other], independent=False)
        assert together == pytest.approx((0.5, 0.1, 10.0, -1, 1))
        mean = average_spread([one, Spread(0.6, 0.0, 3.0)])
        assert mean[:3] == pytest.approx((0.5, 0.05, 10.0))

    def test_the_mean_of_datasets_without_variance(self) -> None:
        """Independent datasets have as many documents together; other datasets do not."""
        flat = [Spread(0.0, 0.0, 9.0), Spread(0.0, 0.0, 19.0)]
        assert average_spread(flat).share_unlike(0.05) == pytest.approx(1 - 0.05 ** (1 / 20))
        same_key = average_spread(flat, independent=False)
        assert same_key.share_unlike(0.05) == pytest.approx(1 - 0.05 ** (1 / 10))


class TestCommand:
    """`scoref compare --datasets TOML`."""

    @pytest.fixture
    def files(self, tmp_path: Path) -> Path:
        """Two datasets as files, and a TOML file that names them."""
        for seed in range(2):
            key, systems = make_dataset(seed)
            write_conll(key, tmp_path / f"{seed}.key.conll")
            for name, one in systems.items():
                write_conll(one, tmp_path / f"{seed}.{name}.conll", key)
        tables = [
            f'[d{seed}]\nkey = "{seed}.key.conll"\n'
            f'systems = {{ours = "{seed}.ours.conll", base = ["{seed}.base.conll"]}}\n'
            for seed in range(2)
        ]
        (tmp_path / "datasets.toml").write_text("\n".join(tables), "utf-8")
        return tmp_path

    def test_a_file(self, capsys: Capture, files: Path) -> None:
        """Names the datasets; its paths start where it is."""
        options = ("--datasets", files / "datasets.toml", "--trials", "200", "-m", "b3")
        code, out, _ = run(capsys, "compare", *options)
        assert code == 0
        assert "ours is better than base on at least" in out
        code, out, _ = run(capsys, "compare", *options, "--to", "json")
        assert (code, set(json.loads(out)["datasets"])) == (0, {"d0", "d1"})

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ([], "expected KEY RESPONSE..., found no files"),
            (["--datasets", "x.toml", "--details"], "--details cannot be combined with --datasets"),
            (["key.conll", "--datasets", "x.toml"], "found key.conll beside --datasets"),
            (["--datasets", "nowhere.toml"], "cannot read nowhere.toml"),
        ],
    )
    def test_mistakes(self, capsys: Capture, given: list[str], message: str) -> None:
        """Each gives a message and exit code 2."""
        code, _, err = run(capsys, "compare", *given)
        assert code == 2
        assert message in err

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("[x", "is not valid TOML"),
            ("x = 1", "dataset x has no valid"),
            ('[x]\nkey = "k"', "dataset x has no valid"),
            ('[x]\nkey = 3\nsystems = {a = "b"}', "dataset x has no valid"),
            ("[x]\nsystems = {a = []}", "dataset x has no valid"),
            ('[x]\nkeys = "k"\nsystems = {a = "b"}', "dataset x has no valid"),
        ],
    )
    def test_invalid_files(
        self, capsys: Capture, tmp_path: Path, content: str, message: str
    ) -> None:
        """Each gives a message and exit code 2."""
        (tmp_path / "x.toml").write_text(content, "utf-8")
        code, _, err = run(capsys, "compare", "--datasets", tmp_path / "x.toml")
        assert code == 2
        assert message in err
