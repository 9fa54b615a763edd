"""A spaCy scorer: coreference scores in `nlp.evaluate`, `spacy train` and `spacy evaluate`.

A component of a pipeline names it in its configuration. The package registers it, so no import is
necessary:

    [components.coref.scorer]
    @scorers = "scoref.coref.v1"
    metrics = ["muc", "b3", "ceafe", "conll"]

    [training.score_weights]
    coref_conll_f = 1.0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from spacy import registry  # type: ignore[attr-defined]  # it is exported under another name
from spacy.tokens import Doc
from spacy.training import Example

from scoref.corpus.corpus import Corpus
from scoref.exceptions import UsageError
from scoref.formats.tools.spacy import PREFIX, from_docs
from scoref.metrics import find_metrics
from scoref.policy import Policy
from scoref.scoring import score

_LETTERS = {"recall": "r", "precision": "p", "f1": "f"}


@registry.scorers("scoref.coref.v1")
def make_coref_scorer(
    metrics: list[str] | None = None,
    policy: dict[str, str] | None = None,
    span_prefix: str = PREFIX,
    name: str = "coref",
) -> Callable[..., dict[str, Any]]:
    """Return a scorer of entities that are groups of spans, `coref_clusters_1` and so on.

    Scores are named as spaCy names them: `coref_b3_r`, `coref_b3_p`, `coref_b3_f`. If the tokens
    of prediction and reference differ, mentions are compared by their characters, as with the
    policy `positions="own-tokens"`.
    """
    choices = Policy.of(policy)
    # A mistake in a configuration ends the training before it begins, and not after an epoch.
    chosen = None if metrics is None else find_metrics(metrics)

    def score_examples(examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        pairs = [(example.reference, example.predicted) for example in examples]
        if not pairs:
            return {}
        references, predictions = zip(*pairs, strict=True)
        if not _has_groups(references, span_prefix):
            groups = sorted({str(group) for doc in references for group in doc.spans})
            raise UsageError(
                f"no reference has a group of spans that starts with {span_prefix!r}; groups found:"
                f" {', '.join(groups) or 'none'}",
                "set span_prefix in the configuration of the scorer",
            )
        key, used = from_docs(references, prefix=span_prefix), choices
        response = Corpus.without_mentions(key.documents)  # an untrained resolver finds nothing
        if _has_groups(predictions, span_prefix):
            response = from_docs(predictions, prefix=span_prefix)
            if any(_words(one) != _words(other) for one, other in pairs):
                used = replace(choices, positions="own-tokens")
        result = score(key, response, chosen, used)
        return {
            f"{name}_{found[: -len(part) - 1]}_{letter}": value
            for found, value in result.to_dict(flat=True).items()
            for part, letter in _LETTERS.items()
            if found.endswith(f"/{part}")
        }

    return score_examples


def _has_groups(docs: Iterable[Doc], prefix: str) -> bool:
    return any(str(group).startswith(prefix) for doc in docs for group in doc.spans)


def _words(doc: Doc) -> list[str]:
    return [token.text for token in doc]
