"""Windows: parts of a document that links may not cross, for texts that are read in chunks.

Windows are cut after mentions are matched and selected, so the same mentions are scored as in whole
documents. A mention is in the windows that have its first token: in one window, if windows do not
overlap. A matched mention has the first token of the key. Entities are cut at the seams, and the
singletons that a cut makes are kept. The counts of all windows of a document are summed.

    200        tokens 0-199, 200-399, ...; the last window can be shorter
    200:100    tokens 0-199, 100-299, ..., up to the first window that reaches the end of the text
    20s        20 sentences: those of the key, or of the response if the key has no words

BookCoref's evaluation has windows from END - N to END, both exclusive, for the ends N, 2N, ... and
the end of the text. So a mention that starts at a multiple of N is in no window, and mentions in
the overlap of the last two windows are in both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints, expand_ranges, pack, ranks_of_values
from scoref.base.limits import limits_are_on
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.matching.aligned_rows import AlignedRows, look_up
from scoref.matching.alignment import Alignment
from scoref.matching.document_pairing import invert_pairing
from scoref.metrics.table import NOWHERE, SideName, Table, Windows
from scoref.policy import Policy
from scoref.policy.capabilities import BOOKCOREF

_MOST_ROWS = 50_000_000


class TextWindows(NamedTuple):
    """Windows from token `first` up to `end`, exclusive, sorted by document, first token and end.

    The ends of the windows of a document ascend, too.
    """

    document: Ints
    first: Ints
    end: Ints

    def of(self, document: Ints, token: Ints) -> tuple[Ints, Ints]:
        """Return all pairs of a mention and a window that has its first token."""
        width = 1 + int(max(token.max(initial=0), self.end.max(initial=0)))
        place = document * width + token
        low = np.searchsorted(self.document * width + self.end, place, side="right")
        high = np.searchsorted(self.document * width + self.first, place, side="right")
        if (rows := int((high - low).sum())) > _MOST_ROWS and limits_are_on():
            raise UsageError(
                f"{rows:,} mentions of overlapping windows, expected at most {_MOST_ROWS:,}",
                "use a larger step, or lift all limits with --no-limits or SCOREF_LIMITS=off",
            )
        return expand_ranges(low, high)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WindowedAlignment(Alignment):
    """An alignment whose entities are cut at the seams of windows.

    Units are documents, and `window` is the window of each row. A row that is in several windows is
    repeated. `of_windows` are all windows. `whole` is the alignment before the cut, and `row` is
    the row there of each row.
    """

    window: Ints
    row: Ints
    of_windows: TextWindows
    whole: Alignment

    def where(self, rows: Bools) -> Alignment:
        """Keep some rows."""
        kept = Alignment.where(self, rows)
        return replace(kept, window=self.window[rows], row=self.row[rows])  # type: ignore[call-arg]

    def before_cut(self) -> tuple[Alignment, Ints]:
        """Return the alignment of whole documents, and the row there of each row."""
        return self.whole, self.row

    def corpus_entity(self, side: SideName) -> Ints:
        """Return the entity of each row before it was cut."""
        key = side == "key"
        corpus, row = (self.key_corpus, self.key_row) if key else (self.res_corpus, self.res_row)
        return self.key if corpus is None else look_up(corpus.entity, row)

    def table(self) -> Table:
        """Count the mentions that each pair of cut entities shares, with windows in the units."""
        table = Alignment.table(self)
        number = table.rows.key_number, table.rows.res_number  # type: ignore[union-attr]
        windowed = replace(self, unit=self.window)
        rows = AlignedRows(windowed, *number)
        key, res = (
            self._window_of(entity, size)
            for entity, size in ((rows.key, len(table.key_size)), (rows.res, len(table.res_size)))
        )
        return replace(table, windows=Windows(key, res, self.of_windows.document, rows))

    def _window_of(self, entity: Ints, entities: int) -> Ints:
        """Return the window of each entity of the table."""
        rows = entity != NOWHERE
        found = np.zeros(entities, dtype=np.int64)
        found[entity[rows]] = self.window[rows]
        return found


def cut_into_windows(
    alignment: Alignment, key: Corpus, response: Corpus, key_document: Ints, policy: Policy
) -> Alignment:
    """Cut the entities of an alignment of two sides at the seams of the windows of a policy."""
    start, end = spans_of_rows(alignment)
    lengths = lengths_of_units(alignment, end, key_document)
    size, step, by_sentence = parse_window(policy.window)
    if policy.compat == BOOKCOREF:
        windows = _bookcoref_windows(lengths, size)
    elif by_sentence:
        windows = _sentence_windows(_sentences(key, response, key_document), lengths, size, step)
    else:
        windows = token_windows(lengths, size, step)
    times = np.bincount(windows.of(alignment.unit, start)[0], minlength=len(start))
    notes = _notes(alignment, times, policy)
    return cut_at(replace(alignment, notes=(*alignment.notes, *notes)), windows, start)


def parse_window(window: str) -> tuple[int, int, bool]:
    """Return the size and the step of a window, and whether they count sentences."""
    size, _, step = window.replace("s", "").partition(":")
    return int(size), int(step or size), "s" in window


def cut_at(alignment: Alignment, windows: TextWindows, start: Ints) -> WindowedAlignment:
    """Cut the entities of an alignment at the seams of some windows, given first tokens."""
    row, window = windows.of(alignment.unit, start)
    return WindowedAlignment(
        units=alignment.units,
        unit=alignment.unit[row],
        key=cut_entities(alignment.key[row], window),
        res=cut_entities(alignment.res[row], window),
        key_row=alignment.key_row[row],
        res_row=alignment.res_row[row],
        key_corpus=alignment.key_corpus,
        res_corpus=alignment.res_corpus,
        notes=alignment.notes,
        window=window,
        row=row,
        of_windows=windows,
        whole=alignment,
    )


def cut_entities(entity: Ints, window: Ints) -> Ints:
    """Number the parts of entities in the order of their windows."""
    rows = entity != NOWHERE
    found = np.full(len(entity), NOWHERE, dtype=np.int64)
    found[rows] = ranks_of_values(pack(window[rows], entity[rows]))
    return found


def token_windows(lengths: Ints, size: int, step: int) -> TextWindows:
    """Return windows of some tokens, up to the first one that reaches the end of the text."""
    number = 1 + np.maximum(0, -((size - lengths) // step))
    document, at = expand_ranges(np.zeros_like(number), number)
    first = at * step
    return TextWindows(document, first, np.minimum(first + size, lengths[document]))


def _sentence_windows(text: Text, lengths: Ints, size: int, step: int) -> TextWindows:
    """Return windows of some sentences, in tokens of their documents."""
    starts = np.flatnonzero(text.starts_sentence)
    before = np.searchsorted(starts, text.first)
    number = np.diff(before)
    document, first, end = token_windows(number, size, step)
    # The end of a window is the start of the next sentence, or the end of the document.
    token = np.append(starts, len(text))
    origin, last = text.first[document], end == number[document]
    until = np.where(last, lengths[document], token[before[document] + end] - origin)
    return TextWindows(document, token[before[document] + first] - origin, until)


def _bookcoref_windows(lengths: Ints, size: int) -> TextWindows:
    """Return the windows of BookCoref's evaluation."""
    number = np.maximum(1, -(-lengths // size))
    document, at = expand_ranges(np.zeros_like(number), number)
    end = np.minimum((at + 1) * size, lengths[document])
    return TextWindows(document, np.maximum(end - size + 1, 0), end)


def spans_of_rows(alignment: Alignment) -> tuple[Ints, Ints]:
    """Return the first and the last token of each row, preferably of the key."""
    found = []
    for side, corpus in (("key", alignment.key_corpus), ("response", alignment.res_corpus)):
        spans = None if corpus is None else corpus.as_spans()
        if spans is None:
            raise UsageError(
                f"windows require the positions of mentions, but mentions of the {side} are labels",
                "pass mentions as (start, end), or leave --window out",
            )
        if spans.unit == "character":
            raise UsageError(
                f"windows count tokens, but the positions of the {side} are characters",
                "convert both sides to a format with tokens, or leave --window out",
            )
        found.append(spans)
    in_key, of_key, of_response = alignment.key_row != NOWHERE, *found
    start, end = (
        np.where(in_key, look_up(one, alignment.key_row), look_up(other, alignment.res_row))
        for one, other in ((of_key.start, of_response.start), (of_key.end, of_response.end))
    )
    return start, end


def lengths_of_units(alignment: Alignment, end: Ints, key_document: Ints | None = None) -> Ints:
    """Return the number of tokens of each unit: as stated, or up to the end of the last mention."""
    lengths = np.zeros(len(alignment.units), dtype=np.int64)
    np.maximum.at(lengths, alignment.unit, end + 1)
    every = np.arange(len(lengths))
    key_document = alignment.key_document if key_document is None else key_document
    for place, corpus in ((every, alignment.key_corpus), (key_document, alignment.res_corpus)):
        if place is not None and corpus is not None:
            stated = np.array([one.length for one in corpus.documents], dtype=np.int64)
            np.maximum.at(lengths, place[place != NOWHERE], stated[place != NOWHERE])
    return lengths


def _sentences(key: Corpus, response: Corpus, key_document: Ints) -> Text:
    """Return a text with the sentences of each unit, preferably of the key."""
    if key.text is not None and "word" in key.text:
        return key.text
    if response.text is not None and "word" in response.text:
        return response.text.of_documents(invert_pairing(key_document, len(key.documents)))
    raise UsageError(
        "windows of sentences require sentences, but neither side has words",
        "use windows of tokens, such as --window 2000, or a key in a format with words",
    )


def _notes(whole: Alignment, times: Ints, policy: Policy) -> tuple[str, ...]:
    """Note how many mentions are in no window, and how many in several."""
    both = (whole.key != NOWHERE, whole.res != NOWHERE)

    def of_sides(rows: Bools) -> str:
        key, response = (int(np.count_nonzero(rows & side)) for side in both)
        return f"{counted(key, 'mention')} of the key and {response:,} of the response"

    if policy.compat == BOOKCOREF:
        dropped, doubled = of_sides(times == 0), of_sides(times > 1)
        note = (
            f"BookCoref's windows of {policy.window} tokens: dropped {dropped}, which start at a"
            f" seam; doubled {doubled}, which are in the last two windows"
        )
        return (note,)
    if not np.any(times > 1):
        return ()
    return (f"windows {policy.window} overlap: {of_sides(times > 1)} count in several windows",)
