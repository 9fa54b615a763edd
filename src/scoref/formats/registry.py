"""Every format by its name: those of this package, and those of installed packages.

To add a format to this package, write its module with a `FORMAT`, and add one line to `MODULES`. To
add one from another package, see `scoref.formats.format`.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import cast

from scoref.exceptions import UsageError
from scoref.formats.format import Format

GROUP = "scoref.formats"
"""The entry-point group in which packages declare formats."""

# A module is imported when its format is used: reading CoNLL columns does not wait for a parser of
# JSON. The order is that of messages. A name with a hyphen is a variant, which is read only if it
# is named.
MODULES = {
    "conll": "conll.reader:FORMAT",
    "corefud": "conllu.corefud:FORMAT",
    "jsonl": "json.jsonl:FORMAT",
    "jsonl-inclusive": "json.jsonl:WITH_INCLUSIVE_ENDS",
    "jsonl-exclusive": "json.jsonl:WITH_EXCLUSIVE_ENDS",
    "csv": "table.delimited:FORMAT",
    "tsv": "table.delimited:TSV",
    "parquet": "table.parquet:FORMAT",
    "clusters": "json.clusters:FORMAT",
    "conllua": "conllu.conllua:FORMAT",
    "conllua-deixis": "conllu.conllua:DISCOURSE_DEIXIS",
    "apf": "tools.apf:FORMAT",
    "ecbplus": "tools.ecbplus:FORMAT",
    "ecbplus-events": "tools.ecbplus:EVENTS",
    "ecbplus-entities": "tools.ecbplus:ENTITIES",
    "brat": "tools.brat:FORMAT",
    "booknlp": "tools.booknlp:FORMAT",
    "corenlp": "tools.corenlp:FORMAT",
    "webanno": "tools.webanno:FORMAT",
    "spacy": "tools.spacy:FORMAT",
}

WRITERS = {
    "conll": "conll.writer:FORMAT",
    "corefud": "conllu.writers:COREFUD",
    "conllua": "conllu.writers:CONLLUA",
}
"""The formats whose readers do without their writers: the format of a writer has both."""

_OTHER_NAMES = {
    "ace": "apf",
    "ann": "brat",
    "conll-2012": "conll",
    "conll-u": "corefud",
    "conll2012": "conll",
    "conllu": "corefud",
    "ecb": "ecbplus",
    "ecb+": "ecbplus",
    "json": "clusters",
    "jsonlines": "jsonl",
}
"""What people call a format: the hint names ours."""


def find_format(name: str) -> Format:
    """Return a format by its name."""
    return find_reader(name) if name not in WRITERS else _import(WRITERS[name])


def _import(place: str) -> Format:
    module, _, variable = place.partition(":")
    return cast("Format", getattr(import_module(f"scoref.formats.{module}"), variable))


def find_reader(name: str) -> Format:
    """Return a format by its name, to read a file: its writer may be missing."""
    if name in MODULES:
        return _import(MODULES[name])
    from scoref.base.plugins import load_plugin, plugin_names  # noqa: PLC0415  # few have any

    plugins = plugin_names(GROUP)
    if name in plugins:
        return replace(cast("Format", load_plugin(GROUP, name, (Format,), "format")), name=name)
    from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

    names = [*MODULES, *plugins]
    close = [_OTHER_NAMES[name]] if name in _OTHER_NAMES else get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"the formats are {', '.join(names)}"
    raise UsageError(f"unknown format {name!r}", hint)


def built_in_formats() -> list[Format]:
    """Return the formats of this package that are detected from the content of a file."""
    return [find_reader(name) for name in MODULES if "-" not in name]


def plugin_formats() -> tuple[list[Format], list[UsageError]]:
    """Return the formats of installed packages, and an error for each that cannot be used."""
    from scoref.base.plugins import name_conflict, plugin_names  # noqa: PLC0415  # few have any

    formats, errors = [], []
    for name in plugin_names(GROUP):
        if name in MODULES:
            errors.append(name_conflict(GROUP, name, "format"))
            continue
        try:
            formats.append(find_format(name))
        except UsageError as error:
            errors.append(error)
    return formats, errors


def written_formats() -> tuple[list[Format], list[UsageError]]:
    """Return the formats that can be written, and an error for each that cannot be used."""
    plugins, errors = plugin_formats()
    every = [*map(find_format, MODULES), *plugins]
    return [one for one in every if one.write is not None], errors
