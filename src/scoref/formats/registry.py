"""Every format: by its name, by the first bytes of a file, or by the name of a file to write.

To add a format to this package, write its module with a `FORMAT`, and add one line to `MODULES`. To
add one from another package, see `scoref.formats.format`.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from os import PathLike
from typing import cast

from scoref.exceptions import Problem, UsageError
from scoref.formats.format import Format
from scoref.formats.io.sources import open_source, sources
from scoref.formats.io.text import PeekableStream, companion

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
    "mentionlist": "json.mention_lists:FORMAT",
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

_CERTAIN = ("conll", "corefud")


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


def detect_format(head: bytes, path: str) -> Format | Problem:
    """Detect the format of a file from its first bytes.

    CoNLL columns and CorefUD are tried first: their comments occur in no other format, and no other
    module is imported. Formats of installed packages are tried last, so that a package never
    changes how a file of a built-in format is read.
    """
    for name in _CERTAIN:
        if (certain := find_reader(name)).recognise(head):
            return certain
    if not head.strip():
        # An annotation without lines has a text; the reader of CoNLL reports an empty file.
        return find_reader("brat" if companion(path, ".ann", ".txt") else "conll")
    built_in = built_in_formats()
    fitting = [one for one in built_in if one.recognise(head)]
    if len(fitting) == 1:
        return fitting[0]
    plugins: list[Format] = []
    errors: list[UsageError] = []
    if not fitting:
        plugins, errors = plugin_formats()
        fitting = [one for one in plugins if _recognises(one, head, errors)]
        if len(fitting) == 1:
            return fitting[0]
    if fitting:
        found = f"a file that fits {' and '.join(map(_title, fitting))}"
        return Problem(path, 0, found, "a file of one format", "name the format with --format")
    from scoref.formats.io.content import describe_content  # noqa: PLC0415  # only errors need it

    content = describe_content(head)
    found = f"what looks like {content.name}" if content else "a file of an unknown format"
    names = ", ".join(one.name for one in [*built_in, *plugins])
    hint = f"name the format with --format: {names}"
    if content:
        hint = content.hint if "--encoding" in content.hint else f"{content.hint}; or {hint}"
    else:
        hint = f"if a language model wrote the file, score it with --markup auto; otherwise {hint}"
    if errors:
        hint += f"; not tried: {'; '.join(error.message for error in errors)}"
    return Problem(path, 0, found, "a file of a known format", hint)


def with_detected_format(problems: list[Problem], head: bytes, path: str) -> list[Problem]:
    """Let the hint of the first problem name the format or the encoding that a file has.

    It is for files that were read in another format, which the user named.
    """
    found = detect_format(head, path) if head.strip() else None
    if isinstance(found, Format):
        hint = f"the content looks like {found.name}: leave --format out"
    elif found is not None and "--encoding" in found.hint:
        hint = found.hint
    else:
        return problems
    first, *others = sorted(problems)
    return [replace(first, hint=hint), *others]


def _recognises(plugin: Format, head: bytes, errors: list[UsageError]) -> bool:
    """Ask the format of a package, which can fail in any way."""
    try:
        return bool(plugin.recognise(head))
    except Exception as error:  # noqa: BLE001
        reason = f"{type(error).__name__}: {error}"
        errors.append(UsageError(f"the format {plugin.name!r} cannot be detected: {reason}"))
        return False


def _title(format: Format) -> str:  # noqa: A002
    return f"{format.name} ({format.title})"


def format_of_file(path: str | PathLike[str]) -> str | None:
    """Return the format of a file, or of the first file of a directory; None if it is unclear.

    Standard input can be read only once, so its format is None.
    """
    source = sources(path)[0]
    if source.path is None:
        return None
    if source.parts:
        return "parquet"
    with open_source(source) as stream:
        found = detect_format(PeekableStream(stream).head, source.shown)
    return found.name if isinstance(found, Format) else None


def format_of_name(path: str | PathLike[str]) -> str:
    """Return the format of a file to write, by the suffix of its name."""
    suffixes: dict[str, str] = {}
    formats, errors = written_formats()
    for one in formats:
        if one.suffix:
            suffixes.setdefault(one.suffix, one.name)
    for suffix, name in suffixes.items():
        if str(path).endswith(suffix):
            return name
    hint = f"name the format with --to, or end the name in one of {', '.join(suffixes)}"
    if errors:
        hint += f"; not known: {'; '.join(error.message for error in errors)}"
    raise UsageError(f"the name {path} has no suffix of a format", hint)
