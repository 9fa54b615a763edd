"""Agreement with the Universal Anaphora scorer v1, which SCOREF_UA_SCORER names.

Bridging, at all three levels, and non-referring mentions are the same in every document. So is
what MUC, B³ and CEAF count with split antecedents, in both layers, and LEA in version 2, which
SCOREF_COREFUD names; in version 1, LEA depends on the order of mentions. BLANC is counted in
another way than in either: two small texts show how, and the manual says why.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref import Corpus, Policy
from tests.reference import peers
from tests.reference.anaphora_documents import HEADER, Shape, write_pair
from tests.reference.documents import Files
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


def write_text(path: Path, mentions: str, members: Collection[str], before: int = 0) -> None:
    """Write a text of one-word mentions, each a letter that names its entity, after some words.

    The entity `p` is a plural with these members.
    """
    cells = ["_"] * before
    for at, entity in enumerate(mentions):
        is_first = mentions.index(entity) == at
        part = "|ElementOf=p" if is_first and entity in members else ""
        cells.append(f"(EntityID={entity}|MarkableID=m{at}{part})")
    empty = ["_"] * 8
    rows = [[str(n), "w", *empty, cell, *empty[:4]] for n, cell in enumerate(cells, 1)]
    lines = ["# newdoc id = d", *map("\t".join, rows)]
    path.write_text(HEADER + "\n".join(lines) + "\n\n", "utf-8")


def blanc_there(ua: UAScorer, files: Files) -> list[list[Fraction]]:
    """Return what it counts for BLANC: right links, and those of the key, of both kinds."""
    found = ua.documents(files, ["blancc", "blancn"], "score")
    return [
        [Fraction(number).limit_denominator(100) for number in found[kind][0][:2]]
        for kind in ("blancc", "blancn")
    ]


def test_blanc_aligns_sets_once(ua: UAScorer, tmp_path: Path) -> None:
    """The key has the plural {a b}, the response {a b c}: four entities, of one mention each.

    The members have no coreference links, so the two sets are half alike by their other links:
    1 of 1 and 1 of 3. The plural has the link of its mention to its set. There, sets are aligned
    once for each kind of link, so this link is lost.
    """
    files = Files(tmp_path / "key.CONLLUA", tmp_path / "response.CONLLUA")
    write_text(files.key, "abcp", "ab")
    write_text(files.response, "abcp", "abc")
    assert blanc_there(ua, files) == [[0, 1], [Fraction(15, 2), 9]]
    result = scoref.score(*files, ["blanc"], split_antecedents="score")
    # ck, cr, cc, nk, nr, nn: six pairs of mentions are apart, and three of a mention and the set
    assert result.counts.rows["blanc"].tolist() == [[1, 1, 0.5, 9, 9, 6 + 3 * 0.5]]
    assert result["blanc"].f1 == pytest.approx(2 / 3)  # there: 5/12


def test_blanc_does_not_depend_on_the_place_of_the_text(ua: UAScorer, tmp_path: Path) -> None:
    """The key has the plural of a and c, the response that of a, with two mentions each.

    By coreference links of members, the sets are alike by 2/3, which is the harmonic mean of 1 of
    2 and 1 of 1. By other links they have nothing in common, so by BLANC they are alike by 1/3.
    There, the set counts if it comes first in a Python set of the plural's mentions, which depends
    on the numbers of their tokens: a word before the text changes the score.
    """
    files = Files(tmp_path / "key.CONLLUA", tmp_path / "response.CONLLUA")
    found = []
    for before in range(8):
        write_text(files.key, "aaccp", "ac", before)
        write_text(files.response, "aaccp", "a", before)
        found.append(blanc_there(ua, files))
        result = scoref.score(*files, ["blanc"], split_antecedents="score")
        expected = [3, 3, 2 + 1 / 3, 12, 12, 8 + 4 / 3]
        assert result.counts.rows["blanc"][0] == pytest.approx(expected)
        assert result["blanc"].f1 == pytest.approx(7 / 9)
    assert sorted({coreferent[0] for coreferent, _ in found}) == [2, Fraction(8, 3)]
    assert all(coreferent[1] == 3 and other == [8, 12] for coreferent, other in found)


@pytest.mark.parametrize("seed", range(2))
def test_blanc_where_aligned_sets_are_equal(ua: UAScorer, tmp_path: Path, seed: int) -> None:
    """Both agree, so what these texts show explains every difference."""
    files = write_pair(tmp_path, seed, Shape(documents=100, non_referring=0.0))
    theirs = ua.documents(files, ["blancc", "blancn"], "score")
    ours = scoref.score(*files, ["blanc"], split_antecedents="score").counts.rows["blanc"]
    sides = [documents_of(scoref.read(path)) for path in files]
    both = zip(theirs["blancc"], theirs["blancn"], strict=True)
    columns = [[c[1], c[3], c[0], n[1], n[3], n[0]] for c, n in both]
    same = np.isclose(ours, columns, rtol=1e-12, atol=1e-12).all(axis=1)
    equal = np.array([alike_or_not_at_all(*map(sets, pair)) for pair in zip(*sides, strict=True)])
    assert same[equal].all()
    assert equal.sum() > 25
    assert 0 < np.count_nonzero(~same) < np.count_nonzero(~equal)


def alike_or_not_at_all(key: list[Members], response: list[Members]) -> bool:
    """Whether sets of members that share a mention or a pair apart are equal."""
    return all(one == other or unlike(one, other) for one in key for other in response)


def unlike(one: Members, other: Members) -> bool:
    """Whether sets of members share at most one mention, so no link of either kind."""
    return len(frozenset().union(*one) & frozenset().union(*other)) < 2
