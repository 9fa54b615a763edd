"""Samples: the documents of a key as rows that a harness can store, with their prompts."""

from __future__ import annotations

import io
import json
from os import PathLike
from typing import TypedDict

import numpy as np

from scoref.corpus.corpus import Corpus
from scoref.exceptions import FormatError, UsageError
from scoref.formats import read
from scoref.formats.corpus_reader import read_stream
from scoref.formats.format import Wanted
from scoref.formats.io.sources import Source
from scoref.formats.json.jsonl.writer import NAMES, write
from scoref.formats.written_names import fit_names

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
