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

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from scoref.analysis.presets.preset_scores import Decisions, PresetScores
from scoref.base.phrases import counted, listed
from scoref.formats.io.plain_tables import TextFile, raise_problems, read_table

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


def winopron(response: TextFile, *, encoding: str | None = None) -> PresetScores:
    """Return the scores of WinoPron's code: a table per pairing, a row per case and pronoun set.

    The tables are `none`, `template` and `coref_dir`. A row without items has NaN.

    * `response`: A table with a header and the columns occupation, participant, pronoun_type,
      answer, pronoun and generation.
    * `encoding`: The text encoding of the file, by default UTF-8.
    """
    rows, problems = read_table(response, _COLUMNS, encoding)
    for line, row in rows:
        if row["answer"] not in (both := (row["occupation"], row["participant"])):
            problems.add(line, f"the answer `{row['answer']}`", f"`{both[0]}` or `{both[1]}`")
        elif row["pronoun_type"] not in _CASES:
            found = f"the pronoun_type `{row['pronoun_type']}`"
            problems.add(line, found, f"one of {', '.join(_CASES)}")
    raise_problems(problems)
    answers = [_answer(row, _published_words(row)) for _, row in rows]
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
