"""A resolver of rules, after the sieves of Raghunathan et al. (2010): the surest links first.

Equal strings, appositions, parts of names, heads of definite phrases, who speaks, and at last
pronouns, which take the nearest candidate whose entity agrees in gender and number. All candidates
are kept, linked or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from resolvers.mentions import Candidate, Scene, Span, read_scene

SENTENCES = 3
"""How many sentences back the antecedent of a pronoun can be."""


def resolve(sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
    """Return the entities of a document."""
    scene = read_scene(sentences)
    entity = list(range(len(scene.candidates)))
    for rule in (equal_string, apposition, part_of_name, equal_head, speaker, nearest):
        for number, one in enumerate(scene.candidates):
            if entity[number] != number:
                continue
            for found in rule(scene, number):
                members = [
                    other
                    for at, other in zip(entity, scene.candidates, strict=True)
                    if at == entity[found]
                ]
                if one.kind != "pronoun" or all(one.agrees(other) for other in members):
                    entity = [entity[found] if at == number else at for at in entity]
                    break
    return clusters(scene, entity)


def clusters(scene: Scene, entity: Sequence[int]) -> list[list[Span]]:
    """Return the spans of each entity."""
    found: dict[int, list[Span]] = {}
    for number, one in enumerate(scene.candidates):
        found.setdefault(entity[number], []).append(one.span)
    return list(found.values())


def equal_string(scene: Scene, number: int) -> Iterator[int]:
    """Link a phrase to the first one with the same words."""
    one = scene.candidates[number]
    if _is_noun(one):
        yield from _before(scene, number, lambda other: one.core == other.core)


def apposition(scene: Scene, number: int) -> Iterator[int]:
    """Link a phrase between commas to the phrase before it."""
    one = scene.candidates[number]
    before = scene.words[max(one.start - 1, 0)]
    after = scene.words[one.end + 1 : one.end + 2]
    if _is_noun(one) and before == "," and after in ([","], ["."]):
        yield from _before(
            scene, number, lambda other: other.end == one.start - 2 and one.agrees(other)
        )


def part_of_name(scene: Scene, number: int) -> Iterator[int]:
    """Link a name to the first one that has all its words, or all of whose words it has."""
    one = scene.candidates[number]
    if one.kind == "name":
        yield from _before(
            scene, number, lambda other: one.agrees(other) and one.shares_name(other)
        )


def equal_head(scene: Scene, number: int) -> Iterator[int]:
    """Link a definite phrase to the first phrase with its head."""
    one = scene.candidates[number]
    if one.kind == "nominal" and one.is_definite:
        yield from _before(scene, number, lambda other: one.head == other.head)


def speaker(scene: Scene, number: int) -> Iterator[int]:
    """Link `I` to who speaks, and `you` to who spoke before."""
    one, who = scene.candidates[number], scene.speakers[number]
    if who is None:
        return
    if one.person == 1 and one.numbers == "s":
        yield who
    if one.person == 2:
        name = scene.candidates[who].core
        earlier = [other for other in scene.speakers[:number] if other is not None]
        others = [other for other in earlier if scene.candidates[other].core != name]
        yield from others[-1:]


def nearest(scene: Scene, number: int) -> Iterator[int]:
    """Link a pronoun to the nearest candidate before it."""
    one = scene.candidates[number]
    if one.kind != "pronoun" or (one.person == 1 and one.numbers == "s"):
        return
    for at in reversed(range(number)):
        other = scene.candidates[at]
        if other.end < one.start and one.sentence - other.sentence <= SENTENCES:
            yield at


def _is_noun(one: Candidate) -> bool:
    return one.kind != "pronoun"


def _before(scene: Scene, number: int, fits: Callable[[Candidate], bool]) -> Iterator[int]:
    """Yield the phrases before a candidate that fit, the first one first."""
    for at, other in enumerate(scene.candidates[:number]):
        if _is_noun(other) and fits(other):
            yield at
