"""GAP: pronouns resolved to names, for women and for men.

Webster, Recasens, Axelrod & Baldridge (2018). Each example has a pronoun and two names, A and B,
which are two decisions: does the name corefer with the pronoun? The gender is that of the pronoun.
The numbers are those of gap-coreference's `gap_scorer.py`, whose warnings are notes:

    an answer that is missing, or neither TRUE nor FALSE, is a false negative
    of several answers to one example, the first counts
    a rate of nothing is 0, and there is no bias if either F1 is 0
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from scoref.analysis.presets.preset_scores import Decisions, PresetScores, share
from scoref.base.phrases import counted, listed
from scoref.exceptions import UsageError
from scoref.formats.io.plain_tables import TextFile, TextRow, raise_problems, read_table

_ANSWER = ("ID", "A-coref", "B-coref")
_GENDERS = {
    **dict.fromkeys(("he", "him", "his"), "masculine"),
    **dict.fromkeys(("she", "her", "hers"), "feminine"),
}
_LABELS = {"true": True, "false": False}
_MOST_NOTES = 10

Warnings = defaultdict[str, list[str]]
"""The warnings of GAP's scorer, by their first words."""


def gap(key: TextFile, response: TextFile, *, encoding: str | None = None) -> PresetScores:
    """Return the scores of GAP's scorer: overall, for masculine and feminine pronouns, and bias.

    * `key`: A file of GAP, such as `gap-development.tsv`.
    * `response`: A file with ID, A-coref and B-coref, separated by tabs, without a header.
    * `encoding`: The text encoding of the files, by default UTF-8.
    """
    warnings = Warnings(list)
    examples = _read_key(key, encoding, warnings)
    answers = _read_response(response, encoding, warnings)
    if examples.keys().isdisjoint(answers):
        raise UsageError(
            f"{response} answers no example of {key}, found answers to {listed([*answers])}",
            "write a line with ID, A-coref and B-coref per example, separated by tabs",
        )
    counts = {name: [0, 0, 0, 0] for name in dict.fromkeys(_GENDERS.values())}
    for name, (gender, *truth) in examples.items():
        answer = answers.get(name, (None, None))
        if None in answer:
            warnings["Missing output for"].append(f"{name}: counted as a false negative")
        for true, answered in zip(truth, answer, strict=True):
            negative = 2 if true or answered is None else 3
            counts[gender][(0 if true else 1) if answered else negative] += 1
    if unknown := [name for name in answers if name not in examples]:
        what = f"ignored {counted(len(unknown), 'answer')} to examples that the key lacks:"
        warnings[what].append(listed(unknown))
    groups = {"overall": Decisions(*map(sum, zip(*counts.values(), strict=True)))}
    groups |= {name: Decisions(*several) for name, several in counts.items()}
    rows = {name: {**one.rates(0.0), **one._asdict()} for name, one in groups.items()}
    bias = {"bias": _bias(groups)}
    return PresetScores("gap", {"examples": rows}, bias, tuple(_shown(warnings)))


def percentages(row: Mapping[str, float]) -> tuple[float, float, float]:
    """Return recall, precision and F1 in percent, computed in the order of GAP's scorer.

    Another order could round the last decimal that is printed in another way.
    """
    recall = share(100.0 * row["tp"], row["tp"] + row["fn"], 0.0)
    precision = share(100.0 * row["tp"], row["tp"] + row["fp"], 0.0)
    return recall, precision, share(2 * precision * recall, precision + recall, 0.0)


def _bias(groups: Mapping[str, Decisions]) -> float | None:
    """Return F1 of feminine examples divided by that of masculine ones."""
    feminine, masculine = (
        percentages(groups[name]._asdict())[2] for name in ("feminine", "masculine")
    )
    return feminine / masculine if feminine and masculine else None


def _shown(warnings: Warnings) -> Iterator[str]:
    """Return the first warnings of each kind, and how many more there are."""
    for kind, several in warnings.items():
        yield from (f"{kind} {one}" for one in several[:_MOST_NOTES])
        if len(several) > _MOST_NOTES:
            yield f"{kind} {len(several) - _MOST_NOTES:,} more"


def _read_key(
    path: TextFile, encoding: str | None, warnings: Warnings
) -> dict[str, tuple[str, bool | None, bool | None]]:
    """Return the gender of each example, and whether A and B corefer with the pronoun."""
    rows, problems = read_table(path, (*_ANSWER, "Pronoun"), encoding)
    examples = {}
    for line, row in _first_of_each(rows, warnings):
        gender = _GENDERS.get(row["Pronoun"].lower(), "")
        if not gender:
            problems.add(line, f"the pronoun `{row['Pronoun']}`", f"one of {', '.join(_GENDERS)}")
        one, other = (_LABELS.get(row[name].lower()) for name in _ANSWER[1:])
        if one is None or other is None:
            found = f"the labels `{row['A-coref']}` and `{row['B-coref']}`"
            problems.add(line, found, "TRUE or FALSE")
        examples[row["ID"]] = gender, one, other
    raise_problems(problems)
    return examples


def _read_response(
    path: TextFile, encoding: str | None, warnings: Warnings
) -> dict[str, tuple[bool | None, bool | None]]:
    """Return whether A and B corefer with the pronoun, or None for other labels."""
    answers = {}
    rows, _ = read_table(path, _ANSWER, encoding, has_header=False)
    for line, row in _first_of_each(rows, warnings):
        one, other = (_LABELS.get(row[name].lower()) for name in _ANSWER[1:])
        for label, value in ((row["A-coref"], one), (row["B-coref"], other)):
            if value is None:
                warnings["Unexpected label!"].append(f"{label}: not an answer, in line {line}")
        answers[row["ID"]] = one, other
    return answers


def _first_of_each(rows: Sequence[TextRow], warnings: Warnings) -> Iterator[TextRow]:
    """Return the first row of each example."""
    seen = set()
    for row in rows:
        name = row.cells["ID"]
        if name in seen:
            more = f"{name}: the first counts, not that of line {row.line}"
            warnings["Multiple annotations for"].append(more)
        else:
            seen.add(name)
            yield row
