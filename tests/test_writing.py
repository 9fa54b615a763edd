"""Messages, help, README and manual speak plain technical English: one word for one thing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.manual_pages import PAGES

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
    r"\bstands? (?:beside|next to)\b": "is next to",
    r"\b(?:a|the|each|every|one) stretch(?:es)?\b": "unit",
    r"\bpiece by piece\b|\bin pieces\b": "in parts",
    r"\bgold (?:and|ones?|entit|mention|annotation|file|standard)": "key, annotated entities",
    r"\b(?:is|are|and|than|partly|from) ours\b": "scoref, this work",
    r"\bno place for\b": "unsupported",
    r"\b(?:bytes|seconds|CPU-s|ms|rows|tokens) an? (?:mention|row|side|token|line|second)\b": "per",
    r"\b(?:it|metric|format|reader|command|option|test|scoref|which|that) wants\b": "requires",
    r"\bha(?:s|ve) need of\b|\blooks? at (?:types|heads|tags|parses)\b": "requires",
    r"(?<![Tt]here )\b(?:is|are) none\b": "must be ..., got ...",
    r"\bwhich no \w+ (?:is|are|has|have)\b": "that name no ...",
    r"\bnobody knows\b": "unknown",
    r"\b(?:is|are) nowhere\b": "is not in ...",
    # A person as `one`, at the start of a clause.
    r"(?:^|[.;:,] )[Oo]ne (?:can|may|must|should|would|could|has to)\b": "you, or the noun",
}
# To measure is a verb, V-measure a name, and "metrics" a key of JSON that stays.
ALLOWED = re.compile(
    r"measures? (?:of )?(?:speed|memory|time|CPU|the|how|agreement|annotator)"
    r"|to measure|V-measure|\(not measure\)|^measures?$|\"measures\"|[Mm]easure the"
)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Return the strings of a module with their lines, docstrings included; or a page."""
    content = path.read_text("utf-8")
    if path.suffix == ".md":
        yield 1, content
        return
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def findings(first: int, text: str) -> Iterator[str]:
    """Describe what must not be written, with its line; a phrase may go on in the next line."""
    joined = re.sub(r"(?<!\n)\n(?!\n)", " ", text)
    allowed = [range(*match.span()) for match in ALLOWED.finditer(joined)]
    for pattern, instead in REPLACED.items():
        for match in re.finditer(pattern, joined):
            if not any(match.start() in span for span in allowed):
                line = first + text.count("\n", 0, match.start())
                yield f"line {line}: {match[0]!r} (write: {instead})"


def test_words_have_one_meaning() -> None:
    """`CONTRIBUTING.md` has the rule."""
    found = [
        f"{path.relative_to(REPOSITORY)}, {problem}"
        for path in CHECKED
        for line, text in texts(path)
        for problem in findings(line, text)
    ]
    assert found == []


EXAMPLES = (
    "types of mentions are told by a list of English words",
    "the byte 0xe9, which is no UTF-8",
    "counts without a column of documents are no DataFrame",
    "2 members of split antecedents, which no entity is",
    "made by nobody knows what",
    "documents that are nowhere together here",
    "this format has no place for heads",
    "100 bytes a mention",
    "this metric wants mention types",
    "as seen above, one can leave it out",
    "a metric that cannot be had",
    "a reader with\nno choice is\nno reader",
)


@pytest.mark.parametrize("text", EXAMPLES)
def test_replaced_sentences_are_found(text: str) -> None:
    """What the standard for words replaces, also where a line ends."""
    assert list(findings(1, text))
