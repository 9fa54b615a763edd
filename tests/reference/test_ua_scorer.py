"""Agreement with the Universal Anaphora scorer v1, which SCOREF_UA_SCORER names.

Bridging, at all three levels, and non-referring mentions are the same in every document.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import scoref
from tests.reference import peers
from tests.reference.anaphora_documents import Shape, write_pair
from tests.reference.peers import UAScorer

LEVELS = ("bridging(level=anaphor)", "bridging(level=mention)", "bridging")


@pytest.fixture(scope="module")
def ua() -> UAScorer:
    """The scorer, if this machine has it."""
    return peers.ua_scorer()


@pytest.mark.parametrize("seed", range(5))
def test_bridging_and_non_referring_mentions(ua: UAScorer, tmp_path: Path, seed: int) -> None:
    """With anaphors and anchors that refer to nothing, and mentions that only one side has."""
    files = write_pair(tmp_path, seed, Shape(documents=60))
    theirs = ua.documents(files)
    ours = scoref.score(*files, ["nonreferring", *LEVELS])
    found = list(ours.documents.values())
    expected = theirs["nonreferring"]
    np.testing.assert_allclose([one["nonreferring"] for one in found], expected, rtol=1e-12)
    for level, name in enumerate(LEVELS):
        expected = [scores[level] for scores in theirs["bridging"]]
        np.testing.assert_allclose([one[name] for one in found], expected, rtol=1e-12)
    assert 0 < ours[LEVELS[1]].f1 <= ours[LEVELS[2]].f1 < ours[LEVELS[0]].f1 < 1
