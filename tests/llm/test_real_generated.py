"""Real completions, real corpora with modelled damage, and round trips without damage."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref.corpus.corpus import Corpus
from scoref.formats import inspect
from scoref.formats.format import Wanted
from scoref.llm.align import align
from scoref.llm.marked_text import MarkedText, QuoteList, read_stream
from scoref.llm.markups import detect_markup
from scoref.llm.pieces import cut
from scoref.llm.prompts import write_markup
from tests.llm.damage import REALISTIC, Rates, damage, documents, render, surviving
from tests.sampled import sampled

KINDS = {
    "crac": "crac",
    "hash": "brackets",
    "underscore": "brackets",
    "markdown": "markdown",
    "xml": "xml",
    "quotes": "quotes",
    "context": "quotes",
    "pronouns": "pronouns",
}
CORPORA = {
    "litbank": "litbank/key.conll",
    "gum": "gum/gum.key.conllu",
    "openboek": "openboek/titaantjes.gold.conll",
    "gerdracor": "gerdracor/sara_act1.annotator_ak.conll",
}
REAL = (
    *CORPORA.values(),
    "gerdracor/sara_act1.annotator_ja.conll",
    "openboek/titaantjes.dutchcoref.conll",
    "gum/xrenner.response.conllu",
    "hypercoref/ecbp.key.conll",
    "hypercoref/gvc.key.conll",
    "litbank/response.conll",
    "gum/ontogum.key.conll",
    "gum/xrenner.response.conll",
)
WRITTEN = ("crac", "crac-json", "markdown", "brackets", "brackets-underscore", "brackets-colon",
           "xml", "quotes-context")  # fmt: skip
DOCUMENTS = 10
"""How many documents of a corpus are damaged, to save time."""


@cache
def read_words(path: Path) -> Corpus:
    """Read a corpus with its words, whatever its problems."""
    return inspect(path, None, Wanted(frozenset({"word"})))[0]


def select(corpus: Corpus, numbers: Sequence[int]) -> Corpus:
    """Return some documents of a corpus, with their words and mentions."""
    assert corpus.text is not None
    chosen = np.array(numbers)
    kept = corpus.where(np.isin(corpus.document, chosen))
    return replace(
        kept,
        documents=tuple(corpus.documents[number] for number in numbers),
        document=np.searchsorted(chosen, kept.document),
        text=corpus.text.of_documents(chosen),
        bridging=None,
        non_referring=None,
    )


def letters(words: list[str]) -> str:
    """Return the letters of words, however they are divided."""
    return "".join(key for word in words for key in cut(word))


def test_real_completions(data: Path) -> None:
    """Every mark is placed on its words, every quote is placed, and the kind is detected."""
    files = sorted((data / "generated" / "output").iterdir())
    assert len(files) == 14
    for path in files:
        name, kind, _ = path.name.split(".")
        source = scoref.read(data / "generated" / "key" / f"{name}.conll", words=True)
        text = path.read_text("utf-8")
        markup = detect_markup(text)
        assert markup is not None
        assert markup.name == KINDS[kind]
        found = align(source, path)
        fidelity = found.fidelity
        assert fidelity.placed == fidelity.mentions > 0
        assert fidelity.lost == fidelity.adjusted == 0
        assert not fidelity.tags
        assert fidelity.kept == fidelity.tokens
        parsed = markup.parse(text)
        assert source.text is not None
        spans = Counter(
            letters(source.text.words(0, mention.start, mention.end))
            for mention in found.documents[0].mentions
        )
        if isinstance(parsed, QuoteList):
            stated = Counter(letters(quote.text.split()) for quote in parsed.quotes if quote.entity)
            assert not stated - spans
        else:
            marked = parsed if isinstance(parsed, MarkedText) else read_stream(parsed)
            assert spans == Counter(
                letters(marked.words[mark.start : mark.end]) for mark in marked.marks
            )


def partition(corpus: Corpus) -> Counter[tuple[str, tuple[tuple[int, int], ...]]]:
    """Return the entities of a corpus by document, as sets of spans."""
    entities: dict[tuple[str, int], list[tuple[int, int]]] = {}
    rows = zip(corpus.document, corpus.entity, corpus.start, corpus.end, strict=True)
    for document, entity, start, end in rows:
        name = corpus.documents[document].name
        entities.setdefault((name, int(entity)), []).append((int(start), int(end)))
    return Counter((name, tuple(sorted(spans))) for (name, _), spans in entities.items())


@pytest.mark.parametrize(
    ("name", "markup"), sampled(product(REAL, WRITTEN), every=11, several=True)
)
def test_without_damage_nothing_changes(data: Path, tmp_path: Path, name: str, markup: str) -> None:
    """Every markup, every corpus: crossing and repeated mentions, brackets of the source.

    The markups share the documents of a corpus, to save time.
    """
    corpus = read_words(data / name)
    first = WRITTEN.index(markup) % len(corpus.documents)
    corpus = select(corpus, range(first, len(corpus.documents), len(WRITTEN)))
    path = tmp_path / "generated.txt"
    write_markup(corpus, path, markup)
    found = align(corpus, path, markup)
    assert partition(found.corpus) == partition(corpus)
    assert found.fidelity.kept == found.fidelity.tokens
    assert set(found.fidelity.tags) <= {"crossing"}  # as some mentions of these corpora do
    if markup.startswith("crac"):
        nodes = [one.attributes.get("nodes", np.zeros(0, "U1")) for one in (found.corpus, corpus)]
        assert sorted(filter(None, nodes[0].tolist())) == sorted(filter(None, nodes[1].tolist()))


def test_quotes_without_damage(data: Path, tmp_path: Path) -> None:
    """With sentence, context and start, every mention; without, nearly all."""
    corpus = scoref.read(data / "generated" / "key", words=True)
    path = tmp_path / "generated.jsonl"
    write_markup(corpus, path, "quotes-context")
    assert partition(align(corpus, path).corpus) == partition(corpus)
    write_markup(corpus, path, "quotes")
    found = align(corpus, path)
    assert found.fidelity.lost == 0
    result = scoref.score(corpus, found.corpus)
    assert result["mentions"].f1 > 0.97
    assert result["conll"].f1 > 0.9


def recovery(corpus: Corpus, rates: Rates, markup: str, seed: int) -> tuple[float, int]:
    """Return the share of mentions whose words survived that are found with their entity."""
    rng = random.Random(seed)  # noqa: S311
    texts, truth = {}, {}
    for number, document in enumerate(documents(corpus, DOCUMENTS)):
        damaged, _ = damage(document, rates, rng)
        name = corpus.documents[number].name
        texts[name] = render(damaged, markup, rng, rates)
        truth[name] = [document.mentions[at] for at in surviving(damaged)]
    found = align(corpus, texts)
    right = total = 0
    for one in found.documents:
        entities = {mention.entity.lstrip("e") for mention in one.mentions}
        spans = {
            (mention.start, mention.end, mention.entity.lstrip("e")) for mention in one.mentions
        }
        assert entities  # tags name entities as the truth does
        right += sum(mention in spans for mention in truth[one.name])
        total += len(truth[one.name])
    return right / total, total


@pytest.mark.parametrize(
    ("share", "least"),
    [
        pytest.param(0.01, 0.999, marks=pytest.mark.long),
        pytest.param(0.03, 0.997, marks=pytest.mark.long),
        (0.05, 0.995),
    ],
)
@pytest.mark.parametrize(
    ("name", "markup"), sampled(product(CORPORA, ["crac", "brackets"]), every=3, several=True)
)
def test_altered_words(data: Path, name: str, markup: str, share: float, least: float) -> None:
    """Misspelled or replaced by another word of the text, with tags intact."""
    corpus = read_words(data / CORPORA[name])
    rates = Rates(typo=share / 2, other_word=share / 2)
    assert recovery(corpus, rates, markup, seed=1)[0] >= least


@pytest.mark.parametrize(
    ("name", "markup"),
    sampled(
        product(
            CORPORA,
            ["crac", "markdown", "brackets-colon", "xml", "xml-element", "xml-suffix", "xml-pipe"],
        ),
        every=5,
        several=True,
    ),
)
def test_every_kind_of_damage_at_once(data: Path, name: str, markup: str) -> None:
    """At realistic rates."""
    corpus = read_words(data / CORPORA[name])
    assert recovery(corpus, REALISTIC, markup, seed=2)[0] >= 0.98


@pytest.mark.parametrize("name", CORPORA)
def test_texts_without_spaces(data: Path, name: str) -> None:
    """By characters."""
    corpus = read_words(data / CORPORA[name])
    texts = {}
    for number, document in enumerate(documents(corpus, DOCUMENTS)):
        text = render(document, "brackets", random.Random(1), Rates())  # noqa: S311
        texts[corpus.documents[number].name] = "".join(text.split())
    found = align(corpus, texts)
    truth = partition(corpus)
    right = sum((partition(found.corpus) & truth).values())
    assert right >= 0.98 * found.corpus.entity_count


CHINESE = [
    "老渡轮",
    "在",
    "清晨",
    "离开",
    "了",
    "港口",
    "。",
    "安娜",
    "和",
    "她",
    "的",
    "弟弟",
    "站",
    "在",
    "船",
    "上",
    "。",
    "他",
    "看着",
    "她",
    "，",  # noqa: RUF001
    "她",
    "笑",
    "了",
    "。",
]


def test_chinese_text_is_written_without_spaces() -> None:
    """Words of the source are found by their characters, also around an altered one."""
    builder = scoref.CorpusBuilder("zh", text=True)
    builder.document("d", length=len(CHINESE))
    builder.sentence(word=CHINESE)
    corpus = builder.corpus()
    text = "".join(CHINESE).replace("\u5b89\u5a1c", "[\u5b89\u5a1c]#1", 1)
    text = text.replace(
        "\u548c\u5979\u7684\u5f1f\u5f1f", "\u548c[[\u5979]#1\u7684\u5f1f\u5f1f]#2", 1
    )
    text = text.replace("\u4ed6\u770b\u7740\u5979", "[\u4ed6]#2\u770b\u5230[\u5979]#1", 1)
    found = align(corpus, [text])
    assert found.corpus.entities() == {"d": [[(7, 7), (9, 9), (19, 19)], [(9, 11), (17, 17)]]}
    assert found.fidelity.altered == 1
