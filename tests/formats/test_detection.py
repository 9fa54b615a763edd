"""Each format is detected from its content, by itself alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoref.exceptions import FormatError, Problem
from scoref.formats import Format, find_format, read
from scoref.formats.registry import MODULES, detect_format
from tests.formats.conllu import test_conllua
from tests.formats.json import test_clusters, test_mention_lists
from tests.formats.tools import test_apf, test_brat, test_ecbplus, test_tool_outputs

SAMPLES = {
    "csv": "document,start,end,entity\na,0,1,x\n",
    "tsv": "mention\tentity\ttype\na\tx\tname\n",
    "clusters": json.dumps(test_clusters.SHAPES["spans"][0], indent=2),
    "mentionlist": json.dumps(test_mention_lists.CATTAN),
    "conllua": test_conllua.document("(EntityID=1)"),
    "apf": test_apf.one(""),
    "ecbplus": test_ecbplus.ecbplus(),
    "brat": test_brat.ANN,
    "booknlp": test_tool_outputs.ENTITIES,
    "corenlp": json.dumps(test_tool_outputs.corenlp()),
    "webanno": test_tool_outputs.GUM,
    "conll": "#begin document (d); part 000\nd 0 0 x (1)\n#end document\n",
}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_format_is_detected_from_its_content(name: str, mark: str) -> None:
    """With and without a byte order mark, and with the line ends of Windows."""
    for text in (SAMPLES[name], SAMPLES[name].replace("\n", "\r\n")):
        found = detect_format((mark + text).encode(), "x")
        assert isinstance(found, Format), found
        assert found.name == name


@pytest.mark.parametrize("name", SAMPLES)
def test_a_format_takes_no_file_of_another(name: str) -> None:
    """So that no file is refused as ambiguous."""
    for other, text in SAMPLES.items():
        if other != name:
            assert not find_format(name).recognise(text.encode()), other


@pytest.mark.parametrize("head", [b"x,y\n1,2\n", b"hello\n", b"<html>", b"\x00\x01", b"PK\x03\x04"])
def test_other_files_are_refused_with_the_formats_named(head: bytes) -> None:
    """And with the flag that chooses one."""
    found = detect_format(head, "x")
    assert isinstance(found, Problem)
    assert "--format" in found.hint
    assert "webanno" in found.hint


def test_every_format_has_a_title() -> None:
    """And the name by which it is listed."""
    for name in MODULES:
        assert find_format(name).name == name
        assert find_format(name).title


@pytest.mark.parametrize("text", ["[Ann](#1) said [she](#1).", "[Ann]#1 said", "[1: Ann] said"])
def test_marked_text_is_not_json(text: str, tmp_path: Path) -> None:
    """What a language model wrote is not a format, and the hint says what helps."""
    path = tmp_path / "generated.txt"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(FormatError, match="--markup auto"):
        read(path)
