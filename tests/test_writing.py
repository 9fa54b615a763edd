"""Messages, help, README and manual speak plain technical English: one word for one thing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.pages import PAGES

SOURCE = sorted((REPOSITORY / "src").rglob("*.py"))
CHECKED = [
    REPOSITORY / "CHANGELOG.md",
    REPOSITORY / "CONTRIBUTING.md",
    *PAGES,
    *SOURCE,
]

# What must not be written, and what to write instead.
REPLACED = {
    r"\btold\b": "detected (from the content), inferred (by a rule), stated (by a file)",
    r"\bbe had\b": "is available",
    r"(?<![Tt]here )\b(is|are) no (?!longer|more|less|other)": "is not a, invalid",
    r"\bbesides\b": "in addition to, beside",
    r"\bmeasures?\b": "metric",
    r"\bsuspicions?\b": "warning, note",
    r"\bremembers?\b|\bremembered\b": "cache",
    r"\bupright\b": "y axis",
}
# To measure is a verb, V-measure a name, and "measures" a key of JSON that stays.
ALLOWED = re.compile(
    r"measures? (?:of )?(?:speed|memory|time|CPU|the|how|agreement|annotator)"
    r"|to measure|V-measure|\(not measure\)|^measures?$|[Mm]easure the"
)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Return the strings of a module with their lines, docstrings included; or a page by lines."""
    content = path.read_text("utf-8")
    if path.suffix == ".md":
        yield from enumerate(content.splitlines(), 1)
        return
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


@pytest.mark.parametrize(
    "path", CHECKED, ids=lambda p: p.relative_to(REPOSITORY).as_posix()
)
def test_words_have_one_meaning(path: Path) -> None:
    """`CONTRIBUTING.md` has the rule."""
    found = [
        f"line {line}: {match[0]!r} (write: {instead})"
        for line, text in texts(path)
        for pattern, instead in REPLACED.items()
        for match in re.finditer(pattern, ALLOWED.sub("", text))
    ]
    assert found == []
