"""The list of metrics on their first page, as their own pages say it. A test compares both."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from metric_pages.tables import code, markdown_table
from scoref.base.phrases import split_names
from scoref.metrics import DEFAULT

_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_QUESTION = re.compile(r"^\*\*(.+?)\*\*$", re.MULTILINE | re.DOTALL)
_STAR = r"\*"
_FACTS = re.compile(r"^```\{metric-facts\} (.+)$", re.MULTILINE)


class MetricPage(NamedTuple):
    """A page, the metrics that it covers, and the question below its title."""

    path: Path
    title: str
    question: str
    metrics: tuple[str, ...]


def read_page(path: Path) -> MetricPage | None:
    """Read the page of a metric; pages without facts are about something else."""
    text = path.read_text("utf-8")
    title, question, facts = (one.search(text) for one in (_TITLE, _QUESTION, _FACTS))
    if not (title and question and facts):
        return None
    return MetricPage(path, title[1], " ".join(question[1].split()), tuple(split_names(facts[1])))


def metric_list(paths: Iterable[Path]) -> str:
    """Return a table with a row per page; metrics that are scored by default have a star."""
    rows = []
    for page in map(read_page, paths):
        if page is not None:
            names = (code(name) + (_STAR if name in DEFAULT else "") for name in page.metrics)
            rows.append([page.question, f"[{page.title}]({page.path.name})", ", ".join(names)])
    return markdown_table(["question", "metric", "names"], rows)
