"""Fix what is safe to fix in annotation files.

Each FILE is changed in its place, or left exactly as it is. A fix is safe if no score changes: the
file is read before and after it, and must have the same documents, words, entities and mentions.
A fix that would change them is not made. A file that has problems, which `scoref validate` lists,
is left as it is, unless the fixes remove all of them.

Fixes, in the order in which they are made:
  byte-order-mark    remove the byte order mark
  final-newline      end the last line
  line-ends          end lines with LF instead of CR LF (not in CSV and TSV)
  trailing-blanks    remove spaces and tabs at the ends of lines (CoNLL columns and JSON)
  document-ends      write `#end document` where it is missing (CoNLL columns)
  repeated-mentions  remove a mention that the same entity has already (CoNLL columns)

Exit code 0: nothing is left to fix; 1: a file has problems, or with --dry-run or --diff a file
would change; 2: a file cannot be read, and no file is changed.

Example commands:
  scoref fix key.conll response.conll
  scoref fix corpus/ --diff
  scoref fix corpus/ --only line-ends --only final-newline
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.base.phrases import counted, listed
from scoref.cli.command import Arguments, Command, Option
from scoref.cli.output import print_message
from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from scoref.formats.fixes.proven import FixedFile

COMMAND = Command(
    __doc__,
    Option("FILE...", "a file, or a directory of files", dest="files"),
    {
        "--dry-run": "show what would be fixed, and change nothing",
        "--diff": "show every changed line, and change nothing",
    },
    Option(
        "--only FIX",
        "make only this fix; repeat the flag for several fixes",
        action="append",
        dest="only",
    ),
)


def run(arguments: Arguments) -> int:
    """Fix all files in memory, then write those that changed."""
    from scoref.formats.fixes.proven import find_fixes, fix_file
    from scoref.formats.io.output_files import all_or_nothing, write_whole
    from scoref.formats.io.sources import sources

    fixes = find_fixes(arguments.only)
    found = [source for file in arguments.files for source in sources(file)]
    if any(source.path is None for source in found):
        raise UsageError("standard input cannot be fixed in its place", "name a file")
    outcomes = [fix_file(source, fixes) for source in found]
    only_shown = arguments.dry_run or arguments.diff
    for outcome in outcomes:
        _report(outcome, only_shown=only_shown)
        if arguments.diff and outcome.is_changed:
            print(_diff(outcome), end="")
    changed = [outcome for outcome in outcomes if outcome.is_changed]
    if not only_shown:
        with all_or_nothing():
            for outcome in changed:
                with write_whole(outcome.source.shown) as stream:
                    stream.write(outcome.fixed)
    verb = "would change" if only_shown else "changed"
    print(f"{counted(len(outcomes), 'file')}: {len(changed)} {verb}")
    return int(any(one.problems for one in outcomes) or bool(only_shown and changed))


def _report(outcome: FixedFile, *, only_shown: bool) -> None:
    """Print the fixes of a file, and what was not fixed."""
    name = outcome.source.shown
    for fix, lines in outcome.changes.items():
        verb = "would fix" if only_shown else "fixed"
        where = f"line {lines[0]}" if len(lines) == 1 else f"{len(lines):,} lines"
        print(f"{name}: {verb} {fix} ({where})")
    for fix in outcome.skipped:
        print_message("note", f"{name}: {fix} was not made, since the file would be read otherwise")
    if outcome.problems:
        print_message(
            "note",
            f"{name} was left as it is, since it cannot be read: {outcome.problems[0]}",
            f"`scoref validate {name}` lists all problems; correct them, then run `scoref fix`",
        )
    elif outcome.before:
        print_message(
            "note",
            f"{name} could not be read before ({outcome.before[0]}), so nothing proves that"
            f" {listed(list(outcome.changes))} kept its content",
            "look at the changes",
        )


def _diff(outcome: FixedFile) -> str:
    """Return the changes as a unified diff, in which a carriage return is visible."""
    from difflib import unified_diff

    def shown(data: bytes) -> list[str]:
        text = data.decode(errors="backslashreplace")
        return text.replace("\r", "\\r").replace("\ufeff", "\\ufeff").split("\n")

    name = outcome.source.shown
    sides = shown(outcome.data), shown(outcome.fixed)
    lines = unified_diff(*sides, f"{name} (before)", f"{name} (after)", lineterm="")
    return "".join(f"{line}\n" for line in lines)
