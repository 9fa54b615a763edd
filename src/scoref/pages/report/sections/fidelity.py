"""The fidelity of generated responses: what became of the source's words, and where."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice

from scoref.base.html import Markup, join, tag
from scoref.llm.align import GeneratedAlignment
from scoref.llm.placed_mentions import TextChange
from scoref.pages.report.content import Content
from scoref.pages.report.pieces import table
from scoref.pages.toolkit.html_file import section

_MOST_SENTENCES = 100
_WORDS = ("kept", "altered", "dropped", "inserted", "moved", "repeated")
_MENTIONS = ("placed", "adjusted", "ambiguous", "lost")


def has_generated(content: Content) -> bool:
    """Whether a language model wrote one of the responses."""
    return any(one.mentions.aligned.generated is not None for one in content.analyses)


def fidelity(content: Content, *, with_text: bool) -> Markup:
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
        [_changes(name, found) for name, found in generated.items()] if with_text else [],
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
            return max(sum(start <= change.start for start in starts) - 1, 0)

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
