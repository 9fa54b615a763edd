"""The task for language models: samples of a key, prompts, and counts of answers."""

from __future__ import annotations

import json
import pickle
from collections import Counter

import numpy as np
import pytest

import scoref
from scoref.exceptions import UsageError
from scoref.integrations.generated_answers import AnswerScorer, corpus_of, samples, share_kept
from scoref.llm.prompts import write_markup
from tests.integrations.conftest import Answers


def test_a_sample_is_a_document_with_its_key(answers: Answers) -> None:
    """A harness can store it as JSON, and the key is read back as it was."""
    found = json.loads(json.dumps(samples(answers.key)))
    corpus = scoref.read(answers.key, words=True)

    assert [one["doc_id"] for one in found] == ["harbour/ferry", "harbour/letter"]
    for one in found:
        again = corpus_of(one).entities()[one["doc_id"]]
        expected = corpus.entities()[one["doc_id"]]
        assert Counter(map(frozenset, again)) == Counter(map(frozenset, expected))
        assert one["prompt"].count("Mark also what is mentioned only once.") == 1
    assert "Dear Editor ,\nYour report on the ferry forgot two people ." in found[1]["prompt"]


def test_the_prompt_asks_for_singletons_only_if_the_key_has_some() -> None:
    """The answer in the example of the prompt is consistent with the request."""
    corpus = scoref.read("examples/ferry/key.conll", words={"word"})
    sizes = np.bincount(corpus.entity)
    (first, _) = samples(corpus.where(sizes[corpus.entity] > 1))
    assert "Do not mark what is mentioned only once." in first["prompt"]
    assert "[it]#2 in the garden ." in first["prompt"]


def test_a_key_without_words_is_refused() -> None:
    """A prompt needs a text."""
    corpus = scoref.Corpus.from_entities({"d": [[(0, 0), (1, 1)]]})
    with pytest.raises(UsageError, match="has no words, which a prompt requires"):
        samples(corpus)


def test_counts_of_answers_have_the_scores_of_the_command(answers: Answers) -> None:
    """To the last bit; also after a round trip through JSON, and in another process."""
    scorer = AnswerScorer()
    counts = [scorer.count(one, answers.texts[one["doc_id"]]) for one in samples(answers.key)]
    stored = json.loads(json.dumps(counts))
    for one in (scorer, pickle.loads(pickle.dumps(scorer)), AnswerScorer.of(stored)):  # noqa: S301
        scores = one.scores(stored[::-1])
        for name, value in scores.items():
            metric, _, part = name.partition("/")
            if part:
                assert value == getattr(answers.result[metric], part), name
        assert answers.result.fidelity is not None
        assert scores["words_kept"] == answers.result.fidelity.share_kept
        assert scores["unusable"] == 0


def test_the_example_of_the_prompt_is_read_as_it_is_meant(tmp_path: object) -> None:
    """The model is shown the markup that is read, and the task can be solved perfectly."""
    corpus = scoref.read("examples/ferry/key.conll", words={"word"})
    write_markup(corpus, f"{tmp_path}/targets.jsonl", "brackets")
    with open(f"{tmp_path}/targets.jsonl", encoding="utf-8") as stream:  # noqa: PTH123
        targets = {one["doc_id"]: one["completion"] for one in map(json.loads, stream)}
    scorer = AnswerScorer(["conll", "lea"])
    counts = [scorer.count(one, targets[one["doc_id"]]) for one in samples(corpus)]
    scores = scorer.scores(counts)
    assert (scores["conll/f1"], scores["lea/f1"], scores["words_kept"]) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    "answer", ["", "I cannot do that.", "[", "]#1 #2 [[[", "<m>x</m>", "\n" * 9]
)
def test_an_answer_without_mentions_counts_as_one_without_mentions(
    answers: Answers, answer: str
) -> None:
    """The harness goes on, recall is zero, and the key still counts."""
    first, second = samples(answers.key)
    scorer = AnswerScorer(["mentions", "b3"])
    counts = [scorer.count(first, answer), scorer.count(second, answers.texts[second["doc_id"]])]
    scores = scorer.scores(counts)
    empty = scoref.score(
        answers.key,
        {second["doc_id"]: answers.texts[second["doc_id"]]},
        ["mentions", "b3"],
        scorer.policy,
    )
    assert scores["b3/recall"] == empty["b3"].recall
    assert scores["mentions/precision"] == empty["mentions"].precision


def test_answers_that_cannot_be_aligned_are_reported(answers: Answers) -> None:
    """With `auto`, a text without tags is in no markup: the reason is kept."""
    (first, _) = samples(answers.key)
    scorer = AnswerScorer(["b3"], {"markup": "auto"})
    counts = scorer.count(first, "no tags at all")
    assert "no tags in `no tags at all`" in counts["unusable"]
    assert counts["policy"] == {"markup": "auto"}
    assert scorer.scores([counts])["unusable"] == 1


def test_answers_of_other_metrics_are_not_added(answers: Answers) -> None:
    """They have other columns."""
    (first, _) = samples(answers.key)
    counts = [AnswerScorer([name]).count(first, "") for name in ("b3", "muc")]
    with pytest.raises(UsageError, match="different metrics or policies"):
        AnswerScorer.of(counts)
    with pytest.raises(UsageError, match="no answers"):
        AnswerScorer.of([])
    assert share_kept([(1, 2), (3, 4)]) == 4 / 6
