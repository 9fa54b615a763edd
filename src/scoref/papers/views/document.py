"""An exhibit for people: text for a terminal, Markdown, LaTeX."""

from __future__ import annotations

import textwrap

from scoref.papers.exhibits import Exhibit, Figure, Table
from scoref.papers.views.remarks import has_print, remarks, unit
from scoref.papers.views.rows import body, header
from scoref.render.latex import escape, tabular
from scoref.render.markdown import markdown_table
from scoref.render.text import render_table

_WIDTH = 88


def as_text(exhibit: Exhibit, content: Table | Figure) -> str:
    """Write a heading, an aligned table, and what is to be said of it."""
    table = render_table(header(content), body(content, pad=True))
    lines = "\n".join(
        textwrap.fill(f"{kind} {text}", _WIDTH, subsequent_indent=" " * 4)
        for kind, text in remarks(content)
    )
    return "\n\n".join(filter(None, [_heading(exhibit, content), table, lines]))


def as_markdown(exhibit: Exhibit, content: Table | Figure) -> str:
    """Write a heading, a table and a list."""
    table = markdown_table(header(content), body(content))
    lines = "\n".join(f"- {kind} {text}" for kind, text in remarks(content))
    return "\n\n".join(filter(None, [f"## {_heading(exhibit, content)}", table, lines]))


def as_latex(exhibit: Exhibit, content: Table | Figure) -> str:
    """Write a table for the booktabs package, what is to be said of it in the caption."""
    sentences = [
        f"{escape(_heading(exhibit, content))}.",
        *(f"{escape(kind)} {escape(text)}." for kind, text in remarks(content)),
    ]
    lines = [
        "% needs \\usepackage{booktabs}",
        r"\begin{table}",
        r"  \centering",
        r"  \small\setlength{\tabcolsep}{4pt}",
        *(f"  {line}" for line in tabular(header(content), body(content))),
        *textwrap.wrap(
            rf"\caption{{{' '.join(sentences)}}}",
            _WIDTH,
            initial_indent="  ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        ),
        r"\end{table}",
    ]
    return "\n".join(lines)


def _heading(exhibit: Exhibit, content: Table | Figure) -> str:
    below = ", print below" if has_print(content) else ""
    return f"{exhibit.source}: {exhibit.title} ({unit(content)}{below})"
