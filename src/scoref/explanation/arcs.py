"""The walk-through of ARCS: each anaphor, what it is linked to on either side, and the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from scoref.explanation.blocks import ALL, Block, Column, Formula, Grid
from scoref.explanation.explainer import Counted, Explainer, Scored, f1, score_sides
from scoref.explanation.expressions import ONE, Number, Over, Sum, evaluate, whole
from scoref.explanation.scene import Scene
from scoref.explanation.types import types
from scoref.overlap.table import NAME, NOMINAL, PRONOUN, Side

RIGHT, WRONG, MISSING, SPURIOUS = "right", "wrong link", "missing", "spurious"
VERDICTS = (RIGHT, WRONG, MISSING, SPURIOUS)
_NOMINAL = "A name or a nominal is called nominal here; singletons are left out. "
_TEXTS = {
    "immediate": _NOMINAL + "An anaphor is a mention of a key entity that is not its first, in an"
    " entity with a nominal, and, if it is a pronoun, with a nominal before it. It is right if the"
    " mention before it is the same in its key entity and in its response entity, a wrong link if"
    " it is another one, missing if there is none in the response. A mention that has one before"
    " it only in the response is spurious.",
    "inferred": _NOMINAL + "An anaphor is a mention of a key entity that is not its first, in an"
    " entity with a nominal, and, if it is a pronoun, with a nominal before it. It is right if the"
    " closest nominal before it in its response entity is in its key entity, a wrong link if it is"
    " not, and missing if it is linked to nothing there, or to no nominal although the key has"
    " one. A mention is spurious if the response links it and the key does not have it, or if only"
    " the response has a nominal before it.",
}
_ANCHOR = _NOMINAL + (
    "Key entities are taken in the order of the text. One is found if its anchor, its first"
    " nominal, is in a response entity that is not yet taken; it takes that one, and their"
    " mentions are compared. A key entity without a nominal does not count, but takes the first"
    " response entity that shares a mention with it. Response entities that nothing takes are"
    " spurious."
)


class Chain(NamedTuple):
    """The mentions of an entity in the order of the text; which is the first nominal, if any."""

    mentions: list[int]
    anchor: int | None


class Before(NamedTuple):
    """What stands before a mention in its entity: any mention, a nominal, or nothing (None)."""

    entity: int
    previous: int | None
    nominal: int | None
    has_nominal: bool


_KINDS = {
    "all": (NAME, NOMINAL, PRONOUN),
    "noun": (NAME, NOMINAL),
    "name": (NAME,),
    "nominal": (NOMINAL,),
    "pronoun": (PRONOUN,),
}
_SAID = {
    "noun": "names and nominals",
    "name": "names",
    "nominal": "nominals",
    "pronoun": "pronouns",
}


def arcs(kind: str = "immediate", of: str = "all") -> Explainer:
    """Explain one of Tuggener's three measures, for all anaphors or those of a kind."""
    if kind == "anchor":
        return Explainer(_count_anchor, _score_anchor)
    verdict = _immediate if kind == "immediate" else _inferred

    def count(scene: Scene) -> Counted:
        return _count(scene, verdict, kind, of)

    return Explainer(count, _score)


def _chains(scene: Scene, members: list[list[int]], nominal: list[bool]) -> dict[int, Chain]:
    """Put the mentions of entities of two or more into the order of the text."""
    order = scene.rows.order.tolist()
    chains = {}
    for entity, rows in enumerate(members):
        if len(rows) > 1:
            rows = sorted(rows, key=lambda row: (order[row], row))  # noqa: PLW2901
            chains[entity] = Chain(rows, next((row for row in rows if nominal[row]), None))
    return chains


def _before(chains: dict[int, Chain], nominal: list[bool]) -> dict[int, Before]:
    """Look back from each mention."""
    found = {}
    for entity, chain in chains.items():
        previous = closest = None
        for row in chain.mentions:
            found[row] = Before(entity, previous, closest, chain.anchor is not None)
            previous = row
            closest = row if nominal[row] else closest
    return found


