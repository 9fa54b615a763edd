"""Counts files: written, read back to the bit, checked, and refused with a reason."""

from __future__ import annotations

import gzip
import io
import json
import runpy
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Policy, Result
from scoref.base.arrays import Floats
from scoref.counts.counted import is_counts_file
from scoref.counts.counts_file import checksum, dump
from scoref.counts.counts_file import load as load_counted
from scoref.exceptions import FormatError, UsageError
from scoref.metrics import DEFAULT, FAMILIES
from scoref.metrics.table import Table
from tests.conftest import REPOSITORY
from tests.strategies import Pair, corpora, named

KEY = {"one": [["Ann", "she"], ["Ben"]], "two [ 1 ]": [["it", "that"], ["x"]]}
RESPONSE = {"one": [["Ann"], ["she", "Ben"]], "two [ 1 ]": [["it", "that", "x"]]}
Change = Callable[[dict[str, Any]], None]


def load(path: Path, *metrics: Any) -> Result:
    """Read a counts file as a result."""
    return Result.of(load_counted(path, *metrics))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A counts file."""
    path = tmp_path / "ours.counts.json"
    scoref.score(KEY, RESPONSE).save_counts(path)
    return path


def rewrite(path: Path, change: Change, *, sign: bool = True) -> None:
    """Change a counts file, with or without a checksum that fits."""
    content = json.loads(path.read_text("utf-8"))
    change(content)
    if sign:
        content["checksum"] = checksum(content)
    path.write_text(json.dumps(content), "utf-8")


class TestRoundTrip:
    """What is written is read."""

    def test_every_number_comes_back(self, path: Path) -> None:
        """To the last bit, with its policy, its units and its sides."""
        before, after = scoref.score(KEY, RESPONSE), load(path)
        assert after.counts.units == before.counts.units
        assert list(after) == list(DEFAULT)
        for metric in DEFAULT:
            np.testing.assert_array_equal(after.counts.rows[metric], before.counts.rows[metric])
        assert after.policy == before.policy
        assert after.signature == before.signature
        assert after.key.mentions == 6
        assert str(after.scores) == str(before.scores)

    @given(corpora(most=4))
    def test_any_counts_come_back(self, documents: list[Pair]) -> None:
        """Fractions too."""
        result = scoref.score(*named(documents))
        content = json.loads(dump(result))
        for metric in result:
            rows = np.array(content["metrics"][metric]["rows"]).reshape(len(documents), -1)
            np.testing.assert_array_equal(rows, result.counts.rows[metric])
        assert content["checksum"] == checksum(content)

    def test_writing_twice_gives_the_same_file(self, path: Path, tmp_path: Path) -> None:
        """No times, no paths; a row of numbers is a line."""
        scoref.score(KEY, RESPONSE).save_counts(tmp_path / "again.counts.json")
        assert (tmp_path / "again.counts.json").read_bytes() == path.read_bytes()
        assert "\n   [2.0, 3.0, 2.0, 3.0],\n" in path.read_text("utf-8")
        assert str(tmp_path) not in path.read_text("utf-8")

    def test_no_text(self, tmp_path: Path) -> None:
        """Nor in a note on a repeated mention."""
        key = {"one": [["Ann", "she"], ["Ann", "Ben"]]}
        scoref.score(key, {"one": [["Ann", "Ben"]]}).save_counts(tmp_path / "x.counts.json")
        text = (tmp_path / "x.counts.json").read_text("utf-8")
        assert "the key repeats 1 mention; the first one is kept" in text
        assert not any(word in text for word in ("Ann", "Ben", "she"))

    def test_gzip(self, tmp_path: Path) -> None:
        """By its name; the same bytes each time."""
        result = scoref.score(KEY, RESPONSE)
        result.save_counts(tmp_path / "x.counts.json.gz")
        packed = (tmp_path / "x.counts.json.gz").read_bytes()
        assert gzip.decompress(packed).decode() == dump(result)
        assert is_counts_file(tmp_path / "x.counts.json.gz")
        assert str(load(tmp_path / "x.counts.json.gz").scores) == str(result.scores)

    def test_what_is_a_counts_file(
        self, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its content says so, whatever its name."""
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
        path.rename(tmp_path / "odd.conll")
        assert is_counts_file(tmp_path / "odd.conll")
        (tmp_path / "y.counts.json").write_text('{"a": 1}', "utf-8")
        assert not is_counts_file(tmp_path / "y.counts.json")
        assert not is_counts_file(tmp_path)
        assert not is_counts_file("-")
        assert not is_counts_file(KEY)


def test_the_shipped_counts_are_what_their_program_makes(tmp_path: Path) -> None:
    """To the last bit, on any machine."""
    folder = REPOSITORY / "examples" / "birds"
    runpy.run_path(str(folder / "make.py"))["main"](tmp_path)
    made = sorted(tmp_path.iterdir())
    assert [path.name for path in made] == sorted(path.name for path in folder.glob("*.json"))
    for path in made:
        ours, theirs = load(path), load(folder / path.name)
        assert ours.counts.units == theirs.counts.units
        for metric in theirs:
            np.testing.assert_array_equal(ours.counts.rows[metric], theirs.counts.rows[metric])


