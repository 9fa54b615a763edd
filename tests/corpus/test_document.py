"""Documents: their genres."""

from __future__ import annotations

from scoref.corpus.document import genres


def test_genres_are_inferred_from_names() -> None:
    """From names as in OntoNotes and GUM; other names give no genre."""
    assert genres(["nw/wsj/1", "nw/wsj/2", "bc/cnn/1", "bc/cnn/2"]) == ["nw", "nw", "bc", "bc"]
    gum = ["GUM_news_one", "GUM_news_two", "GUM_fiction_one", "GUM_fiction_two"]
    assert genres(gum) == ["news", "news", "fiction", "fiction"]
    assert genres(["12_emma", "13_ulysses", "14_dracula"]) == []
    assert genres(["a", "b"]) == []
