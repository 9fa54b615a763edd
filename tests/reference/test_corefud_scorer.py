"""Agreement with corefud-scorer 1.2, which SCOREF_COREFUD names.

With `compat="corefud-1.2"` everything it counts is the same in every document, whatever the
files have: repeated mentions, zeros at shifted places, nested, crossing and discontinuous
mentions. Without it, scores are the same where no mention is repeated and zeros are matched by
their places.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import scoref
from scoref import Policy
from tests.reference import peers
from tests.reference.corefud_documents import Shape, write_pair
from tests.reference.documents import Files
from tests.reference.peers import CorefUD

COUNTED = {
    "muc": "muc",
    "b_cubed": "b3",
    "ceafe": "ceafe",
    "ceafm": "ceafm",
    "blanc": "blanc",
    "lea": "lea",
    "mention_overlap": "mor",
    "als_zeros": "zero",
}
SHAPES = {
    "as systems do": Shape(documents=60),
    "repeated mentions": Shape(documents=60, repeats=0.3),
    "many zeros": Shape(documents=60, empty=6, mentions=2, repeats=0.1),
    "entities by document": Shape(documents=60, repeats=0.2, header="GRP-etype-head"),
    "no heads": Shape(documents=60, empty=0, repeats=0.2, discontinuous=0, header="GRP-etype"),
    "crowded sentences": Shape(documents=25, words=5, mentions=12, repeats=0.3, discontinuous=0.3),
    "few mentions": Shape(documents=60, sentences=1, mentions=1, repeats=0.3),
}

MODES: tuple[tuple[Literal["keep", "drop"], Literal["dependent", "linear"]], ...] = (
    ("keep", "dependent"),
    ("drop", "dependent"),
    ("keep", "linear"),
)


@pytest.fixture(scope="module")
def corefud() -> CorefUD:
    """Corefud-scorer, if this machine has it."""
    return peers.corefud_scorer()


def in_our_columns(name: str, rows: list[list[float]]) -> list[list[float]]:
    """Bring what they count into the order of our columns."""
    if name == "blanc":  # of each kind of link: common, response, common, key
        return [[ck, cr, cc, nk, nr, nn] for cc, cr, _, ck, nn, nr, _, nk in rows]
    return [[rn, rd, pn, pd] for pn, pd, rn, rd in rows]


def assert_agreement(corefud: CorefUD, files: Files, policies: list[Policy]) -> None:
    """Compare all that is counted, and the scores that are made of it."""
    for policy, theirs in zip(policies, corefud.count(files, [*COUNTED], policies), strict=True):
        result = scoref.score(*files, COUNTED.values(), policy)
        for name, ours in COUNTED.items():
            np.testing.assert_allclose(
                result.counts.rows[ours],
                in_our_columns(name, theirs.documents[name]),
                rtol=1e-12,
                atol=1e-12,
                err_msg=f"{name} under {policy}",
            )
            scores = pytest.approx(theirs.scores[name], rel=1e-12, abs=1e-12)
            assert tuple(result[ours]) == scores, f"{name} under {policy}"


@pytest.mark.parametrize("shape", SHAPES)
def test_compat_counts_the_same(corefud: CorefUD, tmp_path: Path, shape: str) -> None:
    """In every document, to the last digits, in every mode that it has."""
    files = write_pair(tmp_path, 16, SHAPES[shape])

    policies = [
        Policy(match=match, singletons=singletons, zeros=zeros, compat="corefud-1.2")
        for match in ("exact", "head", "partial")
        for singletons, zeros in MODES
    ]
    assert_agreement(corefud, files, policies)


def test_scores_are_the_same_without_compat(corefud: CorefUD, tmp_path: Path) -> None:
    """Where no mention is repeated, and zeros are matched by their places.

    Of equally good matchings another might be taken; these documents have none.
    """
    files = write_pair(tmp_path, 21, Shape(documents=80, mentions=3, empty=3, shifted=False))

    modes: tuple[Literal["keep", "drop"], ...] = ("keep", "drop")
    policies = [
        Policy(match=match, singletons=singletons, zeros="linear")
        for match in ("exact", "head", "partial")
        for singletons in modes
    ]
    assert_agreement(corefud, files, policies)


@pytest.mark.slow
def test_gum(corefud: CorefUD, data: Path) -> None:
    """Seventy texts, with a response that puts 27 mentions into two entities; its defaults."""
    files = Files(data / "gum" / "gum.key.conllu", data / "gum" / "xrenner.response.conllu")

    policy = Policy(match="head", singletons="drop", compat="corefud-1.2")
    assert_agreement(corefud, files, [policy])