class TestScoring:
    """A counts file in place of a response."""

    def test_scores_are_the_same(self, path: Path) -> None:
        """As from the response itself."""
        result = scoref.score(KEY, path)
        assert str(result.scores) == str(scoref.score(KEY, RESPONSE).scores)
        assert result.response.source == str(path)

    def test_documents_in_another_order(self, path: Path) -> None:
        """Are put into the key's."""
        turned = dict(reversed(KEY.items()))
        result = scoref.score(turned, path)
        assert result.counts.units == tuple(turned)
        assert str(result.documents) == str(scoref.score(turned, RESPONSE).documents)

    def test_metrics_are_chosen(self, path: Path) -> None:
        """Among those that were counted."""
        assert list(scoref.score(KEY, path, ["lea", "muc"])) == ["lea", "muc"]
        with pytest.raises(UsageError, match=r"has no counts of pairwise\n  hint: it has: mention"):
            scoref.score(KEY, path, ["pairwise"])

    def test_a_metric_of_ones_own(self, tmp_path: Path) -> None:
        """Is read back with the function in hand, and left out with a note without."""

        def shared(table: Table) -> Floats:
            found = table.sum_cells(table.count)
            return np.stack([found, found, found, found], axis=-1)

        scoref.score(KEY, RESPONSE, [shared, "b3"]).save_counts(tmp_path / "x.counts.json")
        assert scoref.score(KEY, tmp_path / "x.counts.json", [shared])["shared"].f1 == 1
        result = scoref.score(KEY, tmp_path / "x.counts.json")
        assert list(result) == ["b3"]
        assert "ignored unknown metrics: shared" in result.notes[0]


class TestRange:
    """No true counts are refused."""

    @given(corpora(most=4), st.sampled_from(["keep", "drop"]), st.sampled_from(["micro", "macro"]))
    def test_true_counts_are_within_range(
        self,
        documents: list[Pair],
        singletons: Literal["keep", "drop"],
        average: Literal["micro", "macro"],
    ) -> None:
        """Of every metric that needs entities alone, under other policies."""
        names = [name for name, family in FAMILIES.items() if not family.metric({}).needs]
        key, response = named(documents)
        policy = Policy(singletons=singletons, average=average, duplicates="first")
        result = scoref.score(key, response, names, policy)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "x.counts.json"
            result.save_counts(path)
            read = scoref.score(key, path, names, policy)
        assert str(read.scores) == str(result.scores)


