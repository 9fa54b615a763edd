"""The publications of metrics, with links."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.metrics.bibliography import Reference, references_of
from scoref.render.markdown import escape


def papers(metrics: Sequence[str]) -> str:
    """Return a list of what to cite."""
    return "\n".join(f"- {_entry(reference)}" for reference in references_of(metrics))


def _entry(reference: Reference) -> str:
    """Write an entry whose title is a link, if the publication has an address."""
    field = reference.fields
    title = field["title"].strip("{}")
    doi = f"https://doi.org/{field['doi']}" if "doi" in field else ""
    link = doi or field.get("url", "")
    text = str(reference)
    before, after = text[: text.index(title)], text[text.index(title) + len(title) :]
    for address in filter(None, (field.get("url"), doi)):
        after = after.replace(address, "")
    linked = f"[{escape(title)}]({link})" if link else f"*{escape(title)}*"
    return f"{escape(before)}{linked}{escape(after.rstrip())}"
