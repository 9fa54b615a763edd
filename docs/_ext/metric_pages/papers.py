"""The publications of metrics, with links to the ACL Anthology or a journal, and DOIs."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.metrics.bibliography import Reference, references_of
from scoref.views.writers.markdown import escape


def papers(metrics: Sequence[str]) -> str:
    """Return a list of what to cite."""
    return "\n".join(f"- {_entry(reference)}" for reference in references_of(metrics))


def _entry(reference: Reference) -> str:
    """Write an entry whose title is a link to the text, if it has an address, and the DOI."""
    field, text = reference.fields, str(reference)
    title = field["title"].strip("{}")
    doi = f"https://doi.org/{field['doi']}" if "doi" in field else ""
    url = field.get("url", "")
    before, after = text[: text.index(title)], text[text.index(title) + len(title) :]
    for address in filter(None, (url, doi)):
        after = after.replace(address, "")
    link = url or doi
    linked = f"[{escape(title)}]({link})" if link else f"*{escape(title)}*"
    number = f" DOI [{escape(field['doi'])}]({doi})." if doi else ""
    return f"{escape(before)}{linked}{escape(after.rstrip())}{number}"
