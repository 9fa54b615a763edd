"""Slices: what each meaning says, what is tested, fields, and tables of the user's own."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.analysis.contributions import divides
from scoref.analysis.slice_tests import ScoredSlice, SliceScore, SystemSlice, correct
from scoref.cli import main
from scoref.exceptions import UsageError
from scoref.matching.fields import FIELDS
from scoref.metrics import find_metrics
from scoref.resampling.significance import holm
from tests.analysis.conftest import sides
from tests.conftest import REPOSITORY
from tests.strategies import MENTIONS, Pair, corpora, pairs

ISLAND = REPOSITORY / "examples" / "island"
KEY, SIEVE, NEURAL = (str(ISLAND / f"{name}.conll") for name in ("key", "sieve", "neural"))
METRICS = ["mentions", "muc", "b3", "ceafm", "ceafe", "lea", "blanc", "conll", "pairwise"]


@given(corpora(), st.sets(st.sampled_from(MENTIONS)))
def test_alone_is_where(documents: list[Pair], pronouns: set[str]) -> None:
    """A slice alone has the scores of `where`, and the rest those of the opposite condition."""
    key, response = sides(documents, pronouns)
    found = scoref.slices(key, response, "type", METRICS)
    for row in found.rows:
        for sign, which in (("=", "score"), ("!=", "rest")):
            expected = scoref.score(key, response, METRICS, where=f"type{sign}{row.name}")
            for metric, one in row.systems["response"].scores.items():
                assert getattr(one, which) == expected[metric]


@given(corpora(), st.sets(st.sampled_from(MENTIONS)))
def test_shares_add_up(documents: list[Pair], pronouns: set[str]) -> None:
    """The counts of all slices are those of the whole, document by document."""
    from scoref.analysis.slice_counts import SliceCounter
    from scoref.matching.pipeline import prepare
    from scoref.matching.requirements import Requirements

    key, response = sides(documents, pronouns)
    metrics = find_metrics(METRICS)
    prepared = prepare(key, response, Requirements.of(metrics, scoref.Policy()))
    rows = np.ones(len(prepared.alignment.unit), dtype=bool)
    counter = SliceCounter(prepared, metrics, rows, "share")
    kinds = np.where(prepared.alignment.column("type") == "name", 1, 0)
    one, other = counter.count(kinds, np.ones(2, dtype=bool))
    for name, whole in counter.whole.rows.items():
        np.testing.assert_allclose(one.own.rows[name] + other.own.rows[name], whole, atol=1e-9)
        np.testing.assert_array_equal(one.rest.rows[name], other.own.rows[name])


@given(pairs(), st.sets(st.sampled_from(MENTIONS)))
def test_shares_by_their_definition(pair: Pair, pronouns: set[str]) -> None:
    """A second implementation, mention by mention, of B³, LEA, MUC and mention detection."""
    of_key, of_response = ({m: set(e) for e in side for m in e} for side in pair)
    corpora_of = sides([pair], pronouns)
    found = scoref.slices(*corpora_of, "type", ["mentions", "muc", "b3", "lea"], meaning="share")
    for row in found.rows:
        expected: dict[str, list[Fraction]] = {m: [Fraction(0)] * 4 for m in found.metrics}
        for at, (own, other) in enumerate(((of_key, of_response), (of_response, of_key))):
            for mention in own:
                if (mention in pronouns) != (row.name == "pronoun"):
                    continue
                entity, there = own[mention], other.get(mention, set())
                together = entity & there
                is_same = entity == there and len(entity) == 1
                is_later = mention != min(entity)
                terms: dict[str, tuple[Fraction | int, int]] = {
                    "mentions": (int(bool(there)), 1),
                    "b3": (Fraction(len(together), len(entity)), 1),
                    "muc": (int(bool(together) and mention != min(together)), int(is_later)),
                    "lea": (
                        Fraction(1)
                        if is_same
                        else Fraction(max(len(together) - 1, 0), max(len(entity) - 1, 1)),
                        1,
                    ),
                }
                for metric, (numerator, denominator) in terms.items():
                    expected[metric][2 * at] += numerator
                    expected[metric][2 * at + 1] += denominator
        for metric, (rn, rd, pn, pd) in expected.items():
            score = row.systems["response"].scores[metric].score
            assert score.recall == pytest.approx(float(rn / rd) if rd else 0.0)
            assert score.precision == pytest.approx(float(pn / pd) if pd else 0.0)


def test_the_halves_of_blanc() -> None:
    """Each end of a link has a half of it."""
    types = {"a": "name", "b": "pronoun", "c": "name"}
    key, response = (
        scoref.Corpus.from_entities({"d": entities}, types=types)
        for entities in ([["a", "b"], ["c"]], [["a"], ["b", "c"]])
    )
    found = scoref.slices(key, response, "type", ["blanc"], meaning="share")
    # Of the pronoun b: half of the coreferent link ab, and half of bc, which is not. Neither is in
    # the response, whose link ac is the only one that both sides have.
    assert found["type", "pronoun"].systems["response"].scores["blanc"].score.f1 == 0.0
    name = found["type", "name"].systems["response"].scores["blanc"].score
    assert name.recall == pytest.approx((0 + 1 / 1.5) / 2)


def test_whole_documents_are_not_counted_again() -> None:
    """Slices of documents are the same under both meanings, and as under `where`."""
    alone, share = (
        scoref.slices(KEY, {"s": SIEVE}, "genre", ["conll", "lea"], meaning=meaning)
        for meaning in ("alone", "share")
    )
    for row, other in zip(alone.rows, share.rows, strict=True):
        expected = scoref.score(KEY, SIEVE, ["conll", "lea"], where=f"genre={row.name}")
        for metric in ("conll", "lea"):
            found = row.systems["s"].scores[metric]
            assert found.score == expected[metric]
            second = other.systems["s"].scores[metric]
            assert second.score.f1 == pytest.approx(found.score.f1)
            assert second.test.p == pytest.approx(found.test.p)
            intervals = expected.intervals()[metric]
            assert found.intervals is not None
            assert found.intervals.f1 == pytest.approx(intervals.f1)


def test_systems_are_tested_in_each_slice_as_compare_tests_them() -> None:
    """The p-value before the correction is that of `compare --where`."""
    systems = {"neural": NEURAL, "sieve": SIEVE}
    found = scoref.slices(KEY, systems, "type", ["lea"], trials=999)
    for row in found.rows:
        where = f"type={row.name}"
        expected = scoref.compare(KEY, systems, ["lea"], where=where, trials=999)
        pair, test = (
            expected.pair("neural", "sieve"),
            row.pairs["neural", "sieve"]["lea"],
        )
        sign = 1 if pair.one == "neural" else -1
        assert test.difference == pytest.approx(sign * pair.difference)
        assert test.p == pytest.approx(pair.p)


def test_cautions() -> None:
    """Too few exchanges for so many tests, and documents that are parts of texts."""
    found = scoref.slices(KEY, {"a": SIEVE, "b": NEURAL}, "type", ["lea", "b3"], trials=99)
    assert any("use more --trials" in one for one in found.cautions)
    assert "caution: no difference" in found.to_text()
    parts: dict[str, Any] = {f"book_part_{at}": [[(0, 0), (2, 2)]] for at in range(6)}
    found = scoref.slices(parts, {"s": parts}, "length", ["b3"])
    assert any("parts of one text" in one for one in found.cautions)


def test_where_selects_before_slices_but_fields_describe_all() -> None:
    """As `where` says: sizes are those before any mention is removed."""
    found = scoref.slices(KEY, {"s": SIEVE}, "entity_size", ["b3"], where="type=pronoun")
    for row, condition in zip(found.rows, ("=1", "=2", "=3"), strict=False):
        where = f"type=pronoun&entity_size{condition}"
        expected = scoref.score(KEY, SIEVE, ["b3"], where=where)
        assert row.systems["s"].scores["b3"].score == expected["b3"]
    assert "where:type=pronoun" in found.signature


def _row(by: str, name: str, p: float) -> ScoredSlice:
    from scoref.analysis.slice_tests import SliceTest

    score = SliceScore(scoref.Score(1, 1, 1), None, scoref.Score(1, 1, 1), SliceTest(0.1, p=p))
    systems = {"s": SystemSlice(1, 1, {"b3": score})}
    return ScoredSlice(by, name, 1, 1, 1, systems, {}, is_known=name != "unknown")


def test_the_correction_is_over_all_tests() -> None:
    """Of a field with two slices, each is the rest of the other: one test."""
    rows = [_row("type", name, p) for name, p in (("a", 0.01), ("b", 0.02), ("c", 0.03))]
    rows += [
        _row("nested", "yes", 0.04),
        _row("nested", "no", 0.04),
        _row("nested", "unknown", math.nan),
    ]
    done, tests = correct(rows, 0.05, "holm")
    assert tests == 4
    adjusted = [row.systems["s"].scores["b3"].test.adjusted for row in done]
    expected = holm([0.01, 0.02, 0.03, 0.04])
    assert adjusted[:5] == [*expected, expected[-1]]
    assert math.isnan(adjusted[5])
    assert [row.systems["s"].scores["b3"].test.significant for row in done][:2] == [True, False]
    assert correct(rows, 0.05, "none")[0][1].systems["s"].scores["b3"].test.adjusted == 0.02


def test_reasons_where_there_is_no_test() -> None:
    """Too few documents, no rest, an unknown value."""
    key: dict[str, Any] = {f"d{at}": [[(0, 0), (2, 2)], [(4, 5)]] for at in range(6)}
    table = [{"document": f"d{at}", "half": "few" if at < 2 else "many"} for at in range(5)]
    found = scoref.slices(key, {"s": key}, "half", ["b3"], attributes=table)
    reasons = {row.name: row.systems["s"].scores["b3"].test.reason for row in found.rows}
    assert reasons["few"] == "2 documents have it, a test requires 5"
    assert reasons["many"] == "3 documents have it, a test requires 5"
    assert reasons["unknown"] == "these mentions have no value"
    assert "no test of half=few: 2 documents have it" in found.to_text()
    one = scoref.slices(key, {"s": key}, "nested", ["b3"])
    assert one.rows[0].systems["s"].scores["b3"].test.reason.startswith("0 documents have the rest")


def test_attributes_of_documents_entities_and_mentions(tmp_path: Path) -> None:
    """From CSV and JSON; a mention prevails over its entity, and this over the document."""
    path = tmp_path / "key.csv"
    path.write_text("document,start,end,entity\nd,1,1,x\nd,3,3,x\nd,5,6,y\n", encoding="utf-8")
    table = tmp_path / "people.csv"
    table.write_text("document,entity,start,end,who\nd,,,,a\nd,x,,,b\nd,,3,3,c\n", "utf-8")
    found = scoref.slices(path, {"s": path}, "who", ["b3"], attributes=table)
    assert {row.name: row.mentions for row in found.rows} == {"a": 1, "b": 1, "c": 1}
    table.with_suffix(".json").write_text(json.dumps({"d": {"who": "z"}}), "utf-8")
    found = scoref.slices(path, {"s": path}, "who", attributes=table.with_suffix(".json"))
    assert [(row.name, row.mentions) for row in found.rows] == [("z", 3)]


def test_a_column_prevails_over_a_field_of_the_same_name() -> None:
    """Its name says what the user means."""
    key: dict[str, Any] = {"d": [[(0, 0), (2, 2)]]}
    found = scoref.slices(key, {"s": key}, "gender", attributes={"d": {"gender": "female"}})
    assert [row.name for row in found.rows] == ["female"]


def test_a_column_of_numbers_has_quartiles() -> None:
    """If it has many values."""
    key: dict[str, Any] = {f"d{at}": [[(0, 0), (2, 2)]] for at in range(40)}
    years = {f"d{at}": {"year": 1800 + at} for at in range(40)}
    found = scoref.slices(key, {"s": key}, "year", ["b3"], attributes=years)
    assert [row.name for row in found.rows] == ["1800-1808", "1809-1818", "1819-1828", "1829+"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("document,who\nnowhere,a\n", "none of the documents"),
        ("who\na\n", "no document"),
        ("document\nd\n", "has no fields"),
        ("document,who\nd,a,b\n", "found 3 cells, expected 2: document, who"),
        ("document,who,who\nd,a,b\n", "found the column `who` twice"),
        ("document,start,end,who\nd,one,2,a\n", "expected two whole numbers"),
        ("document,start,end,who\nd,8,9,a\n", "about a mention of the key"),
        ("document,who\nd,a\nd,b\n", "state different values"),
        ("[3]", "expected an object"),
        ("[{", "found invalid JSON"),
    ],
)
def test_tables_that_are_refused(
    table: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a message, and code 2."""
    key, path = tmp_path / "key.csv", tmp_path / "table.csv"
    key.write_text("document,start,end,entity\nd,1,1,x\nd,3,3,x\n", encoding="utf-8")
    path.write_text(table, encoding="utf-8")
    command = ["slices", str(key), str(key), "--by", "who", "--attributes", str(path)]
    assert main(command) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "found no field"),
        (["--by", "colour"], "unknown field 'colour'"),
        (["--by", "gender"], "feature Gender is not stated"),
        (["--by", "class"], "semantic class is not stated"),
        (["--by", "quote"], "what is a quote is not stated"),
        (["--by", "type", "--meaning", "share", "-m", "ace"], "cannot be divided"),
        (["--by", "type", "--window", "20"], "a table of slices is not available"),
        (["--by", "type", "--to", "latex", "--raw"], "--raw changes only"),
    ],
)
def test_options_that_are_refused(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a message that says what to do."""
    assert main(["slices", KEY, SIEVE, *options]) == 2
    assert message in capsys.readouterr().err


def test_counts_files_have_no_mentions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are refused, with or without a key."""
    counts = str(tmp_path / "s.counts.json")
    assert main(["count", KEY, SIEVE, "-o", counts]) == 0
    assert main(["slices", KEY, counts, "--by", "type"]) == 2
    assert "require single mentions" in capsys.readouterr().err
    assert main(["slices", counts, counts, "--by", "type"]) == 2


def test_the_command_writes_every_output(tmp_path: Path) -> None:
    """Text, JSON, CSV, LaTeX and Markdown, and a figure."""
    command = ["slices", KEY, f"a={SIEVE}", f"b={NEURAL}", "--by", "type", "--by", "length"]
    for ending in ("txt", "json", "csv", "tex", "md"):
        out = tmp_path / f"out.{ending}"
        assert main([*command, "-o", str(out), "--details", "--figure", str(out) + ".svg"]) == 0
        assert "pronoun" in out.read_text("utf-8")
        assert (tmp_path / f"out.{ending}.svg").read_text("utf-8").startswith("<?xml")


def test_the_manual_lists_the_fields() -> None:
    """With the words of the code."""
    page = (REPOSITORY / "docs" / "reference" / "policies.md").read_text("utf-8")
    for field in FIELDS.values():
        assert f"| `{field.name}` |" in page, field.name


def test_divisible_metrics() -> None:
    """All defaults of `score`, and no metric whose counts are those of whole entities."""
    assert all(map(divides, find_metrics(None)))
    assert not any(map(divides, find_metrics(["ace", "rand", "b3(twinless=rn)"])))
    with pytest.raises(UsageError, match="unknown meaning"):
        scoref.slices(KEY, {"s": SIEVE}, "type", meaning="both")  # type: ignore[arg-type]
