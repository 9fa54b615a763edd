"""Score as the CoNLL reference scorer (scorer.pl, version 8.01), with its arguments and output.

For scripts that run scorer.pl and parse what it prints. METRIC is muc, bcub, ceafm, ceafe, blanc or
all. DOCUMENT is the name of a document as the key states it after `#begin document`, or `none` to
print totals only. Without it, all documents are printed.

All counts agree with the reference scorer, except for files with repeated mentions. Documents are
printed in the order of the key; the reference scorer prints them in an arbitrary order. Invalid
files are refused with exit code 2, where the reference scorer stops or misreads them. Documents of
different lengths are scored, as there, with a note, and so is a file that ends inside a document:
some resolvers run the scorer before their file is written.

Example commands:
  scoref official muc key.conll response.conll
  scoref official all key.conll response.conll none
  scoref official bcub key.conll response.conll '(bc/cctv/00/cctv_0001); part 000'
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import chain
from math import isclose
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scoref.cli.command import Arguments, Command, Option
from scoref.cli.output import print_notes
from scoref.corpus.document import UNKNOWN
from scoref.exceptions import FormatError, UsageError
from scoref.version import __version__

if TYPE_CHECKING:
    from scoref.corpus.corpus import Corpus

_METRICS = {"muc": "muc", "bcub": "b3", "ceafm": "ceafm", "ceafe": "ceafe", "blanc": "blanc"}
_EDGE = re.compile(
    rb"^#\s*(?:begin document (?P<begin>[^\r\n]*)|(?P<end>end document))", re.MULTILINE
)
_Span: TypeAlias = tuple[int, int]
_Spans: TypeAlias = list[_Span]
_REPEATED = "Repeated mention in the response: "
_LINE = "-" * 74
_MOST_REPEATED = 10
_REFUSED = (
    f"Found too many repeated mentions (> {_MOST_REPEATED}) in the response, so refusing to score."
    " Please fix the output."
)

COMMAND = Command(
    __doc__,
    Option("METRIC", "a metric of the reference scorer, or all"),
    Option("KEY", "the key, in the CoNLL format"),
    Option("RESPONSE", "the response, in the CoNLL format"),
    Option("[DOCUMENT]", "score one document; none: print only totals"),
    {
        "--refuse-repeated": f"exit with code 1, as the reference scorer does, if the response"
        f" repeats more than {_MOST_REPEATED} mentions",
    },
)


def run(arguments: Arguments) -> int:
    """Score, and print what the reference scorer prints."""
    chosen = arguments.metric.lower()
    if chosen != "all" and chosen not in _METRICS:
        raise UsageError(
            f"{arguments.metric!r} is not a metric of the reference scorer",
            f"choose one of {', '.join(_METRICS)}, all",
        )
    scored = _Scored(arguments.key, arguments.response, arguments.document)
    print(f"version: 8.01 scoref {__version__}")
    repeated = 0
    for metric in _METRICS if chosen == "all" else (chosen,):
        if chosen == "all":
            print(f"\nMETRIC {metric}:")
        for line in scored.lines(metric):
            print(line)
            repeated += line.startswith(_REPEATED)
            if arguments.refuse_repeated and repeated > _MOST_REPEATED:
                print(_REFUSED, file=sys.stderr)
                return 1
    return 0


class _File(NamedTuple):
    """A file in CoNLL columns: the names of its documents as written, and what it contains."""

    names: list[str]
    corpus: Corpus

    @classmethod
    def read(cls, path: str) -> _File:
        """Read a file. Some resolvers run the scorer before the end of their file is written."""
        from scoref.formats.corpus_reader import read_stream
        from scoref.formats.format import Wanted
        from scoref.formats.io.sources import open_source, sources
        from scoref.formats.io.text import read_bytes

        found = sources(path)
        if len(found) != 1:
            raise UsageError(f"{path} is a directory of {len(found)} files", "name one file")
        with open_source(found[0]) as stream:
            data = read_bytes(stream)
        edges = [*_EDGE.finditer(data)]
        is_open = bool(edges) and edges[-1]["end"] is None
        is_cut = is_open and (any(one["end"] for one in edges) or not data.endswith(b"\n"))
        if is_cut:
            at = data.rfind(b"\n") + 1
            line = data.count(b"\n", 0, at) + 1
            print_notes([f"{path}:{line}: the file ends inside a document: is it complete?"])
            data = data[:at] + b"#end document\n"
        wanted = Wanted(repair="drop-brackets" if is_cut else "none")
        _, corpus, problems = read_stream(BytesIO(data), found[0], "conll", wanted)
        if problems or corpus is None:
            raise FormatError(problems, path, "conll")
        names = [one["begin"].decode() for one in _EDGE.finditer(data) if one["end"] is None]
        return cls(names, corpus)


class _Scored:
    """Both sides, and the counts of the documents that are scored."""

    def __init__(self, key: str, response: str, document: str | None) -> None:
        from scoref.policy import Policy
        from scoref.scoring import score

        files = _File.read(key), _File.read(response)
        sides = _without_lengths(*(file.corpus for file in files))
        policy = Policy(extra_documents="ignore")
        result = score(*sides, ["mentions", *_METRICS.values()], policy)
        print_notes(result.notes)
        self._counts = result.counts
        self._totals_only = document == "none"
        self._one = None if document in {None, "none"} else document
        names, places = files[0].names, {name: at for at, name in enumerate(files[1].names)}
        if self._one is not None and self._one not in names:
            first = f"its first document is {names[0]!r}" if names else ""
            raise UsageError(f"the key has no document {self._one!r}", first)
        self._documents = {
            at: _DocumentPair(
                name,
                _entities(sides[0], at),
                _entities(sides[1], places[name]) if name in places else None,
            )
            for at, name in enumerate(names)
            if self._one in {None, name}
        }

    def lines(self, metric: str) -> Iterator[str]:
        """Return the lines that the reference scorer prints for a metric."""
        totals = [0.0] * self._counts.rows[_METRICS[metric]].shape[1]
        mentions = [0.0] * 4
        for at, document in self._documents.items():
            found = self._counts.rows["mentions"][at].tolist()
            counts = document.as_summed(metric, self._counts.rows[_METRICS[metric]][at].tolist())
            yield from self._document(document, metric, found, counts)
            mentions = [sum(pair) for pair in zip(mentions, found, strict=True)]
            totals = [sum(pair) for pair in zip(totals, counts, strict=True)]
        yield from ("", "====== TOTALS =======")
        yield from _ratios("Identification of Mentions: ", mentions)
        yield from _totals(metric, totals)

    def _document(
        self, document: _DocumentPair, metric: str, mentions: list[float], counts: list[float]
    ) -> Iterator[str]:
        if self._totals_only:
            yield from document.repeated_mentions()
            return
        title = [":" if metric == "blanc" and self._one is None else f"{document.name}:"]
        shown = [*document.lists()]
        yield from title + shown if self._one is not None else shown + title
        yield from document.repeated_mentions()
        found, in_key, _, in_response = mentions
        yield f"Total key mentions: {_number(in_key)}"
        yield f"Total response mentions: {_number(in_response)}"
        yield f"Strictly correct identified mentions: {_number(found)}"
        yield "Partially correct identified mentions: 0"
        yield f"No identified: {_number(in_key - found)}"
        yield f"Invented: {_number(in_response - found)}"
        if metric != "blanc":
            yield from _ratios("", counts)


class _DocumentPair(NamedTuple):
    """A document of the key, and its entities on both sides; None if the response lacks it."""

    name: str
    key: list[_Spans]
    response: list[_Spans] | None

    def lists(self) -> Iterator[str]:
        """List the entities of both sides."""
        for name, entities in ((self.name, self.key), (self.name, self.response)):
            shown = "" if entities is None else name
            yield from (f"====> {shown}:", f"File {shown}:")
            for number, spans in enumerate(entities or ()):
                yield f"Entity {number}:" + "".join(f" ({start},{end})" for start, end in spans)

    def repeated_mentions(self) -> Iterator[str]:
        """Name repeated mentions, with the numbers that the reference scorer gives to mentions."""
        numbers: dict[_Span, int] = {}
        for count, span in enumerate(chain.from_iterable(self.key)):
            if span in numbers:
                yield f"Repeated mention in the key: {span[0]}, {span[1]} {numbers[span]}{count}"
            numbers[span] = count
        matched: set[_Span] = set()
        for span in chain.from_iterable(self.response or ()):
            if span in matched:
                yield f"{_REPEATED}{span[0]}, {span[1]} {numbers[span]}{numbers[span]}"
            if span in numbers:
                matched.add(span)

    def as_summed(self, metric: str, counts: list[float]) -> list[float]:
        """Return the counts with the rounding errors of sums in the reference scorer's order.

        It cuts percentages off, so the last bit of a sum can change what it prints.
        """
        if metric == "bcub":
            summed = self._b3_sums()
        elif metric == "ceafe":
            summed = [self._ceafe_sum()] * 2
        else:
            return counts
        close = [
            isclose(ours, its, abs_tol=1e-9) for ours, its in zip(counts[::2], summed, strict=True)
        ]
        return [summed[0], counts[1], summed[1], counts[3]] if all(close) else counts

    def _shared(self) -> list[Counter[int]]:
        """Return, for each response entity, how many mentions it shares with key entities."""
        places: dict[_Span, list[int]] = {}
        for number, entity in enumerate(self.key):
            for span in set(entity):
                places.setdefault(span, []).append(number)
        return [
            Counter(chain.from_iterable(places.get(span, ()) for span in set(entity)))
            for entity in self.response or ()
        ]

    def _b3_sums(self) -> list[float]:
        key_entity = {span: at for at, entity in enumerate(self.key) for span in entity}
        recall = precision = 0.0
        for entity, shared in zip(self.response or (), self._shared(), strict=True):
            for span in entity:
                if (at := key_entity.get(span)) is not None:
                    precision += shared[at] / len(entity)
                    recall += shared[at] / len(self.key[at])
        return [recall, precision]

    def _ceafe_sum(self) -> float:
        import numpy as np

        from scoref.metrics.assignment.solver import best_alignment

        sizes = [len(set(entity)) for entity in self.response or ()]
        cells = sorted(
            (key, response, 2 * shared / (len(self.key[key]) + sizes[response]))
            for response, found in enumerate(self._shared())
            for key, shared in found.items()
        )
        if not cells:
            return 0.0
        rows, columns, worth = map(np.array, zip(*cells, strict=True))
        total = 0.0
        for found in worth[best_alignment(rows, columns, worth)].tolist():
            total += 1 - (1 - found)  # sum() rounds less since Python 3.12
        return total


def _without_lengths(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Note documents of different lengths, and score them, as the reference scorer does.

    A resolver may pass a file on before its end is written.
    """
    lengths = {document.id: document.length for document in key.documents}
    different = [one for one in response.documents if lengths.get(one.id, one.length) != one.length]
    if not different:
        return key, response
    print_notes(
        f"document {one.name} has {lengths[one.id]:,} tokens in the key but {one.length:,} in the"
        " response: is the response complete?"
        for one in different
    )
    unknown = {one.id for one in different}
    changed = (
        replace(
            side,
            documents=tuple(
                one._replace(length=UNKNOWN) if one.id in unknown else one for one in side.documents
            ),
        )
        for side in (key, response)
    )
    key, response = changed
    return key, response