class TestRefusals:
    """Counts that do not fit are named, with the difference."""

    def test_another_key(self, path: Path) -> None:
        """Of the same documents."""
        other = {**KEY, "one": [["Ann", "she", "Ben"]]}
        with pytest.raises(UsageError, match="was counted against another key: its fingerprint is"):
            scoref.score(other, path)

    def test_other_documents(self, path: Path) -> None:
        """Named on both sides."""
        other = {"one": KEY["one"], "three": [["a"]]}
        with pytest.raises(UsageError, match=r"lacks 1 document \(three\) and adds 1 document"):
            scoref.score(other, path)

    def test_other_policies(self, path: Path) -> None:
        """Each that differs, and the flags that help."""
        policy = Policy(singletons="drop", average="macro")
        with pytest.raises(UsageError) as error:
            scoref.score(KEY, path, policy=policy)
        assert "was counted with singletons:keep, average:micro, expected" in str(error.value)
        assert "score everything with --singletons keep --average micro" in str(error.value)

    def test_systems_of_different_keys(self, path: Path, tmp_path: Path) -> None:
        """Even without a key."""
        other = {**KEY, "one": [["Ann", "she", "Ben"]]}
        scoref.score(other, RESPONSE).save_counts(tmp_path / "x.counts.json")
        with pytest.raises(UsageError, match=r"x.counts.json was counted against another key"):
            scoref.compare(None, {"a": path, "b": tmp_path / "x.counts.json"})

    def test_no_metric_in_common(self, tmp_path: Path) -> None:
        """Nothing to compare."""
        for name in ("muc", "b3"):
            scoref.score(KEY, RESPONSE, [name]).save_counts(tmp_path / name)
        with pytest.raises(UsageError, match="no metric in common"):
            scoref.compare(None, {"a": tmp_path / "muc", "b": tmp_path / "b3"})

    def test_a_changed_number(self, path: Path) -> None:
        """Is found out by the checksum."""

        def cheat(content: dict[str, Any]) -> None:
            content["metrics"]["muc"]["rows"][0][0] += 1

        rewrite(path, cheat, sign=False)
        with pytest.raises(FormatError, match="content that does not match its checksum"):
            load(path)

    def test_a_file_cut_short(self, path: Path) -> None:
        """Is damaged JSON."""
        path.write_bytes(path.read_bytes()[:-50])
        with pytest.raises(FormatError, match="damaged JSON"):
            load(path)

    def test_a_later_format(self, path: Path) -> None:
        """Of another first number is refused; of another second is read."""
        rewrite(path, lambda content: content.update(version=[1, 7], news={"any": "thing"}))
        assert load(path)["muc"].f1 == scoref.score(KEY, RESPONSE)["muc"].f1
        rewrite(path, lambda content: content.update(version=[2, 0], made_by="scoref 9.0"))
        with pytest.raises(FormatError, match=r"version \[2, 0\] of the counts format") as error:
            load(path)
        assert "the file was written by scoref 9.0: upgrade scoref" in str(error.value)

    def test_another_version_is_noted(self, path: Path) -> None:
        """Since it may have counted otherwise."""
        rewrite(path, lambda content: content.update(made_by="scoref 0.0.1"))
        assert load(path).notes == (
            f"{path} was written by scoref 0.0.1, this is scoref {scoref.__version__}",
        )

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda c: c.update(version="1"), 'version "1" of the counts format'),
            (lambda c: c.update(units=["a", 3]), 'found "units": .*expected a list of strings'),
            (lambda c: c.update(units=["a", "a"]), "units with the same name"),
            (lambda c: c.update(policy=None), '"policy": null, expected an object'),
            (lambda c: c["policy"].update(colour="red"), "the policy has no field 'colour'"),
            (lambda c: c["policy"].update(average="mean"), "an invalid policy"),
            (lambda c: c["key"].pop("mentions"), '"key" without all of its numbers'),
            (lambda c: c["metrics"]["muc"].update(columns=["a"]), "muc with the columns"),
            (lambda c: c["metrics"]["muc"]["rows"].pop(), "1 row of muc, expected 2 rows"),
            (lambda c: c["metrics"]["muc"]["rows"][0].pop(), "that are not all 4 numbers"),
            (lambda c: c["metrics"]["muc"].update(rows=[["a"] * 4] * 2), "not all 4 numbers"),
            (lambda c: c["metrics"]["muc"].update(rows=7), "not all 4 numbers"),
            (lambda c: c.update(metrics={}), "no known metric"),
            (lambda c: c.update(version=[0, 9]), r"version \[0, 9\] of the counts format"),
            (lambda c: c.update(signature="scoref|key:1"), "a signature that states another key"),
            (lambda c: c.update(signature=7), "is not a signature"),
            (lambda c: c["key"].update(fingerprint=7), "a signature that states another key"),
            (lambda c: c["key"].update(fingerprint="x"), "a signature that states another key"),
            (lambda c: c["policy"].update(singletons="drop"), "that states another key or policy"),
            (lambda c: c["policy"].update(match=5), "match is 5, but must be one of"),
            (lambda c: c["policy"].update(where=["all"]), "where is .*, but must be one of"),
            (lambda c: c["policy"].update(unit={}), "unit is {}, but must be one of"),
            (lambda c: c["key"].update(mentions=-1), "whole numbers of at least 0"),
            (lambda c: c["key"].update(mentions=True), "whole numbers of at least 0"),
            (lambda c: c["metrics"]["muc"]["rows"][0].__setitem__(0, "1"), "not all 4 numbers"),
            (lambda c: c["metrics"]["muc"]["rows"][0].__setitem__(0, True), "not all 4 numbers"),
            (lambda c: c["metrics"]["muc"]["rows"][0].__setitem__(0, None), "not all 4 numbers"),
            (lambda c: c["metrics"]["muc"]["rows"][0].__setitem__(0, [1]), "not all 4 numbers"),
            (lambda c: c["metrics"]["muc"]["rows"][0].__setitem__(0, 10**400), "not all 4 numbers"),
            (lambda c: c["metrics"]["muc"]["rows"][0].__setitem__(0, -1), "a negative recall_num"),
            (lambda c: c["metrics"]["b3"]["rows"][1].__setitem__(0, 99), "a recall of 33 in the"),
            (lambda c: c["metrics"]["blanc"]["rows"][1].__setitem__(2, 99), "counts of blanc, doc"),
            (lambda c: c["metrics"]["conll"]["rows"][0].__setitem__(8, 99), "counts of conll, doc"),
        ],
    )
    def test_what_is_wrong_is_named(self, path: Path, change: Change, message: str) -> None:
        """Part by part, even where the checksum fits."""
        rewrite(path, change)
        with pytest.raises(FormatError, match=message):
            load(path)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("[" * 100_000, "nests too deeply"),
            ('{"a":' * 100_000, "nests too deeply"),
            ("NaN", "NaN is not a number"),
            ("-Infinity", "-Infinity is not a number"),
            ("9" * 5000, "damaged JSON"),
            (r'"\ud800"', "damaged JSON .*surrogates not allowed"),
        ],
    )
    def test_hostile_json(self, path: Path, text: str, message: str) -> None:
        """Of any depth and size is a message."""
        path.write_text(f'{{"format": "scoref counts", "more": {text}}}', "utf-8")
        with pytest.raises(FormatError, match=message):
            load(path)

    def test_a_count_that_is_no_number(self, tmp_path: Path) -> None:
        """Cannot be written."""

        def wrong(table: Table) -> Floats:
            return np.full((len(table.units), 4), np.nan)

        with pytest.raises(UsageError, match="wrong has counts that are not finite"):
            scoref.score(KEY, RESPONSE, [wrong]).save_counts(tmp_path / "x")
