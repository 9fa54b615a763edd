"""The data and the method of a report, and the fidelity of responses that a model generated."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import groupby, islice

from scoref.base.html import Markup, join, tag
from scoref.base.phrases import counted
from scoref.llm.align import GeneratedAlignment
from scoref.llm.placed_mentions import TextChange
from scoref.pages.report.content import Content
from scoref.pages.report.pieces import file_name, table
from scoref.pages.toolkit import button, section
from scoref.pages.toolkit.systems import signed

_ERRORS = (
    "Errors are defined as in Kummerfeld & Klein (2013), with the strict anchor rule: repairing all"
    " errors gives the key."
)
_WITH_WORDS = "This file contains the words of the documents."
_WITHOUT_WORDS = (
    "This file does not contain the words of the documents, because corpora are often licensed."
    " Bars are shown in their place. scoref report --with-text includes the words."
)


def data_and_method(content: Content) -> Markup:
    """Show the key, the responses, the notes and the signature."""
    key = content.key
    shown = str if content.show_paths else file_name
    facts = [
        ("key", shown(key.source)),
        ("documents", f"{key.documents:,}"),
        ("tokens", "not counted" if key.tokens is None else f"{key.tokens:,}"),
        ("mentions", f"{key.mentions:,}"),
        ("entities", f"{key.entities:,} ({counted(key.singletons, 'singleton')})"),
        ("largest entity", counted(key.largest_entity, "mention")),
    ]
    if key.nested_mentions is not None:
        facts.append(("nested mentions", f"{key.nested_mentions:,}"))
        facts.append(("crossing mentions", f"{key.crossing_mentions:,}"))
    types = key.mentions_by_type
    facts += [(one.name, f"{one.count:,} ({100 * one.share:.1f} %)") for one in types]
    systems = content.comparison.systems
    sides = [analysis.mentions.aligned.response for analysis in content.analyses]
    responses = [
        [
            signed(at, systems[at], alone=len(systems) == 1),
            *(shown(side.source), f"{side.mentions:,}", f"{side.entities:,}"),
        ]
        for at, side in enumerate(sides)
    ]
    columns = [("", ("file", "mentions", "entities"))]
    notes = content.notes if content.show_paths else without_folders(content)
    return section(
        "data-and-method",
        "Data",
        "",
        tag("dl", [_fact(name, value) for name, value in facts], class_="facts"),
        table("system", columns, responses, "Responses", class_="files"),
        tag("p", _WITH_WORDS if content.with_text else _WITHOUT_WORDS, id="words"),
        tag("ul", [tag("li", note) for note in notes], class_="plain soft"),
        tag("h3", "Signature"),
        tag(
            "p",
            tag("code", content.comparison.signature, id="signature"),
            button("Copy", "copy-signature"),
            class_="signature",
        ),
        tag("p", _ERRORS, class_="soft"),
    )


def _fact(name: str, value: str) -> Markup:
    return tag("div", tag("dt", name), tag("dd", value))


def without_folders(content: Content) -> list[str]:
    """Return the notes with the names of files in place of their paths."""
    sides = [analysis.mentions.aligned.response.source for analysis in content.analyses]
    sources = sorted({content.key.source, *sides}, key=len, reverse=True)
    notes = list(content.notes)
    for source in filter(None, sources):
        notes = [note.replace(source, file_name(source)) for note in notes]
    return notes


_MOST_SENTENCES = 100
_WORDS = ("kept", "altered", "dropped", "inserted", "moved", "repeated")
_MENTIONS = ("placed", "adjusted", "ambiguous", "lost")


def has_generated(content: Content) -> bool:
    """Whether a language model wrote one of the responses."""
    return any(one.mentions.aligned.generated is not None for one in content.analyses)


def fidelity(content: Content) -> Markup:
    """Show what became of the words and mentions of each generated response, if there is any."""
    generated = {
        analysis.name: found
        for analysis in content.analyses
        if (found := analysis.mentions.aligned.generated) is not None
    }
    if not generated:
        return Markup("")
    rows = []
    for name, found in generated.items():
        one = found.fidelity
        share = [f"{getattr(one, field):,}" for field in (*_WORDS, *_MENTIONS)]
        rows.append([name, one.markup, f"{one.tokens:,}", *share])
    groups = [("", ("markup",)), ("words", ("source", *_WORDS)), ("mentions", _MENTIONS)]
    return section(
        "fidelity",
        "Fidelity of generated text",
        "A language model wrote these responses. Their mentions were placed on the words of the"
        " key. Words that the model altered, dropped or inserted can move or lose mentions.",
        table("system", groups, rows, "Words and mentions of generated responses"),
        [_tags(name, found) for name, found in generated.items()],
        [_changes(name, found) for name, found in generated.items()] if content.with_text else [],
    )


def _tags(name: str, found: GeneratedAlignment) -> Markup:
    """List what was wrong with tags, and truncated documents."""
    _, *lines = found.fidelity.lines()
    shown = [line for line in lines if line.startswith(("tags", "truncated"))]
    return tag("p", f"{name}: {'; '.join(shown)}", class_="soft") if shown else Markup("")


def _changes(name: str, found: GeneratedAlignment) -> Markup:
    """Show the sentences that the model changed: removed words struck out, new words underlined."""
    sentences = list(islice(_changed_sentences(found), _MOST_SENTENCES + 1))
    if not sentences:
        return Markup("")
    shown = [
        tag("li", tag("span", f"{document} ", class_="soft"), sentence)
        for document, sentence in sentences[:_MOST_SENTENCES]
    ]
    more = "" if len(sentences) <= _MOST_SENTENCES else f", the first {_MOST_SENTENCES}"
    summary = tag("summary", f"Changed sentences of {name}{more}")
    return tag("details", summary, tag("ul", shown, class_="plain"))


def _changed_sentences(found: GeneratedAlignment) -> Iterator[tuple[str, Markup]]:
    text = found.corpus.text
    if text is None:
        return
    for number, document in enumerate(found.documents):
        low, high = text.first[number : number + 2].tolist()
        starts = [at for at in range(high - low) if text.starts_sentence[low + at]] or [0]
        ends = [*starts[1:], high - low]

        def sentence_of(change: TextChange, starts: list[int] = starts) -> int:
            return max(bisect_right(starts, change.start) - 1, 0)

        for at, changes in groupby(document.changes, key=sentence_of):
            words = text.words(number, starts[at], ends[at] - 1)
            yield document.name, _marked(words, starts[at], list(changes))


def _marked(words: list[str], first: int, changes: list[TextChange]) -> Markup:
    """Return a sentence with its changes; a run of dropped words can go on in the next one."""
    parts: list[str | Markup] = []
    at = first
    for kind, start, end, new in changes:
        parts += [f"{word} " for word in words[at - first : start - first]]
        old = " ".join(words[start - first : end - first])
        if kind != "inserted" and old:
            parts += [tag("del", old), " "]
        if new:
            parts += [tag("ins", new), " "]
        at = max(at, end)
    parts += [f"{word} " for word in words[at - first :]]
    return join(*parts)