def _entities(corpus: Corpus, document: int) -> list[_Spans]:
    """Return the entities of a document in the order in which the reference scorer finds them."""
    rows = (corpus.document == document).nonzero()[0]
    columns = (column[rows].tolist() for column in (corpus.entity, corpus.start, corpus.end))
    found: dict[int, _Spans] = {}
    for entity, start, end in zip(*columns, strict=True):
        found.setdefault(entity, []).append((start, end))
    for spans in found.values():
        spans.sort(key=lambda span: (span[1], -span[0]))  # as they close
    # In the cell of a token, mentions of one token come first; then those that begin there.
    return sorted(found.values(), key=lambda spans: min((s, s != e) for s, e in spans))


def _totals(metric: str, counts: list[float]) -> Iterator[str]:
    if metric != "blanc":
        yield from _ratios("Coreference: ", counts)
        return
    in_key, in_response, shared, apart_in_key, apart_in_response, apart = counts
    links = [shared, in_key, shared, in_response]
    others = [apart, apart_in_key, apart, apart_in_response]
    yield from ("", "Coreference:")
    yield from _ratios("Coreference links: ", links)
    yield from _ratios("Non-coreference links: ", others)
    kinds = [_scores(kind) for kind in (links, others) if kind[1]] or [(0.0, 0.0, 0.0)]
    recall, precision, f1 = (sum(column) / len(kinds) for column in zip(*kinds, strict=True))
    yield from _ratios("BLANC: ", [recall, 1, precision, 1], f1)


def _scores(counts: list[float]) -> tuple[float, float, float]:
    found, in_key, right, in_response = counts
    recall = found / in_key if in_key else 0.0
    precision = right / in_response if in_response else 0.0
    both = recall + precision
    return recall, precision, 2 * precision * recall / both if both else 0.0


def _ratios(title: str, counts: list[float], f1: float | None = None) -> Iterator[str]:
    found, in_key, right, in_response = map(_number, counts)
    recall, precision, harmonic = _scores(counts)
    yield (
        f"{title}Recall: ({found} / {in_key}) {_percent(recall)}%"
        f"\tPrecision: ({right} / {in_response}) {_percent(precision)}%"
        f"\tF1: {_percent(harmonic if f1 is None else f1)}%"
    )
    yield _LINE


def _number(value: float) -> str:
    """Print a number with 15 digits, as Perl does."""
    return f"{value:.15g}"


def _percent(ratio: float) -> str:
    """Print a percentage that is cut off after two decimals, as the reference scorer does."""
    return _number(int(ratio * 10000) / 100)
