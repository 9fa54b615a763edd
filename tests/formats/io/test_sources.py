"""What is passed as a path, and is none."""

from __future__ import annotations

from typing import Any

import pytest

import scoref
from scoref.exceptions import UsageError

CONTENT = "#begin document (d)\nd 0 0 a (1)\n#end document\n"


@pytest.mark.parametrize("path", [CONTENT, "x" * 5000, "a\0b", "\ud800", b"x.conll", 7, None])
def test_content_in_place_of_a_path_is_refused(path: Any) -> None:
    """In every function that reads, with a hint and not with an error of the system."""
    for call in (
        lambda: scoref.read(path),
        lambda: scoref.score(path, path),
        lambda: scoref.score({"d": []}, path),
        lambda: scoref.errors(path, path),
        lambda: scoref.compare(path, {"a": path}),
    ):
        with pytest.raises(UsageError):
            call()
