"""`--match partial-craft`: cases of the Universal Anaphora scorer 2, and its rules once more."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Corpus
from scoref.policy import Policy

SHARED = Path(__file__).parents[4] / "shared"
CASES = SHARED / "cases" / "corpora" / "craft.json"

Mention = tuple[tuple[int, int], ...]
"""The continuous parts of a mention, in the order of the text; ends are inclusive."""


@pytest.mark.skipif(not CASES.exists(), reason="../shared has the cases of the scorer")
def test_the_cases_of_the_scorer() -> None:
    """Discontinuous mentions of CRAFT, exactly and partially."""
    folder = SHARED / "data" / "corpora" / "craft"
    for name, expected in json.loads(CASES.read_text("utf-8")).items():
        case, mode = name.split()
        key = folder / f"{case.rpartition('-')[0]}.key"
        result = scoref.score(key, folder / f"{case}.response", expected, {"match": mode})
        for metric, scores in expected.items():
            assert result[metric] == pytest.approx(scores, abs=1e-6), (name, metric)


def corpus(entities: list[list[Mention]]) -> Corpus:
    """Write mentions as CoNLL-UA does, and read them."""
    starts: dict[int, list[tuple[int, str]]] = {}
    ends: dict[int, int] = {}
    markables = [(entity, m) for entity, mentions in enumerate(entities) for m in mentions]
    for at, (entity, mention) in enumerate(markables):
        for start, end in mention:
            single = ")" if start == end else ""
            text = f"(EntityID={entity}|MarkableID=markable_{at}{single}"
            starts.setdefault(start, []).append((-end, text))
            if not single:
                ends[end] = ends.get(end, 0) + 1
    lines = ["# global.columns = ID FORM IDENTITY", "# newdoc id = d", "# sent_id = d-1"]
    for at in range(20):
        opened = "".join(text for _, text in sorted(starts.get(at, [])))
        lines.append(f"{at + 1}\tw{at}\t{')' * ends.get(at, 0)}{opened}".rstrip("\t"))
    lines = [line if line.count("\t") != 1 else f"{line}\t_" for line in lines]
    return read("\n".join([*lines, "", ""]))


def read(text: str) -> Corpus:
    """Read CoNLL-UA."""
    return scoref.read(io.BytesIO(text.encode()), format="conllua")


def spans(*mentions: Mention) -> Corpus:
    """Make a side of which each mention is an entity."""
    return corpus([[mention] for mention in mentions])


def found(key: Corpus, response: Corpus) -> float:
    """Return how many mentions match."""
    result = scoref.score(key, response, ["mentions"], Policy(match="partial-craft"))
    return result.totals("mentions")["recall_num"]


@pytest.mark.parametrize(
    ("key", "response", "matches"),
    [
        (((2, 4), (7, 8)), ((3, 3),), 1),  # inside the first part
        (((2, 4), (7, 8)), ((7, 8),), 0),  # the second part does not count
        (((2, 4), (7, 8)), ((3, 5),), 0),  # containment, not overlap
        (((2, 4),), ((0, 0), (4, 4), (9, 9)), 1),  # any part of the response
        (((2, 4),), ((2, 4), (9, 9)), 1),
        (((2, 4),), ((5, 6),), 0),
    ],
)
def test_one_mention_on_each_side(key: Mention, response: Mention, matches: int) -> None:
    """The first continuous part of the key mention decides."""
    assert found(spans(key), spans(response)) == matches


def test_who_comes_first() -> None:
    """Equal mentions match first; then each response mention has one choice."""
    assert found(spans(((2, 6),)), spans(((2, 3),), ((5, 6),))) == 1
    # (3, 3) and (4, 4) both choose (2, 6), which comes before (3, 5): the second goes without.
    assert found(spans(((2, 6),), ((3, 5),)), spans(((3, 3),), ((4, 4),))) == 1
    # (3, 5) is equal, so (4, 4) can only choose (2, 6).
    assert found(spans(((2, 6),), ((3, 5),)), spans(((3, 5),), ((4, 4),))) == 2


def test_a_zero_never_matches() -> None:
    """An empty node is inside no part."""
    text = "# global.columns = ID FORM IDENTITY\n# newdoc id = d\n# sent_id = d-1\n"
    whole = "1\ta\t(EntityID=1|MarkableID=markable_1\n2\tb\t)\n\n"
    zero = "1\ta\t_\n1.1\t_\t(EntityID=1|MarkableID=markable_1)\n2\tb\t_\n\n"
    key, response = (read(text + one) for one in (whole, zero))
    assert found(key, response) == 0


@st.composite
def sides(draw: st.DrawFn) -> list[Mention]:
    """Draw nested mentions, some with two parts."""
    cuts = sorted(draw(st.sets(st.integers(0, 19), max_size=8)))
    parts = [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    parts += [(a + 1, b - 1) for a, b in parts if b - a > 3 and draw(st.booleans())]
    mentions: list[Mention] = []
    for part in parts:
        joins = mentions and mentions[-1][-1][1] + 1 < part[0] and draw(st.booleans())
        mentions[-1:] = [(*mentions[-1], part)] if joins else [*mentions[-1:], (part,)]
    return mentions


@given(sides(), sides())
def test_the_rules_once_more(key: list[Mention], response: list[Mention]) -> None:
    """Mention by mention, in the order of start, end and length."""

    def order(mention: Mention) -> tuple[int, int, int]:
        return mention[0][0], mention[-1][1], sum(b - a + 1 for a, b in mention)

    equal = set(key) & set(response)
    left = sorted(set(key) - equal, key=order)
    taken: set[Mention] = set()
    for mention in sorted(set(response) - equal, key=order):
        fits = (k for k in left if any(k[0][0] <= a <= b <= k[0][1] for a, b in mention))
        if (first := next(fits, None)) is not None:
            taken.add(first)
    assert found(spans(*key), spans(*response)) == len(equal) + len(taken)