_NOTHING = Before(-1, None, None, False)
Verdict = Callable[[bool, Before, Before, dict[int, Before]], str]


def _is_anaphor(key: Before, *, nominal: bool) -> bool:
    return key.previous is not None and key.has_nominal and (nominal or key.nominal is not None)


def _immediate(nominal: bool, key: Before, response: Before, _: dict[int, Before]) -> str:  # noqa: FBT001
    if _is_anaphor(key, nominal=nominal):
        if response.previous is None:
            return MISSING
        return RIGHT if response.previous == key.previous else WRONG
    return SPURIOUS if response.previous is not None and key.previous is None else ""


def _inferred(
    nominal: bool,  # noqa: FBT001
    key: Before,
    response: Before,
    in_key: dict[int, Before],
) -> str:
    """Say `missing and spurious` where both rules apply: the two sides count apart."""
    verdicts = []
    if _is_anaphor(key, nominal=nominal):
        if response.previous is None or (response.nominal is None and key.nominal is not None):
            verdicts.append(MISSING)
        elif response.nominal is not None:
            same = in_key.get(response.nominal, _NOTHING).entity == key.entity
            verdicts.append(RIGHT if same else WRONG)
    if response.previous is not None and response.has_nominal:
        only_response = response.nominal is not None and key.nominal is None
        if key is _NOTHING or only_response:
            verdicts.append(SPURIOUS)
    return " and ".join(verdicts)


def _are_of(scene: Scene, of: str) -> list[bool]:
    """Mark the mentions of a type, or of a tag as one of the sides has it."""
    if of in _KINDS:
        return [kind in _KINDS[of] for kind in scene.rows.type.tolist()]
    sides: tuple[Side, Side] = ("key", "response")
    columns = [scene.rows.attribute(side, "tag") for side in sides]
    tags = [column.tolist() for column in columns if column is not None]
    return [of in found for found in zip(*tags, strict=True)]


def _count(scene: Scene, verdict: Verdict, kind: str, of: str) -> Counted:
    nominal = [one != PRONOUN for one in scene.rows.type.tolist()]
    order = scene.rows.order.tolist()
    key = _before(_chains(scene, scene.key_members, nominal), nominal)
    response = _before(_chains(scene, scene.res_members, nominal), nominal)
    marked = _are_of(scene, of)
    rows = [row for row in key.keys() | response.keys() if marked[row]]
    rows.sort(key=lambda row: (order[row], row))
    verdicts = [
        verdict(nominal[row], key.get(row, _NOTHING), response.get(row, _NOTHING), key)
        for row in rows
    ]
    tally = Counter(one for found in verdicts for one in found.split(" and "))
    judged = [(row, found) for row, found in zip(rows, verdicts, strict=True) if found]
    blocks: list[Block] = [_TEXTS[kind]]
    if of != "all":
        which = _SAID.get(of, f"mentions of one token with the tag {of}")
        blocks.append(f"Only {which} get a verdict; all mentions count as what stands before them.")
    blocks.append(types(scene))
    if judged:
        blocks.append(_verdict_table(scene, judged, key, response, kind))
    numbers = whole([tally[one] for one in VERDICTS])
    columns = [Column("verdict", VERDICTS), Column("number", numbers)]
    blocks.append(Grid(columns, [ONE] * len(VERDICTS), ALL, "Verdicts"))
    return Counted(tuple(numbers), blocks)


def _verdict_table(
    scene: Scene,
    judged: list[tuple[int, str]],
    key: dict[int, Before],
    response: dict[int, Before],
    kind: str,
) -> Block:
    def antecedent(side: dict[int, Before], row: int) -> str:
        before = side.get(row, _NOTHING)
        found = before.previous if kind == "immediate" else before.nominal
        return "-" if found is None else scene.mention(found)

    def named(names: list[str], side: dict[int, Before], row: int) -> str:
        return names[side[row].entity] if row in side else "-"

    what = "the mention before it" if kind == "immediate" else "the closest nominal before it"
    return Grid(
        [
            Column("mention", [scene.mention(row) for row, _ in judged]),
            Column("key", [named(scene.keys, key, row) for row, _ in judged]),
            Column("before", [antecedent(key, row) for row, _ in judged]),
            Column("response", [named(scene.responses, response, row) for row, _ in judged]),
            Column("before", [antecedent(response, row) for row, _ in judged]),
            Column("verdict", [found for _, found in judged]),
        ],
        [ONE] * len(judged),
        scene.limit,
        f"Anaphors, their entity on either side and {what} there",
    )


