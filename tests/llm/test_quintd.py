"""Quotes that a language model gave for real texts, with the places that their authors computed.

The places are greedy: each quote is searched after the one before it, or else from the start. So
where a quote occurs more than once, they are not a truth, but the order of the list is kept.
"""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from scoref.llm.marked_text import Quote
from scoref.llm.quote_placement import place_quotes
from scoref.llm.source_index import SourceIndex

VARIABLE = "SCOREF_QUINTD"


@pytest.fixture(scope="module")
def texts() -> list[tuple[str, list[dict[str, Any]]]]:
    """Each annotated text of kasnerz/quintd with its quotes."""
    if VARIABLE not in os.environ:
        pytest.skip(f"name a checkout of kasnerz/quintd in {VARIABLE}")
    return list(read(Path(os.environ[VARIABLE]) / "data" / "quintd-1"))


def read(folder: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Read all annotations by GPT-4."""
    outputs: dict[Path, Any] = {}
    for path in sorted((folder / "annotations" / "gpt-4").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            one = json.loads(line)
            place = folder / "outputs" / one["split"] / one["dataset"] / "default"
            file = place / f"{one['model']}.json"
            if file not in outputs:
                outputs[file] = json.loads(file.read_text("utf-8"))
            if one["annotations"]:
                yield outputs[file]["generated"][one["table_idx"]]["out"], one["annotations"]


def out_of_order(starts: Sequence[int]) -> int:
    """Return how many places have to be left out for the others to ascend."""
    tails: list[int] = []
    for start in starts:
        at = bisect_right(tails, start)
        tails[at : at + 1] = [start]
    return len(starts) - len(tails)


def test_every_quote_is_placed(texts: list[tuple[str, list[dict[str, Any]]]]) -> None:
    """At its only place; or, if it occurs more than once, in an order that violates no more."""
    total = ambiguous = 0
    for text, found in texts:
        tokens = list(re.finditer(r"\w+|[^\w\s]", text))
        quotes = [Quote(str(number), one["text"], "list") for number, one in enumerate(found)]
        index = SourceIndex([token[0] for token in tokens])
        placed = place_quotes(quotes, index, [1] * len(tokens))
        assert placed.is_exact
        ambiguous += len(placed.ambiguous)
        starts = []
        for one, span in zip(found, placed.spans, strict=True):
            total += 1
            if not one["text"]:
                assert span is None
                continue
            assert span is not None
            starts.append(tokens[span[0]].start())
            if text.lower().count(one["text"].lower()) == 1:
                low, high = tokens[span[0]].span()
                assert low <= one["start"] < high or not text[one["start"] : low].strip(" .,;:'-")
        stated = [one["start"] for one in found if one["text"]]
        assert out_of_order(starts) <= out_of_order(stated)
    assert total == 7012
    assert ambiguous < 300
