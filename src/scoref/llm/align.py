"""align(): from completions of a language model to a corpus with the words of the source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any, get_args

import numpy as np

from scoref.base import html
from scoref.base.phrases import counted, listed
from scoref.base.progress import progress
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.in_short import show_in_notebook, summarise
from scoref.corpus.spans import place_of
from scoref.corpus.text import Text
from scoref.exceptions import DocumentError, FormatError, Problem, UsageError
from scoref.formats import format_of_file, read
from scoref.llm.completions import Completion, Generated, read_completions
from scoref.llm.document_matching import (
    BY_NAME,
    MatchedDocuments,
    match_documents,
)
from scoref.llm.fidelity import Fidelity
from scoref.llm.marked_text import QuoteList
from scoref.llm.markups import AUTO, NAMES, detect_markup, find_markup
from scoref.llm.markups.markup import TextMarkup
from scoref.llm.placed_mentions import (
    AlignedDocument,
    SourceDocument,
    Unclosed,
    align_completion,
)

_PLAIN = re.compile(r"\w[\w.:+]*")
_LEAST_KEPT = 0.5
_WITH_TOKENS = ("conll", "corefud", "conllua", "parquet")
"""Formats that cannot be mistaken for generated text."""


@dataclass(slots=True, eq=False)
class GeneratedAlignment:
    """The outcome of `align`.

    * `corpus`: The mentions and entities of the completions, on the words of the source.
    * `documents`: For each document, its mentions, its fidelity, and every change of its text.
    * `fidelity`: The fidelity of all documents together.
    * `paired`: How completions were paired with documents: by name, by order or by content.
    * `notes`: What a user should know.
    """

    corpus: Corpus
    documents: list[AlignedDocument]
    fidelity: Fidelity
    paired: str
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return how documents were paired, the fidelity of all and of each, and notes."""
        return {
            "paired": self.paired,
            "fidelity": self.fidelity.content(),
            "documents": {
                one.name: {"markup": one.markup, "fidelity": one.fidelity.content()}
                for one in self.documents
            },
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return "\n".join(self.fidelity.lines())

    def __repr__(self) -> str:
        return f"<GeneratedAlignment: {summarise(self.corpus)}>"

    def _repr_html_(self) -> str:
        """Show the corpus and the fidelity in a notebook."""
        lines = map(html.note, [*self.fidelity.lines(), *self.notes])
        return html.block(show_in_notebook(self.corpus), *lines)

    def __eq__(self, other: object) -> bool:
        """Compare the mentions, and what was changed in each document."""
        if not isinstance(other, GeneratedAlignment):
            return NotImplemented
        return self.corpus == other.corpus and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # its lists can be changed

    def write(
        self,
        path: str | PathLike[str],
        format: str | None = None,  # noqa: A002  # what the command line calls it
        *,
        force: bool = False,
    ) -> tuple[str, ...]:
        """Write the corpus to a file, by default in CoNLL columns, and return notes."""
        return tuple(self.corpus.write(path, format, force=force))


def align(
    source: str | PathLike[str] | Corpus,
    generated: Generated,
    markup: str = AUTO,
    unclosed_tags: Unclosed = "drop",
    *,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    encoding: str | None = None,
    repair: str = "none",
) -> GeneratedAlignment:
    """Lay the text or the quotes that a language model wrote over the words of its source.

    * `source`: A file with words in any format, such as the key or a file without entities; or a
      corpus with words.
    * `generated`: A text file, a directory of them, or JSON (lines) with a field such as
      `completion`; or `{"document": "text"}`; or a list of texts.
    * `markup`: The name of a markup; `pattern=REGEX`, a regular expression with the groups `open`,
      `close` and `entity`; `function=MODULE:NAME`; or `auto`, which detects it for each document.
    * `unclosed_tags`: What to do with a mention that is never closed: `drop` it, or close it at the
      end of the sentence (`close-at-sentence`) or of the text (`close-at-end`).

    >>> import scoref
    >>> found = scoref.align("examples/ferry/key.conll", {"harbour/ferry": "..."})  # doctest: +SKIP
    """
    if unclosed_tags not in get_args(Unclosed):
        known = ", ".join(get_args(Unclosed))
        raise UsageError(f"unclosed_tags is {unclosed_tags!r}, but must be one of: {known}")
    named = None if markup == AUTO else find_markup(markup)
    corpus = source
    if not isinstance(corpus, Corpus):
        corpus = read(corpus, format, words={"word"}, encoding=encoding, repair=repair)
    text_of_source, empties = _text_of(corpus), _empty_nodes(corpus)
    completions = read_completions(generated, encoding)
    if not completions:
        raise UsageError("found no generated text")
    usual = named or _usual_markup(completions)

    def document(number: int) -> SourceDocument:
        low, high = text_of_source.first[number : number + 2].tolist()
        return SourceDocument(
            corpus.documents[number].name,
            list(text_of_source.columns["word"][low:high]),
            text_of_source.starts_sentence[low:high],
            empties.get(number, ()),
        )

    def source_words(number: int) -> Sequence[str]:
        return document(number).words

    def words_of(text: str) -> list[str]:
        return _plain_words(text, named or _choose(text, usual))

    def has_tags(text: str) -> bool:
        return usual.count(text) > 0

    matched = match_documents(completions, corpus.documents, source_words, words_of, has_tags)
    documents = []
    with progress("aligning documents", len(matched.completions)) as advance:
        for number in sorted(matched.completions):
            parts = matched.completions[number]
            text = "\n".join(part.text for part in parts)
            chosen = named or _choose(text, usual)
            if named is None:
                _check_same_markup(corpus.documents[number].name, parts, usual)
            one = align_completion(document(number), text, chosen, unclosed_tags)
            documents.append((number, one))
            advance(1)
    return _assemble(corpus, documents, matched)


def is_generated(response: object) -> bool:
    """Whether a response is generated text: texts by document, or a file without token columns."""
    if isinstance(response, Mapping | list | tuple):
        texts = response.values() if isinstance(response, Mapping) else response
        return all(isinstance(text, str) for text in texts)
    return isinstance(response, str | PathLike) and format_of_file(response) not in _WITH_TOKENS


def _usual_markup(completions: Sequence[Completion]) -> TextMarkup:
    """Return the markup that most completions are in."""
    votes: dict[str, int] = {}
    for one in completions:
        if (found := detect_markup(one.text)) is not None:
            votes[found.name] = votes.get(found.name, 0) + found.count(one.text)
    if votes:
        return find_markup(max(votes, key=lambda name: votes[name]))
    text = " ".join(completions[0].text.split())
    shown = f"{text[:60]}..." if len(text) > 60 else text
    hint = (
        f"name the markup with --markup: {', '.join(NAMES)}, pattern=REGEX, or function=MODULE:NAME"
    )
    place = completions[0].source or "generated text"
    problem = Problem(place, 0, f"no tags in `{shown}`", "text in a known markup", hint)
    raise FormatError([problem])


def _choose(text: str, usual: TextMarkup) -> TextMarkup:
    """Return the markup of a completion: the usual one, unless another one has far more tags."""
    found = detect_markup(text)
    if found is None or 2 * usual.count(text) >= found.count(text):
        return usual
    return found


def _check_same_markup(document: str, parts: Sequence[Completion], usual: TextMarkup) -> None:
    """Refuse texts of one document in different markups: they do not continue each other."""
    found = {_choose(part.text, usual).name: part for part in parts}
    if len(found) > 1:
        (one, first), (other, second), *_ = found.items()
        raise DocumentError(
            f"document {document} has generated texts in different markups:"
            f" {first.source or 'a text'} in {one}, {second.source or 'another one'} in {other}",
            "pass one generated text per document, or parts that continue each other",
        )


def _plain_words(text: str, markup: TextMarkup) -> list[str]:
    """Return the words of a completion without its markup."""
    parsed = markup.read(text)
    if isinstance(parsed, QuoteList):
        return [word for quote in parsed.quotes for word in (quote.context or quote.text).split()]
    return parsed.words


def _text_of(corpus: Corpus) -> Text:
    """Return the text of the source, which must have words."""
    if corpus.text is None or "word" not in corpus.text:
        raise UsageError(
            f"the source {corpus.source} has no words to align generated text with",
            "name a file with words, such as CoNLL columns or CorefUD",
        )
    return corpus.text


def _empty_nodes(corpus: Corpus) -> dict[int, set[tuple[int, int]]]:
    """Return the empty nodes of the mentions of each document of the source."""
    found: dict[int, set[tuple[int, int]]] = {}
    nodes = corpus.attributes.get("nodes")
    for row in [] if nodes is None else np.flatnonzero(nodes != "").tolist():
        places = {place_of(node) for node in str(nodes[row]).split()}  # type: ignore[index]
        empties = {place for place in places if place[1]}
        found.setdefault(int(corpus.document[row]), set()).update(empties)
    return found


def _assemble(
    source: Corpus, documents: Sequence[tuple[int, AlignedDocument]], matched: MatchedDocuments
) -> GeneratedAlignment:
    """Build the corpus, and add up the fidelity."""
    builder = CorpusBuilder(source.source)
    dependencies = _zero_dependencies(source)
    total = Fidelity()
    for number, one in documents:
        at = builder.document(one.name, identity=source.documents[number].id)
        names = _names(dict.fromkeys(mention.entity for mention in one.mentions))
        for mention in sorted(one.mentions, key=lambda mention: (mention.start, -mention.end)):
            entity = builder.entity(at, names[mention.entity])
            zero = mention.nodes if " " not in mention.nodes else ""
            builder.mention(
                at,
                (mention.start, mention.end),
                entity,
                nodes=mention.nodes,
                zero=zero,
                zero_deps=dependencies.get((number, zero), ""),
            )
        total += one.fidelity
    numbers = [number for number, _ in documents]
    corpus = replace(
        builder.corpus(),
        documents=tuple(source.documents[number] for number in numbers),
        text=_select_text(source, numbers),
    )
    aligned = [one for _, one in documents]
    notes = _doubts(aligned)
    if len(source.documents) > 1:
        notes.insert(0, f"generated documents are paired with the source {matched.how}")
    joined = [source.documents[at].name for at, parts in matched.completions.items() if parts[1:]]
    if joined and (len(source.documents) > 1 or matched.how == BY_NAME):
        notes.append(f"several generated texts were joined for {listed(joined)}")
    return GeneratedAlignment(corpus, aligned, total, matched.how, notes)


def _names(labels: Iterable[str]) -> dict[str, str]:
    """Return names of entities that every format can hold: the labels, or numbers."""
    labels = list(labels)
    if all(_PLAIN.fullmatch(label) for label in labels):
        return {label: label for label in labels}
    return {label: f"e{place}" for place, label in enumerate(labels, 1)}


def _zero_dependencies(source: Corpus) -> dict[tuple[int, str], str]:
    zeros, dependencies = (source.attributes.get(name) for name in ("zero", "zero_deps"))
    if zeros is None or dependencies is None:
        return {}
    return {
        (int(source.document[row]), str(zeros[row])): str(dependencies[row])
        for row in np.flatnonzero(zeros != "").tolist()
    }


def _select_text(source: Corpus, numbers: Sequence[int]) -> Text | None:
    """Return the text of some documents, in their order."""
    text = source.text
    if text is None or list(numbers) == list(range(len(source.documents))):
        return text
    parts = []
    for number in numbers:
        low, high = text.first[number : number + 2].tolist()
        columns = {name: values[low:high] for name, values in text.columns.items()}
        parts.append(Text(np.array([0, high - low]), text.starts_sentence[low:high], columns))
    return Text.concatenate(parts)


def _doubts(documents: Sequence[AlignedDocument]) -> list[str]:
    """Note documents whose text is not that of the source, and documents without mentions."""
    notes = []
    other = [one.name for one in documents if one.fidelity.share_kept < _LEAST_KEPT]
    if other:
        shown = f"{counted(len(other), 'document')} ({listed(other)})"
        notes.append(f"less than half of the source words are in the generated text of {shown}")
    without = [one.name for one in documents if not one.fidelity.mentions]
    if without:
        shown = f"{counted(len(without), 'document')} ({listed(without)})"
        notes.append(f"the generated text of {shown} has no mentions")
    return notes
