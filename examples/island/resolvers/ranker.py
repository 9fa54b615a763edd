"""A learned resolver: for each mention, an averaged perceptron ranks the mentions before it.

The candidates are those of the rules. The choice "begins an entity" is ranked with the others. All
documents are resolved by models that were trained on other documents (cross-validation). Weights
are integers, so every machine gets the same output; a seed decides the order of the training
documents.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from resolvers.mentions import Candidate, Scene, Span, read_scene
from resolvers.sieve import clusters

Sentences = Sequence[Sequence[str]]
Clusters = list[list[Span]]
FOLDS = 5
REACH = 30
"""How many mentions back an antecedent can be."""


@dataclass(slots=True)
class Perceptron:
    """Integer weights, and their sum over all steps, which is what the average is ranked by."""

    weights: Counter[str] = field(default_factory=Counter)
    drift: Counter[str] = field(default_factory=Counter)
    step: int = 1

    def learn(self, right: Sequence[str], wrong: Sequence[str]) -> None:
        """Move towards the features of the right choice."""
        for features, sign in ((right, 1), (wrong, -1)):
            for feature in features:
                self.weights[feature] += sign
                self.drift[feature] += sign * self.step

    def average(self) -> dict[str, int]:
        """Return the weights of all steps, added up."""
        return {name: self.step * self.weights[name] - self.drift[name] for name in self.weights}


def checkpoints(
    texts: Mapping[str, Sentences], key: Mapping[str, Clusters], seed: int, after: Sequence[int]
) -> dict[int, dict[str, Clusters]]:
    """Resolve all documents with models that have seen so many training documents."""
    names = list(texts)
    scenes = {name: read_scene(text) for name, text in texts.items()}
    features = {name: _all_features(scene) for name, scene in scenes.items()}
    found: dict[int, dict[str, Clusters]] = {steps: {} for steps in after}
    for fold in range(FOLDS):
        held_out = names[fold::FOLDS]
        training = [name for name in names if name not in held_out]
        truths = {name: _truth(scenes[name], key[name]) for name in training}
        model = Perceptron()
        for step, name in enumerate(_order(training, seed * FOLDS + fold, max(after)), 1):
            _train(model, features[name], truths[name])
            if step in found:
                weights = model.average()
                for other in held_out:
                    found[step][other] = _resolve(scenes[other], features[other], weights)
    return {step: {name: of[name] for name in names} for step, of in found.items()}


def _order(names: Sequence[str], seed: int, length: int) -> Iterator[str]:
    """Yield names, shuffled anew for each pass."""
    rng = random.Random(seed)  # noqa: S311  # nothing depends on its secrecy
    passes = -(-length // len(names))
    shuffled = (sorted(names, key=lambda _: rng.random()) for _ in range(passes))
    yield from islice(chain.from_iterable(shuffled), length)


Choices = list[dict[int, list[str]]]
"""For each candidate, the features of each choice: a candidate before it, or its own number."""


def _all_features(scene: Scene) -> Choices:
    every = []
    for number in range(len(scene.candidates)):
        choices = {
            other: _link_features(scene, number, other)
            for other in range(max(0, number - REACH), number)
            if scene.candidates[other].end < scene.candidates[number].start
        }
        choices[number] = _new_features(scene, number)
        every.append(choices)
    return every


def _truth(scene: Scene, entities: Clusters) -> list[int]:
    """Return the entity of each candidate, or a number of its own if the key does not have it."""
    entity = {span: number for number, spans in enumerate(entities) for span in spans}
    return [entity.get(one.span, -1 - at) for at, one in enumerate(scene.candidates)]


def _train(model: Perceptron, features: Choices, truth: Sequence[int]) -> None:
    for number, choices in enumerate(features):
        right = [at for at in choices if at != number and truth[at] == truth[number]] or [number]
        guess = _best(choices, model.weights)
        if guess not in right:
            aim = _best({at: choices[at] for at in right}, model.weights)
            model.learn(choices[aim], choices[guess])
        model.step += 1


def _resolve(scene: Scene, features: Choices, weights: Mapping[str, int]) -> Clusters:
    entity: list[int] = []
    for number, choices in enumerate(features):
        chosen = _best(choices, weights)
        entity.append(entity[chosen] if chosen < number else number)
    return clusters(scene, entity)


def _best(choices: Mapping[int, Sequence[str]], weights: Mapping[str, int]) -> int:
    """Return the choice with the highest score; of equal ones, the latest."""
    return max(choices, key=lambda at: (sum(weights.get(one, 0) for one in choices[at]), at))


def _new_features(scene: Scene, number: int) -> list[str]:
    one = scene.candidates[number]
    before = scene.candidates[:number]
    kind = _kind(one)
    seen = any(other.head == one.head for other in before)
    seen_name = any(one.shares_name(other) for other in before)
    return [
        "new",
        f"new {kind}",
        f"new {kind} head seen {seen}",
        f"new {one.kind} name seen {seen_name}",
        f"new {kind} first {one.sentence == 0}",
        f"new word {one.head}" if one.kind == "pronoun" else "new noun",
    ]


def _link_features(scene: Scene, number: int, at: int) -> list[str]:
    one, other = scene.candidates[number], scene.candidates[at]
    kinds = f"{_kind(one)} {_kind(other)}"
    apart = min(one.sentence - other.sentence, 4)
    rank = min(number - at, 12) // 3
    same_text = one.core == other.core
    links = [
        f"kinds {kinds}",
        f"{one.kind} sentences {apart}",
        f"{one.kind} rank {rank}",
        f"{kinds} agree {one.agrees(other)}",
        f"{one.kind} {other.kind} same text {same_text}",
        f"{one.kind} {other.kind} same head {one.head == other.head}",
        f"{one.kind} {other.kind} name {one.shares_name(other)}",
        f"{one.kind} apposition {_is_apposition(scene, one, other)}",
        f"persons {one.person} {other.person} same quote {one.quote == other.quote}",
        f"{kinds} starts {_starts_sentence(scene, other)}",
    ]
    if one.kind == other.kind == "pronoun":
        links.append(f"words {one.head} {other.head} {min(apart, 1)}")
    if one.person < 3 or other.person < 3:
        links.append(f"speaks {one.person} {other.person} {_speech(scene, number, at)}")
    return links


def _kind(one: Candidate) -> str:
    """Return the type, with person and number of pronouns and the determiner of others."""
    if one.kind == "pronoun":
        return f"{one.person}{one.numbers}{one.genders}"
    return f"{one.kind} {one.words[0].lower() if one.kind == 'nominal' else one.numbers}"


def _is_apposition(scene: Scene, one: Candidate, other: Candidate) -> bool:
    return other.end == one.start - 2 and scene.words[one.start - 1] == ","


def _starts_sentence(scene: Scene, one: Candidate) -> bool:
    return one.start == 0 or scene.words[one.start - 1] in '.:"!?'


def _speech(scene: Scene, number: int, at: int) -> str:
    """Return how the speakers of two mentions relate."""
    here, there = scene.speakers[number], scene.speakers[at]

    def name(speaker: int | None) -> tuple[str, ...]:
        return () if speaker is None else scene.candidates[speaker].core

    return f"{at == here} {name(here) == name(there)} {scene.candidates[at].core == name(here)}"
