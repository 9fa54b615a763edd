"""Reports and errors of real corpora, where they are on this machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import scoref
from scoref.pages.report import report


@pytest.mark.slow
def test_litbank(data: Path, tmp_path: Path) -> None:
    """Below 2 MB without text, and no word of it: only names of documents look like words."""
    key, response = data / "litbank" / "key.conll", data / "litbank" / "response.conll"
    made = report(key, {"response": response})
    path = tmp_path / "report.html"
    made.save(path)
    assert path.stat().st_size < 2_000_000
    page = path.read_text("utf-8")
    assert re.search(r'"w":\[', page) is None
    text = made.content.analyses[0].mentions.text
    assert text is not None
    telling = sorted({word for word in text.columns["word"] if word.isalpha()}, key=len)[-50:]
    names = " ".join(
        document.name for document in made.content.analyses[0].mentions.sides[0].documents
    )
    assert not [word for word in telling if word in page and word not in names]
    with_text = made.to_html(with_text=True)
    assert all(word in with_text for word in telling)
    everything = made.content.analyses[0].summary.repairs[-1]
    assert all(score.f1 == pytest.approx(1) for score in everything.scores.values())


@pytest.mark.slow
@pytest.mark.parametrize("match", ["exact", "head"])
def test_corefud(data: Path, match: str) -> None:
    """Heads come from dependencies; repairing all errors gives the key under any matching."""
    folder = data / "gum"
    errors = scoref.errors(
        folder / "gum.key.conllu",
        folder / "xrenner.response.conllu",
        policy=scoref.Policy(match=match),
    )
    assert not any("heads" in note for note in errors.notes)
    assert errors.counts["span"] > 0
    after = errors.repairs(["conll"])[-1]
    assert after.scores["conll"].f1 == pytest.approx(1)


def test_a_play_annotated_twice(data: Path) -> None:
    """Mentions across sentences; pronouns are inferred from German tags."""
    one, other = sorted((data / "gerdracor").glob("*.conll"))
    errors = scoref.errors(one, other)
    assert errors.where(type="pronoun").counts["divided"] > 0
    assert errors.repairs(["b3"])[-1].scores["b3"].f1 == pytest.approx(1)
