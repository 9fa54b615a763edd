"""Verdicts on key entities, and the entities that only one system gets right."""

from __future__ import annotations

from scoref.analysis.aligned_mentions import align_mentions
from scoref.analysis.contrast import VERDICTS, contrast, key_entities, only_right


def test_verdicts() -> None:
    """Each verdict occurs once."""
    key = {"d": [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"], ["i", "j"]]}
    response = {"d": [["a", "b"], ["e"], ["f"], ["g", "h", "x"], ["i", "y"]]}
    entities = key_entities(align_mentions(key, response))
    assert [VERDICTS[v] for v in entities.verdict] == [
        "right",
        "missed",
        "split",
        "merged",
        "scattered",
    ]


def test_entities_that_only_one_system_gets_right() -> None:
    """They are counted by class of entity, and listed."""
    key = {"d": [["a", "b"], ["c", "d", "e"]]}
    one = key_entities(align_mentions(key, {"d": [["a", "b"], ["c", "d"]]}))
    other = key_entities(align_mentions(key, {"d": [["a"], ["c", "d", "e"]]}))
    everything, *by_size = contrast({"one": one, "other": other})
    assert everything.right == {"one": 1, "other": 1}
    assert everything.alone == {"one": 1, "other": 1}
    assert [(row.name, row.alone) for row in by_size] == [
        ("2", {"one": 1, "other": 0}),
        ("3", {"one": 0, "other": 1}),
    ]
    assert only_right(one, other) == [0]
