"""Explanations of metrics that give credit for mentions that nearly agree."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Corpus
from scoref.corpus.attributes import MENTION_TYPES
from scoref.explanation.blocks import Grid
from tests.metrics.test_partial_credit import CLASSES, CONFUSED, KEY, RESPONSE, Span

EXAMPLE = [
    ("phi=3", "1/3 1/4 2/7"),
    ("phi=4", "1/5 1/5 1/5"),
    ("overlap=dice", "13/15 13/20 26/35"),
    ("phi=4,overlap=dice", "19/25 19/25 19/25"),
    (f"overlap=dice,{CONFUSED}", "11/15 11/20 22/35"),
    (f"phi=4,overlap=dice,{CONFUSED}", "17/25 17/25 17/25"),
    (f"overlap=dice,{CONFUSED},{CLASSES}", "11/25 11/20 22/45"),
    (f"phi=4,overlap=dice,{CONFUSED},{CLASSES}", "34/75 17/25 68/125"),
]


@pytest.mark.parametrize(("parameters", "expected"), EXAMPLE)
def test_the_worked_example(parameters: str, expected: str) -> None:
    """METRICS 5.2."""
    (walk,) = scoref.explain(KEY, RESPONSE, [f"ceaf({parameters})"]).walks.values()
    found = (walk.document.recall, walk.document.precision, walk.document.f1)
    exact = [float(Fraction(number)) for number in expected.split()]
    assert [float(number or 0) for number in found] == pytest.approx(exact, abs=1e-12)


def test_pairs_and_their_worth_are_shown() -> None:
    """Also pairs of entities that share no mention, whose mentions are alike."""
    name = f"ceaf(phi=4,overlap=dice,{CONFUSED},{CLASSES})"
    text = str(scoref.explain(KEY, RESPONSE, [name]))
    assert "Sums over aligned pairs of entities" in text
    assert "  K1   R1          2    3  0.2800                     0.2800\n" in text


spans = st.tuples(st.integers(0, 9), st.integers(0, 4)).map(lambda s: (s[0], s[0] + s[1]))
drawn = st.lists(spans, unique=True, max_size=7)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """Draw mentions that overlap, in up to three entities, with types and heads of their own."""
    mentions = draw(drawn)
    entities: dict[int, list[Span]] = {}
    about = {}
    for start, end in mentions:
        entities.setdefault(draw(st.integers(0, 2)), []).append((start, end))
        head = draw(st.integers(start, end))
        about[start, end] = {"type": draw(st.sampled_from(MENTION_TYPES)), "head": (head, head)}
    return Corpus.from_entities({"d": list(entities.values())}, mentions={"d": about})


VARIANTS = (
    "mentions(match=lenient)",
    "mentions(match=lenient,credit=half)",
    *(f"ceaf(phi={phi},overlap={how})" for phi in (3, 4) for how in ("dice", "min", "jaccard")),
    "ceaf(nam_nom=0.1,nam_pro=0,nom_pro=0.3)",
    "ceaf(phi=4,overlap=min,nam_nom=0.3,nam=0.7,nom=0.1,pro=0)",
)


@given(key=corpora(), response=corpora(), metric=st.sampled_from(VARIANTS))
def test_fractions_are_the_scores(key: Corpus, response: Corpus, metric: str) -> None:
    """On mentions that overlap each other, whose types the two sides see differently."""
    (walk,) = scoref.explain(key, response, [metric], limit=0).walks.values()
    (score,) = scoref.score(key, response, [metric]).scores.values()
    found = (walk.document.recall, walk.document.precision, walk.document.f1)
    assert [float(number or 0) for number in found] == pytest.approx([*score], abs=1e-12)


def test_which_mention_is_taken_for_which() -> None:
    """Longer ones choose first, each the one it shares most with; equal ones are settled."""
    key = Corpus.from_entities(
        {"d": [[(0, 5)], [(2, 4)], [(8, 9)], [(20, 24)]]},
        mentions={
            "d": {
                (0, 5): {"head": (3, 3)},
                (2, 4): {"head": (3, 3)},
                (8, 9): {"head": (9, 9)},
                (20, 24): {"head": (24, 24), "min": (22, 22)},
            }
        },
    )
    taken = [(2, 3), (3, 3), (3, 4), (8, 9), (22, 23)]
    heads = {span: {"head": (span[1], span[1])} for span in taken}
    response = Corpus.from_entities({"d": [[span] for span in taken]}, mentions={"d": heads})
    name = "mentions(match=lenient,credit=half)"
    walk = scoref.explain(key, response, [name])[name]
    (table, kinds) = [block for block in walk.steps if isinstance(block, Grid)]
    assert [row[:3] for row in table.rows] == [
        ("2-3", "0-5", "3"),
        ("3-4", "2-4", "3"),
        ("22-23", "20-24", "22"),
    ]
    assert [(row[0], row[1]) for row in kinds.rows] == [
        ("on both sides", 1),
        ("taken for a key mention", 3),
        ("only in the key", 0),
        ("only in the response", 1),
    ]
    assert walk.document.recall == Fraction(5, 8)
    assert walk.document.precision == Fraction(1, 2)
