"""The manual describes every format in a table and on a page, and draws what matching does."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from scoref.formats import find_format, format_of_file
from scoref.formats.registry import MODULES
from tests.manual_pages import MANUAL
from tests.test_documentation import write_listings

FOLDER = MANUAL / "reference" / "formats"
INDEX = (FOLDER / "index.md").read_text("utf-8")
ROW = re.compile(r"^\| (\[`.*?\)) \| .* \| (\S.*?) \| (\S.*?) \|$", re.MULTILINE)
LINK = re.compile(r"\[`([\w-]+)`\]\((\w+\.md)")
PAGES = sorted(page for page in FOLDER.glob("*.md") if page.name != "index.md")
# Parquet and spaCy's files are not text; a table with tabs differs from CSV only in the tabs.
NOT_SHOWN = {"tsv", "parquet", "spacy"}


def rows() -> dict[str, tuple[str, str, str]]:
    """Return the page of each format of the table, how it is read, and how it is written."""
    return {
        name: (page, read, written)
        for links, read, written in ROW.findall(INDEX)
        for name, page in LINK.findall(links)
    }


def test_the_table_has_every_format_and_no_other() -> None:
    """In the order of the registry."""
    assert list(rows()) == list(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_the_table_says_how_a_format_is_read_and_written(name: str) -> None:
    """A name with a hyphen is read only if it is named; a format is written by its suffix."""
    _, read, written = rows()[name]
    one = find_format(name)
    assert read == ("if named" if "-" in name else "yes")
    if one.write is None:
        assert written == "no"
    else:
        assert one.suffix in written or written == "`--to`"


@pytest.mark.parametrize("name", MODULES)
def test_a_page_describes_the_format(name: str) -> None:
    """The page that the table links to has the format in a table of its own."""
    page = (FOLDER / rows()[name][0]).read_text("utf-8")
    assert re.search(rf"^\| \[?`{name}`", page, re.MULTILINE)


def test_pages_show_a_file_of_every_format(tmp_path: Path) -> None:
    """What a page shows is detected as the format that the page describes."""
    found = {}
    for page in PAGES:
        write_listings(page, folder := tmp_path / page.stem)
        for file in folder.rglob("*"):
            if (name := format_of_file(file)) is not None:
                found[name] = page.name
    variants = {name for name in MODULES if "-" in name}
    assert found.keys() == MODULES.keys() - variants - NOT_SHOWN
    assert {name: rows()[name][0] for name in found} == found


def test_the_picture_of_matching_is_up_to_date() -> None:
    """`python docs/matching_figure.py` draws it anew."""
    draw = runpy.run_path(str(MANUAL / "matching_figure.py"))["draw"]
    assert (MANUAL / "figures" / "matching.svg").read_text("utf-8") == draw()
