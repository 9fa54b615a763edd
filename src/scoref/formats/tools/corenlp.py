"""CoreNLP's JSON: sentences of tokens, and `corefs`, chains of mentions.

A mention has the number of its sentence, of its first token, of the token after its last, and of
its head, all counted from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.formats.format import Format, Wanted, text_reader
from scoref.formats.io.problems import Problems
from scoref.formats.json.json_text import (
    first_keys,
    json_type,
    parse_json,
    without_garbage_collection,
)

_TYPES = {"PROPER": "name", "NOMINAL": "nominal", "PRONOMINAL": "pronoun", "LIST": "nominal"}
_TEXT = {name: name for name in ("word", "lemma", "pos", "speaker")} | {"named_entity": "ner"}
_FROM_ONE = "numbers count from 1, ends are exclusive"
_NUMBERS = ("sentNum", "startIndex", "endIndex", "headIndex")


def _parse(text: str, wanted: Wanted, problems: Problems) -> Corpus:
    """Parse the annotation of one document."""
    with without_garbage_collection():
        value, found = parse_json(text, problems.path)
    problems += found
    annotation: dict[str, Any] = value if isinstance(value, dict) else {}
    sentences: Any = annotation.get("sentences")
    chains: Any = annotation.get("corefs")
    columns = {name: key for name, key in _TEXT.items() if name in wanted.columns}
    builder = CorpusBuilder(problems.path, text=bool(columns))
    if problems:
        return builder.corpus()
    if not _are_sentences(sentences) or not isinstance(chains, dict):
        missing = "JSON without `sentences` of `tokens` and `corefs`"
        problems.add(0, missing, "the output of CoreNLP", "run CoreNLP with the annotator `coref`")
        return builder.corpus()
    lengths = [len(sentence["tokens"]) for sentence in sentences]
    first = [sum(lengths[:at]) for at in range(len(lengths))]
    name = annotation.get("docId", "")
    if not isinstance(name, str):
        problems.add(0, "a `docId` that is not a string", "the name of the document")
        return builder.corpus()
    document = builder.document(name, sum(lengths))
    for chain, mentions in chains.items():
        if not isinstance(mentions, list):
            odd = f"chain {chain} that is {json_type(mentions)}"
            problems.add(0, odd, "a list of mentions", "is the file complete?")
            continue
        for mention in mentions:
            place = _place(mention, lengths)
            if isinstance(place, str):
                problems.add(0, f"{place} in chain {chain}", "tokens of a sentence", _FROM_ONE)
                continue
            sentence, start, end, head = place
            at = first[sentence]
            kind, head = _TYPES.get(str(mention.get("type")), ""), at + head if head >= 0 else -1
            heads = {"head_start": head, "head_end": head}
            entity = builder.entity(document, chain)
            builder.mention(document, (at + start, at + end), entity, type=kind, **heads)
    for tokens in (sentence["tokens"] for sentence in sentences if sentence["tokens"]):
        builder.sentence(
            **{name: [str(one.get(key, "")) for one in tokens] for name, key in columns.items()}
        )
    return builder.corpus()


def _are_sentences(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(sentence, dict)
        and isinstance(tokens := sentence.get("tokens"), list)
        and all(isinstance(token, dict) for token in tokens)
        for sentence in value
    )


def _place(mention: Any, lengths: Sequence[int]) -> tuple[int, int, int, int] | str:
    """Return sentence, first and last token and head of a mention, from 0; or what was found."""
    if not isinstance(mention, dict):
        return f"the mention `{str(mention)[:40]}`"
    numbers = [mention.get(name) for name in _NUMBERS]
    shown = ", ".join(f"{k} {str(v)[:20]}" for k, v in zip(_NUMBERS, numbers, strict=True))
    sentence, start, stop, head = (number - 1 if type(number) is int else -1 for number in numbers)
    if not (0 <= sentence < len(lengths) and 0 <= start < stop <= lengths[sentence]):
        return f"a mention with {shown}"
    if "headIndex" in mention and not start <= head < stop:
        return f"a mention with {shown}"
    return sentence, start, stop - 1, head


def _recognise(head: bytes) -> bool:
    """Whether a file begins with an object that has the chains or the tokens of CoreNLP."""
    keys = first_keys(head)
    return keys is not None and (
        "corefs" in keys or ("sentences" in keys and b'"characterOffsetBegin"' in head)
    )


FORMAT = Format(
    "corenlp", "CoreNLP's JSON", _recognise, text_reader(_parse), suffix=".json", sees_words=True
)
