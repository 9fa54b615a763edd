"""The coreference task for language models: samples of a key, prompts, and counts of answers.

A sample is a document of a key as a row that a harness can store, with its prompt. An answer is
aligned with the words of its sample, and becomes counts that can be added.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, TypedDict

import numpy as np

from scoref.corpus.corpus import Corpus
from scoref.exceptions import FormatError, ScorefError, UsageError
from scoref.formats import read
from scoref.formats.corpus_reader import read_stream
from scoref.formats.format import Wanted
from scoref.formats.io.sources import Source
from scoref.formats.json.jsonl import NAMES, write
from scoref.formats.written_names import fit_names
from scoref.integrations.counts_vector import CountsVector
from scoref.llm.align import align
from scoref.metrics import MetricLike, portable
from scoref.policy import Policy, PolicyLike
from scoref.result import Score, flat_scores
from scoref.scoring import score

PROMPT = """\
Mark every mention in the text below, and number the mentions by what they refer to. A mention is a
name, a noun phrase or a pronoun. Mentions of the same person, thing or event get the same number.
{singletons} A mention can be inside another one.

Write the whole text again, word for word, with each mention in brackets and its number after them.
Change, add and leave out nothing else, and write nothing before or after the text.

Text:
Ann lost the key to her house . She found it in the garden .

Answer:
{example}

Text:
{text}

