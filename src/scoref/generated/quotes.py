"""Quotes: mentions that a language model listed by their words instead of marking them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Quote(NamedTuple):
    """A quoted mention of an entity, with everything the list says about its place.

    * `entity`: The entity of the list.
    * `text`: The words as quoted.
    * `group`: Quotes of one group are listed in the order of the text.
    * `sentence`: The number of the sentence or line from 1, or 0.
    * `context`: Words around the mention, or empty.
    * `start`: The first character or token, as the list counts it, or -1.
    """

    entity: str
    text: str
    group: str
    sentence: int = 0
    context: str = ""
    start: int = -1


class Answer(NamedTuple):
    """The antecedent that a list states for a quote: its words, which name the entity."""

    quote: int
    antecedent: str


@dataclass(slots=True)
class QuoteList:
    """Quotes in the order of the list, and antecedents to place after them.

    * `is_cut`: Whether the list broke off.
    """

    quotes: list[Quote] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    is_cut: bool = False
