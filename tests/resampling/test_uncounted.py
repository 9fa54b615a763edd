"""Documents in which nothing is counted are not observations."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref.resampling.units import Units
from tests.conftest import REPOSITORY

ISLAND = REPOSITORY / "examples" / "island"
SYSTEMS = ("neural", "sieve", "chat")


def of_genre(path: Path, genre: str, target: Path) -> Path:
    """Write only the documents of a genre."""
    first, *parts = path.read_text("utf-8").split("#begin document")
    kept = [f"#begin document{part}" for part in parts if part.startswith(f" ({genre}/")]
    target.write_text(first + "".join(kept), "utf-8")
    return target


@pytest.mark.parametrize("method", ["jackknife", "percentile", "bca"])
def test_a_slice_is_like_a_file_of_its_documents(method: str, tmp_path: Path) -> None:
    """The same intervals, degrees of freedom and p-values, digit for digit."""
    cut = {n: of_genre(ISLAND / f"{n}.conll", "news", tmp_path / n) for n in ("key", *SYSTEMS)}
    options = {"method": method, "trials": 200, "metrics": ["muc", "conll"], "equivalent": 0.05}
    sliced = scoref.compare(
        ISLAND / "key.conll",
        {name: ISLAND / f"{name}.conll" for name in SYSTEMS},
        where="genre=news",
        **options,  # type: ignore[arg-type]
    )
    alone = scoref.compare(
        cut["key"],
        {name: cut[name] for name in SYSTEMS},
        **options,  # type: ignore[arg-type]
    )
    assert sliced.pairs == alone.pairs
    for one, other in zip(sliced.systems, alone.systems, strict=True):
        assert [one.intervals[m].f1 for m in alone.metrics] == [
            other.intervals[m].f1 for m in alone.metrics
        ]
    assert sliced.effective == alone.effective
    assert "over 10 documents (20 without mentions are left out)" in str(sliced) or method != (
        "jackknife"
    )
    assert "left out" not in str(alone)


def test_units_are_left_out() -> None:
    """Documents keep their places; a block stays if one of its documents has counts."""
    names = ["b2", "a1", "c1", "b1"]
    has_counts = np.array([True, False, True, False])
    rows = np.arange(4.0).reshape(4, 1)
    units = Units.of(names, has_counts=has_counts)
    assert (units.names, units.uncounted) == (("b2", "c1"), 2)
    assert units.sort(rows).ravel().tolist() == [0, 2]
    blocks = Units.of(names, blocks="^.", has_counts=has_counts)
    assert (blocks.names, blocks.documents, blocks.uncounted) == (("b", "c"), ("b1", "b2", "c1"), 1)
    assert blocks.sum(blocks.sort(rows)).ravel().tolist() == [3, 2]
    strata = Units.of(names, strata="^.", has_counts=has_counts)
    assert (strata.strata, len(strata)) == (("b", "c"), 2)
    assert Units.of(names, has_counts=np.zeros(4, dtype=bool)).uncounted == 0
    assert (
        "2 documents with mentions, found 1"
        in Units.of(names, has_counts=np.array([True, False, False, False])).refusal()
    )


def test_a_macro_average_has_only_the_documents_of_the_slice(tmp_path: Path) -> None:
    """A document outside the slice has no score, neither 0 nor 1; the explanation agrees."""
    key, response = (of_genre(ISLAND / f"{n}.conll", "news", tmp_path / n) for n in ("key", "chat"))
    alone = scoref.score(key, response, average="macro")
    sides = ISLAND / "key.conll", ISLAND / "chat.conll"
    for undefined in ("zero", "one", "skip"):
        sliced = scoref.score(*sides, average="macro", where="genre=news", undefined=undefined)
        for name in ("mentions", "b3", "ceafe", "conll"):
            assert sliced[name].f1 == pytest.approx(alone[name].f1, abs=1e-12)
    policy = {"average": "macro", "where": "genre=news"}
    walk = scoref.explain(*sides, ["b3"], policy).walks["b3"]
    assert walk.corpus is not None
    assert float(walk.corpus.f1 or 0) == pytest.approx(alone["b3"].f1)


def test_documents_outside_the_slice_have_no_score() -> None:
    """They are not 0.00: the table leaves them out and says so, and JSON has null."""
    sides = ISLAND / "key.conll", ISLAND / "chat.conll"
    result = scoref.score(*sides, ["muc", "b3"], where="genre=news")
    names = {name for name, scores in result.documents.items() if not np.isnan(scores["b3"].f1)}
    assert names == {name for name in result.documents if name.startswith("news/")}
    table = result.render("text", per_document=True)
    assert "news/oven" in table
    assert "story/chess" not in table
    assert "20 documents without mentions where genre=news are left out" in table
    content = json.loads(result.render("json", per_document=True))
    assert content["documents"]["story/chess"]["b3"]["f1"] is None
    assert "left out" not in scoref.score(*sides, ["b3"]).render("text", per_document=True)
    with pytest.raises(scoref.ScorefError, match="document story/chess has no mentions where"):
        scoref.explain(*sides, ["b3"], where="genre=news", document="story/chess")
