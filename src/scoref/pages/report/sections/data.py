"""The data and the method of a report: what was scored, how, and the signature to cite."""

from __future__ import annotations

from scoref.base.html import Markup, tag
from scoref.base.phrases import counted
from scoref.pages.report.charts import signed
from scoref.pages.report.content import Content
from scoref.pages.report.pieces import file_name, table
from scoref.pages.toolkit.html_file import button, section

_ERRORS = (
    "Errors are defined as in Kummerfeld & Klein (2013), with the strict anchor rule: repairing all"
    " errors gives the key."
)
_WITH_WORDS = "This file contains the words of the documents."
_WITHOUT_WORDS = (
    "This file does not contain the words of the documents, because corpora are often licensed."
    " Bars are shown in their place. scoref report --with-text includes the words."
)


def data_and_method(content: Content, *, with_text: bool, show_paths: bool) -> Markup:
    """Show the key, the responses, the notes and the signature."""
    key = content.key
    shown = str if show_paths else file_name
    facts = [
        ("key", shown(key.source)),
        ("documents", f"{key.documents:,}"),
        ("tokens", "not counted" if key.tokens is None else f"{key.tokens:,}"),
        ("mentions", f"{key.mentions:,}"),
        ("entities", f"{key.entities:,} ({counted(key.singletons, 'singleton')})"),
        ("largest entity", counted(key.largest_entity, "mention")),
    ]
    if key.nested_mentions is not None:
        facts.append(("nested mentions", f"{key.nested_mentions:,}"))
        facts.append(("crossing mentions", f"{key.crossing_mentions:,}"))
    types = key.mentions_by_type
    facts += [(one.name, f"{one.count:,} ({100 * one.share:.1f} %)") for one in types]
    systems = content.comparison.systems
    sides = [analysis.mentions.aligned.response for analysis in content.analyses]
    responses = [
        [
            signed(at, systems[at], alone=len(systems) == 1),
            *(shown(side.source), f"{side.mentions:,}", f"{side.entities:,}"),
        ]
        for at, side in enumerate(sides)
    ]
    columns = [("", ("file", "mentions", "entities"))]
    notes = content.notes if show_paths else without_folders(content)
    return section(
        "data-and-method",
        "Data",
        "",
        tag("dl", [_fact(name, value) for name, value in facts], class_="facts"),
        table("system", columns, responses, "Responses", class_="files"),
        tag("p", _WITH_WORDS if with_text else _WITHOUT_WORDS, id="words"),
        tag("ul", [tag("li", note) for note in notes], class_="plain soft"),
        tag("h3", "Signature"),
        tag(
            "p",
            tag("code", content.comparison.signature, id="signature"),
            button("Copy", "copy-signature"),
            class_="signature",
        ),
        tag("p", _ERRORS, class_="soft"),
    )


def _fact(name: str, value: str) -> Markup:
    return tag("div", tag("dt", name), tag("dd", value))


def without_folders(content: Content) -> list[str]:
    """Return the notes with the names of files in place of their paths."""
    sides = [analysis.mentions.aligned.response.source for analysis in content.analyses]
    sources = sorted({content.key.source, *sides}, key=len, reverse=True)
    notes = list(content.notes)
    for source in filter(None, sources):
        notes = [note.replace(source, file_name(source)) for note in notes]
    return notes
