"""Strict readers of ACE APF, ECB+, brat, WebAnno TSV, and of files of spaCy."""

from __future__ import annotations

import json
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree as ET

from tests.reference.strict.reading import (
    Files,
    Mention,
    Reading,
    document,
    groups,
    lines_of,
    nodes,
    number_unnamed,
    plain_text,
    refuse,
    text_of,
    whole_number,
)

# --------------------------------------------------------------------------- XML


def xml_of(data: bytes) -> ET.Element:
    """Parse XML that is UTF-8, whatever it declares, and leave out namespaces of elements."""
    text = text_of(data, by_lines=False)
    if "<!ENTITY" in text:
        refuse("an entity declaration")
    # After a DOCTYPE, the parser leaves out unknown entities of attributes.
    no_references = r"<!--.*?-->|<!\[CDATA\[.*?]]>|<\?.*?\?>|<!DOCTYPE[^\[>]*"
    unmarked = re.sub(no_references, "", text, flags=re.DOTALL)
    if re.search(r"&(?!(amp|lt|gt|quot|apos|#\w+);)", unmarked):
        refuse("an unknown entity")
    try:
        root = ET.fromstring(text.encode(), ET.XMLParser(encoding="utf-8"))  # noqa: S314
    except (ET.ParseError, ValueError, LookupError):
        refuse("not XML")
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root


# --------------------------------------------------------------------------- ACE APF

TYPES = {"NAM", "NOM", "PRO", "PRE"}


def read_apf(files: Files) -> Reading:
    """Read documents, entities and extents."""
    root = xml_of(files[""])
    documents = []
    for one in root.iter("document"):
        if len(list(one.iter("document"))) > 1:
            refuse("a document in a document")
        entities: dict[str, list[Mention]] = {}
        for entity in one.iter("entity"):
            name = entity.get("ID")
            if not name or name in entities:
                refuse("an entity without an ID, or twice")
            entities[name] = [extent_of(m) for m in entity.iter("entity_mention")]
        documents.append(document((one.get("DOCID") or "").strip(), None, entities.values()))
    if not documents:
        refuse("no document")
    return number_unnamed(documents)


def extent_of(mention: ET.Element) -> Mention:
    """Return the extent of a mention; its head lies inside."""
    if mention.get("TYPE") not in TYPES:
        refuse("a mention of an unknown type")
    found = {}
    for name in ("extent", "head"):
        places = mention.findall(f"{name}/charseq")
        if len(places) > 1 or (name == "extent" and not places):
            refuse(f"a mention with {len(places)} of {name}")
        for place in places:
            start, end = (whole_number(place.get(side, "").strip(" ")) for side in ("START", "END"))
            if end < start:
                refuse(f"{start} to {end}")
            found[name] = start, end
    start, end = found["extent"]
    first, last = found.get("head", (start, end))
    if not start <= first <= last <= end:
        refuse("a head outside of its mention")
    return start, end, ""


# --------------------------------------------------------------------------- ECB+

EVENT_TAG = re.compile(r"(NEG_)?ACTION_.*")
ENTITY_TAG = re.compile(r"((NON_)?HUMAN_PART|LOC_|TIME_).*")


def read_ecbplus(files: Files, kind: str = "all") -> Reading:
    """Read tokens, markables and relations, and keep all mentions, events or entities."""
    root = xml_of(files[""])
    name = re.sub(r"\.xml$", "", root.get("doc_name", ""))
    if root.tag != "Document" or not name:
        refuse("no document with a name")
    parts = inside(root, "token", "Markables", "Relations")
    order = ecbplus_tokens([part for part in parts if part.tag == "token"])
    markables, relations = (list(root.iterfind(tag)) for tag in ("Markables", "Relations"))
    if len(markables) != 1 or len(relations) != 1:
        refuse("not one part of each kind")
    mentions, instances = ecbplus_markables(list(markables[0]), order)
    for one in (markables[0], relations[0]):
        inside(one, *(child.tag for child in one))
    entities: dict[str, list[str]] = {}
    seen: set[str] = set()
    for relation in relations[0]:
        number, note = relation.get("r_id", ""), relation.get("note", "")
        ends = inside(relation, "source", "target")
        targets = [end.get("m_id") for end in ends if end.tag == "target"]
        sources = [end.get("m_id", "") for end in ends if end.tag == "source"]
        for end in ends:
            inside(end)
        if relation.tag not in ("CROSS_DOC_COREF", "INTRA_DOC_COREF"):
            refuse(f"a relation {relation.tag}")
        if not number or number in seen or bool(note) != relation.tag.startswith("CROSS"):
            refuse("a relation without an id or a note")
        if "/" in note:
            refuse("a slash in a note")
        seen.add(number)
        if len(targets) != 1 or targets[0] not in instances:
            refuse("a target that is not an instance")
        stated = instances[targets[0]]
        if stated != note and (stated or not note):
            refuse("another instance")
        if not set(sources) <= mentions.keys():
            refuse("a source that is not a mention")
        entity = note or f"{name}/r{number}"
        if entity in entities:
            refuse("two relations of an entity")
        entities[entity] = sources
    linked = [source for sources in entities.values() for source in sources]
    if len(set(linked)) < len(linked):
        refuse("a mention in two relations")
    chains = [*entities.values(), *([alone] for alone in mentions if alone not in linked)]
    wanted = {"all": "", "events": "E", "entities": "N"}[kind]
    kept = [[mentions[m][0] for m in chain if wanted in mentions[m][1]] for chain in chains]
    return number_unnamed([document(name, len(order), kept)])


