"""The readers of pages read what Python reads, or refuse it."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.exceptions import ScorefError
from scoref.pages.toolkit import READING
from tests.conftest import REPOSITORY
from tests.fuzz.judge import draw_input
from tests.fuzz.readings import canonical
from tests.pages.toolkit.javascript import evaluate

SCRIPTS = ("elements.js", "annotation.js", *READING)
READ = """(files) => files.map(([name, data]) => {
  try {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const documents = Scoref.readFile(bytes, name, false);
    return { documents: documents.map(({ name, part, entities }) => ({ name, part, entities })) };
  } catch (error) {
    if (!(error instanceof Scoref.FormatError)) throw error;
    const { line, found, expected, hint } = error;
    return { line, found, expected, hint };
  }
})"""


def read_in_page(files: list[tuple[str, bytes]]) -> list[dict[str, Any]]:
    """Return what the script reads from each file, or what it refuses."""
    encoded = [(name, base64.b64encode(data).decode()) for name, data in files]
    found: list[dict[str, Any]] = evaluate(SCRIPTS, READ, encoded)
    return found


def entities_in_page(found: dict[str, Any]) -> list[list[list[str]]]:
    """Return the entities of each document that a page has read, sorted."""
    return [sorted(sorted(e) for e in one["entities"]) for one in found["documents"]]


def entities_in_python(path: Path) -> list[list[list[str]]] | None:
    """Return the entities of each document that Python reads, sorted; None if it refuses."""
    try:
        reading = canonical(scoref.read(path))
    except ScorefError:
        return None

    def shown(mention: Any) -> str:
        if isinstance(mention, tuple):
            return f"{mention[0]}-{mention[1]}"
        return str(mention)

    return [sorted(sorted(map(shown, e)) for e in entities) for _, _, entities in reading]


@pytest.mark.parametrize("name", ["conll", "jsonl"])
def test_damaged_files_are_refused_or_read_as_python_reads_them(name: str, tmp_path: Path) -> None:
    """Files as they are in the wild, and what accidents make of them."""
    inputs = [draw_input("page", name, number).files[""] for number in range(300)]
    found = read_in_page([(f"{at}", data) for at, data in enumerate(inputs)])
    read = 0
    for at, (data, one) in enumerate(zip(inputs, found, strict=True)):
        if "documents" not in one:
            assert all(one[part] for part in ("found", "expected", "hint"))
            continue
        path = tmp_path / f"{at}"
        path.write_bytes(data)
        expected = entities_in_python(path)
        assert expected is not None, f"read, but Python refuses input {at}"
        assert entities_in_page(one) == expected, f"input {at}"
        read += 1
    assert read > 5


def test_undamaged_files_are_read() -> None:
    """Most files without damage are read: strictness is not an excuse."""
    shares = {}
    for name in ("conll", "jsonl"):
        originals = [draw_input("plain", name, number).original[""] for number in range(100)]
        found = read_in_page([(f"{at}", data) for at, data in enumerate(originals)])
        shares[name] = sum("documents" in one for one in found)
    assert min(shares.values()) > 45, shares  # texts of xCoRe and other rare variants are refused


@pytest.mark.parametrize("path", sorted((REPOSITORY / "examples").glob("*/*.conll")), ids=str)
def test_shipped_examples(path: Path) -> None:
    """The examples of the manual."""
    (found,) = read_in_page([(path.name, path.read_bytes())])
    assert entities_in_page(found) == entities_in_python(path)


@pytest.mark.parametrize("side", ["key", pytest.param("response", marks=pytest.mark.long)])
def test_litbank(data: Path, side: str) -> None:
    """A real corpus."""
    path = data / "litbank" / f"{side}.conll"
    (found,) = read_in_page([(path.name, path.read_bytes())])
    assert entities_in_page(found) == entities_in_python(path)
