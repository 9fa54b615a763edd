"""CoreNLP's JSON: sentences of tokens, and `corefs`, chains of mentions.

A mention has the number of its sentence, of its first token, of the token behind its last, and
of its head, all counted from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoref.corpus.builder import CorpusBuilder, TextBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.text import read_text
from scoref.formats.json.json_text import first_keys, parse_json, without_garbage_collection

_TYPES = {"PROPER": "name", "NOMINAL": "nominal", "PRONOMINAL": "pronoun", "LIST": "nominal"}
_TEXT = {
    "word": "word",
    "lemma": "lemma",
    "pos": "pos",
    "speaker": "speaker",
    "named_entity": "ner",
}
_FROM_ONE = "numbers count from 1, ends are exclusive"
_NUMBERS = ("sentNum", "startIndex", "endIndex", "headIndex")


def read(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read the annotation of one document."""
    nothing = CorpusBuilder(path).corpus()
    text, problems = read_text(stream, path)
    with without_garbage_collection():
        value, problems = (None, problems) if problems else parse_json(text, path)
    if problems:
        return nothing, problems
    told: dict[str, Any] = value if isinstance(value, dict) else {}
    sentences: Any = told.get("sentences")
    chains: Any = told.get("corefs")
    if not _are_sentences(sentences) or not isinstance(chains, dict):
        found = "JSON without `sentences` of `tokens` and `corefs`"
        hint = "run CoreNLP with the annotator `coref`"
        return nothing, [Problem(path, 0, found, "the output of CoreNLP", hint)]
    lengths = [len(sentence["tokens"]) for sentence in sentences]
    builder = CorpusBuilder(path, words=TextBuilder() if wanted.columns & _TEXT.keys() else None)
    name = told.get("docId")
    document = builder.document(name if isinstance(name, str) else "", sum(lengths))
    first = [sum(lengths[:at]) for at in range(len(lengths))]
    for chain, mentions in chains.items():
        for mention in mentions if isinstance(mentions, list) else [mentions]:
            place = _place(mention, lengths)
            if isinstance(place, str):
                found = f"{place} in chain {chain}"
                problems.append(Problem(path, 0, found, "tokens that are there", _FROM_ONE))
                continue
            sentence, start, end, head = place
            at = first[sentence]
            builder.mention(
                document,
                (at + start, at + end),
                builder.entity(document, chain),
                type=_TYPES.get(str(mention.get("type")), ""),
                head_start=at + head if head >= 0 else -1,
                head_end=at + head if head >= 0 else -1,
            )
    if builder.words is not None:
        for sentence in sentences:
            _add_words(builder.words, sentence["tokens"], wanted)
    return (nothing if problems else builder.corpus()), problems


def _are_sentences(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(sentence, dict)
        and isinstance(tokens := sentence.get("tokens"), list)
        and all(isinstance(token, dict) for token in tokens)
        for sentence in value
    )


def _place(mention: Any, lengths: Sequence[int]) -> tuple[int, int, int, int] | str:
    """Return sentence, first and last token and head of a mention, from 0; or what is wrong."""
    if not isinstance(mention, dict):
        return f"the mention `{str(mention)[:40]}`"
    numbers = [mention.get(name) for name in _NUMBERS]
    shown = ", ".join(f"{k} {str(v)[:20]}" for k, v in zip(_NUMBERS, numbers, strict=True))
    if not all(type(number) is int for number in numbers[:3]):
        return f"a mention with {shown}"
    sentence, start, stop, head = (number - 1 if type(number) is int else -1 for number in numbers)
    if not (0 <= sentence < len(lengths) and 0 <= start < stop <= lengths[sentence]):
        return f"a mention with {shown}"
    if head != -1 and not start <= head < stop:
        return f"a mention with {shown}"
    return sentence, start, stop - 1, head


def _add_words(words: TextBuilder, tokens: Sequence[dict[str, Any]], wanted: Wanted) -> None:
    if tokens:
        words.sentence(
            **{
                name: [str(token.get(key, "")) for token in tokens]
                for name, key in _TEXT.items()
                if name in wanted.columns
            }
        )


def _recognise(head: bytes) -> bool:
    """Whether a file begins with an object that has CoreNLP's chains, or tokens as it has them."""
    keys = first_keys(head)
    return keys is not None and (
        "corefs" in keys or ("sentences" in keys and b'"characterOffsetBegin"' in head)
    )


FORMAT = Format(
    name="corenlp",
    title="CoreNLP's JSON",
    recognise=_recognise,
    read=read,
    suffix=".json",
    sees_words=True,
)
