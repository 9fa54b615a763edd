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

import spacy
from spacy.training import Example

from scoref.exceptions import UsageError
from scoref.formats.tools.spacy import PREFIX, from_docs
from scoref.policy import Policy
from scoref.scoring import score

_LETTERS = {"recall": "r", "precision": "p", "f1": "f"}


@spacy.registry.scorers("scoref.coref.v1")
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

    def score_examples(examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        pairs = [(example.reference, example.predicted) for example in examples]
        if not pairs:
            return {}
        sides = [from_docs(docs, prefix=span_prefix) for docs in zip(*pairs, strict=True)]
        key, response = sides
        if not len(key):
            groups = sorted({str(group) for doc, _ in pairs for group in doc.spans})
            raise UsageError(
                f"no reference has a group of spans that starts with {span_prefix!r}",
                f"groups found: {', '.join(groups) or 'none'}; set span_prefix in the"
                " configuration of the scorer",
            )
        same = all([token.text for token in a] == [token.text for token in b] for a, b in pairs)
        used = choices if same else replace(choices, positions="own-tokens")
        result = score(key, response, metrics, used)
        return {
            f"{name}_{metric.replace('/', '_')}_{_LETTERS[part]}": value
            for metric, found in result.scores.items()
            for part, value in found._asdict().items()
            if value == value  # noqa: PLR0124  # the CoNLL average has no recall
        }

    return score_examples
