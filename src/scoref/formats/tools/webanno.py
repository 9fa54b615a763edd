r"""WebAnno TSV 3: a token a line, layers of spans, of relations between them, and of chains.

    #FORMAT=WebAnno TSV 3.2
    #T_SP=webanno.custom.Referent|entity|infstat
    #T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent

    1-1  0-3  The     person[1]  new[1]  _     _
    1-2  4-7  man     person[1]  new[1]  _     _
    2-1  9-11 He      person     giv     ana   1-1[1_0]

A span of several tokens, or one that shares its token, has a number in brackets. A relation
names the first token of its other end, and the numbers of both ends, the other one first. In a
chain layer, `*->3-2` makes the second mention of chain 3. GUM's TSV files are of this format.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scoref.base.union_find import groups
from scoref.corpus.builder import CorpusBuilder, TextBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.text import read_text

_FIRST = re.compile(rb"(\xef\xbb\xbf)?#FORMAT=WebAnno TSV 3")
_ROW = re.compile(r"(?P<token>\d+-\d+)(?P<part>\.\d+)?\t\d+-\d+\t")
_ITEM = re.compile(r"(?P<value>.*?)(?:\[(?P<number>\d+)\])?$", re.DOTALL)
_END = re.compile(r"(?P<token>\d+-\d+)(?:\[(?P<other>\d+)_(?P<own>\d+)\])?$")
_LINK = re.compile(r".*->(?P<chain>\d+)-(?P<link>\d+)(?:\[\d+\])?$", re.DOTALL)
_BAR = re.compile(r"(?<!\\)\|")
_COREFERENCE = "coref"
_NO_IDENTITY = ("bridg", "split", "part", "subset")
_OFFSET = 3
_SHOWN = 40

# A span is known by its number, or by its token if it has none.
Name = tuple[str, str]


@dataclass(slots=True)
class _Layer:
    """A layer: its kind (SP, RL or CH), its name, its features, and its first column."""

    kind: str
    name: str
    features: list[str]
    first: int

    @property
    def width(self) -> int:
        return max(len(self.features), 2 if self.kind == "CH" else 1)

    @property
    def base(self) -> str:
        """The layer whose spans a relation connects."""
        return next((f[3:] for f in self.features if f.startswith("BT_")), "")


@dataclass(slots=True)
class _Span:
    """A span: its tokens, where it begins, and what it is called."""

    line: int
    label: str
    tokens: list[int] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    path: str
    problems: list[Problem] = field(default_factory=list)
    layers: list[_Layer] = field(default_factory=list)
    chosen: list[_Layer] | None = None
    tokens: dict[str, int] = field(default_factory=dict)
    sentences: list[list[str]] = field(default_factory=list)
    spans: dict[Name, _Span] = field(default_factory=dict)
    links: list[tuple[int, Name, Name]] = field(default_factory=list)
    chain_of: dict[Name, str] = field(default_factory=dict)
    others: Counter[str] = field(default_factory=Counter)

    def complain(self, line: int, found: str, expected: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, line, found, expected, hint))

    def read(self, text: str) -> None:
        latest = ""
        for number, line in enumerate(text.split("\n"), 1):
            if row := _ROW.match(line):
                if self.chosen is None:
                    self.choose(number)
                sentence = row["token"].partition("-")[0]
                if sentence != latest:
                    self.sentences.append([])
                latest = sentence
                self.read_row(row["token"], row["part"], line.rstrip("\r"), number)
            elif line.startswith(("#T_SP=", "#T_RL=", "#T_CH=")):
                self.add_layer(line.rstrip("\r"))
            elif line.strip() and not line.startswith("#"):
                expected = "a token such as `1-1`, its offsets and its text, with tabs"
                self.complain(number, f"`{line[:_SHOWN]}`", expected, "comments start with `#`")
        if not self.tokens and not self.problems:
            self.complain(0, "a file without tokens", "tokens such as `1-1`", "is it whole?")

    def add_layer(self, line: str) -> None:
        kind = line[3:5]
        name, *features = line[6:].split("|")
        first = self.layers[-1].first + self.layers[-1].width if self.layers else _OFFSET
        self.layers.append(_Layer(kind, name, features, first))

    def choose(self, line: int) -> None:
        """Choose the layers that say what is coreferent: relations by name, or chains."""
        relations = [
            layer
            for layer in self.layers
            if layer.kind == "RL" and _COREFERENCE in layer.name.lower() and layer.base
        ]
        chains = [layer for layer in self.layers if layer.kind == "CH"]
        self.chosen = relations or chains
        if len(self.chosen) != 1:
            names = ", ".join(layer.name for layer in self.layers) or "none"
            expected = "one layer of chains, or one of relations with `coref` in its name"
            hint = "export the layer, or leave the others out"
            self.complain(line, f"the layers {names[:120]}", expected, hint)

    def read_row(self, token: str, part: str | None, line: str, number: int) -> None:
        cells = line.split("\t")
        if part:
            chosen = (self.chosen or [])[:1]
            base = [self.layer(layer.base) for layer in chosen if layer.kind == "RL"]
            if any(cell.strip("_*") for one in base if one for cell in cells[one.first :][:1]):
                found = f"a mention of a part of a token, `{token}{part}`"
                hint = "make it a token of its own, or widen the mention"
                self.complain(number, found, "mentions of whole tokens", hint)
            return
        if token in self.tokens:
            hint = "was a file written behind another?"
            self.complain(number, f"the token {token} again", "each once", hint)
        at = self.tokens[token] = len(self.tokens)
        self.sentences[-1].append(cells[2])
        for layer in self.chosen or ():
            read = (one for one in (layer, self.layer(layer.base)) if one is not None)
            needed = max(one.first + one.width for one in read)
            if len(cells) < needed:
                expected = f"{needed} columns, as the layers say"
                hint = "write `_` in columns that have nothing"
                self.complain(number, f"a row of {len(cells)} cells", expected, hint)
            elif layer.kind == "CH":
                self.read_chain(cells[layer.first :][: layer.width], at, number)
            else:
                self.read_spans(layer, cells, token, at, number)
                self.read_relations(layer, cells, token, number)

    def layer(self, name: str) -> _Layer | None:
        return next((one for one in self.layers if one.kind == "SP" and one.name == name), None)

    def read_chain(self, cells: Sequence[str], at: int, line: int) -> None:
        for cell in cells:
            for item in _items(cell):
                if link := _LINK.match(item):
                    name = (f"{link['chain']}-{link['link']}", "")
                    self.chain_of[name] = link["chain"]
                    self.spans.setdefault(name, _Span(line, "")).tokens.append(at)

    def read_spans(
        self, layer: _Layer, cells: Sequence[str], token: str, at: int, line: int
    ) -> None:
        base = self.layer(layer.base)
        if base is None:
            expected, hint = f"the layer that {layer.name} connects", "export that layer too"
            self.complain(line, f"no layer {layer.base}", expected, hint)
            self.chosen = []
            return
        for item in _items(cells[base.first]):
            found = _ITEM.match(item)
            if found is not None:
                name = ("", found["number"]) if found["number"] else (token, "")
                label = "" if found["value"] == "*" else found["value"]
                self.spans.setdefault(name, _Span(line, label)).tokens.append(at)

    def read_relations(self, layer: _Layer, cells: Sequence[str], token: str, line: int) -> None:
        place = next(layer.first + at for at, f in enumerate(layer.features) if f.startswith("BT_"))
        ends, kinds = _items(cells[place]), _items(cells[layer.first])
        for at, end in enumerate(ends):
            found = _END.match(end)
            if found is None:
                expected = "the other end, such as `1-1[2_3]`"
                hint = "the token, and the numbers of both ends"
                self.complain(line, f"`{end[:_SHOWN]}`", expected, hint)
                continue
            kind = kinds[at] if at < len(kinds) and place != layer.first else "*"
            if any(part in kind.lower() for part in _NO_IDENTITY):
                self.others[kind] += 1
                continue
            own, other = found["own"] or "0", found["other"] or "0"
            one: Name = ("", own) if own != "0" else (token, "")
            two: Name = ("", other) if other != "0" else (found["token"], "")
            self.links.append((line, one, two))

    def entities(self) -> Iterator[tuple[str, list[_Span]]]:
        """Yield entities by name."""
        if self.chain_of:
            by_chain: dict[str, list[_Span]] = {}
            for name, chain in self.chain_of.items():
                by_chain.setdefault(chain, []).append(self.spans[name])
            yield from by_chain.items()
            return
        number = {name: at for at, name in enumerate(self.spans)}
        pairs = []
        for line, *ends in self.links:
            for end in ends:
                if end not in number:
                    shown = f"[{end[1]}]" if end[1] else f"at token {end[0]}"
                    found, hint = f"a relation of a span {shown}", "add it, or remove the relation"
                    self.complain(line, found, "one that is there", hint)
            if all(end in number for end in ends):
                pairs.append([number[end] for end in ends])
        spans = list(self.spans.values())
        for order, members in enumerate(groups(len(spans), pairs), 1):
            yield str(order), [spans[at] for at in members]


def _items(cell: str) -> list[str]:
    """Split a cell that has several values; `_` is none."""
    return [] if cell in {"_", ""} else _BAR.split(cell)


def read(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read the file of one document."""
    nothing = CorpusBuilder(path).corpus()
    text, problems = read_text(stream, path)
    if problems:
        return nothing, problems
    reader = _Reader(path)
    reader.read(text)
    builder = CorpusBuilder(path, words=TextBuilder() if "word" in wanted.columns else None)
    document = builder.document("", len(reader.tokens))
    found = [(span, name) for name, spans in reader.entities() for span in spans]
    if reader.problems:
        return nothing, reader.problems
    for span, name in sorted(found, key=lambda one: (one[0].tokens[0], -one[0].tokens[-1])):
        first, last = span.tokens[0], span.tokens[-1]
        whole = last - first + 1 == len(span.tokens)
        nodes = "" if whole else " ".join(map(str, span.tokens))
        entity = builder.entity(document, name)
        builder.mention(document, (first, last), entity, span.line, label=span.label, nodes=nodes)
    if builder.words is not None:
        for sentence in reader.sentences:
            builder.words.sentence(word=sentence)
    if reader.others:
        names = ", ".join(f"{name} ({many})" for name, many in reader.others.most_common(5))
        builder.notes.append(f"{path}: relations that are no identity are not read: {names}")
    return builder.corpus(), []


def _recognise(head: bytes) -> bool:
    return _FIRST.match(head) is not None


FORMAT = Format(
    name="webanno",
    title="WebAnno TSV 3, GUM's TSV",
    recognise=_recognise,
    read=read,
    suffix=".tsv",
    sees_words=True,
)
