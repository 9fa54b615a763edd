"""`scoref view`: the page of a folder of runs, once and while runs arrive."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.cli import main
from scoref.key import Key
from scoref.pages.runs.page import page_data
from scoref.pages.runs.scored_runs import RunScorer, find_runs
from scoref.resampling.sampling_options import Sampling
from tests.conftest import REPOSITORY
from tests.pages.report.browser import opened

FERRY = REPOSITORY / "examples" / "ferry"
BIRDS = REPOSITORY / "examples" / "birds"
STEPS = {"step-9": "hasty", "step-20": "baseline", "step-100": "careful"}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder of three checkpoints."""
    folder = tmp_path / "runs"
    folder.mkdir()
    for step, name in STEPS.items():
        (folder / f"{step}.conll").write_bytes((FERRY / f"{name}.conll").read_bytes())
    return folder


def view(runs: Path, *arguments: str) -> int:
    """Run the command with the key of the example."""
    page = runs.parent / "page.html"
    return main(["view", str(runs), "--key", str(FERRY / "key.conll"), "-o", str(page), *arguments])


def test_scores_and_intervals_are_those_of_compare(runs: Path) -> None:
    """Nothing is computed in another way."""
    scorer = RunScorer(Key(FERRY / "key.conll"))
    data = page_data(scorer.score(find_runs(runs)), Sampling())
    systems = {step: FERRY / f"{name}.conll" for step, name in STEPS.items()}
    comparison = scoref.compare(FERRY / "key.conll", systems)
    assert [run["name"] for run in data["runs"]] == list(STEPS)
    for run in data["runs"]:
        system = comparison[run["name"]]
        for metric in data["metrics"]:
            assert run["scores"][metric][2] == system.scores[metric].f1
            low, high = system.intervals[metric].f1
            assert run["intervals"][metric] == pytest.approx([low, high])
    assert any(one.startswith("few documents: ") for one in data["notes"])
    pair = comparison.pair("step-9", "step-20")
    sign = 1 if pair.one == "step-9" else -1
    low, high, _ = data["pairs"]["conll"][0]
    assert sorted([sign * low, sign * high]) == pytest.approx(list(pair.interval or ()))


def test_counts_files_need_no_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The page of the shipped counts."""
    page = tmp_path / "page.html"
    folder = tmp_path / "counts"
    folder.mkdir()
    for path in BIRDS.glob("*.json"):
        (folder / path.name).write_bytes(path.read_bytes())
    assert main(["view", str(folder), "-o", str(page)]) == 0
    assert capsys.readouterr().out == f"{page}\n"
    assert "ibis" in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (lambda runs: (runs / "step-30.conll").write_text("#begin document (x)\na (1\n"), "found"),
        (lambda runs: [path.unlink() for path in runs.iterdir()], "the folder has no files"),
    ],
)
def test_what_is_refused(
    runs: Path,
    capsys: pytest.CaptureFixture[str],
    prepare: Callable[[Path], object],
    message: str,
) -> None:
    """A run that cannot be read is an error, and nothing is written."""
    prepare(runs)
    assert view(runs) == 2
    assert message in capsys.readouterr().err
    assert not (runs.parent / "page.html").exists()


def test_a_run_is_never_replaced(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An older page in the folder is; a log is ignored with a note."""
    key = ["--key", str(FERRY / "key.conll")]
    before = (runs / "step-9.conll").read_bytes()
    assert main(["view", str(runs), *key, "-o", str(runs / "step-9.conll")]) == 2
    assert (runs / "step-9.conll").read_bytes() == before
    (runs / "training.log").write_text("loss 1.0\n")
    for _ in range(2):
        assert main(["view", str(runs), *key, "-o", str(runs / "page.html")]) == 0
    assert "training.log has no known format and is ignored" in capsys.readouterr().err


def test_metrics_without_a_key_are_refused(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The hint names the flag that helps."""
    assert main(["view", str(runs), "-o", str(tmp_path / "p.html"), "-m", "b3"]) == 2
    assert "--key" in capsys.readouterr().err
    assert main(["view", str(runs), "-o", str(tmp_path / "p.html")]) == 2
    assert "--key" in capsys.readouterr().err


def test_the_page_in_a_browser(browser: Any, runs: Path) -> None:
    """Curves, the comparison of two runs, the sorted table, the data; every look."""
    hostile = runs / "step-7</script><img src=x onerror=alert(1)>.conll".replace("/", "\u2215")
    hostile.write_bytes((FERRY / "hasty.conll").read_bytes())
    assert view(runs) == 0
    page = runs.parent / "page.html"
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for width, scheme in ((360, "dark"), (768, "light"), (1400, "light")):
        look: dict[str, Any] = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
        with opened(browser, page, **look) as one:
            assert one.page.evaluate(wide) <= 0
    with opened(browser, page) as one:
        shown = one.page
        assert shown.locator("figure").count() == 8
        assert shown.locator("figure[data-metric=conll] .point").count() == 4
        shown.select_option("#run", label="step-9")
        shown.select_option("#with", label="step-100")
        result = {
            step: scoref.score(FERRY / "key.conll", FERRY / f"{STEPS[step]}.conll")["conll"].f1
            for step in ("step-9", "step-100")
        }
        cells = shown.locator("#pair tbody tr").last.locator("td").all_text_contents()
        assert cells[:2] == [f"{100 * value:.2f}" for value in result.values()]
        shown.reload()
        assert shown.input_value("#run") != shown.input_value("#with")
        assert shown.locator("#pair thead th").nth(1).text_content() == "step-9"
        shown.get_by_role("button", name="CoNLL").click()
        assert shown.locator("#table tbody th").first.text_content() == "step-100"
        with shown.expect_download() as found:
            shown.click("#csv")
        lines = Path(found.value.path()).read_text("utf-8").splitlines()
        assert len(lines) == 1 + 4 * 8
        shown.emulate_media(media="print")
        assert not shown.locator("#csv").is_visible()


def wait_for(check: Callable[[], bool]) -> None:
    """Wait until something has happened, or fail."""
    for _ in range(300):
        if check():
            return
        time.sleep(0.1)
    pytest.fail("it did not happen within 30 seconds")


@pytest.mark.usefixtures("heeded_interruptions")
def test_watching(runs: Path) -> None:
    """A half-written run is tried again; Ctrl-C ends with a page that does not reload."""
    page = runs.parent / "page.html"
    late = runs / "step-200.conll"
    whole = (FERRY / "careful.conll").read_bytes()
    command = [sys.executable, "-m", "scoref", "view", str(runs), "-o", str(page), "--watch"]
    command += ["--key", str(FERRY / "key.conll"), "--every", "0.1"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
    ) as running:
        try:
            wait_for(page.exists)
            assert '"reload":10' in page.read_text("utf-8")
            late.write_bytes(whole[: len(whole) // 2])
            wait_for(lambda: 'class="problems"' in page.read_text("utf-8"))
            late.write_bytes(whole)
            wait_for(lambda: '"title":"step-200"' in page.read_text("utf-8"))
            assert 'class="problems"' not in page.read_text("utf-8")
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=30)
        finally:
            running.kill()
    assert running.returncode == 0
    assert "4 runs" in out
    assert "not readable yet" in err
    assert "Traceback" not in err
    assert '"reload":0' in page.read_text("utf-8")
    assert [path.name for path in runs.parent.iterdir()] in (
        ["page.html", "runs"],
        ["runs", "page.html"],
    )
