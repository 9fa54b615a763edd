"""The generators of the benchmarks; what things cost is never tested."""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from benchmarks import books, generated, growth, jobs, memory, peers, tables
from benchmarks.__main__ import _sections
from benchmarks.copies import copy
from benchmarks.generate import RESPONSES, Shape, draw_entities, write_as, write_pair
from benchmarks.inside import CASES
from benchmarks.jobs import Bench
from benchmarks.measure import Cost, Measurement
from benchmarks.report import Row, Section, as_markdown, as_text

import scoref
from tests.conftest import REPOSITORY

_SMALL = Shape(documents=3, tokens=300, mentions=40)


@pytest.mark.parametrize("kind", RESPONSES)
def test_a_response_is_what_its_name_says(kind: str) -> None:
    """Each kind shows in what it does to the entities."""
    shape = Shape(documents=1, mentions=3000)
    key, response = draw_entities(np.random.default_rng(3), shape, RESPONSES[kind])
    both = (key >= 0) & (response >= 0)
    entities = len(set(response[response >= 0].tolist()))
    before = len(set(key[key >= 0].tolist()))
    if kind == "one-entity":
        assert entities == 1
    elif kind == "singletons":
        assert entities == 3000
    elif kind == "merged":
        assert entities < 0.9 * before
    elif kind == "split":
        assert entities > before
    else:
        share = {"realistic": 0.85, "moved": 0.85, "random": 0.3}[kind]
        assert np.mean(key[both] == response[both]) == pytest.approx(share, abs=0.03)
    lacks = {"realistic", "random"}
    assert (np.mean(response[:3000] < 0) > 0.05) == (kind in lacks)


def test_a_seed_gives_the_same_files_and_a_larger_corpus_starts_with_a_smaller(
    tmp_path: Path,
) -> None:
    """So that growth is of size, not of kind."""
    texts = []
    for documents in (2, 2, 3):
        shape = Shape(documents=documents, tokens=300, mentions=40)
        pair = write_pair(tmp_path, shape, RESPONSES["realistic"], seed=7)
        texts.append((pair.key.read_text("utf-8"), pair.response.read_text("utf-8")))
    assert texts[0] == texts[1]
    assert all(more.startswith(less) for less, more in zip(texts[0], texts[2], strict=True))


@pytest.mark.parametrize("name", ["corefud", "jsonl", "conllua", "csv", "tsv", "clusters"])
def test_any_format_scores_the_same(tmp_path: Path, name: str) -> None:
    """A pair is the same in every format."""
    pair = write_pair(tmp_path, _SMALL, RESPONSES["realistic"])
    written = write_as(pair, name)
    assert scoref.score(*written)["conll"].f1 == scoref.score(*pair)["conll"].f1


def test_copies_have_names_of_their_own(tmp_path: Path) -> None:
    """Three times the documents have the same score."""
    pair = write_pair(tmp_path, _SMALL, RESPONSES["realistic"])
    key, response = tmp_path / "key3.conll", tmp_path / "response3.conll"
    copy(pair.key, key, 3)
    copy(pair.response, response, 3)
    result = scoref.score(key, response)
    assert len(result.documents) == 9
    assert result["b3"].recall == pytest.approx(scoref.score(*pair)["b3"].recall, abs=1e-12)


@pytest.mark.parametrize("case", [case for case in CASES if case not in ("readers", "book")])
def test_every_case_runs(case: str) -> None:
    """Each step can be run again and again."""
    for step in CASES[case](20):
        step.run()
        step.run()


def test_sections_are_shown_as_text_and_as_markdown() -> None:
    """Ratios are taken within rounds."""
    fast = Measurement("fast", (Cost(1.0, 10.0), Cost(2.0, 10.0)))
    slow = Measurement("slow", (Cost(2.0, 20.0), Cost(8.0, 30.0)))
    section = Section(title="Both", rows=(Row(fast, 10.0), Row(slow)), remarks=("so it is",))
    assert "3.00 (2.00-4.00)" in as_text(section)
    assert "| slow | 5.000 |  | 30 | 3.00 (2.00-4.00) |" in as_markdown(section)


def test_what_is_different_needs_no_ratios() -> None:
    """A larger job has fewer rounds, which cannot be compared one by one."""
    many = Measurement("small", (Cost(1.0, 10.0),) * 7)
    few = Measurement("large", (Cost(9.0, 90.0),) * 3)
    section = Section(title="Both", rows=(Row(many), Row(few)), remarks=(), different=True)
    assert "| large | 9.000 | 90 |" in as_markdown(section)


def test_a_figure_is_drawn(tmp_path: Path) -> None:
    """Two series over three sizes."""
    pytest.importorskip("matplotlib")
    from benchmarks.plot import draw

    points = [
        {"name": name, "megabytes": size, "cpu": times * size, "peak": 10.0 + size}
        for name, times in (("wc -lw", 0.01), ("scoref score", 0.02))
        for size in (1.0, 10.0, 100.0)
    ]
    draw(json.loads(json.dumps(points)), tmp_path / "figure.svg")
    drawn = (tmp_path / "figure.svg").read_text("utf-8")
    assert "scoref score" in drawn
    assert "peak memory (MB)" in drawn


