"""The data and the method of a report: what was scored, how, and the signature to cite."""

from __future__ import annotations

from scoref.base.phrases import counted
from scoref.report.content import Content
from scoref.report.markup import Markup, join, section, table, tag

_ERRORS = (
    "Errors are defined as in Kummerfeld & Klein (2013), with the strict anchor rule: repairing all"
    " errors gives the key."
)
_WITH_WORDS = "This file contains the words of the documents."
_WITHOUT_WORDS = (
    "This file does not contain the words of the documents, because corpora are often licensed."
    " Bars are shown in their place. scoref report --with-text includes the words."
)


def data_and_method(content: Content, *, with_text: bool) -> Markup:
    """Show the key, the responses, the notes and the signature."""
    key = content.key
    facts = [
        ("key", key.source),
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
    sides = [(analysis.name, analysis.mentions.aligned.response) for analysis in content.analyses]
    responses = [
        [name, side.source, f"{side.mentions:,}", f"{side.entities:,}"] for name, side in sides
    ]
    columns = [("", ("file", "mentions", "entities"))]
    return section(
        "card",
        "Data and method",
        "",
        tag("dl", [join(tag("dt", name), tag("dd", value)) for name, value in facts]),
        table("system", columns, responses, "Responses", class_=None),
        tag("p", _WITH_WORDS if with_text else _WITHOUT_WORDS, id="words"),
        tag("ul", [tag("li", note) for note in content.notes], class_="plain soft"),
        tag("h3", "Signature"),
        tag("p", tag("code", content.comparison.signature), class_="signature"),
        tag("p", _ERRORS, class_="soft"),
    )
