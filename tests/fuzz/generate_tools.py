"""Files of annotation tools as they are in the wild: ACE APF, ECB+, brat, WebAnno, spaCy."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from itertools import pairwise
from random import Random
from xml.sax.saxutils import escape, quoteattr

from tests.fuzz.texts import DrawnText, draw_text, draw_texts


def offsets(text: DrawnText) -> tuple[str, list[int]]:
    """Return the characters of a document, and where its words start."""
    starts, content = [], ""
    for sentence in text.sentences:
        for at, word in enumerate(sentence):
            starts.append(len(content))
            content += word + (" " if at < len(sentence) - 1 else "\n")
    return content, starts


def apf(rng: Random) -> dict[str, bytes]:
    """Write ACE 2005: entities, mentions, heads, and relations, values and times."""
    text = draw_text(rng, rng.choice(["AFP_1", "CNN <&> 2"]))
    content, starts = offsets(text)
    words = text.words

    def place(name: str, first: int, last: int) -> str:
        start, end = starts[first], starts[last] + len(words[last]) - 1
        covered = escape(content[start : end + 1])
        return f'<{name}>\n<charseq START="{start}" END="{end}">{covered}</charseq>\n</{name}>\n'

    parts = []
    for number, entity in enumerate(text.entities):
        kind = rng.choice(["PER", "GPE", "ORG"])
        mentions = []
        for at, mention in enumerate(entity):
            head = rng.randint(*mention.span)
            role = f' ROLE="{rng.choice(["GPE", "ORG"])}"' if kind == "GPE" else ""
            metonymy = ' METONYMY_MENTION="TRUE"' if rng.random() < 0.1 else ""
            inner = place("extent", *mention.span)
            inner += place("head", head, head) if rng.random() < 0.9 else ""
            mentions.append(
                f'<entity_mention ID="E{number}-{at}" TYPE="{rng.choice(["NAM", "NOM", "PRO"])}"'
                f' LDCTYPE="NAMPRE"{role}{metonymy}>\n{inner}</entity_mention>\n'
            )
        names = place("name", 0, 0).replace("<name>", '<name NAME="x">', 1)
        parts.append(
            f'<entity ID="E{number}" TYPE="{kind}" SUBTYPE="Individual" CLASS="SPC">\n'
            f"{''.join(mentions)}<entity_attributes>\n{names}</entity_attributes>\n</entity>\n"
        )
    other = f"<timex2_mention>{place('extent', 0, 0)}</timex2_mention>"
    more = f'<timex2 ID="T1">{other}</timex2>\n' if rng.random() < 0.5 else ""
    link = f'<relation_mention ID="R1-1">{place("extent", 0, 0)}</relation_mention>'
    relation = f'<relation ID="R1" TYPE="ART">{link}</relation>\n' if rng.random() < 0.5 else ""
    return {
        "": (
            '<?xml version="1.0"?>\n<!DOCTYPE source_file SYSTEM "apf.v5.1.1.dtd">\n'
            '<source_file URI="x.sgm" SOURCE="newswire" TYPE="text" AUTHOR="LDC"'
            f' ENCODING="UTF-8">\n<document DOCID={quoteattr(text.name)}>\n'
            f"{''.join(parts)}{more}{relation}</document>\n</source_file>\n"
        ).encode()
    }


TAGS = (
    *("ACTION_OCCURRENCE", "ACTION_STATE", "NEG_ACTION_REPORTING", "HUMAN_PART_PER"),
    *("HUMAN_PART", "NON_HUMAN_PART", "LOC_GEO", "TIME_OF_THE_DAY"),
)


def ecbplus(rng: Random) -> dict[str, bytes]:
    """Write ECB+: tokens, mentions with gaps, instances, relations, and mentions without any."""
    name = rng.choice(["1_1ecb.xml", "36_12ecbplus.xml", "a &amp; b.xml"])
    text = draw_text(rng, name, gaps=True, across=True)
    lines, at = [f'<Document doc_name="{name}" doc_id="DOC{rng.randint(1, 9)}">'], 0
    gap = rng.random() < 0.1
    for number, sentence in enumerate(text.sentences):
        for place, word in enumerate(sentence):
            at += 1
            where = f't_id="{at}" sentence="{2 * number if gap else number}" number="{place}"'
            lines.append(f"<token {where}>{escape(word)}</token>")
    numbers = rng.sample(range(1, 60), len(text.mentions) + len(text.entities) + 1)
    markables, instances, relations = [], [], []
    for order, entity in enumerate(text.entities):
        tag = rng.choice(TAGS)
        sources: list[int] = []
        for mention in entity:
            own = tag if rng.random() < 0.9 else rng.choice(TAGS)
            tokens = [token for a, b in mention.parts for token in range(a + 1, b + 2)]
            if rng.random() < 0.05:
                tokens.append(rng.choice(tokens))
            rng.shuffle(sources)
            sources.append(numbers.pop())
            by = rng.choice([" ", ' note="byCROMER"'])
            anchors = "".join(f'  <token_anchor t_id="{token}"/>\n' for token in tokens)
            markables.append(f'<{own} m_id="{sources[-1]}"{by} >\n{anchors}</{own}>')
        kind, target = rng.choice(["CROSS", "CROSS", "CROSS", "INTRA", ""]), numbers.pop()
        if not kind:
            continue
        id_, note = f"{tag[:3]}{17403639225065902 + order}", ""
        if kind == "CROSS":
            note, stated = f' note="{id_}"', f' instance_id="{id_}"'
        else:
            tag, stated = rng.choice([tag, "UNKNOWN_INSTANCE_TAG"]), ""
        described = rng.choice(["", "t1b_ferry"])
        instances.append(
            f'<{tag} m_id="{target}" RELATED_TO="" TAG_DESCRIPTOR="{described}"{stated} />'
        )
        kept = [] if rng.random() < 0.05 else sources
        ends = "".join(f'  <source m_id="{source}" />\n' for source in kept)
        relations.append(
            f'<{kind}_DOC_COREF r_id="{37595 + order}"{note} >\n{ends}'
            f'  <target m_id="{target}" />\n</{kind}_DOC_COREF>'
        )
    rng.shuffle(markables)
    lines += ["<Markables>", *markables, *instances, "</Markables>", ""]
    lines += ["<Relations>", *relations, "</Relations>", "</Document>", ""]
    declaration = rng.choice(["", "", '<?xml version="1.0" encoding="UTF-8"?>\n'])
    return {"": (declaration + "\n".join(lines)).encode()}


def brat(rng: Random) -> dict[str, bytes]:
    """Write annotations, relations, equivalences, events, attributes and notes."""
    text = draw_text(rng, "x", gaps=True)
    content, starts = offsets(text)
    words = text.words
    lines, number, named = [], 0, []
    for entity in text.entities or [[]]:
        ids = []
        for mention in entity:
            number += 1
            parts = [(starts[a], starts[b] + len(words[b])) for a, b in mention.parts]
            where = ";".join(f"{a} {b}" for a, b in parts)
            covered = " ".join(content[a:b].replace("\n", " ") for a, b in parts)
            label = rng.choice(["Person", "Place", "PER"])
            lines.append(f"T{number}\t{label} {where}\t{covered}")
            ids.append(f"T{number}")
        named.append(ids)
    if not number:
        lines.append(f"T1\tPerson 0 {len(words[0])}\t{words[0]}")
        named.append(["T1"])
    relations = 0
    for ids in named:
        if len(ids) > 2 and rng.random() < 0.3:
            lines.append(f"*\tEquiv {' '.join(ids)}")
            continue
        for one, other in pairwise(ids):
            relations += 1
            kind = rng.choice(["Coref", "Coreference", "coref_ident"])
            lines.append(f"R{relations}\t{kind} Arg1:{other} Arg2:{one}" + rng.choice(["", "\t"]))
    first = next(ids[0] for ids in named if ids)
    if rng.random() < 0.4:
        lines.append(f"R{relations + 1}\tBridging Arg1:{first} Arg2:{first}")
    if rng.random() < 0.3:
        lines.append(f"E1\tPerson:{first} Theme:{first}")
    if rng.random() < 0.4:
        lines += [f"A1\tPlural {first}", f"A2\tGender {first} f"]
    if rng.random() < 0.4:
        lines.append(f"#1\tAnnotatorNotes {first}\tsee T9 (Coref)")
    if rng.random() < 0.2:
        lines.append(f"N1\tReference {first} Wikipedia:534366\tSomething")
    files = {"": ("\n".join(lines) + "\n").encode()}
    if rng.random() < 0.8:
        files[".txt"] = content.encode()
    return files


def webanno(rng: Random) -> dict[str, bytes]:
    """Write GUM's relations, or chains."""
    text = draw_text(rng, "x", gaps=rng.random() < 0.3)
    rows = chain_rows(text, rng) if rng.random() < 0.4 else relation_rows(text, rng)
    header, cells = rows
    _, starts = offsets(text)
    lines = ["#FORMAT=WebAnno TSV 3.2", *header, "", ""]
    at = 0
    for number, sentence in enumerate(text.sentences, 1):
        lines.append(f"#Text={' '.join(sentence)}")
        for place, word in enumerate(sentence, 1):
            span = f"{starts[at]}-{starts[at] + len(word)}"
            lines.append("\t".join([f"{number}-{place}", span, word, *cells[at], ""]))
            if rng.random() < 0.02:
                span = f"{starts[at]}-{starts[at] + 1}"
                lines.append(
                    "\t".join([f"{number}-{place}.1", span, word[0], *"_" * len(cells[at]), ""])
                )
            at += 1
        lines.append("")
    return {"": ("\n".join(lines) + "\n").encode()}