def inside(element: ET.Element, *names: str) -> list[ET.Element]:
    """Return the children of an element, which has no text and no other children."""
    texts = [element.text, *(child.tail for child in element)]
    if "".join(text or "" for text in texts).strip(" \t\r\n"):
        refuse(f"text in {element.tag}")
    if not {child.tag for child in element} <= set(names):
        refuse(f"an unknown element in {element.tag}")
    return list(element)


def ecbplus_tokens(tokens: list[ET.Element]) -> dict[str, int]:
    """Return the place of each token; sentences ascend, and tokens count from 0 in each."""
    numbers = []
    for token in tokens:
        if len(token):
            refuse("an element in a token")
        written = [token.get(name, "").strip(" ") for name in ("sentence", "number")]
        numbers.append([whole_number(one) for one in written])
    sentences = [sentence for sentence, _ in numbers]
    if sentences != sorted(sentences):
        refuse("sentences out of order")
    if any(number != at - sentences.index(s) for at, (s, number) in enumerate(numbers)):
        refuse("a token is missing")
    order = {token.get("t_id", ""): at for at, token in enumerate(tokens)}
    if not order or "" in order or len(order) < len(tokens):
        refuse("tokens without ids of their own")
    return order


def ecbplus_markables(
    markables: list[ET.Element], order: dict[str, int]
) -> tuple[dict[str, tuple[Mention, str]], dict[str, str]]:
    """Return mentions, each an event (E) or an entity (N), and the ids of instances."""
    mentions: dict[str, tuple[Mention, str]] = {}
    instances: dict[str, str] = {}
    for markable in markables:
        name = markable.get("m_id", "")
        if not name or name in mentions or name in instances:
            refuse("a markable without an id of its own")
        anchors = inside(markable, "token_anchor")
        for anchor in anchors:
            inside(anchor)
        is_event, is_entity = EVENT_TAG.fullmatch(markable.tag), ENTITY_TAG.fullmatch(markable.tag)
        if (markable.get("TAG_DESCRIPTOR") is None) == (not anchors):
            refuse("neither a mention nor an instance")
        if not anchors and (is_event or is_entity or markable.tag == "UNKNOWN_INSTANCE_TAG"):
            instances[name] = markable.get("instance_id", "")
            continue
        tokens = {anchor.get("t_id", "") for anchor in anchors}
        if not (is_event or is_entity) or not tokens <= order.keys():
            refuse("an unknown tag or token")
        places = sorted(order[token] for token in tokens)
        mentions[name] = nodes(places), "E" if is_event else "N"
    return mentions, instances


# --------------------------------------------------------------------------- brat

TEXT_BOUND = re.compile(r"([^ \t]+) ([0-9]{1,18} [0-9]{1,18}(?:;[0-9]{1,18} [0-9]{1,18})*)")
RELATION = re.compile(r"([^ \t]+)[ \t]+[^ \t:]+:([^ \t]+)[ \t]+[^ \t:]+:([^ \t]+)")


