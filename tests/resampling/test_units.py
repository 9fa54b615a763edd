"""Units: their order, their strata, names that look like parts, and their effective number."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.metrics import find_metric
from scoref.policy import Policy
from scoref.resampling.cautions import effective_cautions
from scoref.resampling.effective import EffectiveUnits, kish, unit_shares
from scoref.resampling.units import Units


@given(st.permutations([f"d{at}" for at in range(8)]))
def test_the_order_of_documents_does_not_matter(names: list[str]) -> None:
    """Rows end up in the order of names, in blocks too."""
    values = np.array([[float(name[1:])] for name in names])
    units = Units.of(names)
    assert units.documents == units.names == tuple(sorted(names))
    assert units.sort(values).ravel().tolist() == list(range(8))
    blocks = Units.of(names, blocks=lambda name: int(name[1:]) % 2, strata=lambda _: "all")
    assert blocks.sum(blocks.sort(values)).ravel().tolist() == [12, 16]
    assert blocks.names == ("0", "1")


def test_rows_that_are_sorted_are_not_copied() -> None:
    """Most corpora are."""
    rows = np.arange(6.0).reshape(3, 2)
    assert Units.of(["a", "b", "c"]).sort(rows) is rows


class TestStrata:
    """Strata of one unit show no variance, so they are merged."""

    def test_several_lone_strata_become_one(self) -> None:
        """And the caution names them."""
        units = Units.of(["a1", "a2", "b1", "c1"], strata="^.")
        assert units.stratum is not None
        assert units.stratum.tolist() == [0, 0, 1, 1]
        assert units.merged == ("b", "c")
        assert units.freedom == 2
        assert "2 strata of one document (b, c)" in units.cautions()[0]

    def test_one_lone_stratum_joins_the_smallest(self) -> None:
        """The larger ones stay as they are."""
        units = Units.of(["a1", "a2", "a3", "b1", "b2", "c1"], strata="^.")
        assert units.stratum is not None
        assert units.stratum.tolist() == [0, 0, 0, 1, 1, 1]
        assert units.merged == ("c",)

    def test_all_in_one(self) -> None:
        """Is no stratification."""
        units = Units.of(["a1", "a2"], strata="^.")
        assert (units.freedom, units.cautions()) == (1, [])


class TestParts:
    """A hint if documents look like parts of one text."""

    @pytest.mark.parametrize(
        "names",
        [
            ["bc/x/000", "bc/x/001", "bc/y/000", "bc/y/001"],
            ["emma_part1", "emma_part2", "ulysses_part1", "ulysses_part2"],
            ["emma.ch01", "emma.ch02", "ulysses.ch01", "ulysses.ch02"],
            ["Emma Chapter 1", "Emma Chapter 2", "Ulysses Chapter 1", "Ulysses Chapter 2"],
        ],
    )
    def test_the_flag_of_the_hint_helps(self, names: list[str]) -> None:
        """It makes two blocks, and the hint disappears."""
        (hint,) = Units.of(names).cautions()
        assert "4 documents look like parts of 2 texts" in hint
        expression = hint.split("--blocks '")[1].split("'")[0]
        units = Units.of(names, blocks=expression)
        assert len(units) == 2
        assert units.cautions() == []

    def test_other_documents_are_blocks_of_their_own(self) -> None:
        """The expression of the hint matches them as well."""
        names = ["x/000", "x/001", "letter", "note"]
        (hint,) = Units.of(names).cautions()
        expression = hint.split("--blocks '")[1].split("'")[0]
        assert len(Units.of(names, blocks=expression)) == 3

    def test_one_text(self) -> None:
        """One block would be of no use, so the hint names no flag."""
        (hint,) = Units.of(["x/000", "x/001"]).cautions()
        assert "--blocks" not in hint

    @pytest.mark.parametrize(
        "names",
        [["a/0", "b/1"], ["x/000", "y/000"], ["cctv_0001", "cctv_0002"], ["march1", "march2"]],
    )
    def test_other_names(self, names: list[str]) -> None:
        """Are not parts of anything."""
        assert Units.of(names).cautions() == []


class TestEffective:
    """Kish's effective number, by what each metric divides by."""

    def test_equal_and_unequal(self) -> None:
        """Ten equal documents are ten; one that has everything is one."""
        assert kish(np.full(10, 0.1)) == pytest.approx(10)
        assert kish(np.array([1.0, 0.0, 0.0])) == 1
        assert kish(np.array([0.5, 0.25, 0.25])) == pytest.approx(1 / 0.375)

    def test_the_denominators_of_a_metric(self) -> None:
        """Of both sides; an average takes the mean of its parts."""
        rows = np.array([[1.0, 2, 1, 4], [0, 3, 0, 3]])
        b3 = find_metric("b3")
        assert unit_shares(b3, Policy(), rows) == pytest.approx([0.5, 0.5])
        other = np.array([[1.0, 3, 1, 3], [0, 1, 0, 1]])
        conll = unit_shares(find_metric("conll"), Policy(), np.concatenate([rows, other, other], 1))
        assert conll == pytest.approx([(0.5 + 0.75 + 0.75) / 3, (0.5 + 0.25 + 0.25) / 3])
        macro = np.array([[0.5, 0.5, 0.5, 1, 1, 1], [0.9, 0.9, 0.9, 1, 1, 1]])
        assert unit_shares(b3, Policy(average="macro"), macro) == pytest.approx([0.5, 0.5])
        nothing = unit_shares(b3, Policy(), np.zeros((2, 4)))
        assert nothing == pytest.approx([0.5, 0.5])

    def test_a_document_with_a_quarter_of_the_links(self) -> None:
        """Is a caution with its name, although the documents are many."""
        units = Units.of([f"d{at:03d}" for at in range(100)])
        shares = np.full(100, 0.75 / 99)
        shares[7] = 0.25
        found = {
            "blanc": EffectiveUnits.of(shares, units, np.ones(100), 0.1),
            "b3": EffectiveUnits(80.0, "d001", 0.02),
        }
        (caution,) = effective_cautions(found, units)
        assert "100 documents count as 14.7 by blanc" in caution
        assert "d007 alone has 25 % of the counts of blanc" in caution
        assert effective_cautions({"b3": found["b3"]}, units) == []

    def test_few_documents(self) -> None:
        """Whatever their number is, their effective number counts."""
        units = Units.of([f"d{at:03d}" for at in range(12)])
        (caution,) = effective_cautions({"b3": EffectiveUnits(7.4, "d1", 0.3)}, units)
        assert caution.startswith("few documents: 12 documents count as 7.4 of equal size by b3")
        assert effective_cautions({"b3": EffectiveUnits(1.0, "d", 1.0)}, Units.of(["d"])) == []
