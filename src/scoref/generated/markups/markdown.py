"""Markdown links: `[the man](#cluster_1)`."""

from __future__ import annotations

from scoref.generated.markups.bracket_tags import BracketSyntax
from scoref.generated.markups.markup import TextMarkup

_LINK = BracketSyntax(r"\]\( ?#?(?![a-z]+://)([^()\[\]#\s]{1,200}) ?\)", "](#{})")

MARKUP = TextMarkup(
    name="markdown",
    title="Markdown links",
    example="[Ann](#1) saw [the man](#2) . [She](#1) waved .",
    count=BracketSyntax(r"\]\( ?#()", "").count,
    parse=_LINK.parse,
    write=_LINK.write,
)
