"""Damaged files of every format: read or refused, never a traceback, never nonsense."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoref
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN
from scoref.exceptions import ScorefError
from scoref.formats.registry import MODULES, find_format
from tests.formats.drawn import corpora, written
from tests.formats.tools import test_apf, test_tool_outputs
from tests.reference.parses import Grammar

ELSEWHERE = {"conll", "conllua", "conllua-deixis", "brat", "parquet", "spacy"}
"""Formats whose own tests damage files."""

DRAWN = {"corefud", "jsonl", "jsonl-inclusive", "csv", "tsv", "clusters"}
SAMPLES = {
    "jsonl-exclusive": json.dumps(
        {"cased_words": ["a", "b", "c"], "sent_id": [0, 0, 1], "span_clusters": [[[0, 1], [1, 3]]]}
    ),
    "apf": test_apf.apf(test_apf.CASES["ace_cases"][0]["key"]),
    "booknlp": test_tool_outputs.ENTITIES,
    "corenlp": json.dumps(test_tool_outputs.corenlp()),
    "webanno": test_tool_outputs.GUM,
}
MARKS = "()[]{}<>,;:|=\"'/\\-_*#.&%0123e \t\r\n\0\u00e9\u2028"


def test_every_format_is_damaged_somewhere() -> None:
    """A new one cannot be forgotten."""
    assert DRAWN | SAMPLES.keys() | ELSEWHERE == MODULES.keys()
    assert not ELSEWHERE & {*DRAWN, *SAMPLES}


def check(corpus: Corpus) -> None:
    """Whatever was read makes sense."""
    assert (corpus.start <= corpus.end).all()
    assert corpus.start.min(initial=0) >= 0
    assert len(set(corpus.documents)) == len(corpus.documents)
    lengths = [corpus.documents[at].length for at in corpus.document.tolist()]
    if corpus.labels is None and not corpus.characters:
        ends = zip(corpus.end.tolist(), lengths, strict=True)
        assert all(length == UNKNOWN or end < length for end, length in ends)
    assert corpus.entity.max(initial=-1) < corpus.entity_count
    for name, column in corpus.attributes.items():
        assert len(column) == len(corpus), name
    if corpus.text is not None:
        assert len(corpus.text.first) == len(corpus.documents) + 1
        assert all(len(values) == len(corpus.text) for values in corpus.text.columns.values())


def text_of(name: str, data: st.DataObject) -> bytes:
    """Draw a whole file of a format."""
    if name in SAMPLES:
        return SAMPLES[name].encode()
    return written(data.draw(corpora(nested=True)), name)


rubbish = st.binary(max_size=12) | st.text(MARKS, max_size=6).map(str.encode)


@st.composite
def damages(draw: st.DrawFn, text: bytes) -> bytes:
    """Put rubbish in, take something out, move a piece, or cut the rest off."""
    for _ in range(draw(st.integers(1, 3))):
        at, to = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        kind = draw(st.sampled_from(["rubbish", "lose", "double", "cut", "swap", "byte"]))
        if kind == "rubbish":
            text = text[:at] + draw(rubbish) + text[min(to, at + 4) :]
        elif kind == "lose":
            text = text[:at] + text[min(to, at + 40) :]
        elif kind == "double":
            text = text[:to] + text[at:to] + text[to:]
        elif kind == "cut":
            text = text[:at]
        elif kind == "swap":
            text = text[at:to] + text[:at] + text[to:]
        else:
            text = text[:at] + bytes([draw(st.integers(0, 255))]) + text[at + 1 :]
    return text


@pytest.mark.parametrize("name", sorted(DRAWN | SAMPLES.keys()))
@settings(
    max_examples=120,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_damage_is_refused_or_read(name: str, tmp_path: Path, data: st.DataObject) -> None:
    """With and without words, with the format named and detected."""
    broken = data.draw(damages(text_of(name, data)))
    path = tmp_path / f"broken{find_format(name).suffix}"
    path.write_bytes(broken)
    for chosen in (name, None):
        for words in (False, True):
            with suppress(ScorefError):
                corpus = scoref.read(path, chosen, words=words)
                check(corpus)
                scoref.score(corpus, corpus, ["muc", "ceafe"])


CONLLU_DAMAGE: dict[str, Callable[[str], str | None]] = {
    "swap tabs for spaces": lambda line: line.replace("\t", " "),
    "add a carriage return": lambda line: line + "\r",
    "add a trailing space": lambda line: line + " ",
    "add a column": lambda line: line + "\t_",
    "leave out the line": lambda _: None,
    "leave out the last column": lambda line: line.rpartition("\t")[0],
    "leave out an opening bracket": lambda line: line.replace("=(", "=", 1),
    "leave out a closing bracket": lambda line: re.sub(r"\)(?=\||$)", "", line),
    "leave out the id of a closing bracket": lambda line: re.sub(r"=[^()]+\)", "=)", line),
    "double the line": lambda line: f"{line}\n{line}",
    "insert a blank line": lambda line: f"\n{line}",
    "cut the line": lambda line: line[: len(line) // 2],
    "rename the document": lambda line: line.replace("newdoc id = ", "newdoc id = x"),
    "lose the header": lambda line: None if line.startswith("# global.Entity") else line,
    "turn a word into a range": lambda line: re.sub(r"^(\d+)\t", r"\1-9\t", line),
}


def sentence(number: int) -> str:
    """Return a document of one sentence, with two entities of short mentions in one long one."""
    drawn = Grammar(Random(number)).sentence()  # noqa: S311  # not a secret
    last = len(drawn.words) - 1
    marks = {0: "(e9--1", last: "e9)"}
    for at, phrase in enumerate(p for p in drawn.phrases if p.start == p.end and p.end < last):
        marks[phrase.start] = f"{marks.get(phrase.start, '')}(e{at % 2}--1)"
    lines = [f"# newdoc id = d{number}", "# global.Entity = eid-etype-head-other"]
    for at, (word, tag) in enumerate(drawn.words):
        misc = f"Entity={marks[at]}" if at in marks else "_"
        lines.append("\t".join([str(at + 1), word, word, tag, tag, *"_0__", misc]))
    return "\n".join([*lines, "", ""])


@pytest.mark.parametrize("damage", CONLLU_DAMAGE)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_one_damaged_line_of_corefud_never_changes_a_score_in_silence(
    damage: str, tmp_path: Path, data: st.DataObject
) -> None:
    """The damaged file as a response to the whole one, and the other way round."""
    text = "".join(sentence(number) for number in range(data.draw(st.integers(1, 3))))
    lines = text.splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    damaged = CONLLU_DAMAGE[damage](lines[at])
    lines[at : at + 1] = [] if damaged is None else [damaged]
    whole, broken = tmp_path / "whole.conllu", tmp_path / "broken.conllu"
    whole.write_text(text, "utf-8")
    broken.write_text("\n".join(lines) + "\n", "utf-8")
    expected = scoref.score(whole, whole)
    for key, response in ((whole, broken), (broken, whole)):
        with suppress(ScorefError):
            result = scoref.score(key, response)
            assert repr(result.scores) == repr(expected.scores) or result.notes, lines[at]
