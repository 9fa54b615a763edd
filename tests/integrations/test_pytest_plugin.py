"""The fixture `scoref_gate`, in a pytest session of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.comparison.systems import make_key, make_system, write_conll

TESTS = """
import pytest

def test_passes(scoref_gate):
    (verdict,) = scoref_gate("key.conll", old="good.conll", new="good.conll", trials=100)
    assert verdict.outcome == "passed"

def test_fails(scoref_gate):
    scoref_gate("key.conll", "good.conll", "bad.conll", ["conll", "lea"], trials=100)

def test_with_entities(scoref_gate):
    key = {str(at): [["a", "b"], ["c"]] for at in range(9)}
    scoref_gate(key, key, key, max_drop=0.5, trials=100)

def test_undecided(scoref_gate):
    scoref_gate("key.conll", "good.conll", "fair.conll", max_drop=1.2, undecided="skip", trials=100)

def test_undecided_fails(scoref_gate):
    scoref_gate("key.conll", "good.conll", "fair.conll", max_drop=1.2, trials=100)

def test_no_file(scoref_gate):
    scoref_gate("no.conll", "good.conll", "fair.conll")

def test_mistyped(scoref_gate):
    with pytest.raises(TypeError, match="no parameter 'max_dorp': did you mean max_drop?"):
        scoref_gate("key.conll", "good.conll", "fair.conll", max_dorp=1)

def test_wrong_choice(scoref_gate):
    with pytest.raises(ValueError, match="must be one of: fail, pass, skip"):
        scoref_gate("key.conll", "good.conll", "fair.conll", undecided="maybe")
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """What pytest prints, and its JUnit report; the plugin is loaded by its entry point."""
    folder = tmp_path_factory.mktemp("session")
    key = make_key(60)
    write_conll(key, folder / "key.conll")
    for name, wrong in (("good", 0.1), ("fair", 0.12), ("bad", 0.5)):
        write_conll(make_system(key, wrong, len(name)), folder / f"{name}.conll", key)
    (folder / "test_resolver.py").write_text(TESTS, "utf-8")
    command = [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "--junitxml=report.xml"], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout, (folder / "report.xml").read_text("utf-8")


@pytest.mark.parametrize(
    ("test", "outcome"),
    [
        ("test_passes", "PASSED"),
        ("test_fails", "FAILED"),
        ("test_with_entities", "PASSED"),
        ("test_undecided_fails", "FAILED"),
        ("test_no_file", "FAILED"),
        ("test_mistyped", "PASSED"),
        ("test_wrong_choice", "PASSED"),
    ],
)
def test_outcomes(session: tuple[str, str], test: str, outcome: str) -> None:
    """A test fails if the gate fails, or does not decide."""
    assert f"{outcome} test_resolver.py::{test}" in session[0]


def test_messages(session: tuple[str, str]) -> None:
    """They say which metric lost how much, without a traceback, and JUnit has them too."""
    text, report = session
    assert "gate failed: conll" in text
    assert "gate failed: lea" in text
    assert "scoref: error: cannot read no.conll" in text
    assert "def __call__" not in text
    assert "1 skipped" in text
    assert 'name="scoref conll"' in report


def test_the_plugin_costs_a_session_nothing() -> None:
    """Every session of every project with scoref loads it: without NumPy."""
    code = "import sys, scoref.integrations.pytest_plugin; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
