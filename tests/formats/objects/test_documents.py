"""Documents of the real spaCy and Stanza; `tests/formats/tools` has stand-ins for both."""

from __future__ import annotations

from typing import Any

import pytest

import scoref
from scoref.exceptions import UsageError

WORDS = ["Anna", "saw", "the", "old", "man", ".", "She", "slept", "."]
KEY = [[(0, 0), (6, 6)], [(2, 4)]]
RESPONSE = [[(0, 0), (2, 4), (6, 6)]]
EXPECTED = scoref.score(KEY, RESPONSE)


class TestSpacy:
    """With a blank pipeline."""

    @staticmethod
    def doc(entities: Any, prefix: str = "coref_clusters_") -> Any:
        """Return a document with a group of spans per entity."""
        spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
        tokens = pytest.importorskip("spacy.tokens", reason="spaCy is not installed")
        doc = tokens.Doc(spacy.blank("en").vocab, words=WORDS)
        for at, entity in enumerate(entities, 1):
            doc.spans[f"{prefix}{at}"] = [doc[start : end + 1] for start, end in entity]
        return doc

    def test_documents_are_scored(self) -> None:
        """One, a list, an iterator, a DocBin or documents by name."""
        tokens = pytest.importorskip("spacy.tokens", reason="spaCy is not installed")
        key, response = self.doc(KEY), self.doc(RESPONSE)
        for one, other in (
            (key, response),
            ([key], [response]),
            (iter([key]), iter([response])),
            (tokens.DocBin(docs=[key]), tokens.DocBin(docs=[response])),
            ({"d": key}, {"d": response}),
            ({"d": key}, {"d": RESPONSE}),
            (KEY, response),
        ):
            assert scoref.score(one, other)["b3"] == EXPECTED["b3"]
        compared = scoref.compare([key, key], {"ours": [response, key]}, ["b3"], trials=9)
        assert len(compared["ours"].runs) == 1
        assert "She" in str(scoref.explain(key, response, ["muc"]))

    def test_accumulate(self) -> None:
        """Document by document, as a pipeline gives them."""
        accumulator = scoref.Accumulator()
        accumulator.add(self.doc(KEY), self.doc(RESPONSE))
        accumulator.add(self.doc(KEY), RESPONSE)
        assert accumulator["b3"] == EXPECTED["b3"]

    def test_other_groups_are_named(self) -> None:
        """If no group has the prefix."""
        with pytest.raises(UsageError) as error:
            scoref.score(KEY, self.doc(RESPONSE, "coref_"))
        assert "no group starts with 'coref_clusters'; groups found: coref_1" in str(error.value)
        assert "prefix=" in error.value.hint

    def test_no_groups_are_noted(self) -> None:
        """A response of nothing is legitimate, and suspicious."""
        result = scoref.score(KEY, self.doc([]))
        assert result["b3"].f1 == 0
        assert any("did the resolver run?" in note for note in result.notes)


class TestStanza:
    """With documents built by hand, since its models cannot be downloaded in a test."""

    @staticmethod
    def doc(entities: Any) -> Any:
        """Return a document with a chain per entity."""
        pytest.importorskip("stanza", reason="Stanza is not installed", exc_type=ImportError)
        document = pytest.importorskip("stanza.models.common.doc", exc_type=ImportError)
        chains = pytest.importorskip("stanza.models.coref.coref_chain", exc_type=ImportError)
        sentences = [
            [{"id": at + 1, "text": word} for at, word in enumerate(words)]
            for words in (WORDS[:6], WORDS[6:])
        ]
        doc = document.Document(sentences)

        def place(start: int, end: int) -> Any:
            sentence = int(start >= 6)
            first = 6 * sentence
            return chains.CorefMention(sentence, start - first, end - first + 1)

        doc.coref = [
            chains.CorefChain(at, [place(*mention) for mention in entity], "", 0)
            for at, entity in enumerate(entities)
        ]
        return doc

    def test_documents_are_scored(self) -> None:
        """One, a list, or documents by name."""
        key, response = self.doc(KEY), self.doc(RESPONSE)
        for one, other in (
            (key, response),
            ([key], iter([response])),
            ({"d": key}, {"d": RESPONSE}),
            (KEY, response),
        ):
            assert scoref.score(one, other)["b3"] == EXPECTED["b3"]

    def test_no_chains_are_noted(self) -> None:
        """The processor may be missing."""
        assert any("did `coref` run?" in note for note in scoref.score(KEY, self.doc([])).notes)

    def test_words_and_empty_nodes_of_a_file(self) -> None:
        """Mentions count words, not the token `dámelo`, and zeros are nodes between words."""
        pytest.importorskip("stanza", reason="Stanza is not installed", exc_type=ImportError)
        chains = pytest.importorskip("stanza.models.coref.coref_chain", exc_type=ImportError)
        conll = pytest.importorskip("stanza.utils.conll", exc_type=ImportError)
        lines = [
            "1-3 dámelo _ _ _ _ _ _ _ _",
            "1 da _ _ _ _ 0 root _ _",
            "2 me _ _ _ _ 1 iobj _ _",
            "3 lo _ _ _ _ 1 obj _ _",
            "",
            "1 Yo _ _ _ _ 2 nsubj _ _",
            "2 espero _ _ _ _ 0 root _ _",
            "2.1 _ _ _ _ _ _ _ 2:obj _",
            *("", ""),
        ]
        text = "\n".join(lines).replace(" ", "\t")
        doc = conll.CoNLL.conll2doc(input_str=text, ignore_gapping=False)
        assert [len(sentence.words) for sentence in doc.sentences] == [3, 2]
        speaker = [chains.CorefMention(0, 1, 2), chains.CorefMention(1, 0, 1)]
        zero = chains.CorefMention(1, (2, 1), (2, 1))
        doc.coref = [
            chains.CorefChain(0, speaker, "Yo", 1),
            chains.CorefChain(1, [chains.CorefMention(0, 2, 3), zero], "lo", 0),
        ]
        result = scoref.score(doc, doc, ["mentions", "zero", "conll"])
        assert result["mentions"].f1 == result["zero"].f1 == result["conll"].f1 == 1
        without = scoref.score(doc, [[(1, 1), (3, 3)], [(2, 2)]], ["mentions"])
        assert without["mentions"].recall == pytest.approx(3 / 4)  # without the zero

    def test_mentions_outside_of_the_text_are_refused(self) -> None:
        """With the chain, and how words are counted."""
        doc = self.doc(KEY)
        doc.coref[0].mentions[0].end_word = 99
        with pytest.raises(scoref.ScorefError, match="chain 0 of") as error:
            scoref.score(KEY, doc)
        assert "99" in str(error.value)

    def test_a_sentence_is_not_a_document(self) -> None:
        """The message names what was found, and what would work."""
        sentence = self.doc(KEY).sentences[0]
        with pytest.raises(scoref.ScorefError, match="is a Sentence, which cannot") as error:
            scoref.score(KEY, sentence)
        assert "Stanza documents" in error.value.hint
