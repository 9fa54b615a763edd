"""Documents of spaCy and Stanza, by stand-ins that have the attributes of the real ones."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import scoref
from scoref.corpus.corpus import Corpus
from scoref.exceptions import ScorefError, UsageError
from scoref.formats import find_format
from scoref.formats.tools.spacy import from_docs
from scoref.formats.tools.stanza import from_documents
from tests.formats.drawn import read
from tests.fuzz import spacy_stand_in

WORDS = ["Anna", "saw", "the", "old", "man", ".", "She", "slept", "."]


@dataclass
class Doc:
    """A document as spaCy has it: tokens, and groups of spans by name."""

    groups: dict[str, list[tuple[int, int]]]
    parsed: bool = True
    tokens: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tokens = [
            SimpleNamespace(text=word, tag_="X", lemma_=word.lower(), is_sent_start=at in {0, 6})
            for at, word in enumerate(WORDS)
        ]

    def __iter__(self) -> Any:
        return iter(self.tokens)

    def has_annotation(self, _: str) -> bool:
        """Whether the document is parsed."""
        return self.parsed

    @property
    def spans(self) -> dict[str, list[Any]]:
        """The groups of spans, whose roots are their last tokens."""
        return {
            name: [
                SimpleNamespace(start=start, end=end, root=SimpleNamespace(i=end - 1))
                for start, end in spans
            ]
            for name, spans in self.groups.items()
        }


DOC = Doc(
    {
        "coref_clusters_1": [(0, 1), (6, 7)],
        "coref_head_clusters_1": [(0, 1), (6, 7)],
        "coref_clusters_2": [(2, 5)],
        "sc": [(0, 9)],
    }
)


def test_spacy_groups_are_entities() -> None:
    """Only those with the prefix."""
    corpus = from_docs([DOC], ["x"])
    assert corpus.entities() == {"x": [[(0, 0), (6, 6)], [(2, 4)]]}
    assert corpus.attributes["head_start"].tolist() == [0, 6, 4]
    assert corpus.documents[0].length == 9
    assert corpus.text is not None
    assert corpus.text.words(0, 2, 4) == ["the", "old", "man"]
    assert corpus.text.starts_sentence.nonzero()[0].tolist() == [0, 6]


def test_spacy_other_prefixes_and_no_parse() -> None:
    """As other components write them."""
    corpus = from_docs([Doc({"chain1": [(0, 2)]}, parsed=False)], prefix="chain")
    assert corpus.entities() == {"#1": [[(0, 1)]]}
    assert "head_start" not in corpus.attributes


def test_spacy_scores_against_entities() -> None:
    """Documents without names are paired by their order."""
    assert scoref.score(from_docs([DOC]), from_docs([DOC]))["conll"].f1 == 1.0
    other = from_docs([DOC], ["x"])
    assert scoref.score(other, {"x": [[(0, 0), (6, 6)]]})["mentions"].recall == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "call",
    [
        lambda: from_docs(DOC),
        lambda: from_docs(DOC, ["x"]),
        lambda: from_docs(["a text"]),
        lambda: from_docs(7),  # type: ignore[arg-type]
        lambda: from_documents(stanza((0, 0, 1))),
        lambda: from_documents([None]),
    ],
)
def test_what_is_not_a_list_of_documents_is_refused(call: Callable[[], Corpus]) -> None:
    """One document, which is iterable too, and anything else."""
    with pytest.raises(UsageError, match="expected a"):
        call()


@pytest.mark.parametrize("span", [(3, 3), (8, 10), (-1, 2)])
def test_spacy_spans_outside_the_text_are_refused(span: tuple[int, int]) -> None:
    """With the group."""
    with pytest.raises(ScorefError, match="the group coref_clusters_1 of #1"):
        from_docs([Doc({"coref_clusters_1": [span]})])


@pytest.mark.parametrize("names", [["a"], ["a", "a"], ["a", ""], ["a", "b", "c"]])
def test_names_must_fit(names: list[str]) -> None:
    """One for each document, all different."""
    with pytest.raises(ScorefError, match="2 documents"):
        from_docs([DOC, DOC], names)


def test_spacy_files_are_read_by_spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told by what DocBin writes first."""
    data = zlib.compress(b"\x88\xa5attrs\x9e")
    assert find_format("spacy").recognise(data)
    assert not find_format("spacy").recognise(zlib.compress(b"other"))
    assert not find_format("spacy").recognise(b"\x78\x9cxx")

    class DocBin:
        """As spaCy's, but it always has the same document."""

        def from_bytes(self, given: bytes) -> DocBin:
            """Read."""
            if given != data:
                raise ValueError("odd bytes")
            return self

        def get_docs(self, _: Any) -> list[Doc]:
            """Return the documents."""
            return [DOC]

    spacy, tokens = ModuleType("spacy"), ModuleType("spacy.tokens")
    spacy.blank = lambda _: SimpleNamespace(vocab=None)  # type: ignore[attr-defined]
    tokens.DocBin = DocBin  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spacy", spacy)
    monkeypatch.setitem(sys.modules, "spacy.tokens", tokens)
    assert len(read("spacy", data)[0]) == 3
    assert "damaged data (odd bytes)" in read("spacy", b"x")[1][0].found


