"""A resolver of rules, after the sieves of Raghunathan et al. (2010): the surest links first.

Equal strings, appositions, parts of names, heads of definite phrases, and at last pronouns, which
take the nearest candidate that agrees in gender and number. All candidates are kept, linked or not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from resolvers.mentions import Candidate, Scene, Span, is_title, read_scene

Rule = Callable[[Scene, int], int | None]


def resolve(sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
    """Return the entities of a document."""
    scene = read_scene(sentences)
    entity = list(range(len(scene.candidates)))
    for rule in (equal_string, apposition, part_of_name, equal_head, speaker, nearest):
        for number in range(len(entity)):
            if entity[number] == number and (found := rule(scene, number)) is not None:
                old, new = entity[number], entity[found]
                entity = [new if one == old else one for one in entity]
    return clusters(scene, entity)


def clusters(scene: Scene, entity: Sequence[int]) -> list[list[Span]]:
    """Return the spans of each entity."""
    found: dict[int, list[Span]] = {}
    for number, one in enumerate(scene.candidates):
        found.setdefault(entity[number], []).append(one.span)
    return list(found.values())


def equal_string(scene: Scene, number: int) -> int | None:
    """Link a phrase to the first one with the same words."""
    one = scene.candidates[number]
    return _first(scene, number, lambda other: one.core == other.core) if _is_noun(one) else None


def apposition(scene: Scene, number: int) -> int | None:
    """Link a phrase between commas to the phrase before it."""
    one = scene.candidates[number]
    after = scene.words[one.end + 1 : one.end + 2]
    if not _is_noun(one) or scene.words[max(one.start - 1, 0)] != "," or after not in ([","], ["."]):
        return None
    return _first(scene, number, lambda other: other.end == one.start - 2 and one.agrees(other))


def part_of_name(scene: Scene, number: int) -> int | None:
    """Link a name to the first one that has all its words, or all of whose words it has."""
    one = scene.candidates[number]
    words = {word for word in one.core if not is_title(word.capitalize())}

    def has_part(other: Candidate) -> bool:
        others = {word for word in other.core if not is_title(word.capitalize())}
        return other.kind == "name" and one.agrees(other) and (words <= others or others <= words)

    return _first(scene, number, has_part) if one.kind == "name" else None


def equal_head(scene: Scene, number: int) -> int | None:
    """Link a definite phrase to the first phrase with its head."""
    one = scene.candidates[number]
    if one.kind != "nominal" or not one.is_definite:
        return None
    return _first(scene, number, lambda other: _is_noun(other) and one.head == other.head)


def speaker(scene: Scene, number: int) -> int | None:
    """Link `I` to who speaks, and `you` to who spoke before."""
    one, who = scene.candidates[number], scene.speakers[number]
    if one.person == 1 and one.numbers == "s":
        return who
    if one.person != 2 or who is None:
        return None
    name = scene.candidates[who].core
    others = [
        other
        for other in scene.speakers[:number]
        if other is not None and scene.candidates[other].core != name
    ]
    return others[-1] if others else None


def nearest(scene: Scene, number: int) -> int | None:
    """Link a pronoun of the third person to the nearest candidate before it that agrees."""
    one = scene.candidates[number]
    if one.kind != "pronoun" or one.person == 1 and one.numbers == "s":
        return None
    before = scene.candidates[:number]
    agreeing = [
        at
        for at, other in enumerate(before)
        if one.agrees(other) and other.end < one.start and one.sentence - other.sentence <= 3
    ]
    return agreeing[-1] if agreeing else None


def _is_noun(one: Candidate) -> bool:
    return one.kind != "pronoun"


def _first(scene: Scene, number: int, fits: Callable[[Candidate], bool]) -> int | None:
    before = scene.candidates[:number]
    return next((at for at, other in enumerate(before) if _is_noun(other) and fits(other)), None)