def read_brat(files: Files) -> Reading:
    """Read text-bound annotations, and what relations of coreference connect."""
    text = plain_text(files[".txt"]) if ".txt" in files else None
    mentions: dict[str, Mention] = {}
    triggers: dict[str, str] = {}
    links: list[tuple[str, str]] = []
    ids: set[str] = set()
    for line in lines_of(text_of(files[""])):
        if not line.strip():
            continue
        name, _, rest = line.partition("\t")
        kind = name[:1]
        if kind in ("T", "R", "E") and name in ids:
            refuse(f"{name} twice")
        ids.add(name)
        if kind == "T":
            mentions[name] = text_bound(rest, text)
        elif kind == "R":
            relation = RELATION.fullmatch(rest.strip(" \t"))
            if not relation:
                refuse(f"the relation {rest!r}")
            if "coref" in relation[1].lower():
                links.append((relation[2], relation[3]))
        elif name == "*":
            words = re.split(r"[ \t]+", rest.strip(" \t"))
            if len(words) < 2:
                refuse("an equivalence of nothing")
            if words[0].lower() == "equiv" or "coref" in words[0].lower():
                links += [(words[1], word) for word in words[2:]]
        elif kind == "E":
            event = re.match(r"[^\s:]+:(\S+)", rest)
            triggers[name] = event[1] if event else ""
        elif kind not in ("A", "M", "N", "W", "#"):
            refuse(f"the line {line!r}")
        if not re.fullmatch(r"[TREAMNW*]\S*|#.*", name) or "\t" not in line:
            refuse(f"the id {name!r}")
    ends = [(triggers.get(one, one), triggers.get(other, other)) for one, other in links]
    if not {end for pair in ends for end in pair} <= mentions.keys():
        refuse("a link to nothing")
    if not mentions and text is None:
        refuse("no annotations")
    entities = [[mentions[name] for name in entity] for entity in groups(mentions, ends)]
    return number_unnamed([document("", None, entities)])


def text_bound(rest: str, text: str | None) -> Mention:
    """Return the characters of an annotation; they have the text that the line states."""
    place, tab, covered = rest.partition("\t")
    found = TEXT_BOUND.fullmatch(place)
    if not found or not tab:
        refuse(f"the annotation {rest!r}")
    parts = [tuple(map(int, part.split())) for part in found[2].split(";")]
    before = 0
    for start, end in sorted(parts):
        if not before <= start < end:
            refuse("offsets out of order")
        before = end
    if before - min(parts)[0] > 1 << 24:  # files of the fuzzer are small
        refuse("a mention out of proportion")
    if text is not None:
        if before > len(text):
            refuse("offsets outside of the text")
        # Parts can be in any order, and their texts in the same order or from left to right.
        orders = (parts, sorted(parts))
        expected = [" ".join(text[start:end] for start, end in order) for order in orders]
        if covered.split() not in [one.split() for one in expected]:
            refuse("another text")
    return nodes(at for start, end in sorted(parts) for at in range(start, end))


# --------------------------------------------------------------------------- WebAnno TSV

NOT_IDENTITY = ("bridg", "split", "part", "subset")
Layer = tuple[str, str, list[str]]
"""The kind of a layer, its name, and its features, each of which has a column."""
LINK = re.compile(r".*->([0-9]+)-([0-9]+)(?:\[[0-9]+\])?")


def read_webanno(files: Files) -> Reading:
    """Read the relations or chains of coreference."""
    lines = lines_of(text_of(files[""]))
    layers: list[Layer] = []
    rows: list[list[str]] = []
    for line in lines:
        if layer := re.match(r"#T_(SP|RL|CH)=(.*)", line):
            if rows:
                refuse("a layer after tokens")
            name, *features = layer[2].split("|")
            if any(layer[1] == kind and name == other for kind, other, _ in layers):
                refuse("a layer twice")
            layers.append((layer[1], name, features or [""]))
        elif line.strip() and not line.startswith("#"):
            rows.append(line.split("\t"))
    width = 3 + sum(len(features) for _, _, features in layers)
    places: dict[str, int] = {}
    whole: list[list[str]] = []
    parts: list[list[str]] = []
    for row in rows:
        # A part of the token before it.
        if part := re.fullmatch(r"([0-9]+-[0-9]+)\.[0-9]+", row[0]):
            if not whole or part[1] != whole[-1][0]:
                refuse(f"a part of {part[1]}")
            parts.append(row)
            continue
        whole.append(row)
    rows = whole
    for at, row in enumerate(rows):
        more = len(row) > width and set(row[3:]) <= {"_", ""}  # as in GUM
        if not more and len(row) != width and (len(row) != width + 1 or row[-1]):
            refuse(f"a row of {len(row)} cells")
        if not re.fullmatch(r"[0-9]+-[0-9]+", row[0]) or row[0] in places:
            refuse(f"the token {row[0]}")
        if not re.fullmatch(r"[0-9]+-[0-9]+", row[1]):
            refuse(f"the characters {row[1]}")
        places[row[0]] = at
    if not rows:
        refuse("no tokens")
    chains = [layer for layer in layers if layer[0] == "CH"]
    relations = [layer for layer in layers if layer[0] == "RL" and "coref" in layer[1].lower()]
    chosen = [*chains, *relations]
    if len(chosen) != 1:
        refuse("no layer of coreference, or several")
    if chains:
        column = column_of(layers, chains[0])
        if any(cells(row[column]) for row in parts if column < len(row)):
            refuse("a mention of a part of a token")
        entities = chain_entities(rows, column, chains[0][2])
    else:
        entities = relation_entities(rows, layers, relations[0], places)
    return number_unnamed([document("", len(rows), entities)])