Answer:
"""
_WITH_SINGLETONS = "Mark also what is mentioned only once."
_WITHOUT_SINGLETONS = "Do not mark what is mentioned only once."
_EXAMPLE = (
    "[Ann]#1 lost [the key to [[her]#1 house]#3]#2 . [She]#1 found [it]#2 in [the garden]#4 ."
)
_EXAMPLE_WITHOUT = (
    "[Ann]#1 lost [the key to [her]#1 house]#2 . [She]#1 found [it]#2 in the garden ."
)


METRICS = ("muc", "b3", "ceafe", "lea", "conll")
"""What tasks for language models score by default."""


class CorefSample(TypedDict):
    """A document: its name, its prompt, and its words and key entities as a JSON line."""

    doc_id: str
    prompt: str
    document: str


def samples(
    key: str | PathLike[str] | Corpus,
    format: str | None = None,  # noqa: A002  # what the command line calls it
) -> list[CorefSample]:
    """Return a sample for each document of a key, which can be any file with words.

    The prompt asks for entities of one mention only if the key has some.
    """
    corpus = key if isinstance(key, Corpus) else read(key, format, words={"word"})
    if corpus.text is None or "word" not in corpus.text:
        raise UsageError(
            f"{corpus.source} has no words, which a prompt requires",
            "name a file with words, such as CoNLL columns, CorefUD or JSON lines",
        )
    sizes = np.bincount(corpus.entity, minlength=corpus.entity_count)
    stream = io.BytesIO()
    write(fit_names(corpus, "jsonl", NAMES)[0], stream)
    lines = stream.getvalue().decode().splitlines()
    return [
        CorefSample(
            doc_id=document.name,
            prompt=make_prompt(json.loads(line)["sentences"], singletons=bool((sizes == 1).any())),
            document=line,
        )
        for document, line in zip(corpus.documents, lines, strict=True)
    ]


def make_prompt(sentences: list[list[str]], *, singletons: bool) -> str:
    """Return the prompt for a text."""
    return PROMPT.format(
        text="\n".join(" ".join(sentence) for sentence in sentences),
        singletons=_WITH_SINGLETONS if singletons else _WITHOUT_SINGLETONS,
        example=_EXAMPLE if singletons else _EXAMPLE_WITHOUT,
    )


def corpus_of(sample: CorefSample) -> Corpus:
    """Return the key of one sample, with its words."""
    stream, source = io.BytesIO(sample["document"].encode()), Source(None, sample["doc_id"])
    _, corpus, problems = read_stream(stream, source, "jsonl", Wanted(frozenset({"word"})))
    if problems or corpus is None:
        raise FormatError(problems, sample["doc_id"])
    return corpus


class AnswerCounts(TypedDict):
    """What is counted of an answer, as a harness can store it.

    * `counts`: For each metric, a row of counts.
    * `policy`: The choices that differ from the defaults.
    * `f1`: For each metric, the F1 of this document alone, for display.
    * `tokens`, `kept`: The tokens of the source, and those that the answer kept.
    * `unusable`: Why no mention could be read from the answer, or an empty string. Such an answer
      counts as one without mentions.
    """

    counts: dict[str, list[float]]
    policy: dict[str, str]
    f1: dict[str, float]
    tokens: int
    kept: int
    unusable: str


class AnswerScorer:
    """Counts answers in a markup, and scores counts of all samples together.

    * `names`: The metric and the part of each score by its name, such as `b3_recall`.
    """

    def __init__(
        self,
        metrics: Iterable[MetricLike] | None = None,
        policy: PolicyLike | None = None,
    ) -> None:
        choices = Policy.of(policy)
        self.policy = choices if choices.markup != "none" else replace(choices, markup="brackets")
        self.metrics = CountsVector(metrics, self.policy).metrics
        self._vectors = {one.name: CountsVector([one], self.policy) for one in self.metrics}
        self.names = {
            f"{metric.name}_{part}": (metric.name, part)
            for metric in self.metrics
            for part in ("recall", "precision", "f1")
            if part == "f1" or (metric.has_sides and not metric.parts)
        }

    def __reduce__(self) -> tuple[type[AnswerScorer], tuple[Any, ...]]:
        """Pickle known metrics by name, since their functions may not be picklable."""
        return AnswerScorer, (portable(self.metrics), self.policy)

    @classmethod
    def of(cls, answers: Sequence[AnswerCounts]) -> AnswerScorer:
        """Return the scorer that counted some answers, which must be the same for all."""
        if not answers:
            raise UsageError("no answers were counted")
        first, *others = answers
        if any(
            one["policy"] != first["policy"] or one["counts"].keys() != first["counts"].keys()
            for one in others
        ):
            raise UsageError("the answers were counted with different metrics or policies")
        return cls(first["counts"], first["policy"])

    def count(self, sample: CorefSample, answer: str) -> AnswerCounts:
        """Align an answer with the words of its sample, and count it."""
        key = corpus_of(sample)
        kept, unusable, tokens = 0, "", len(key.text or ())
        response = Corpus.without_mentions(key.documents, "the answer")
        try:
            found = align(
                key, {sample["doc_id"]: answer}, self.policy.markup, self.policy.unclosed_tags
            )
            response, kept = found.corpus, found.fidelity.kept
        except ScorefError as error:
            unusable = error.message
        result = score(key, response, self.metrics, self.policy)
        counts = result.counts
        rows = {one.name: counts.statistic(one, self.policy).rows[0] for one in self.metrics}
        return AnswerCounts(
            counts={name: row.tolist() for name, row in rows.items()},
            policy=self.policy.changed(),
            f1={name: found.f1 for name, found in result.scores.items()},
            tokens=tokens,
            kept=kept,
            unusable=unusable,
        )

    def score(self, metric: str, rows: Iterable[Iterable[float]]) -> Score:
        """Return the score of a metric over the counts of several answers."""
        return self._vectors[metric].scores([list(row) for row in rows])[metric]

    def scores(self, answers: Sequence[AnswerCounts]) -> dict[str, float]:
        """Return all scores by name, such as `b3/recall`, and `words_kept` and `unusable`."""
        flat = flat_scores(
            {
                metric: self.score(metric, [one["counts"][metric] for one in answers])
                for metric in self._vectors
            }
        )
        flat["words_kept"] = share_kept((one["kept"], one["tokens"]) for one in answers)
        flat["unusable"] = sum(bool(one["unusable"]) for one in answers)
        return flat


def share_kept(pairs: Iterable[tuple[int, int]]) -> float:
    """Return the share of words that answers kept, from pairs of kept words and all words."""
    kept, tokens = map(sum, zip(*pairs, strict=True))
    return kept / tokens if tokens else 1.0
