"""Chains: singletons, short chains and long chains, each as if the others did not exist."""

from __future__ import annotations

import json

import pytest

import scoref
from scoref.cli import main
from tests.conftest import REPOSITORY

ISLAND = REPOSITORY / "examples" / "island"
FILES = KEY, SIEVE = str(ISLAND / "key.conll"), str(ISLAND / "sieve.conll")
SIZES = {
    "singleton": "entity_size=1",
    "short": "entity_size>1&entity_size<5",
    "long": "entity_size>4",
}


def test_a_slice_has_the_scores_of_its_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    """And `--where chain=long` selects the same mentions."""
    words = ["slices", *FILES, "--preset", "chains", "-m", "b3", "-m", "lea", "--to", "json"]
    assert main(words) == 0
    slices = {one["slice"]: one for one in json.loads(capsys.readouterr().out)["slices"]}
    assert [*slices] == [*SIZES]
    for name, where in SIZES.items():
        expected = scoref.score(KEY, SIEVE, ["b3", "lea"], where=where)
        assert (
            scoref.score(KEY, SIEVE, ["b3", "lea"], where=f"chain={name}").counts == expected.counts
        )
        (system,) = slices[name]["systems"].values()
        assert system["scores"]["lea"]["f1"] == expected["lea"].f1
        assert slices[name]["mentions"] == {"singleton": 146, "short": 344, "long": 521}[name]


def test_other_fields_can_be_added(capsys: pytest.CaptureFixture[str]) -> None:
    """The preset is a field."""
    words = ["slices", *FILES, "--preset", "chains", "--by", "type", "-m", "b3", "--to", "json"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["by"] == ["type", "chain"]


def test_options_of_other_presets_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Instead of being ignored."""
    assert main(["slices", *FILES, "--by", "type", "--entities", FILES[0]]) == 2
    assert "--entities is an option of --preset mei" in capsys.readouterr().err
    assert main(["slices", *FILES, "--preset", "gap", "-m", "b3"]) == 2
    assert "--metric is not available with --preset gap" in capsys.readouterr().err
    assert main(["slices", *FILES, "--preset", "mei"]) == 2
    assert "--preset mei requires the names of the entities" in capsys.readouterr().err