def _score(columns: Sequence[Number], undefined: str) -> Scored:
    right, wrong, missing, spurious = columns
    return score_sides(
        Over(right, Sum((right, wrong, missing))),
        Over(right, Sum((right, wrong, spurious))),
        undefined,
    )


def _count_anchor(scene: Scene) -> Counted:
    nominal = [one != PRONOUN for one in scene.rows.type.tolist()]
    order = scene.rows.order.tolist()
    key = _chains(scene, scene.key_members, nominal)
    left = _chains(scene, scene.res_members, nominal)
    entity_of = {row: entity for entity, chain in left.items() for row in chain.mentions}
    in_order = sorted(key.items(), key=lambda item: (order[item[1].mentions[0]], item[1].mentions))
    table: list[tuple[str, str, str, str]] = []
    numbers: list[tuple[int, int, int]] = []
    for entity, chain in in_order:
        candidates = chain.mentions if chain.anchor is None else [chain.anchor]
        taken = next((entity_of[m] for m in candidates if entity_of.get(m) in left), None)
        members = set(left.pop(taken).mentions) if taken is not None else set()
        shared = len(members & set(chain.mentions))
        found = chain.anchor is not None and taken is not None
        numbers.append(
            (shared, len(chain.mentions) - shared, len(members) - shared) if found else (0, 0, 0)
        )
        verdict = "does not count" if chain.anchor is None else "found" if found else MISSING
        anchor = "-" if chain.anchor is None else scene.mention(chain.anchor)
        takes = "-" if taken is None else scene.responses[taken]
        table.append((scene.keys[entity], anchor, takes, verdict))
    for entity in left:
        table.append(("-", "-", scene.responses[entity], SPURIOUS))
        numbers.append((0, 0, 0))
    verdicts = Counter(row[3] for row in table)
    entities = [verdicts["found"], verdicts[MISSING], verdicts[SPURIOUS]]
    mentions = [sum(row[at] for row in numbers) for at in range(3)]
    blocks: list[Block] = [_ANCHOR, types(scene)]
    if table:
        columns = [
            Column(title, [row[at] for row in table])
            for at, title in enumerate(("key", "anchor", "takes", "verdict"))
        ]
        columns += [
            Column(title, whole([row[at] for row in numbers]), summed=True)
            for at, title in enumerate(("shared", "only key", "only response"))
        ]
        blocks.append(Grid(columns, [ONE] * len(table), scene.limit, "Entities, then mentions"))
    kinds = Column("entities", ["found", MISSING, SPURIOUS])
    blocks.append(Grid([kinds, Column("number", whole(entities))], [ONE] * 3, ALL, "Verdicts"))
    return Counted(tuple(map(Fraction, [*entities, *mentions])), blocks)


def _score_anchor(columns: Sequence[Number], undefined: str) -> Scored:
    blocks: list[Block] = []
    means: list[Number | None] = []
    for what, (right, missing, spurious) in (
        ("entities", columns[:3]),
        ("mentions", columns[3:]),
    ):
        recall, precision = Over(right, Sum((right, missing))), Over(right, Sum((right, spurious)))
        both = {"recall": recall, "precision": precision}
        for name, ratio in both.items():
            blocks.append(Formula(f"{name} of {what}", ratio, evaluate(ratio)))
        mean = f1(evaluate(recall), evaluate(precision), "skip", f"F1 of {what}")
        blocks.append(mean)
        means.append(mean.value)
    together = f1(means[0], means[1], undefined)
    return Scored([*blocks, together], None, None, together.value)
