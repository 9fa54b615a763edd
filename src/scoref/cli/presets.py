"""Presets on the command line: the files that each takes, and the options that it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.base.phrases import counted
from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.options import is_given, scoring_keywords
from scoref.cli.output import print_notes
from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from scoref.analysis.presets.preset_scores import PresetScores

CHAINS = "chains"
OPTIONS = {
    "--preset gap|winobias|winopron|mei|chains": "score as the code of a published evaluation does:"
    " GAP, WinoBias, WinoPron or MEI (major entities); or by the length of chains",
    "--entities TABLE": "with --preset mei, the names of the entities of each document, in order:"
    ' JSON such as {"doc": ["Ann", "Bob"]}, or lines such as doc,Ann,Bob',
}
_FILES = {
    "gap": "KEY.tsv RESPONSE.tsv",
    "mei": "KEY RESPONSE",
    "winobias": "KEY RESPONSE [KEY RESPONSE]...",
    "winopron": "RESPONSE.tsv",
}
_ALWAYS = {"files", "preset", "out", "to", "raw"}


def print_preset(arguments: Arguments) -> int:
    """Print the scores of a preset, and its notes."""
    name, files = arguments.preset, arguments.files
    allowed = {
        "gap": {"encoding"},
        "mei": {"encoding", "entities"},
        "winobias": {option.dest for option in Command(None, *options.SCORING).every_option},
        "winopron": {"encoding"},
    }[name]
    for option in arguments.command.every_option:
        if option.dest not in _ALWAYS | allowed and is_given(arguments, option.dest):
            unavailable = f"{option.shown} is not available with --preset {name}"
            raise UsageError(unavailable, f"leave {option.shown} out")
    pairs = [*zip(files[::2], files[1::2], strict=False)]
    fits = len(files) == (1 if name == "winopron" else 2 * len(pairs))
    if not fits or (name != "winobias" and len(pairs) > 1):
        expected = f"--preset {name} {_FILES[name]}"
        found = counted(len(files), "file")
        raise UsageError(f"found {found}, expected {expected}", "name these files")
    result = _score(arguments, pairs)
    print_notes(result.notes)
    print(result.render(arguments.to))
    return 0


def _score(arguments: Arguments, pairs: list[tuple[str, str]]) -> PresetScores:
    from scoref.analysis import presets

    encoding = arguments.encoding
    if arguments.preset == "gap":
        return presets.gap(*pairs[0], encoding=encoding)
    if arguments.preset == "winopron":
        return presets.winopron(*arguments.files, encoding=encoding)
    if arguments.preset == "winobias":
        return presets.winobias(pairs, **scoring_keywords(arguments))
    if arguments.entities is None:
        needed = "--preset mei requires the names of the entities"
        raise UsageError(needed, "name them with --entities FILE")
    return presets.mei(*pairs[0], arguments.entities, encoding=encoding)
