"""Every metric has a page, and what the pages generate is what the program computes."""

from __future__ import annotations

import re
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from scoref import explain
from scoref.analysis.stress import stress
from scoref.metrics import FAMILIES, Family, find_metric
from scoref.metrics.bibliography import references_of
from tests.conftest import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "docs" / "_ext"))

from metric_pages.aligned_picture import aligned_bands
from metric_pages.edges import edge_cases
from metric_pages.examples import PRADHAN, SHARED, TYPED, Example, example_of
from metric_pages.facts import facts
from metric_pages.links_picture import all_links, tree_links
from metric_pages.listing import MetricPage, metric_list, read_page
from metric_pages.overlap_picture import b_cubed_bands
from metric_pages.pairs_picture import kinds_of_pairs
from metric_pages.papers import papers
from metric_pages.pictures import PICTURES, picture
from metric_pages.scores import score_table
from metric_pages.walk import worked_example

FOLDER = REPOSITORY / "docs" / "metrics"
PAGES = [page for path in sorted(FOLDER.glob("*.md")) if (page := read_page(path))]
SECTIONS = (
    "## Definition",
    "## A worked example",
    "## How to read the score",
    "## Known flaws",
    "## Behaviour at the edges",
    "## Parameters and variants",
    "## Who uses it",
    "## Command line and Python",
    "## Papers",
)
SHOWN = {"ceaf": "ceaf(overlap=dice)", "ace": "ace(year=2007)"}
"""The parameters with which some metrics are shown."""


def _text(path: Path) -> str:
    return path.read_text("utf-8")


def test_every_metric_is_on_one_page() -> None:
    """A new metric needs a page: a file in docs/metrics with `metric-facts` and its name."""
    covered = Counter(name for page in PAGES for name in page.metrics)
    assert covered == Counter(FAMILIES.keys())


def test_every_page_is_in_the_list() -> None:
    """The first page of the metrics leads to all others, with their titles, questions and names."""
    index = _text(FOLDER / "index.md")
    head, *rows = metric_list(page.path for page in PAGES).splitlines()
    assert head in index
    assert [row for row in rows if row not in index.splitlines()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path.stem)
def test_pages_have_the_same_structure(page: MetricPage) -> None:
    """A reader who knows one page knows where to look on the next."""
    found = [line for line in _text(page.path).splitlines() if line.startswith("## ")]
    assert found == list(SECTIONS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path.stem)
def test_pages_name_every_parameter(page: MetricPage) -> None:
    """And a picture, a worked example and the papers of each page are generated."""
    text = _text(page.path)
    for name in page.metrics:
        for parameter in FAMILIES[name].parameters:
            assert f"`{parameter}`" in text or f"{parameter}=" in text, (name, parameter)
    for part in ("picture", "example", "papers"):
        assert f"```{{metric-{part}}}" in text


@pytest.mark.parametrize("name", FAMILIES)
def test_every_metric_has_a_worked_example(name: str) -> None:
    """It ends with the score that the metric has."""
    metric = find_metric(SHOWN.get(name, name)).name
    text = worked_example(metric)
    score = explain(*example_of(metric).corpora(), [metric])[metric].document.f1
    is_whole = find_metric(metric).is_distance and float(score or 0).is_integer()
    assert (f"= {int(score or 0)}\n" if is_whole else f"{float(score or 0):.4f}") in text


@pytest.mark.parametrize("name", FAMILIES)
def test_every_metric_has_a_picture(name: str) -> None:
    """The picture is well-formed, and says in words what it shows."""
    shown = picture(SHOWN.get(name, name))
    root = ET.fromstring(shown[shown.index("<svg") : shown.index("</svg>") + len("</svg>")])  # noqa: S314  # our own
    tags = [part.tag.rpartition("}")[2] for part in root]
    assert tags[:2] == ["title", "desc"]
    assert root.get("role") == "img"
    assert PICTURES[name].caption


@pytest.mark.parametrize("name", FAMILIES)
def test_facts_and_papers(name: str) -> None:
    """The table has every parameter, and the list every paper."""
    table = facts([name])
    assert all(f"`{parameter}=" in table for parameter in FAMILIES[name].parameters)
    assert papers([name]).count("\n- ") + 1 == len(references_of([name]))


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_descriptions_name_only_their_own_parameters(family: Family) -> None:
    """`scoref metrics ceaf` once named a parameter that only ceafm has, and ceafe a value."""
    about = family.metric({}).about
    assert about is not None
    named = re.findall(r"\b(\w+)=(\w*)", f"{about.formula} {about.paper}")
    for parameter, value in named:
        assert parameter in family.parameters or family.open
        if isinstance(family.parameters.get(parameter), str):
            family.metric({parameter: value})
    for value in re.findall(r"(?:twinless=|\d, )(\w+):", about.paper):
        family.metric({"twinless": value})


def _exact(metric: str, example: Example) -> tuple[Fraction, Fraction]:
    found = explain(*example.corpora(), [metric])[metric].document
    return Fraction(found.recall or 0), Fraction(found.precision or 0)


@pytest.mark.parametrize("example", [PRADHAN, SHARED, TYPED])
def test_pictures_of_links_count_as_the_metrics(example: Example) -> None:
    """Solid links over all links are recall and precision."""
    for metric, links in (("muc", tree_links), ("pairwise", all_links)):
        shares = tuple(
            Fraction(sum(link.outcome == "right" for link in side), len(side))
            for side in links(example)
        )
        assert shares == _exact(metric, example)


def test_pictures_of_overlaps_count_as_the_metrics() -> None:
    """The numbers on bands add up to what the metrics count."""
    bands = b_cubed_bands(PRADHAN)
    recall, precision = _exact("b3", PRADHAN)
    assert sum(Fraction(band.at_key) for band in bands) == recall * 7
    assert sum(Fraction(band.at_response) for band in bands) == precision * 8
    for metric, worth, whole in (("ceafm", "size", 7), ("ceafe", "dice", 2)):
        total = sum(Fraction(band.middle) for band in aligned_bands(PRADHAN, worth) if band.counts)
        assert total == _exact(metric, PRADHAN)[0] * whole


def test_pictures_of_pairs_count_as_the_metrics() -> None:
    """Squares are the common links of both kinds."""
    kinds = Counter(kinds_of_pairs(PRADHAN).values())
    counts = explain(*PRADHAN.corpora(), ["blanc"])["blanc"].document.counts
    assert (kinds["together"], kinds["apart"]) == (counts["cc"], counts["nn"])


def test_edges_and_counter_examples() -> None:
    """Undefined scores and refused mentions are shown as such."""
    assert "| both are empty | `-` | `-` | 0/0 | 0/0 | 0/0 |" in edge_cases(["b3"])
    assert "*error*" in edge_cases(["rand", "ari"])
    assert "No policy replaces it" in edge_cases(["ace"])
    table = score_table(["b3", "lea"], ["key: {a b} {c}", "one: {a b c}"])
    assert "| one | `{a b c}` | 71.43 | 44.44 |" in table


def test_wrong_directions_are_counted_rightly() -> None:
    """The table of the page on stress tests has what the tests find."""
    text = _text(FOLDER / "stress.md")
    table = text[text.index("| system | MUC") :].split("\n\n")[0].splitlines()
    metrics = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")
    island = REPOSITORY / "examples" / "island"
    for row in table[2:]:
        system, *cells = row.strip("| ").split(" | ")
        found = stress(island / "key.conll", island / f"{system}.conll", metrics).verdicts()
        counted = Counter(metric for _, metric, _ in found)
        assert cells == [str(counted[metric] or "-") for metric in metrics], system
