"""The example of the island: its files are those of its sources, and they show what they claim.

The scores in its README are checked with the pages of the manual.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import scoref
from scoref.analysis.aligned_mentions import align_mentions
from scoref.analysis.mention_classes import Slice, slices
from scoref.cli import main
from tests.conftest import REPOSITORY

ISLAND = REPOSITORY / "examples" / "island"
KEY = ISLAND / "key.conll"
SYSTEMS = ("sieve", "neural", "chat")
COLUMNS = ("key", "second", *SYSTEMS)
RUNS = sorted((ISLAND / "runs").glob("*.json"))
CHECKPOINTS = sorted((ISLAND / "checkpoints").glob("*.json"))
BYTES = 620_000


@cache
def read(name: str) -> scoref.Corpus:
    """Read one of the CoNLL files, with words."""
    return scoref.read(ISLAND / f"{name}.conll", words=True)


class TestFiles:
    """What is shipped."""

    def test_they_are_made_from_the_sources(self, tmp_path: Path) -> None:
        """`python examples/island/make.py` makes them anew."""
        command = [sys.executable, "-B", str(ISLAND / "make.py"), str(tmp_path)]
        subprocess.run(command, check=True, timeout=300)
        made = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
        paths = [*(ISLAND / f"{name}.conll" for name in COLUMNS), *RUNS, *CHECKPOINTS]
        assert made == {path.relative_to(ISLAND) for path in paths}
        for name in made:
            assert (tmp_path / name).read_bytes() == (ISLAND / name).read_bytes(), name

    def test_they_are_valid(self, capsys: pytest.CaptureFixture[str]) -> None:
        """And small enough for a package."""
        paths = [*(ISLAND / f"{name}.conll" for name in COLUMNS), *RUNS, *CHECKPOINTS]
        assert main(["validate", *map(str, paths)]) == 0
        assert "no problems" in capsys.readouterr().out
        files = (path for path in ISLAND.rglob("*") if "__pycache__" not in path.parts)
        assert sum(path.stat().st_size for path in files if path.is_file()) < BYTES

    @pytest.mark.parametrize("name", COLUMNS)
    def test_they_have_the_words_of_the_key(self, name: str) -> None:
        """In the same documents and the same sentences."""
        text, expected = read(name).text, read("key").text
        assert text is not None
        assert expected is not None
        assert text.columns["word"] == expected.columns["word"]
        assert text.starts_sentence.tolist() == expected.starts_sentence.tolist()
        assert [d.name for d in read(name).documents] == [d.name for d in read("key").documents]

    def test_three_genres_of_short_documents(self) -> None:
        """Ten documents each."""
        documents = read("key").documents
        genres = Counter(document.name.partition("/")[0] for document in documents)
        assert genres == {"news": 10, "story": 10, "talk": 10}
        assert all(80 <= document.length <= 160 for document in documents)

    def test_the_examples_of_the_guidelines_are_in_the_key(self) -> None:
        """As they are annotated there."""
        guidelines = (ISLAND / "ANNOTATION.md").read_text("utf-8")
        examples = re.findall(r"^`(.+)`$", guidelines, re.MULTILINE)
        source = (ISLAND / "source" / "key.txt").read_text("utf-8")
        assert len(examples) > 20
        assert [example for example in examples if example not in source] == []


class TestWhatTheyShow:
    """Enough for every analysis, and differences of both kinds."""

    @pytest.mark.parametrize("by", ["genre", "type"])
    def test_slices_have_enough_mentions(self, by: str) -> None:
        """In every genre, and of every type."""
        found = [one for one in self.slices("sieve") if one.by == by]
        assert len(found) == 3
        assert all(one.key_mentions >= 150 and one.anaphors >= 75 for one in found)

    @staticmethod
    def slices(name: str) -> tuple[Slice, ...]:
        """Return the slices of a system."""
        return slices(align_mentions(KEY, ISLAND / f"{name}.conll"))

    def test_some_differences_are_significant(self) -> None:
        """And that of the rules and the learned resolver is not."""
        systems: dict[str, Path | list[Path]] = {"ranker": RUNS}
        systems |= {name: ISLAND / f"{name}.conll" for name in SYSTEMS}
        compared = scoref.compare(KEY, systems, ["muc", "ceafe", "conll"])
        assert compared.pair("chat", "sieve").significant
        assert not compared.pair("sieve", "ranker").significant
        assert (compared.pair("chat", "neural", "muc").difference < 0) != (
            compared.pair("chat", "neural", "ceafe").difference < 0
        )
        assert [found for found in compared.disagreements if found.better in ("chat", "neural")]

    def test_singletons_decide_which_system_is_best(self) -> None:
        """So the policy has to be stated."""
        systems = {name: ISLAND / f"{name}.conll" for name in ("neural", "chat")}
        best = {
            policy: scoref.compare(KEY, systems, ["conll"], policy=scoref.Policy(singletons=policy))
            .systems[0]
            .name
            for policy in ("keep", "drop")
        }
        assert best == {"keep": "chat", "drop": "neural"}

    def test_training_helps(self) -> None:
        """Each checkpoint is better than the one before; the last is the first run."""
        scores = [scoref.score(KEY, path)["conll"].f1 for path in CHECKPOINTS]
        assert len(scores) == 5
        assert scores == sorted(set(scores))
        assert CHECKPOINTS[-1].read_bytes() == RUNS[0].read_bytes()
        assert len({path.read_bytes() for path in RUNS}) == 3

    def test_annotators_agree_for_the_most_part(self) -> None:
        """They are people, and no copies of each other."""
        found = scoref.agreement({"key": KEY, "second": ISLAND / "second.conll"})
        assert 0.8 < found.alpha["passonneau"].value < 0.98


class TestHabits:
    """Each system errs in its own way, as the README says."""

    def test_the_neural_system_has_no_singletons_and_no_pronoun_that_comes_first(self) -> None:
        """Its precision is far above its recall."""
        sizes = [len(entity) for found in read("neural").entities().values() for entity in found]
        assert min(sizes) == 2
        score = scoref.score(KEY, ISLAND / "neural.conll")["mentions"]
        assert score.precision > 0.95 > score.recall
        story = read("neural").entities()["story/loaf"]
        assert (1, 1) in {
            span for entity in read("key").entities()["story/loaf"] for span in entity
        }
        assert (1, 1) not in {span for entity in story for span in entity}

    def test_the_rules_keep_what_they_do_not_link(self) -> None:
        """Their errors are pronouns."""
        by_type = {one.name: one for one in TestWhatTheyShow.slices("sieve") if one.by == "type"}
        pronoun, name = by_type["pronoun"].resolved, by_type["name"].resolved
        assert pronoun is not None
        assert name is not None
        assert pronoun < name
        assert 1 in {len(entity) for found in read("sieve").entities().values() for entity in found}

    def test_the_language_model_altered_words_and_forgot_a_tag(self) -> None:
        """`chat.conll` is what was left of its text."""
        found = scoref.align(KEY, ISLAND / "chat.jsonl")
        assert 0.9 < found.fidelity.share_kept < 1
        assert found.fidelity.altered
        assert found.fidelity.tags == {"unclosed": 1}
        aligned, columns = (
            scoref.score(KEY, response) for response in (found.corpus, ISLAND / "chat.conll")
        )
        assert aligned["conll"].f1 == columns["conll"].f1
        assert aligned["mentions"] == columns["mentions"]
