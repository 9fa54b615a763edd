"""Notes on annotation that is probably not what was meant, in every format and on both sides."""

from __future__ import annotations

from pathlib import Path

import pytest

import scoref
from scoref.annotators.agreement import agreement

UNLINKED = {
    "csv": "document,start,end,entity\nd,0,0,a\nd,1,1,b\n",
    "conll": "#begin document (d); part 000\nd 0 a (1)\nd 1 b (2)\n#end document\n",
    "clusters": '{"d": [[[0, 0]], [[1, 1]]]}',
    "brat": "T1\tPerson 0 1\ta\nT2\tPerson 2 3\tb\n",
    "jsonl": '{"doc_key": "d", "tokens": ["a", "b"], "clusters": [[[0, 0]], [[1, 1]]]}',
}


@pytest.mark.parametrize("name", UNLINKED)
def test_a_file_that_links_no_mentions(tmp_path: Path, name: str) -> None:
    """All mentions are singletons: perhaps the reader or the file lacks the links."""
    path = tmp_path / "file"
    path.write_text(UNLINKED[name])
    notes = "\n".join(scoref.score(path, path).notes)
    assert "the key links no mentions: each of 2 is an entity of its own" in notes
    assert "the response links no mentions" in notes
    linked = scoref.Corpus.from_entities({"d": [[(0, 0), (1, 1)]]})
    assert "links no mentions" not in "\n".join(scoref.score(linked, linked).notes)


def test_repeated_mentions_of_characters_are_not_called_tokens(tmp_path: Path) -> None:
    """The note on repeated mentions names what spans count."""
    path = tmp_path / "x.ann"
    path.write_text("T1\tPerson 0 2\tab\nT2\tPerson 0 2\tab\nT3\tPerson 3 4\tc\n")
    notes = "\n".join(scoref.score(path, path).notes)
    assert "character" in notes
    assert "token" not in notes


HEAD = "# global.Entity = eid-etype-head-other\n# newdoc id = d\n"
ROWS = [("1", "a", "_"), ("1.1", "_", "1:nsubj"), ("1.2", "_", "1:obj"), ("2", "b", "_")]


def annotate(folder: Path, entities: list[str]) -> scoref.Corpus:
    """Write two words with two empty nodes between them, each of them a mention."""
    lines = [
        f"{node}\t{form}\t_\t_\t_\t_\t0\t_\t{deps}\tEntity=({entity}--1-)\n"
        for (node, form, deps), entity in zip(ROWS, entities, strict=True)
    ]
    path = folder / "".join(entities)
    path.write_text(HEAD + "".join(lines) + "\n")
    return scoref.read(path)


def test_two_zeros_after_one_word_are_two_mentions(tmp_path: Path) -> None:
    """Annotators who give them different entities do not agree perfectly."""
    one = annotate(tmp_path, ["e1", "e1", "e2", "e2"])
    other = annotate(tmp_path, ["e1", "e2", "e1", "e2"])
    assert len(one) == 4
    assert scoref.score(one, other)["b3"].f1 < 1
    for names, agrees in (({"a": one, "b": other}, False), ({"a": one, "b": one}, True)):
        alphas = [estimate.value for estimate in agreement(names).alpha.values()]
        assert alphas
        assert all((alpha == pytest.approx(1)) == agrees for alpha in alphas)
