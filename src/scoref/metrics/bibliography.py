"""The papers behind the metrics: what to cite with a score. Their data is in `references.bib`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from scoref.metrics.names import parse_name

_ENTRY = re.compile(r"^@\w+\{(?P<key>\w+),\n(?P<fields>.*?)^\}$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^  (?P<name>\w+) = \{(?P<value>.*)\},$", re.MULTILINE)

_PAPERS = {
    "mentions": ("pradhan2014scoring",),
    "muc": ("vilain1995muc",),
    "b3": ("bagga1998bcubed", "pradhan2014scoring"),
    **dict.fromkeys(("ceafm", "ceafe", "ceaf"), ("luo2005ceaf",)),
    "blanc": ("recasens2011blanc", "luo2014blanc"),
    "lea": ("moosavi2016lea",),
    "pairwise": ("recasens2011blanc",),
    "conll": (
        *("denis2009joint", "pradhan2011conll", "pradhan2012conll"),
        *("vilain1995muc", "bagga1998bcubed", "luo2005ceaf", "pradhan2014scoring"),
    ),
    "rand": ("rand1971criteria", "recasens2011blanc"),
    "ari": ("hubert1985partitions",),
    "nmi": ("rosenberg2007vmeasure", "popescubelis2002mutual"),
    "vmeasure": ("rosenberg2007vmeasure",),
    "vi": ("meila2007comparing",),
    "ami": ("vinh2010information",),
    "fowlkes_mallows": ("fowlkes1983comparing",),
    "purity": ("amigo2009extrinsic",),
    **dict.fromkeys(
        ("closest", "exact_entity"), ("menestrina2010evaluating", "barnes2015practitioner")
    ),
    "merge_distance": ("menestrina2010evaluating",),
    **dict.fromkeys(("lmuc", "lb3", "lceafm", "lceafe"), ("chen2013linguistically",)),
    "arcs": ("tuggener2014arcs",),
    **dict.fromkeys(("mor", "zero"), ("zabokrtsky2022crac",)),
    "bridging": ("yu2022universal", "khosla2021codi"),
    "nonreferring": ("yu2022universal",),
    "ace": ("doddington2004ace",),
}
_PAPERS_OF_PARAMETERS = {
    ("twinless", "0"): ("stoyanov2009conundrums",),
    ("twinless", "all"): ("stoyanov2009conundrums",),
    ("twinless", "rn"): ("rahman2009supervised",),
    ("twinless", "sys"): ("cai2010metrics",),
    ("twinless", "v4"): ("cai2010metrics", "pradhan2011conll", "pradhan2012conll"),
    ("match", "half"): ("recasens2010semeval",),
}


class Reference(NamedTuple):
    """A publication: its key, its fields, and the entry as BibTeX has it."""

    key: str
    fields: dict[str, str]
    bibtex: str

    def __str__(self) -> str:
        """Return the entry of a list of references."""
        field = self.fields
        names = [" ".join(name.split(", ")[::-1]) for name in field["author"].split(" and ")]
        authors = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
        volume = f" {field['volume']}" if "volume" in field else ""
        number = f"({field['number']})" if "number" in field else ""
        place = field.get("journal") or field.get("booktitle") or field["note"]
        place += f"{volume}{number}"
        pages = f", pages {field['pages'].replace('--', '-')}" if "pages" in field else ""
        link = field.get("url") or (f"https://doi.org/{field['doi']}" if "doi" in field else "")
        title = field["title"].strip("{}")
        end = "" if title.endswith("?") else "."
        return f"{authors}. {field['year']}. {title}{end} {place}{pages}. {link}".rstrip()


@cache
def references() -> dict[str, Reference]:
    """Return all publications by key."""
    text = files("scoref.metrics").joinpath("references.bib").read_text("utf-8")
    return {
        entry["key"]: Reference(entry["key"], dict(_FIELD.findall(entry["fields"])), entry[0])
        for entry in _ENTRY.finditer(text)
    }


def references_of(metrics: Iterable[str]) -> list[Reference]:
    """Return the publications of metrics by name, each once; those of plugins are not known."""
    keys: dict[str, None] = {}
    for metric in metrics:
        name, parameters = parse_name(metric) or ("", {})
        keys |= dict.fromkeys(_PAPERS.get(name, ()))
        for parameter in parameters.items():
            keys |= dict.fromkeys(_PAPERS_OF_PARAMETERS.get(parameter, ()))
    return [references()[key] for key in keys]
