"""List every problem in some files, or fix what is safe to fix.

Each problem is printed with its file and line. Problems are errors for which `scoref score`
refuses a file, such as brackets that do not match, tokens outside a document, and two documents
with the same name. Mentions that occur in two entities, or twice in one entity, are problems too.

With --fix, each FILE is changed in its place, or left exactly as it is. A fix is safe if no score
changes: the file is read before and after it, and must have the same documents, words, entities and
mentions. A fix that would change them is not made. A file that has problems is left as it is,
unless the fixes remove all of them. Fixes, in the order in which they are made:

  byte-order-mark    remove the byte order mark
  final-newline      end the last line
  line-ends          end lines with LF instead of CR LF (not in CSV and TSV)
  trailing-blanks    remove spaces and tabs at the ends of lines (CoNLL columns and JSON)
  document-ends      write `#end document` where it is missing (CoNLL columns)
  repeated-mentions  remove a mention that the same entity has already (CoNLL columns)

Exit code 0: no problems; 1: problems, or with --diff a file would change; 2: a file cannot be read,
and no file is changed.

Example commands:
  scoref validate key.conll response.conll
  scoref validate corpus/
  scoref validate --fix corpus/ --diff
  scoref validate --fix corpus/ --only line-ends --only final-newline
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from scoref.base.phrases import counted, listed
from scoref.base.visible import visible
from scoref.cli import options
from scoref.cli.command import Arguments, Command, Option
from scoref.cli.options import file_keywords, is_given, refuse_together
from scoref.cli.output import print_message, print_notes
from scoref.exceptions import Problem, ScorefError, UsageError

if TYPE_CHECKING:
    from scoref.formats.fixes import FixedFile

COMMAND = Command(
    __doc__,
    options.FILES,
    {
        "--fix": "fix what is safe to fix, in place",
        "--diff": "with --fix, show every changed line, and change nothing",
    },
    Option(
        "--only FIX",
        "with --fix, make only this fix; repeat the flag for several fixes",
        action="append",
    ),
    *options.FILE_READING,
)


def run(arguments: Arguments) -> int:
    """List problems, or fix."""
    if arguments.fix:
        refuse_together(arguments, "fix", "format", "encoding", "repair", "no_limits")
        return _fix(arguments)
    for name in ("diff", "only"):
        if is_given(arguments, name):
            raise UsageError(f"--{name} is for fixes", "add --fix")
    return _validate(arguments)


def _validate(arguments: Arguments) -> int:
    """Print the problems of each file, or one line that says that there are none."""
    from scoref.formats import inspect
    from scoref.formats.format import Wanted
    from scoref.formats.io.sources import sources
    from scoref.matching.duplicates_and_singletons import duplicate_problems
    from scoref.matching.summary import note_no_links

    totals: Counter[str] = Counter()
    problems: list[Problem] = []
    unreadable = 0
    for file in arguments.files:
        try:
            corpus, found = inspect(file, wanted=Wanted(strict=True), **file_keywords(arguments))
        except ScorefError as error:
            print_message("error", error.message, error.hint)
            unreadable += 1
            continue
        problems += sorted([*found, *duplicate_problems(corpus)])
        unlinked = note_no_links(len(corpus), corpus.entity_count)
        print_notes([*corpus.notes, *(f"{file} {note}" for note in unlinked)])
        totals.update(
            file=len(sources(file)),
            document=len(corpus.documents),
            mention=len(corpus),
            entity=corpus.entity_count,
        )
    for problem in problems:  # with code 2, standard output has no result, not even a part of it
        shown = f"{problem} (hint: {problem.hint})" if problem.hint else str(problem)
        print(visible(shown), file=sys.stderr if unreadable else sys.stdout)
    names = {"file": "files", "document": "documents", "mention": "mentions", "entity": "entities"}
    checked = ", ".join(counted(totals[one], one, many) for one, many in names.items())
    if problems:
        sys.stdout.flush()  # the problems come first
        print(f"{checked}: {counted(len(problems), 'problem')}", file=sys.stderr)
    elif not unreadable:
        print(f"{checked}: no problems")
    return 2 if unreadable else int(bool(problems))


def _fix(arguments: Arguments) -> int:
    """Fix all files in memory, then write those that changed."""
    from scoref.formats.fixes import find_fixes, fix_file
    from scoref.formats.io.output_files import all_or_nothing, write_whole
    from scoref.formats.io.sources import sources

    fixes = find_fixes(arguments.only)
    found = [source for file in arguments.files for source in sources(file)]
    if any(source.path is None for source in found):
        raise UsageError("standard input cannot be fixed in its place", "name a file")
    outcomes = [fix_file(source, fixes) for source in found]
    only_shown = arguments.diff
    for outcome in outcomes:
        _report(outcome, only_shown=only_shown)
        if only_shown and outcome.is_changed:
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
            f"`scoref validate {name}` lists all problems; correct them, then use --fix",
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