def test_spacy_files_that_were_joined_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first would be read."""
    for name, module in spacy_stand_in.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    data = zlib.compress(b'{"attrs": [{"words": ["a"], "spans": {"coref_clusters_1": [[0, 1]]}}]}')
    assert not read("spacy", data)[1]
    assert f"{len(data)} bytes after the documents" in read("spacy", data + data)[1][0].found


@pytest.mark.parametrize("kind", [ValueError, IndexError, KeyError, AttributeError, OverflowError])
def test_what_spacy_raises_is_a_problem(
    kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its kind: a span outside of its document is an IndexError."""

    def fail(*_: object) -> None:
        raise kind("odd")

    for name, module in spacy_stand_in.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(spacy_stand_in.StandInDocBin, "get_docs", fail)
    problems = read("spacy", zlib.compress(b'{"attrs": []}'))[1]
    assert "damaged data" in problems[0].found


def test_without_spacy_the_message_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do."""
    for name in ("spacy", "spacy.tokens"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ScorefError, match="require spaCy"):
        read("spacy", b"x")


def stanza(*mentions: tuple[int, Any, Any]) -> Any:
    """Make a document as Stanza has it, with one chain."""
    words = [SimpleNamespace(text=w, lemma=w, upos="X", head=0, deprel="dep") for w in WORDS]
    found = [SimpleNamespace(sentence=s, start_word=a, end_word=b) for s, a, b in mentions]
    return SimpleNamespace(
        sentences=[SimpleNamespace(words=words[:6]), SimpleNamespace(words=words[6:])],
        coref=[SimpleNamespace(index=0, mentions=found)],
    )


def test_stanza_chains_are_entities() -> None:
    """Sentences put together, ends exclusive."""
    corpus = from_documents([stanza((0, 0, 1), (1, 0, 1), (0, 2, 5))], ["x"])
    assert corpus.entities() == {"x": [[(0, 0), (6, 6), (2, 4)]]}
    assert corpus.text is not None
    assert corpus.text.words(0, 6, 7) == ["She", "slept"]
    assert corpus.documents[0].length == 9


def test_stanza_empty_nodes() -> None:
    """A pair is an empty node behind a word of its sentence."""
    corpus = from_documents([stanza((1, (2, 1), (2, 1)), (0, 0, 1))])
    assert corpus.attributes["nodes"].tolist() == ["7.1", ""]


@pytest.mark.parametrize("mention", [(2, 0, 1), (0, 5, 7), (0, 1, 1), (None, 0, 1)])
def test_stanza_mentions_outside_the_text_are_refused(mention: tuple[Any, int, int]) -> None:
    """With the chain."""
    with pytest.raises(ScorefError, match="chain 0 of #1"):
        from_documents([stanza(mention)])


def real_docs() -> list[Any]:
    """Make two documents with spaCy itself: one parsed, one without sentences."""
    spacy = pytest.importorskip("spacy")
    tokens = pytest.importorskip("spacy.tokens")
    vocab = spacy.blank("en").vocab
    heads = [1, 1, 4, 4, 1, 1, 7, 7, 7]
    starts = [at in {0, 6} for at in range(len(WORDS))]
    parsed = tokens.Doc(vocab, WORDS, heads=heads, deps=["dep"] * 9, tags=["X"] * 9)
    plain = tokens.Doc(vocab, WORDS[:6], sent_starts=starts[:6])
    parsed.spans["coref_clusters_1"] = [parsed[0:1], parsed[6:7]]
    parsed.spans["coref_clusters_2"] = [parsed[2:5]]
    parsed.spans["sc"] = [parsed[0:9]]
    plain.spans["coref_clusters_1"] = [plain[0:1], plain[2:5]]
    return [parsed, plain]


def test_documents_of_spacy_itself() -> None:
    """What the stand-ins above claim to be."""
    parsed, plain = real_docs()
    corpus = from_docs([parsed], ["x"])
    assert corpus.entities() == {"x": [[(0, 0), (6, 6)], [(2, 4)]]}
    assert corpus.attributes["head_start"].tolist() == [0, 6, 4]
    assert corpus.text is not None
    assert corpus.text.words(0, 2, 4) == ["the", "old", "man"]
    assert corpus.text.starts_sentence.nonzero()[0].tolist() == [0, 6]
    other = from_docs([plain], ["x"])
    assert other.entities() == {"x": [[(0, 0), (2, 4)]]}
    assert "head_start" not in other.attributes


def test_a_docbin_of_spacy_itself(tmp_path: Path) -> None:
    """Written, detected, read, scored; and damaged at any place, refused or read."""
    tokens = pytest.importorskip("spacy.tokens")
    docs = real_docs()
    data = tokens.DocBin(docs=docs, store_user_data=True).to_bytes()
    path = tmp_path / "docs.spacy"
    path.write_bytes(data)
    corpus = scoref.read(path, words=True)
    assert corpus.entities() == from_docs(docs).entities()
    assert corpus.text is not None
    assert corpus.text.words(1, 0, 2) == WORDS[:3]
    assert scoref.score(path, from_docs(docs))["conll"].f1 == 1.0
    for at in range(0, len(data), 7):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x15]) + data[at + 1 :])
        with suppress(ScorefError):
            scoref.read(path)
        path.write_bytes(data[:at])
        with pytest.raises(ScorefError):
            scoref.read(path)
