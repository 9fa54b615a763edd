"""The format of a file: detected from its first bytes, or from the name of a file to write."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike

from scoref.exceptions import Problem, UsageError
from scoref.formats.format import Format
from scoref.formats.io.sources import open_source, sources
from scoref.formats.io.text import PeekableStream, companion
from scoref.formats.registry import built_in_formats, find_reader, plugin_formats, written_formats

_CERTAIN = ("conll", "corefud")


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
