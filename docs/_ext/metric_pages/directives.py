"""The directives: a name and arguments in a page, Markdown or SVG in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from docutils.statemachine import StringList

from metric_pages.edges import edge_cases, link_edges
from metric_pages.examples import example_of
from metric_pages.facts import facts
from metric_pages.papers import papers
from metric_pages.pictures import picture
from metric_pages.scores import score_table
from metric_pages.walk import worked_example
from scoref.base.phrases import split_names


class _Generated(Directive):
    """A directive whose arguments are names of metrics."""

    required_arguments = 1
    final_argument_whitespace = True

    @property
    def metrics(self) -> list[str]:
        """The names of metrics; a comma inside of brackets separates parameters."""
        return split_names(self.arguments[0])

    def parsed(self, markdown: str) -> list[nodes.Node]:
        """Return generated Markdown as a part of the page."""
        container = nodes.Element()
        lines = StringList(markdown.splitlines(), source="generated")
        self.state.nested_parse(lines, self.content_offset, container)
        return list(container.children)


def _markdown(make: Callable[[list[str]], str]) -> type[_Generated]:
    """Return a directive that writes the Markdown of some metrics."""

    class Made(_Generated):
        def run(self) -> list[nodes.Node]:
            return self.parsed(make(self.metrics))

    return Made


class _Picture(_Generated):
    """The picture of one metric."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", picture(self.arguments[0]), format="html")]


class _Scores(_Generated):
    """The scores of the responses that the page lists."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "sides": directives.flag,
        "example": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        table = score_table(
            self.metrics,
            [line for line in self.content if line.strip()],
            sides="sides" in self.options,
            example=example_of(self.options.get("example", "")),
        )
        return self.parsed(table)


DIRECTIVES: dict[str, type[Directive]] = {
    "metric-facts": _markdown(facts),
    "metric-example": _markdown(lambda names: worked_example(names[0])),
    "metric-picture": _Picture,
    "metric-edges": _markdown(edge_cases),
    "metric-link-edges": _markdown(lambda names: link_edges(names[0])),
    "metric-scores": _Scores,
    "metric-papers": _markdown(papers),
}
