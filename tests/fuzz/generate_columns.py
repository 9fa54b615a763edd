"""Files of columns as they are in the wild: CoNLL, CorefUD, CoNLL-UA."""

from __future__ import annotations

from collections import defaultdict
from random import Random

from tests.fuzz.texts import DrawnText, draw_texts

# --------------------------------------------------------------------------- CoNLL


def brackets(text: DrawnText, rng: Random, names: list[str]) -> list[str]:
    """Return the coreference cells of a document, with an empty one for nothing."""
    opens: dict[int, list[str]] = defaultdict(list)
    closes: dict[int, list[str]] = defaultdict(list)
    for mention in text.mentions:
        start, end = mention.span
        name = names[mention.entity]
        if start == end:
            opens[start].append(f"({name})")
        else:
            opens[start].append(f"({name}")
            closes[end].insert(0, f"{name})")
    bar = "|" if rng.random() < 0.9 else ""
    cells = []
    for at in range(len(text.words)):
        here = [*closes[at], *opens[at]]
        cells.append((bar or ("|" if any("(" not in one for one in here) else "")).join(here))
    return cells


def spread(rng: Random, length: int, labels: list[str], often: float) -> list[str]:
    """Return a column of labelled spans as CoNLL-2012 writes them: `(GPE)`, `(ARG0*`, `*`, `*)`."""
    column = ["*"] * length
    at = 0
    while at < length:
        end = min(length - 1, at + rng.choice((0, 0, 1, 2)))
        if rng.random() < often:
            label = rng.choice(labels)
            if label == "V":
                end = at
            if at == end:
                column[at] = f"({label})" if label.isupper() and label != "V" else f"({label}*)"
            else:
                column[at], column[end] = f"({label}*", "*)"
        at = end + 1
    return column


def parse_bits(rng: Random, length: int) -> list[str]:
    """Return a parse column: `(TOP(S(NP*`, `*)`, ..., `*)))`."""
    depth, bits = 2, []
    for at in range(length):
        opened = rng.choice((0, 0, 1, 2))
        depth += opened
        closed = rng.randint(0, max(0, depth - 2))
        if at == length - 1:
            closed = depth
        depth -= closed
        phrases = "".join(f"({rng.choice(['NP', 'VP', 'PP', 'SBAR'])}" for _ in range(opened))
        bits.append(f"{'(TOP(S' if at == 0 else ''}{phrases}*{')' * closed}")
    return bits