def column_of(layers: list[Layer], layer: Layer) -> int:
    """Return the first column of a layer."""
    return 3 + sum(len(features) for _, _, features in layers[: layers.index(layer)])


def cells(text: str) -> list[str]:
    """Split a cell at bars that are not escaped."""
    return [] if text in ("_", "") else re.split(r"(?<!\\)\|", text)


def chain_entities(
    rows: list[list[str]], column: int, features: list[str]
) -> Iterable[Iterable[Mention]]:
    """`coref->1-2` is a token of the second mention of chain 1.

    The header says which cell has the links. If not, it is the first one that has any.
    """
    chains: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    places = range(len(features))
    linked = [at for row in rows for at in places if LINK.fullmatch(row[column + at])]
    named = [at for at in places if features[at] == "referenceRelation"]
    column += [*named, *linked, 0][0]
    for at, row in enumerate(rows):
        for value in cells(row[column]):
            found = LINK.fullmatch(value)
            if not found:
                refuse(f"the link {value!r}")
            if at in chains[found[1]][found[2]]:
                refuse("a token twice in a mention")
            chains[found[1]][found[2]].append(at)
    return [[nodes(tokens) for tokens in chain.values()] for chain in chains.values()]


def relation_entities(
    rows: list[list[str]],
    layers: list[Layer],
    relation: Layer,
    places: dict[str, int],
) -> Iterable[Iterable[Mention]]:
    """Spans of the layer that the relation names, connected by its relations."""
    targets = [at for at, name in enumerate(relation[2]) if name.startswith("BT_")]
    if not targets:
        refuse("no layer that the relation names")
    base = [layer for layer in layers if ("SP", relation[2][targets[0]][3:]) == layer[:2]]
    if not base:
        refuse("no layer of spans")
    column = column_of(layers, base[0])
    spans: dict[Any, list[int]] = defaultdict(list)
    at_token: dict[int, list[Any]] = defaultdict(list)
    for at, row in enumerate(rows):
        for value in cells(row[column]):
            found = re.fullmatch(r".*\[([0-9]{1,18})\]", value)
            key = found[1] if found else ("token", at)
            label = value[: value.rindex("[")] if found else value
            if not value or re.search(r"[\[\]]", re.sub(r"\\.", "", label)):
                refuse(f"the label {value!r}")
            if at in spans[key]:
                refuse("a token twice in a span")
            spans[key].append(at)
            at_token[at].append(key)
    links = []
    column = column_of(layers, relation)
    last = column + targets[0]
    for at, row in enumerate(rows):
        kinds, ends = cells(row[column]), cells(row[last])
        if len(kinds) != len(ends):
            refuse("as many types as relations")
        for kind, end in zip(kinds, ends, strict=True):
            found = re.fullmatch(r"([0-9]+-[0-9]+)(?:\[([0-9]{1,18})_([0-9]{1,18})\])?", end)
            if not found or found[1] not in places:
                refuse(f"the relation {end!r}")
            source = end_of(found[2], places[found[1]], spans, at_token)
            target = end_of(found[3], at, spans, at_token)
            if not any(word in kind.lower() for word in NOT_IDENTITY):
                links.append((source, target))
    return [[nodes(spans[key]) for key in entity] for entity in groups(spans, links)]


def end_of(
    number: str | None, at: int, spans: dict[Any, list[int]], at_token: dict[int, list[Any]]
) -> Any:
    """Return the span at one end of a relation: that of a number, or the only one of a token."""
    if number and number != "0":
        if number not in spans or at not in spans[number]:
            refuse(f"a relation to span {number}")
        return number
    alone = [key for key in at_token[at] if isinstance(key, tuple)]
    if len(alone) != 1:
        refuse("a relation to a token without a span")
    return alone[0]


# --------------------------------------------------------------------------- spaCy


def read_spacy(files: Files) -> Reading:
    """Read what the stand-in for spaCy (`tests/fuzz/spacy_stand_in.py`) writes."""
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(files[""])
        if not unpacker.eof or unpacker.unused_data:
            refuse("damaged data")
        docs = json.loads(text)["attrs"]
    except (zlib.error, ValueError):
        refuse("damaged data")
    names = [name for doc in docs for name in doc["spans"]]
    if names and not any(name.startswith("coref_clusters") for name in names):
        refuse("no group of coreference")
    documents = []
    for doc in docs:
        length = len(doc["words"])
        entities = []
        for name, spans in doc["spans"].items():
            if name.startswith("coref_clusters"):
                entities.append([(start, end - 1, "") for start, end in spans])
        if any(not 0 <= a <= b < length for entity in entities for a, b, _ in entity):
            refuse("a span outside of the text")
        documents.append(document("", length, entities))
    return number_unnamed(documents)
