"""Moosavi & Strube 2016: how metrics react, and why LEA was proposed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from scoref.papers import growing, pradhan2014
from scoref.papers.exhibits import (
    LABELS,
    Claim,
    ExhibitFigure,
    ExhibitTable,
    Paper,
    Partition,
    claimed,
    f1s,
    labelled,
    score_all,
    score_table,
)

PAPER = Paper(
    "ms2016",
    "Moosavi & Strube 2016",
    "Nafise Sadat Moosavi and Michael Strube. 2016. Which coreference evaluation metric do you"
    " trust? A proposal for a link-based entity aware metric. ACL.",
)

METRICS = tuple(LABELS)
STEPS = tuple(range(0, 101, 10))

# Tables 2 and 3: one entity, mentions by their first letters.
TABLE3_KEY = [["A", "i1", "i2", "i3", "t1", "t2", "tm", "tr"]]
TABLE3_RESPONSES = {
    "cr1": [["A", "i1", "i2", "i3"], ["t1", "t2", "tm", "tr"]],
    "cr2": [["A", "i1", "i2", "i3"]],
}

Points = Mapping[str, Sequence[float]]


@PAPER.exhibit("Table 3", "two halves, and one half left out")
def _table3() -> ExhibitTable:
    in_print = """
        cr1  92.30  66.66  50.00  44.44  60.00  -
        cr2  60.00  40.00  66.66  66.66  32.29  -
    """
    reason = (
        "6/17 = 35.29 %: 28 links in the key, 6 in the response, all right, and no other links on"
        " either side"
    )
    return score_table(
        TABLE3_KEY,
        TABLE3_RESPONSES,
        labelled(*METRICS),
        in_print,
        {("cr2", "BLANC"): reason},
        digits=4,
        cut=True,
        notes=(
            "one key entity of eight mentions; cr1 has it in two halves, cr2 one half only",
            "percentages in this paper are cut off after two decimals, not rounded",
        ),
    )


@PAPER.exhibit("section 5", "LEA of the worked example")
def _section5() -> ExhibitTable:
    return pradhan2014.example_table(labelled("lea"), "LEA  0.24  0.33  -")


def _figure(
    responses: Mapping[str, Partition],
    axes: Mapping[str, Sequence[float | str]],
    x_label: str,
    claims: Callable[[Points], tuple[Claim, ...]],
    **about: Any,
) -> ExhibitFigure:
    """Score responses, and combine each score with where it lies."""
    found = f1s(score_all(growing.KEY, responses, METRICS))
    by_metric = {name: [f1[at] for f1 in found.values()] for at, name in enumerate(METRICS)}
    return ExhibitFigure(
        "dots" if "legend" in about else "lines",
        tuple(axes),
        METRICS,
        tuple(zip(*axes.values(), *by_metric.values(), strict=True)),
        x_label=x_label,
        y_label="F1 (%)",
        claims=claims(by_metric),
        **about,
    )


_PARTS = {
    "nearest": (
        growing.nearest_parts,
        (
            "the paper says what grows, not how: here each entity of more than two mentions"
            " keeps as many of its first mentions as come nearest to the share of its links, and"
            " of the ten pairs the first ones are kept"
        ),
    ),
    "largest": (
        growing.largest_parts,
        (
            "the paper says what grows, not how: here entities are resolved one after the"
            " other, the largest first, as far as the share of links allows"
        ),
    ),
}
_WRONG = (
    "all other mentions are paired with one of another entity, always taking the two entities"
    " that have most mentions left"
)


def _by_links(construction: str, *, wrong: bool) -> ExhibitFigure:
    parts_of, choice = _PARTS[construction]
    parts = [parts_of(step / 100) for step in STEPS]
    make = growing.with_wrong_pairs if wrong else growing.resolved_only
    responses = {str(step): make(part) for step, part in zip(STEPS, parts, strict=True)}
    shares = [100 * sum(math.comb(m, 2) for m in part) / growing.LINKS for part in parts]
    return _figure(
        responses,
        {"percent_of_links": shares, "wanted_percent_of_links": STEPS},
        "links resolved (%)",
        claims=_claims3 if wrong else _claims2,
        choices=(choice, *([_WRONG] if wrong else [])),
    )


PAPER.exhibit("Fig. 2", "links resolved, other mentions left out")(
    partial(_by_links, "nearest", wrong=False)
)
PAPER.exhibit("Fig. 2", "links resolved, largest entities first", variant="-largest-first")(
    partial(_by_links, "largest", wrong=False)
)
PAPER.exhibit("Fig. 3", "links resolved, other mentions linked wrongly")(
    partial(_by_links, "nearest", wrong=True)
)
PAPER.exhibit(
    "Fig. 3", "other mentions linked wrongly, largest entities first", variant="-largest-first"
)(partial(_by_links, "largest", wrong=True))


def _claims2(f1: Points) -> tuple[Claim, ...]:
    over = [
        (step, blanc - min(b3, lea))
        for step, blanc, b3, lea in zip(STEPS, f1["blanc"], f1["b3"], f1["lea"], strict=True)
        if blanc > min(b3, lea) + 1e-9
    ]
    where = ", ".join(f"by {gain:.2f} points at {step} %" for step, gain in over)
    comment = f"with this construction it exceeds one of them {where}" if over else ""
    return claimed({"BLANC is not above B³ and LEA (section 7.1)": (not over, comment)})


def _claims3(f1: Points) -> tuple[Claim, ...]:
    others = [max(f1[name][at] for name in METRICS if name != "blanc") for at in range(len(STEPS))]
    leads = [blanc - other for blanc, other in zip(f1["blanc"], others, strict=True)]
    at = {step: lead for step, lead in zip(STEPS, leads, strict=True) if step % 20 == 0}
    shown = ", ".join(f"{lead:.1f} at {step} %" for step, lead in at.items())
    zero, _, twenty, *_ = f1["ceafe"]
    return claimed(
        {
            "without a right link only MUC and LEA are 0 (section 7.1)": (
                [name for name in METRICS if f1[name][0] == 0] == ["muc", "lea"]
            ),
            "CEAFe drops from 0 % to 20 % of the links (section 7.1)": (
                twenty < zero,
                (
                    f"it rises from {zero:.1f} to {twenty:.1f}; no construction that was tried"
                    " satisfies all claims on this figure"
                ),
            ),
            "BLANC is at least 20 points above all other metrics (section 7.1)": (
                all(lead >= 20 for lead in leads),
                f"it leads by {shown}; at 100 % all metrics are 100, so it cannot hold there",
            ),
        }
    )


def _by_entities(*, largest_first: bool) -> ExhibitFigure:
    counts = range(len(growing.SIZES) + 1)
    take = partial(growing.first_entities, largest_first=largest_first)
    links = [sum(math.comb(len(entity), 2) for entity in take(count)) for count in counts]
    return _figure(
        {str(count): take(count) for count in counts},
        {
            "percent_of_entities": [100 * count / len(growing.SIZES) for count in counts],
            "entities": [float(count) for count in counts],
            "percent_of_links": [100 * count / growing.LINKS for count in links],
        },
        "entities resolved (%)",
        claims=_claims4 if largest_first else _claims5,
        notes=("CEAF in the paper's captions is CEAFm",),
    )


PAPER.exhibit("Fig. 4", "entities resolved, largest first")(
    partial(_by_entities, largest_first=True)
)
PAPER.exhibit("Fig. 5", "entities resolved, smallest first")(
    partial(_by_entities, largest_first=False)
)


def _claims4(f1: Points) -> tuple[Claim, ...]:
    total = len(growing.SIZES)
    expected = [100 * 2 * count / (total + count) for count in range(total + 1)]
    same = _equal(f1["b3"], f1["ceafm"]) and _equal(f1["b3"], f1["lea"])
    by_number = "CEAFe sees the number of entities only: 2t / (17 + t) for t of them"
    return claimed(
        {
            "B³, CEAFm and LEA are equal at every point": same,
            by_number: _equal(f1["ceafe"], expected),
        }
    )


def _claims5(f1: Points) -> tuple[Claim, ...]:
    inside = range(1, len(growing.SIZES))
    lowest = all(f1["blanc"][at] < min(f1[m][at] for m in METRICS if m != "blanc") for at in inside)
    return (*_claims4(f1), *claimed({"BLANC is far below all other metrics": lowest}))


@PAPER.exhibit("Fig. 6", "one entity split in parts")
def _figure6() -> ExhibitFigure:
    return _figure(
        {name: growing.split(parts) for name, parts in growing.SPLITS.items()},
        {"split": [*growing.SPLITS]},
        "F1 (%)",
        claims=_claims6,
        notes=(
            "18-2, 16-4, 10-10, 9-9-2 and 9-5-6 split the entity of 20 mentions",
            "5-3-2 splits one of 10, 3-2 one of 5, 2-2 the one of 4",
        ),
        legend="18-2: one key entity of 20 in two parts, all others as they are; and so on",
    )


def _claims6(f1: Points) -> tuple[Claim, ...]:
    at = {name: dict(zip(growing.SPLITS, values, strict=True)) for name, values in f1.items()}
    e = at["ceafe"]

    def ranked(metric: str, *names: str) -> bool:
        found = [at[metric][name] for name in names]
        return all(one > other + 1e-9 for one, other in itertools.pairwise(found))

    return claimed(
        {
            "MUC has two values only": _different(f1["muc"]) == 2,
            "CEAFe ties 2-2 with 10-10, and 9-9-2 with 9-5-6": (
                _equal([e["2-2"], e["9-9-2"]], [e["10-10"], e["9-5-6"]])
            ),
            "B³ ranks 18-2, 5-3-2, 16-4 in this order": ranked("b3", "18-2", "5-3-2", "16-4"),
            "BLANC ranks 5-3-2, 18-2, 16-4 in this order": ranked("blanc", "5-3-2", "18-2", "16-4"),
            "CEAFm, CEAFe and LEA rank 18-2, 16-4, 5-3-2 in this order": all(
                ranked(m, "18-2", "16-4", "5-3-2") for m in ("ceafm", "ceafe", "lea")
            ),
        }
    )


@PAPER.exhibit("Fig. 7", "spurious mentions added to the key")
def _figure7() -> ExhibitFigure:
    return _figure(
        {name: growing.with_spurious(*added) for name, added in growing.SPURIOUS.items()},
        {"spurious": [*growing.SPURIOUS]},
        "F1 (%)",
        claims=_claims7,
        legend="k-n: k spurious mentions join an entity of n mentions; n = 0: a new entity",
    )


def _claims7(f1: Points) -> tuple[Claim, ...]:
    at = {name: dict(zip(growing.SPURIOUS, values, strict=True)) for name, values in f1.items()}

    def new_entity_first(metric: str) -> bool:
        found = at[metric]
        return found["2-0"] > max(found["1-2"], found["1-10"]) + 1e-9

    lowest = {name: min(values) for name, values in f1.items()}
    last = [name for name in METRICS if abs(at[name]["3-10"] - lowest[name]) < 1e-9]
    e = at["ceafe"]
    but_ceafe = [name for name in METRICS if name != "ceafe"]
    return claimed(
        {
            "MUC and CEAFm have three values only": (
                _different(f1["muc"]) == _different(f1["ceafm"]) == 3
            ),
            "all metrics but CEAFe put 3-10 last": (
                last == but_ceafe,
                "MUC and CEAFm tie it with others",
            ),
            "CEAFe puts 2-0 and 3-0 last, tied": (
                _equal([e["2-0"], e["3-0"]], [lowest["ceafe"]] * 2)
            ),
            "only LEA ranks 2-0 above 1-2 and 1-10": (
                [name for name in METRICS if new_entity_first(name)] == ["lea"]
            ),
            "one spurious mention costs LEA the same in any entity": (
                _equal([at["lea"]["1-2"]], [at["lea"]["1-10"]])
            ),
        }
    )


@PAPER.exhibit("Fig. 8", "mentions found, none linked rightly")
def _figure8() -> ExhibitFigure:
    responses = {str(step): growing.without_right_link(step / 100) for step in STEPS}
    return _figure(
        responses,
        {
            "percent_of_mentions": STEPS,
            "mentions": [float(sum(map(len, response))) for response in responses.values()],
        },
        "mentions found (%)",
        claims=_claims8,
        choices=(
            (
                "the paper does not say which mentions are found first: here the first mention of"
                " every entity, then the second, and so on"
            ),
            _WRONG,
        ),
    )


def _claims8(f1: Points) -> tuple[Claim, ...]:
    others = [name for name in METRICS if name not in {"muc", "lea"}]
    text = "MUC and LEA are 0 throughout, all other metrics reward mentions alone"
    nothing = not any([*f1["muc"], *f1["lea"]])
    return claimed({text: nothing and all(min(f1[name][1:]) > 0 for name in others)})


def _equal(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(one, other, strict=True))


def _different(values: Sequence[float]) -> int:
    return len({round(value, 9) for value in values})
