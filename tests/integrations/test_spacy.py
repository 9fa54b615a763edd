"""The scorer of spaCy, in a pipeline from a configuration, in `nlp.evaluate` and alone."""

from __future__ import annotations

from typing import Any

import pytest

from scoref import read, score
from scoref.exceptions import UsageError
from tests.integrations.conftest import Equal, Pair

spacy = pytest.importorskip("spacy")

CONFIG = """
[nlp]
lang = "en"
pipeline = ["canned"]

[components]

[components.canned]
factory = "canned_coref"

[components.canned.scorer]
@scorers = "scoref.coref.v1"
metrics = ["muc", "b3", "ceafe", "lea", "conll"]
"""


@pytest.fixture(scope="module", autouse=True)
def factory() -> None:
    """A component that writes the clusters it is given, and scores as its configuration says."""
    from spacy.language import Language
    from spacy.pipeline import Pipe

    class Canned(Pipe):
        def __init__(self, nlp: Any, name: str, scorer: Any) -> None:
            self.vocab, self.name, self.scorer = nlp.vocab, name, scorer
            self.clusters: dict[str, list[list[tuple[int, int]]]] = {}

        def __call__(self, doc: Any) -> Any:
            return set_spans(doc, self.clusters[doc.user_data["name"]])

    @Language.factory("canned_coref", default_config={"scorer": None})
    def make(nlp: Any, name: str, scorer: Any) -> Canned:
        return Canned(nlp, name, scorer)


def set_spans(doc: Any, clusters: list[list[tuple[int, int]]]) -> Any:
    """Write clusters as groups of spans, as spaCy's resolver does."""
    for number, cluster in enumerate(clusters, 1):
        doc.spans[f"coref_clusters_{number}"] = [doc[a : b + 1] for a, b in cluster]
    return doc


def examples(nlp: Any, pair: Pair) -> list[Any]:
    """Return the key as examples without predictions."""
    from spacy.tokens import Doc
    from spacy.training import Example

    corpus = read(pair.key)
    found = []
    for document in corpus.documents:
        words = ["word"] * document.length
        docs = [Doc(nlp.vocab, words, user_data={"name": document.name}) for _ in range(2)]
        found.append(Example(docs[0], set_spans(docs[1], pair.key_clusters[document.name])))
    return found


def test_a_pipeline_from_a_configuration(pair: Pair, equal: Equal) -> None:
    """The registered name is enough: nothing of scoref is imported by the user."""
    from thinc.api import Config

    nlp = spacy.util.load_model_from_config(Config().from_str(CONFIG), auto_fill=True)
    nlp.get_pipe("canned").clusters = pair.response_clusters

    scores = nlp.evaluate(examples(nlp, pair))

    parts = {"r": "recall", "p": "precision", "f": "f1"}
    found = {
        f"{name.split('_')[1]}/{parts[name[-1]]}": value
        for name, value in scores.items()
        if name.startswith("coref_")
    }
    assert len(found) == 13
    equal("spaCy", "spacy", "60 documents", found, pair.result)


def make_examples(words: list[list[str]], clusters: list[list[list[tuple[int, int]]]]) -> list[Any]:
    """Return one example: the words and clusters of the reference, then of the prediction."""
    from spacy.tokens import Doc
    from spacy.training import Example

    vocab = spacy.blank("en").vocab
    key, response = (
        set_spans(Doc(vocab, *side), found)
        for side, found in zip([(one, [False] * len(one)) for one in words], clusters, strict=True)
    )
    return [Example(response, key)]


def test_other_tokens_of_the_same_text_are_compared_by_characters() -> None:
    """As spaCy aligns them."""
    from scoref.integrations.spacy import make_coref_scorer

    found = make_examples(
        [["Ann", "Lee", "saw", "her", "dog", "."], ["AnnLee", "saw", "her", "dog."]],
        [[[(0, 1), (3, 3)]], [[(0, 0), (2, 2)]]],
    )

    assert make_coref_scorer(["b3"])(found)["coref_b3_f"] == 1.0


def test_policies_and_names() -> None:
    """Choices of scoref by name; scores under a name of one's own."""
    from scoref.integrations.spacy import make_coref_scorer

    key, response = [[(0, 0), (1, 1)], [(2, 2)]], [[(0, 0), (1, 1), (2, 2)]]
    found = make_examples([["a", "b", "c"]] * 2, [key, response])
    scorer = make_coref_scorer(["b3"], {"singletons": "drop"}, name="link")

    expected = score({"d": key}, {"d": response}, ["b3"], {"singletons": "drop"})["b3"]
    assert scorer(found) == {
        "link_b3_r": expected.recall,
        "link_b3_p": expected.precision,
        "link_b3_f": expected.f1,
    }
    assert scorer([]) == {}


@pytest.mark.parametrize(
    ("choices", "message"),
    [({"metrics": ["mcu"]}, "'muc'"), ({"policy": {"singletons": "dorp"}}, "'drop'")],
    ids=["metric", "policy"],
)
def test_mistakes_in_a_configuration(choices: dict[str, Any], message: str) -> None:
    """When the scorer is made, and not after the first epoch."""
    from scoref.integrations.spacy import make_coref_scorer

    with pytest.raises(UsageError) as error:
        make_coref_scorer(**choices)
    assert f"did you mean {message}?" in error.value.hint


def test_references_without_entities_are_refused() -> None:
    """A score of zero would hide that the prefix is wrong."""
    from scoref.integrations.spacy import make_coref_scorer

    found = make_examples([["a", "b"]] * 2, [[], [[(0, 0), (1, 1)]]])
    found[0].reference.spans["entity_1"] = [found[0].reference[0:1]]
    with pytest.raises(UsageError, match="groups found: entity_1\n  hint: set span_prefix"):
        make_coref_scorer()(found)


def test_an_untrained_resolver_finds_nothing() -> None:
    """Training goes on, also if another component has groups of spans."""
    from scoref.integrations.spacy import make_coref_scorer

    found = make_examples([["a", "b"]] * 2, [[[(0, 0), (1, 1)]], []])
    found[0].predicted.spans["sc"] = [found[0].predicted[0:1]]
    assert make_coref_scorer(["b3"])(found)["coref_b3_f"] == 0.0
