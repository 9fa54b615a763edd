r"""WebAnno TSV 3: one token per line, layers of spans, of relations between them, and of chains.

    #FORMAT=WebAnno TSV 3.2
    #T_SP=webanno.custom.Referent|entity|infstat
    #T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent

    1-1  0-3  The     person[1]  new[1]  _     _
    1-2  4-7  man     person[1]  new[1]  _     _
    2-1  9-11 He      person     giv     ana   1-1[1_0]

A span of several tokens, or a span that shares its token, has a number in brackets. A relation
names the first token of its target, and the numbers of target and source. In a chain layer,
`*->3-2` is the second mention of chain 3. GUM's TSV files have this format.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scoref.base.union_find import groups
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.formats.format import Format, Wanted, text_reader
from scoref.formats.io.problems import Problems

_FIRST = re.compile(rb"(\xef\xbb\xbf)?#FORMAT=WebAnno TSV 3")
_ROW = re.compile(r"(?P<token>\d+-\d+)(?P<part>\.\d+)?\t\d+-\d+\t", re.ASCII)
_ITEM = re.compile(  # brackets and backslashes in a label have a backslash before them
    r"(?P<value>(?:\\.|[^\[\]\\])*\\?)(?:\[(?P<number>\d{1,18})\])?", re.DOTALL | re.ASCII
)
_END = re.compile(r"(?P<token>\d+-\d+)(?:\[(?P<other>\d{1,18})_(?P<own>\d{1,18})\])?$", re.ASCII)
_LINK = re.compile(r".*->(?P<chain>\d+)-(?P<link>\d+)(?:\[\d+\])?$", re.DOTALL | re.ASCII)
_BAR = re.compile(r"(?<!\\)\|")
_COREFERENCE = "coref"
_NOT_IDENTITY = ("bridg", "split", "part", "subset")
_OFFSET = 3
_CHAIN_FEATURES = 2
_LINK_FEATURE = "referenceRelation"
_SHOWN = 40

Name = tuple[str, str]
"""What identifies a span: no token and its number, or its token if it has no number."""

RelationEnd = tuple[Name, str]
"""A span, and a token of it."""


@dataclass(slots=True)
class _Layer:
    """A layer: its kind (SP, RL or CH), its name, its features, and its first column."""

    kind: str
    name: str
    features: list[str]
    first: int

    @property
    def width(self) -> int:
        return max(len(self.features), 1)

    @property
    def base(self) -> str:
        """The layer whose spans a relation connects."""
        return next((f[3:] for f in self.features if f.startswith("BT_")), "")


@dataclass(slots=True)
class _WebAnnoSpan:
    """A span: the line where it begins, its label, and its tokens."""

    line: int
    label: str
    tokens: list[int] = field(default_factory=list)


@dataclass(slots=True)
class _WebAnnoReader:
    """Collects the tokens, spans and links of a file."""

    problems: Problems
    layers: list[_Layer] = field(default_factory=list)
    chosen: list[_Layer] | None = None
    link_cell: int | None = None
    """Which cell of a chain has its links: as the header says, or as the first row with any."""
    tokens: dict[str, int] = field(default_factory=dict)
    sentences: list[list[str]] = field(default_factory=list)
    spans: dict[Name, _WebAnnoSpan] = field(default_factory=dict)
    links: list[tuple[int, bool, RelationEnd, RelationEnd]] = field(default_factory=list)
    """Relations: their line, whether they are identity, and their ends."""
    chains: dict[str, dict[Name, None]] = field(default_factory=dict)
    ignored: Counter[str] = field(default_factory=Counter)

    def read(self, text: str) -> None:
        previous = ""
        for number, line in enumerate(text.split("\n"), 1):
            if row := _ROW.match(line):
                if self.chosen is None:
                    self.choose_layers(number)
                sentence = row["token"].partition("-")[0]
                if sentence != previous:
                    self.sentences.append([])
                previous = sentence
                self.read_row(row["token"], row["part"], line.rstrip("\r"), number)
            elif line.startswith(("#T_SP=", "#T_RL=", "#T_CH=")):
                self.add_layer(line.rstrip("\r"), number)
            elif line.strip() and not line.startswith("#"):
                expected = "a token such as `1-1`, its offsets and its text, with tabs between them"
                self.problems.add(number, f"`{line[:_SHOWN]}`", expected, "comments start with `#`")
        if not self.tokens and not self.problems:
            self.problems.add(0, "no tokens", "tokens such as `1-1`", "is the file complete?")

    def add_layer(self, line: str, number: int) -> None:
        """Add a layer of the header, such as `#T_SP=webanno.custom.Referent|entity|infstat`."""
        kind, (name, *features) = line[3:5], line[6:].split("|")
        if self.tokens:
            hint = "put the names of layers before the tokens"
            self.problems.add(number, "a layer after tokens", "a token", hint)
        if any((one.kind, one.name) == (kind, name) for one in self.layers):
            self.problems.add_repeated(number, f"the layer {name[:_SHOWN]}")
        if kind == "CH" and len(features) < _CHAIN_FEATURES:
            expected = "the two features of a chain, such as `|referenceRelation|referenceType`"
            hint = "was the line cut? export the file again"
            self.problems.add(number, f"the chain layer {name[:_SHOWN]}", expected, hint)
        first = self.layers[-1].first + self.layers[-1].width if self.layers else _OFFSET
        self.layers.append(_Layer(kind, name, features, first))

    def choose_layers(self, line: int) -> None:
        """Choose the layer of coreference: relations by their name, or chains."""
        self.chosen = [
            one
            for one in self.layers
            if one.kind == "CH" or (one.kind == "RL" and _COREFERENCE in one.name.lower())
        ]
        if len(self.chosen) != 1 or (self.chosen[0].kind == "RL" and not self.chosen[0].base):
            names = ", ".join(layer.name for layer in self.layers) or "none"
            expected = "one layer of relations with `coref` in its name, or one layer of chains"
            hint = "export this layer without other layers of coreference"
            self.problems.add(line, f"the layers {names[:120]}", expected, hint)
            self.chosen = []
        for layer in self.chosen:
            if layer.kind == "CH" and _LINK_FEATURE in layer.features:
                self.link_cell = layer.features.index(_LINK_FEATURE)

    def read_row(self, token: str, part: str | None, line: str, number: int) -> None:
        cells = line.split("\t")
        if part:
            if next(reversed(self.tokens), None) != token:
                found, expected = f"a part of the token {token}", f"the token {token} before it"
                self.problems.add(number, found, expected, "check that no line is missing")
            chosen = (self.chosen or [])[:1]
            layers = [one if one.kind == "CH" else self.layer(one.base) for one in chosen]
            if any(_items(cell) for one in layers if one for cell in cells[one.first :][:1]):
                found = f"a mention of a part of a token, `{token}{part}`"
                hint = "make the part a token, or widen the mention"
                self.problems.add(number, found, "mentions of whole tokens", hint)
            return
        if token in self.tokens:
            hint = "does the file hold two documents?"
            self.problems.add(number, f"the token {token} again", "each token once", hint)
            return
        following = f"{len(self.sentences)}-{len(self.sentences[-1]) + 1}"
        if token != following:
            found, expected = f"the token {token}", f"the token {following}"
            self.problems.add(number, found, expected, "check that no line is missing or moved")
        at = self.tokens[token] = len(self.tokens)
        self.sentences[-1].append(cells[2])
        width = self.layers[-1].first + self.layers[-1].width if self.layers else _OFFSET
        more = cells[width:]
        fits = len(cells) >= width and more in ([], [""])  # a tab ends each row
        # GUM's rows without annotation can have more cells than the header.
        if not fits and (not more or any(map(_items, cells[_OFFSET:]))):
            expected = f"{width} cells for the layers of the header"
            hint = "write `_` into empty cells"
            self.problems.add(number, f"a row of {len(cells)} cells", expected, hint)
            return
        for layer in self.chosen or ():
            if layer.kind == "CH":
                self.read_chain(cells[layer.first :][: layer.width], at, number)
            else:
                self.read_spans(layer, cells, token, at, number)
                self.read_relations(layer, cells, token, number)

    def layer(self, name: str) -> _Layer | None:
        return next((one for one in self.layers if one.kind == "SP" and one.name == name), None)

    def read_chain(self, cells: Sequence[str], at: int, line: int) -> None:
        items = [_items(cell) for cell in cells]
        by_cell = [[link for item in cell if (link := _LINK.match(item))] for cell in items]
        links = [link for cell in by_cell for link in cell]
        at_cell = next((number for number, cell in enumerate(by_cell) if cell), self.link_cell)
        self.link_cell = at_cell if self.link_cell is None else self.link_cell
        if any(len(cell) != len(links) for cell in items) or at_cell != self.link_cell:
            found, expected = f"`{' '.join(cells)[:_SHOWN]}`", "a link such as `->1-2` per mention"
            self.problems.add(line, found, expected, "write both cells of a chain, in their order")
        for link in links:
            name = (f"{link['chain']}-{link['link']}", "")
            self.chains.setdefault(link["chain"], {})[name] = None
            self.add_token(name, "", at, line)

    def add_token(self, name: Name, label: str, at: int, line: int) -> None:
        """Add a token to a span, which has each token once."""
        span = self.spans.setdefault(name, _WebAnnoSpan(line, label))
        if span.tokens[-1:] == [at]:
            found = f"a token twice in the span {name[1] or name[0]}"
            self.problems.add(line, found, "each token once", "remove one of the two")
        span.tokens.append(at)

    def read_spans(
        self, layer: _Layer, cells: Sequence[str], token: str, at: int, line: int
    ) -> None:
        base = self.layer(layer.base)
        if base is None:
            expected, hint = f"the layer that {layer.name} connects", "export both layers"
            self.problems.add(line, f"no layer {layer.base}", expected, hint)
            self.chosen = []
            return
        for item in _items(cells[base.first]):
            found = _ITEM.fullmatch(item)
            if not item or found is None:  # a damaged number would make a span of the token
                expected = "labels such as `person[1]`, with `|` between them"
                hint = "write `*` for a span without a label, and a number in the brackets"
                self.problems.add(line, f"`{cells[base.first][:_SHOWN]}`", expected, hint)
                continue
            name = ("", found["number"]) if found["number"] else (token, "")
            label = "" if found["value"] == "*" else found["value"]
            self.add_token(name, label, at, line)

    def read_relations(self, layer: _Layer, cells: Sequence[str], token: str, line: int) -> None:
        place = next(layer.first + at for at, f in enumerate(layer.features) if f.startswith("BT_"))
        ends, kinds = _items(cells[place]), _items(cells[layer.first])
        if place != layer.first and len(kinds) != len(ends):
            found, expected = f"`{cells[layer.first][:_SHOWN]}`", "as many types as relations"
            self.problems.add(line, found, expected, "write `*` for a relation without a type")
        for at, end in enumerate(ends):
            target = _END.match(end)
            if target is None:
                expected = "the target of a relation, such as `1-1[2_3]`"
                hint = "write the first token of the target, and the numbers of both spans"
                self.problems.add(line, f"`{end[:_SHOWN]}`", expected, hint)
                continue
            kind = kinds[at] if at < len(kinds) and place != layer.first else "*"
            is_identity = not any(part in kind.lower() for part in _NOT_IDENTITY)
            if not is_identity:
                self.ignored[kind] += 1
            own, other = target["own"] or "0", target["other"] or "0"
            one: Name = ("", own) if own != "0" else (token, "")
            two: Name = ("", other) if other != "0" else (target["token"], "")
            self.links.append((line, is_identity, (one, token), (two, target["token"])))

    def entities(self) -> Iterator[tuple[str, list[_WebAnnoSpan]]]:
        """Yield entities by name."""
        if self.chains:
            for chain, names in self.chains.items():
                yield chain, [self.spans[name] for name in names]
            return
        number = {name: at for at, name in enumerate(self.spans)}
        pairs = []
        for line, is_identity, *ends in self.links:
            for name, token in ends:
                if name not in number or self.tokens.get(token) not in self.spans[name].tokens:
                    shown = f"[{name[1]}] at token {token}" if name[1] else f"at token {token}"
                    found, expected = f"a relation to a span {shown}", "a span of the file"
                    hint = "add the span, or remove the relation"
                    self.problems.add(line, found, expected, hint)
            if is_identity and all(name in number for name, _ in ends):
                pairs.append([number[name] for name, _ in ends])
        spans = list(self.spans.values())
        for order, members in enumerate(groups(len(spans), pairs), 1):
            yield str(order), [spans[at] for at in members]


def _items(cell: str) -> list[str]:
    """Split a cell into its values; `_` is an empty cell."""
    return [] if cell in {"_", ""} else _BAR.split(cell)


def _parse(text: str, wanted: Wanted, problems: Problems) -> Corpus:
    """Parse the file of one document."""
    reader = _WebAnnoReader(problems)
    reader.read(text)
    builder = CorpusBuilder(problems.path, text="word" in wanted.columns)
    document = builder.document("", len(reader.tokens))
    found = [(span, name) for name, spans in reader.entities() for span in spans]
    for span, name in sorted(found, key=lambda one: (one[0].tokens[0], -one[0].tokens[-1])):
        first, last = span.tokens[0], span.tokens[-1]
        is_contiguous = last - first + 1 == len(span.tokens)
        nodes = "" if is_contiguous else " ".join(map(str, span.tokens))
        entity = builder.entity(document, name)
        builder.mention(document, (first, last), entity, span.line, label=span.label, nodes=nodes)
    for sentence in reader.sentences:
        builder.sentence(word=sentence)
    if reader.ignored:
        names = ", ".join(f"{name} ({times})" for name, times in reader.ignored.most_common(5))
        builder.notes.append(f"{problems.path}: ignored relations that are not identity: {names}")
    return builder.corpus()


_READ = text_reader(_parse, by_lines=True)
FORMAT = Format(
    "webanno", "WebAnno TSV 3, GUM's TSV", _FIRST.match, _READ, suffix=".tsv", sees_words=True
)
