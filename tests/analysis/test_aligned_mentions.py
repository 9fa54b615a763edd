"""Numbers and letters of entities."""

from __future__ import annotations

from scoref.analysis.aligned_mentions import align_mentions
from scoref.analysis.entity_numbers import STATUSES, EntityNumbers, entity_label


def test_numbers_of_entities() -> None:
    """A response entity has the number of its aligned key entity, or a letter."""
    key = {"d": [["a", "b"], ["c", "d", "e"]]}
    response = {"d": [["c", "d"], ["a", "e"], ["x", "y"]]}
    mentions = align_mentions(key, response)
    numbers = EntityNumbers(mentions)
    shown = {
        str(mentions.mention(row)): (
            entity_label(int(numbers.res_number[mentions.res[row]]))
            if mentions.res[row] >= 0
            else "",
            STATUSES[numbers.status[row]],
        )
        for row in range(len(mentions.unit))
    }
    assert shown == {
        "a": ("1", "right"),
        "b": ("", "missing"),
        "c": ("2", "right"),
        "d": ("2", "right"),
        "e": ("1", "misplaced"),
        "x": ("a", "extra"),
        "y": ("a", "extra"),
    }