class TestSections:
    """Every section of `make bench` runs in a fresh clone, which has no `../shared`."""

    @pytest.fixture
    def bench(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
        """As few rounds and as little data as there can be."""
        monkeypatch.setattr(jobs, "LITBANK", tmp_path / "absent")
        monkeypatch.setattr(peers, "GUM", tmp_path / "absent")
        for name, size in {"_MILLION": 50, "_HARD": 30, "_LOOP_DOCUMENTS": 3}.items():
            monkeypatch.setattr(memory, name, size)
        monkeypatch.setattr(memory, "_ROUNDS", 1)
        monkeypatch.setattr(growth, "_QUICK", (1, 2, 3))
        monkeypatch.setattr(generated, "_SIZES", (50, 100))
        monkeypatch.setattr(books, "_TOKENS", 500)
        return Bench(tmp_path, rounds=1, quick=True)

    @pytest.fixture
    def pair(self, tmp_path: Path) -> jobs.Pair:
        """A small pair of the kind that is generated where LitBank is not at hand."""
        directory = tmp_path / "pair"
        directory.mkdir()
        return jobs.Pair("small", *write_pair(directory, _SMALL, RESPONSES["realistic"]))

    @pytest.mark.parametrize(
        "section",
        [
            pytest.param(jobs.beside_wc, id="wc"),
            pytest.param(jobs.all_metrics, id="all metrics"),
            pytest.param(jobs.practices, id="practices"),
            pytest.param(jobs.clusterings, id="clusterings"),
            pytest.param(jobs.readers, id="readers", marks=pytest.mark.long),
            pytest.param(growth.growth, id="growth", marks=pytest.mark.long),
            pytest.param(lambda bench, _: memory.million_mentions(bench), id="million"),
            pytest.param(lambda bench, _: memory.hard_cases(bench), id="hard cases"),
            pytest.param(lambda bench, _: memory.training_loop(bench), id="training loop"),
            pytest.param(
                lambda bench, _: tables.tables(bench, 1000), id="tables", marks=pytest.mark.long
            ),
            pytest.param(lambda bench, _: books.books(bench), id="books"),
            pytest.param(lambda bench, _: generated.generated(bench), id="generated"),
            pytest.param(lambda bench, _: peers.beside_corefud(bench), id="corefud"),
        ],
    )
    def test_a_section_runs(
        self, bench: Bench, pair: jobs.Pair, section: Callable[[Bench, jobs.Pair], Section]
    ) -> None:
        """And can be shown."""
        assert as_text(section(bench, pair))

    def test_tiny_sections(self, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
        """Those of the tiny pair; no other scorer need be there."""
        for name in ("SCOREF_REFERENCE_SCORER", "SCOREF_COVAL", "SCOREF_COREFUD"):
            monkeypatch.delenv(name, raising=False)
        tiny = jobs.tiny_pair(bench.directory)
        assert as_text(jobs.beside_numpy(bench, tiny))
        assert as_text(peers.beside_peers(bench, tiny, tiny))

    def test_every_section_is_tried(self) -> None:
        """A section that is added to the benchmarks is added here."""
        source = inspect.getsource(_sections)
        assert set(re.findall(r"yield (\w+)\(", source)) == {
            *("beside_wc", "beside_numpy", "all_metrics", "readers", "growth", "million_mentions"),
            *("hard_cases", "training_loop", "tables", "beside_corefud", "beside_peers"),
            *("books", "clusterings", "estimates", "generated", "practices", "slices"),
        }

    def test_the_pair_that_stands_in_for_litbank(self, bench: Bench) -> None:
        """Is generated, and every metric of the benchmarks can be computed on it."""
        pair = jobs.litbank_pair(bench)
        assert pair.title == "generated"
        assert list(scoref.score(pair.key, pair.response, jobs.EVERY_METRIC))


class TestTargets:
    """What is documented about `make` is there."""

    MAKEFILE = (REPOSITORY / "Makefile").read_text("utf-8")

    @pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "Makefile"])
    def test_every_target_that_is_named_exists(self, page: str) -> None:
        """In the text, in the help, and for make itself, which tries it without running it."""
        text = (REPOSITORY / page).read_text("utf-8")
        pattern = r'"make ([\w-]+)' if page == "Makefile" else r"`make ([\w-]+)[^`]*`"
        for target in sorted(set(re.findall(pattern, text))):
            words = ["make", "-n", target, f"VENV={REPOSITORY / '.venv'}"]
            done = subprocess.run(
                words, cwd=REPOSITORY, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr

    def test_the_demo(self, tmp_path: Path) -> None:
        """Runs in a copy that has only what a clone has."""
        shutil.copytree(REPOSITORY / "examples", tmp_path / "examples")
        environment = {
            **os.environ,
            "BIN": os.path.relpath(Path(sys.executable).parent, tmp_path),
            "PYTHONPATH": str(REPOSITORY / "src"),
        }
        done = subprocess.run(
            ["sh", "examples/demo.sh"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "build" / "report.html").stat().st_size > 10_000
