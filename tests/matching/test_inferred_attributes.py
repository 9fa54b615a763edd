"""Attributes that are inferred from words: of mentions in the text only."""

from __future__ import annotations

import pytest

import scoref
from scoref.exceptions import TextError
from tests.conftest import REPOSITORY

KEY = REPOSITORY / "examples" / "ferry" / "key.conll"


@pytest.mark.parametrize("start", [126, 5000])
def test_a_mention_beyond_the_text_has_no_words(start: int) -> None:
    """It would have the words of the next document, or none."""
    response = scoref.read({"harbour/ferry": [[(0, 0), (start, start)]], "harbour/letter": []})
    assert response.labels is not None
    plain = response.as_spans()
    assert plain is not None
    with pytest.raises(TextError, match=r"has 126 tokens in the key, but the response has"):
        scoref.errors(KEY, plain)
    assert scoref.score(KEY, plain, ["muc"])["muc"].f1 == 0