def chain_rows(text: DrawnText, rng: Random) -> tuple[list[str], list[list[str]]]:
    """Return the layer of chains, and its cells in one of two orders."""
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for number, entity in enumerate(text.entities, 1):
        for place, mention in enumerate(entity, 1):
            start, end = mention.span
            for at in range(start, end + 1):
                found[at].append((f"coref->{number}-{place}", f"pr[{10 * number + place}]"))
    rows = []
    for at in range(len(text.words)):
        links, kinds = zip(*found[at], strict=True) if found[at] else (("_",), ("_",))
        rows.append(["NN", "|".join(links), "|".join(kinds)])
    header = ["#T_SP=de.POS|PosValue", "#T_CH=de.CoreferenceLink|referenceRelation|referenceType"]
    if rng.random() < 0.2:
        rows = [[tag, kinds, links] for tag, links, kinds in rows]
        header[1] = "#T_CH=de.CoreferenceLink|referenceType|referenceRelation"
    return header, rows


def relation_rows(text: DrawnText, rng: Random) -> tuple[list[str], list[list[str]]]:
    """Return the layer of spans and that of relations, and their cells."""
    marks: dict[int, list[tuple[str, str]]] = defaultdict(list)
    links: dict[int, list[tuple[str, str]]] = defaultdict(list)
    numbers, taken, number = {}, set(), 0
    for mention in text.mentions:
        start, end = mention.span
        alone = start == end and start not in taken
        if not alone:
            number += 1
        taken.add(start)
        numbers[id(mention)] = 0 if alone else number
        mark = "" if alone else f"[{number}]"
        for at in range(start, end + 1):
            marks[at].append((f"person{mark}", f"new{mark}"))
    place = [
        f"{sentence + 1}-{at + 1}"
        for sentence, words in enumerate(text.sentences)
        for at in range(len(words))
    ]
    for entity in text.entities:
        for one, other in pairwise(entity):
            source, target = numbers[id(one)], numbers[id(other)]
            to = place[one.span[0]] + (f"[{source}_{target}]" if source or target else "")
            kind = rng.choice(["ana", "coref", "coref", "appos"])
            links[other.span[0]].append((kind, to))
    if len(text.mentions) > 1 and rng.random() < 0.3:
        one, other = text.mentions[0], text.mentions[1]
        source, target = numbers[id(one)], numbers[id(other)]
        to = place[one.span[0]] + (f"[{source}_{target}]" if source or target else "")
        links[other.span[0]].append(("bridge:aggr", to))
    rows = []
    for at in range(len(text.words)):
        spans = list(zip(*marks[at], strict=True)) or [("_",), ("_",)]
        relations = list(zip(*links[at], strict=True)) or [("_",), ("_",)]
        rows.append(["|".join(cell) for cell in (*spans, *relations)])
    header = [
        "#T_SP=webanno.custom.Referent|entity|infstat",
        "#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent",
    ]
    return header, rows


def spacy(rng: Random) -> dict[str, bytes]:
    """Write what the stand-in for spaCy reads: compressed, the names of columns first."""
    docs = []
    for text in draw_texts(rng):
        groups = {
            f"coref_clusters_{number}": [[m.span[0], m.span[1] + 1] for m in entity]
            for number, entity in enumerate(text.entities, 1)
        }
        others = {"sc": [[0, 1]]} if groups else {}
        docs.append({"words": text.words, "spans": {**groups, **others}})
    return {"": zlib.compress(json.dumps({"attrs": docs}).encode())}
