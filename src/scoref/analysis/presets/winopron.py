"""WinoPron: pronouns of every set, in every grammatical case.

Gautam, Steuer, Bingert, Johns, Lauscher & Klakow (2024). A template has an occupation and a
participant, one of which is the answer, and is filled with the pronouns of a case. The answer of a
system is the one of both that its generated text has as a word. The numbers are those of
`compute_performance.py`:

    true positive    the answer is right
    false positive   the answer is the other one
    false negative   the answer is wrong, or the text has none or both
    paired           an item is right only if all items of its template are (`template`: the same
                     sentence with every pronoun), or all of its pronoun (`coref_dir`: with both
                     answers); it is a false positive or negative if any of them is

Words are separated by blanks, in lower case and without `"` and `.`, as in the published code. So a
comma hides a word, and two words are never found. A note says what this changes.
"""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import NamedTuple

from scoref.analysis.presets.preset_scores import (
    Decisions,
    PresetScores,
    TextFile,
    TextRow,
    parse_table,
    raise_problems,
    read_file,
    read_table,
)
from scoref.base.phrases import counted, listed
from scoref.exceptions import UsageError
from scoref.formats.io.problems import Problems
from scoref.formats.json.json_text import parse_lines

_ITEM = ("occupation", "participant", "pronoun_type", "answer", "pronoun")
_COLUMNS = (*_ITEM, "generation")
_CASES = {"$NOM_PRONOUN": "nom", "$ACC_PRONOUN": "acc", "$POSS_PRONOUN": "poss"}
_SETS = {
    form: forms.split()[0]
    for forms in ("he him his", "she her", "they them their", "xe xem xyr")
    for form in forms.split()
}
_GROUPS = ("all", *_CASES.values(), *dict.fromkeys(_SETS.values()))
_TOGETHER: dict[str, Callable[[int, tuple[str, ...]], tuple[object, ...]]] = {
    "none": lambda number, _: (number,),
    "template": lambda _, item: item[:4],
    "coref_dir": lambda _, item: (*item[:3], item[4]),
}
_REMOVED = str.maketrans("", "", '".')


class PronounAnswer(NamedTuple):
    """A filled template, and whether the answer to it is right, or the wrong one of both."""

    item: tuple[str, ...]
    right: bool
    wrong: bool


def winopron(
    response: TextFile | Iterable[Mapping[str, str]],
    key: TextFile | None = None,
    *,
    encoding: str | None = None,
) -> PresetScores:
    """Return the scores of WinoPron's code: a table per pairing, a row per case and pronoun set.

    The tables are `none`, `template` and `coref_dir`. A row without items has NaN.

    * `response`: A table with a header, JSON lines, or dicts, with occupation, participant,
      pronoun_type, answer, pronoun and generation.
    * `key`: A table with all items. A response that lacks an item is then refused.
    * `encoding`: The text encoding of the files, by default UTF-8.
    """
    rows, problems = _read(response, encoding)
    for line, row in rows:
        is_row = isinstance(row, Mapping)
        if missing := [one for one in _COLUMNS if not is_row or not isinstance(row.get(one), str)]:
            problems.add(line, f"a row without `{missing[0]}`", f"texts: {', '.join(_COLUMNS)}")
        elif row["answer"] not in (both := (row["occupation"], row["participant"])):
            problems.add(line, f"the answer `{row['answer']}`", f"`{both[0]}` or `{both[1]}`")
        elif row["pronoun_type"] not in _CASES:
            found = f"the pronoun_type `{row['pronoun_type']}`"
            problems.add(line, found, f"one of {', '.join(_CASES)}")
    if not rows:
        problems.add(0, "no rows", "a row per item")
    raise_problems(problems)
    answers = [_answer(row, _published_words(row)) for _, row in rows]
    if key is not None:
        _check_items({one.item for one in answers}, key, encoding)
    whole = [_answer(row, _whole_words(row)) for _, row in rows]
    notes = []
    if others := {one.item[4] for one in answers} - _SETS.keys():
        notes.append(f"pronouns that are in none of the sets: {listed(sorted(others))}")
    if hidden := sum(one != other for one, other in zip(answers, whole, strict=True)):
        before, after = (sum(one.right for one in several) for several in (answers, whole))
        notes.append(
            f"WinoPron's code removes only `\"` and `.` from words: whole words say something else"
            f" in {counted(hidden, 'answer')}, and {after:,} instead of {before:,} are right"
        )
    tables = {pairing: _by_group(answers, identity) for pairing, identity in _TOGETHER.items()}
    return PresetScores("winopron", tables, notes=tuple(notes))


def _read(
    response: TextFile | Iterable[Mapping[str, str]], encoding: str | None
) -> tuple[list[TextRow], Problems]:
    """Return the rows of a response, and a list for problems."""
    if not isinstance(response, str | PathLike):
        return [TextRow(at, row) for at, row in enumerate(response, 1)], Problems("the response")
    text, problems = read_file(response, encoding)
    if not text.lstrip().startswith(("{", "[")):
        return parse_table(text, _COLUMNS, problems), problems
    lines = parse_lines(io.BytesIO(text.encode()), problems)
    rows = [TextRow(line.number, line.value) for line in lines]
    raise_problems(problems)
    return rows, problems


def _check_items(answered: set[tuple[str, ...]], key: TextFile, encoding: str | None) -> None:
    """Refuse a response that lacks items of the key, or has others."""
    rows, problems = read_table(key, _ITEM, encoding)
    items = {tuple(row[one] for one in _ITEM) for _, row in rows}
    for what, odd in (("lacks", items - answered), ("has in addition", answered - items)):
        if odd:
            found = f"the response {what} {counted(len(odd), 'item')}: {', '.join(min(odd))}"
            raise UsageError(f"{problems.path} has other items: {found}", "score all items of it")


def _answer(row: Mapping[str, str], words: set[str]) -> PronounAnswer:
    right = words == {row["answer"]}
    return PronounAnswer(tuple(row[one] for one in _ITEM), right, len(words) == 1 and not right)


def _published_words(row: Mapping[str, str]) -> set[str]:
    words = {word.lower().translate(_REMOVED) for word in row["generation"].split()}
    return words & {row["occupation"], row["participant"]}


def _whole_words(row: Mapping[str, str]) -> set[str]:
    text, both = row["generation"].lower(), {row["occupation"], row["participant"]}
    return {one for one in both if re.search(rf"(?<!\w){re.escape(one.lower())}(?!\w)", text)}


def _by_group(
    answers: Sequence[PronounAnswer],
    identity: Callable[[int, tuple[str, ...]], tuple[object, ...]],
) -> dict[str, dict[str, float]]:
    """Return the scores by group; items of one identity are right or wrong together."""
    together: dict[tuple[object, ...], list[PronounAnswer]] = defaultdict(list)
    for number, one in enumerate(answers):
        together[identity(number, one.item)].append(one)
    counts = {group: [0, 0, 0] for group in _GROUPS}
    for several in together.values():
        right, wrong = all(one.right for one in several), any(one.wrong for one in several)
        for item, *_ in several:
            for group in {"all", _CASES[item[2]], _SETS.get(item[4], "all")}:
                for at, add in enumerate((right, wrong, 1)):
                    counts[group][at] += add
    return {group: _rates(*several) for group, several in counts.items()}


def _rates(right: int, wrong: int, every: int) -> dict[str, float]:
    """Return the scores of some items; the accuracy is the recall."""
    found = Decisions(right, wrong, every - right, every - wrong)
    rates = found.rates(no_answer=1.0)
    return {"accuracy": rates["recall"], **rates, **found._asdict()}