def ontonotes(rng: Random, name: str, sentence: list[str], first: int) -> list[list[str]]:
    """Return all columns of a sentence but the last; their number differs between sentences."""
    length = len(sentence)
    roles = [
        spread(rng, length, ["V", "ARG0", "ARG1", "ARGM-TMP"], 0.6)
        for _ in range(rng.choice((0, 0, 1, 2, 3)))
    ]
    columns = [
        [name] * length,
        ["0"] * length,
        [str(at) for at in range(length)],
        sentence,
        [rng.choice(["NN", "VBD", "DT", "PRP$", ".", "-LRB-"]) for _ in sentence],
        parse_bits(rng, length),
        [rng.choice(["-", "say", "(be)", "12"]) for _ in sentence],
        [rng.choice(["-", "-", "01"]) for _ in sentence],
        [rng.choice(["-", "-", "2"]) for _ in sentence],
        [rng.choice(["-", "Anna#1", "speaker_1"])] * length,
        spread(rng, length, ["GPE", "PERSON", "DATE", "CARDINAL"], 0.4),
        *roles,
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def semeval(rng: Random, sentence: list[str]) -> list[list[str]]:
    """Return the columns of SemEval-2010 but the last."""
    rows = []
    for at, word in enumerate(sentence, 1):
        names = rng.choice(["_", "(person)", "(org", "org)"])
        rows.append([str(at), word, word, word, "n", "n", "num=s", "_", "0", "0", "sb", "sb",
                     names, names, "_", "_"])  # fmt: skip
    return rows


def few(rng: Random, name: str, sentence: list[str], first: int, columns: int) -> list[list[str]]:
    """Return a few columns, as many scripts write them."""
    rows = []
    for at, word in enumerate(sentence):
        row = [name, "0", str(first + at), word, rng.choice(["(NN)", "X", "7)", "*"])]
        rows.append({3: [row[2], word], 2: [word], 4: row[1:4], 5: row[:4], 6: row}[columns])
    return rows


def conll(rng: Random) -> dict[str, bytes]:
    """Write CoNLL columns in one of the layouts of real corpora."""
    style = rng.choice(["ontonotes", "ontonotes", "semeval", "litbank", "few", "few"])
    tabs = style in ("semeval", "litbank") or rng.random() < 0.4
    nothing = rng.choice(["-", "-", "-", "_"])
    columns = rng.choice((2, 3, 4, 5, 5, 6))
    if tabs and style == "few" and columns < 6 and rng.random() < 0.1:
        nothing = ""
    kind = rng.choice(["", "", "e", "T-"])
    names = [f"{kind}{rng.choice((0, 9, 40))}{at}" for at in range(5)]
    header = rng.choice(
        ["#begin document ({}); part 000"] * 3
        + ["# begin document {}", "#begin document({});", "#begin document ({})"]
    )
    lines = []
    texts = draw_texts(rng, across=style == "few")
    if not any(text.mentions for text in texts):
        nothing = nothing or "-"  # nobody can tell an empty column from a tab at the end
    for text in texts:
        lines.append(header.format(text.name))
        cells = [cell or nothing for cell in brackets(text, rng, names)]
        at = 0
        for sentence in text.sentences:
            if style == "ontonotes":
                rows = ontonotes(rng, text.name, sentence, at)
            elif style == "semeval":
                rows = semeval(rng, sentence)
            elif style == "litbank":
                rows = [[*row[:11], "_"] for row in ontonotes(rng, text.name, sentence, at)]
            else:
                rows = few(rng, text.name, sentence, at, columns)
            for row in rows:
                row.append(cells[at])
                lines.append("\t".join(row) if tabs else "   ".join(f"{c:>3}" for c in row))
                at += 1
            lines.append("")
        lines.append("#end document")
    return {"": ("\n".join(lines) + "\n").encode()}


# --------------------------------------------------------------------------- CorefUD

HEADERS = {
    "eid-etype-head-other": "{e}-{kind}-{head}-",
    "eid-etype-head": "{e}-{kind}-{head}",
    "GRP-etype-infstat-salience-centering-minspan-link-identity": (
        "{e}-{kind}-new-nnn-cf1-1,2-ana-Some_One"
    ),
    "GRP": "{e}",
    "etype-eid-head": "{kind}-{e}-{head}",
}


def corefud(rng: Random) -> dict[str, bytes]:
    """Write CoNLL-U with entities, empty nodes, ranges, gaps, bridging and split antecedents."""
    header, opening = rng.choice(list(HEADERS.items()))
    lines = []
    if rng.random() < 0.3:
        lines.append("# generator = udapi")
    for text in draw_texts(rng, gaps=True):
        lines += [f"# newdoc id = {text.name}", f"# global.Entity = {header}"]
        marks: dict[int, list[str]] = defaultdict(list)
        closes: dict[int, list[str]] = defaultdict(list)
        links: dict[int, list[str]] = defaultdict(list)
        named: list[str] = []
        for mention in text.mentions:
            name = f"{text.name.replace('-', '')[:2] if 'eid' in header else ''}e{mention.entity}"
            total = sum(b - a + 1 for a, b in mention.parts)
            head, kind = rng.randint(1, total), rng.choice(["person", "place", "", "object"])
            several = len(mention.parts)
            if several > 1 and any(
                other is not mention and other.entity == mention.entity for other in text.mentions
            ):
                mention.parts = [mention.span]
                several = 1
                head = 1
            for number, (start, end) in enumerate(mention.parts, 1):
                part = f"{name}[{number}/{several}]" if several > 1 else name
                fields = opening.format(e=part, kind=kind, head=head)
                if start == end:
                    marks[start].append(f"({fields})")
                else:
                    marks[start].append(f"({fields}")
                    closes[end].insert(0, f"{part})")
            if named and rng.random() < 0.15:
                links[mention.span[0]].append(f"Bridge={rng.choice(named)}<{name}:part")
            elif len(set(named)) > 1 and rng.random() < 0.1:
                one, other = rng.sample(sorted(set(named)), 2)
                links[mention.span[0]].append(f"SplitAnte={one}<{name},{other}<{name}")
            named.append(name)
        at = 0
        for number, sentence in enumerate(text.sentences):
            lines += [f"# sent_id = {text.name}-{number}", f"# text = {' '.join(sentence)}"]
            if rng.random() < 0.04:
                lines.append(empty_node(0, text.name, opening, rng))
            for place, word in enumerate(sentence, 1):
                if place < len(sentence) and rng.random() < 0.08:
                    lines.append(f"{place}-{place + 1}\t{word}x" + "\t_" * 8)
                misc = [*links[at][:1], *(["SpaceAfter=No"] if rng.random() < 0.3 else [])]
                if closes[at] or marks[at]:
                    misc.append(f"Entity={''.join([*closes[at], *marks[at]])}")
                cells = [str(place), word, word.lower(), "NOUN", "NN", "Number=Sing|Case=Nom"]
                cells += [str(place - 1), "nsubj", f"{place - 1}:nsubj"]
                cells.append("|".join(sorted(misc)) or "_")
                lines.append("\t".join(cells))
                if rng.random() < 0.1:
                    lines.append(empty_node(place, text.name, opening, rng))
                at += 1
            lines.append("")
    return {"": ("\n".join(lines) + "\n").encode()}


def empty_node(place: int, document: str, opening: str, rng: Random) -> str:
    """Return an empty node after a word, or before the first one, which often is a mention."""
    name = f"{document[:2].replace('-', '')}e{rng.randint(1, 9)}z"
    zero = opening.format(e=name, kind="", head=1)
    entity = f"Entity=({zero})" if rng.random() < 0.7 else "_"
    return f"{place}.1\t_\t_\tPRON\t_\t_\t_\t_\t{place}:nsubj\t{entity}"


# --------------------------------------------------------------------------- CoNLL-UA

COLUMNS = (
    "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
)


def identity_cells(
    text: DrawnText, rng: Random, prefix: str, rows: list[int]
) -> tuple[list[str], list[str]]:
    """Return a column of mentions with all their fields, and the column of bridging.

    `rows` has the row of each word: `Min` counts empty nodes, too.
    """
    opens: dict[int, list[str]] = defaultdict(list)
    closes: dict[int, list[str]] = defaultdict(list)
    named = rng.random() < 0.3  # some files write the markable before the bracket that closes it
    bridging = ["_"] * len(text.words)
    for number, mention in enumerate(text.mentions):
        pseudo = "-Pseudo" if mention.entity == 4 and rng.random() < 0.3 else ""
        entity = f"{mention.entity}{pseudo}" if not pseudo else f"9{number}{pseudo}"
        fields = [f"EntityID={entity}", f"MarkableID={prefix}{number}"]
        start, end = mention.span
        if rng.random() < 0.5:
            low = rng.randint(start, end)
            high = f",{rows[rng.randint(low, end)]}" * rng.randint(0, 1)
            fields.append(f"Min={rows[low]}{high}")
        if rng.random() < 0.5:
            fields.append(f"SemType={rng.choice(['dn', 'do', 'quantifier', 'expletive'])}")
        if rng.random() < 0.1:
            fields.append(f"ElementOf={rng.randint(1, 4)}")
        free = all(bridging[at] == "_" for at in range(start, end + 1))
        if number and free and rng.random() < 0.2:
            anchor = rng.randrange(number)
            bridging[start] = (
                f"(MarkableID={prefix}{number}|Rel=poss|MentionAnchor={prefix}{anchor}"
                f"|EntityAnchor={text.mentions[anchor].entity}"
            )
            bridging[end] = f"{bridging[end]})" if start == end else ")"
            for at in range(start + 1, end):
                bridging[at] = ""  # no other link begins or ends inside
        # Brackets without names nest: no other mention is partly in a part.
        others = [other.span for other in text.mentions if other is not mention]
        if any(a < low <= b < high or low < a <= high < b
               for low, high in mention.parts for a, b in others):  # fmt: skip
            mention.parts = [mention.span]
        for a, b in mention.parts:
            opens[a].append(f"({'|'.join(fields)}" + (")" if a == b else ""))
            if a != b:
                closes[b].insert(0, f"{prefix}{number})" if named else ")")
    cells = ["".join([*opens[at], *closes[at]]) or "_" for at in range(len(text.words))]
    return cells, [cell or "_" for cell in bridging]


def conllua(rng: Random) -> dict[str, bytes]:
    """Write all columns, with blanks or tabs, identity, bridging and deixis filled.

    Some documents have empty nodes and ranges, and mentions in several parts.
    """
    lines = [f"# global.columns = {COLUMNS}"]
    between = rng.choice(["\t", " ", "   "])
    for text in draw_texts(rng, crossing=False, gaps=rng.random() < 0.3):
        lines.append(f"# newdoc id = {text.name}")
        often = rng.choice((0, 0, 0.1))
        empties = [rng.random() < often for _ in text.words]
        rows = [at + 1 + sum(empties[:at]) for at in range(len(text.words))]
        other = draw_texts(rng, 1, crossing=False)[0]
        other.mentions = [
            one for one in other.mentions if one.span[1] < len(text.words)
        ]  # deixis has mentions of its own
        identity, bridging = identity_cells(text, rng, "m", rows)
        other.sentences = text.sentences
        deixis, _ = identity_cells(other, rng, "dd_", rows)
        at = 0
        for number, sentence in enumerate(text.sentences):
            lines.append(f"# sent_id = {number}")
            for word in sentence:
                if rng.random() < often:
                    lines.append(between.join([f"{at + 1}-{at + 2}", word, *["_"] * 13]))
                cells = [str(at + 1), word, word, *["_"] * 7, identity[at], bridging[at]]
                nominal = rng.choice(["_", "(Entity_Type=person|Genericity=x)"])
                cells += [deixis[at], "_", nominal]
                lines.append(between.join(cells))
                if empties[at]:
                    zero = rng.choice(["_", f"(EntityID={rng.randint(1, 4)}|MarkableID=z{at})"])
                    cells = [f"{at + 1}.1", *["_"] * 9, zero, "_", zero.replace("z", "dd_z")]
                    lines.append(between.join([*cells, "_", "_"]))
                at += 1
            lines.append("")
    return {"": ("\n".join(lines) + "\n").encode()}
