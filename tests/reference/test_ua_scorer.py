"""Agreement with the Universal Anaphora scorer v1, which SCOREF_UA_SCORER names.

Bridging, at all three levels, and non-referring mentions are the same in every document. So is
what MUC, B³ and CEAF count with split antecedents, in both layers, and LEA in version 2, which
SCOREF_COREFUD names; in version 1, LEA depends on the order of mentions. BLANC is counted in
another way than in either, see the manual.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref import Corpus, Policy
from tests.reference import peers
from tests.reference.anaphora_documents import Shape, write_pair
from tests.reference.peers import UAScorer
from tests.reference.split_definition import Annotation, Members, alignments, sets_of

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


COUNTED = {"muc": "muc", "b_cubed": "b3", "ceafm": "ceafm", "ceafe": "ceafe"}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("layer", ["identity", "deixis"])
@pytest.mark.parametrize("how", ["score", "only"])
def test_split_antecedents(ua: UAScorer, tmp_path: Path, how: str, layer: str, seed: int) -> None:
    """Of members that may be plurals too, unless several alignments are equally good."""
    files = write_pair(tmp_path, seed, Shape(documents=60, non_referring=0.0))
    theirs = ua.documents(files, [*COUNTED], "score", layer, how)
    policy = Policy(split_antecedents=how)  # type: ignore[arg-type]  # one of its choices
    name = "conllua-deixis" if layer == "deixis" else None
    ours = scoref.score(*files, [*COUNTED.values()], policy, name)
    plain = scoref.score(*files, [*COUNTED.values()], format=name)
    sides = [documents_of(scoref.read(path, name)) for path in files]
    for name, known in COUNTED.items():
        clear = [len(alignments(known, *map(sets, pair))) == 1 for pair in zip(*sides, strict=True)]
        assert sum(clear) > 55
        expected = np.array(theirs[name])[clear]
        np.testing.assert_allclose(ours.counts.rows[known][clear], expected, rtol=1e-12, atol=1e-12)
        assert 0 < ours[known].f1 < 1
        assert ours[known].f1 != plain[known].f1


def documents_of(corpus: Corpus) -> list[Annotation]:
    """Return the entities of each document by name, and the names of their members."""
    found = [Annotation({}, {}) for _ in corpus.documents]
    told = corpus.entity_attributes["split_antecedents"].tolist()
    for entity, members in enumerate(told):
        rows = np.flatnonzero(corpus.entity == entity).tolist()
        name, document = corpus.entity_names[entity], found[corpus.document[rows[0]]]
        document.mentions[name] = frozenset(str(corpus.mention(row)) for row in rows)
        if members:
            document.members[name] = frozenset(members.split(","))
    return found


def sets(annotation: Annotation) -> list[Members]:
    """Return the sets of members that a document has."""
    return sets_of(annotation.clusters())


def test_split_antecedents_of_version_2(tmp_path: Path) -> None:
    """Where LEA does not depend on the order of mentions."""
    files = write_pair(tmp_path, 9, Shape(documents=60, non_referring=0.0))
    names = {**COUNTED, "lea": "lea"}
    theirs = peers.count_with_ua_2(peers.corefud_scorer(), files, [*names])
    ours = scoref.score(*files, [*names.values()], Policy(split_antecedents="score"))
    for name, known in names.items():
        np.testing.assert_allclose(ours.counts.rows[known], theirs[name], rtol=1e-12, atol=1e-12)
