"""Memory grows with the input: numbers in a small file do not make large arrays.

Each family of hostile files is read at sizes N, 2N and 4N. Its peak of memory must not grow faster
than its size, with a factor of slack for what allocators do.
"""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import scoref
from scoref.base.limits import no_limits
from scoref.exceptions import ScorefError
from scoref.formats import inspect

_SLACK = 3
_FREE = 200e6
"""What any file may cost: the limits are free up to a million tokens."""


def subtokens(n: int) -> str:
    """Return lines with a map to a distant token."""
    one = {"sentences": [["a"]], "subtoken_map": [2**31 - n], "clusters": [[[0, 0]]]}
    return "".join(json.dumps({"doc_key": str(at), **one}) + "\n" for at in range(n))


def near_subtokens(n: int) -> str:
    """Return a line with a map within the limits."""
    pieces = [["x"] * n]
    mapped = {"sentences": pieces, "subtoken_map": list(range(0, 3 * n, 3)), "clusters": [[[0, 0]]]}
    return json.dumps(mapped) + "\n"


def far_spans(n: int) -> str:
    """Return clusters whose spans end far away."""
    return json.dumps({str(at): [[[0, 10**9 + at]]] for at in range(n)})


def far_tokens(n: int) -> str:
    """Return a mention list with gaps between distant tokens."""
    rows = [{"doc_id": at % 3, "tokens_ids": [0, 10**9 + at], "cluster_id": at} for at in range(n)]
    return json.dumps(rows)


def several_documents(n: int) -> str:
    """Return an object with many documents, and an entity in all of them."""
    entity = [[at, 0, 0] for at in range(n)]
    return json.dumps({"tokens": [["x"]] * n, "clusters_token_offsets": [entity]}) + "\n"


def brat_places(n: int) -> str:
    """Return discontinuous mentions of many characters."""
    return "".join(f"T{at}\tX 0 999999;1000000 1000001\tx\n" for at in range(1, n + 1))


def brat_offsets(n: int) -> str:
    """Return mentions at distant characters."""
    return "".join(f"T{at}\tX {10**17 + at} {10**17 + at + 1}\tx\n" for at in range(1, n + 1))


def apf_offsets(n: int) -> str:
    """Return mentions of many characters."""
    mention = (
        '<entity ID="E{at}"><entity_mention TYPE="NAM"><extent><charseq START="0"'
        ' END="99999999999999{at}">x</charseq></extent></entity_mention></entity>\n'
    )
    body = "".join(mention.replace("{at}", str(at)) for at in range(n))
    return f'<source_file><document DOCID="d">{body}</document></source_file>'


def minima(n: int) -> str:
    """Return CoNLL-UA with distant minimal spans."""
    rows = "".join(
        f"{at}\tw{'	_' * 8}\t(EntityID={at}|MarkableID=m{at}|Min=99999999999999{at}){'	_' * 4}\n"
        for at in range(1, n + 1)
    )
    columns = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS IDENTITY BRIDGING DEIXIS REF NOM"
    return f"# global.columns = {columns}\n# newdoc id = d\n{rows}\n"


def webanno_numbers(n: int) -> str:
    """Return a WebAnno file whose numbers are large."""
    rows = "".join(
        f"1-{at}\t{at}-{at + 1}\tw\tperson[99999999999{at}]\t_\t_\n" for at in range(1, n + 1)
    )
    layers = "#T_SP=Referent|entity\n#T_RL=Coref|type|BT_Referent\n"
    return f"#FORMAT=WebAnno TSV 3.2\n{layers}\n\n{rows}"


FAMILIES: dict[str, tuple[Callable[[int], str], str]] = {
    "subtokens": (subtokens, "jsonl"),
    "near subtokens": (near_subtokens, "jsonl"),
    "far spans": (far_spans, "clusters"),
    "far tokens": (far_tokens, "mentionlist"),
    "several documents": (several_documents, "jsonl"),
    "brat places": (brat_places, "brat"),
    "brat offsets": (brat_offsets, "brat"),
    "apf offsets": (apf_offsets, "apf"),
    "minima": (minima, "conllua"),
    "webanno numbers": (webanno_numbers, "webanno"),
}


def peak(path: Path, name: str) -> int:
    """Return the most memory that reading, scoring and converting a file takes."""
    tracemalloc.start()
    try:
        with suppress(ScorefError):
            corpus = scoref.read(path, name, words=True)
            scoref.score(corpus, corpus, ["muc", "b3"])
            for target in ("conll", "jsonl", "csv"):
                with suppress(ScorefError):
                    corpus.write(path.with_suffix(f".{target}"), target)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("family", FAMILIES)
def test_memory_grows_with_the_file(family: str, tmp_path: Path) -> None:
    """At most linearly, and from a small start."""
    make, name = FAMILIES[family]
    peaks = []
    for n in (100, 200, 400):
        path = tmp_path / f"{n}.in"
        path.write_text(make(n), "utf-8")
        peaks.append(peak(path, name))
    assert peaks[0] < _FREE / 10
    assert peaks[2] < 4 * _SLACK * peaks[0]
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 10_000_000


def test_a_distant_token_is_refused_unless_limits_are_lifted(tmp_path: Path) -> None:
    """187 bytes took 6 GB."""
    path = tmp_path / "x.jsonl"
    path.write_text(
        '{"sentences": [["a", "b"]], "subtoken_map": [0, 3000000], "clusters": [[[0, 0], [1, 1]]]}'
    )
    (problem,) = inspect(path)[1]
    assert problem.line == 1
    assert "token 3,000,000 in `subtoken_map`" in problem.found
    assert "--no-limits" in problem.hint
    with no_limits():
        assert scoref.read(path).documents[0].length == 3_000_001


def test_a_file_of_nothing_but_gaps_is_not_written(tmp_path: Path) -> None:
    """A mention at token 900,000,000 of a document of unknown length."""
    corpus = scoref.Corpus.from_entities({"d": [[(0, 900_000_000)]]})
    for name in ("conll", "jsonl", "corefud", "conllua", "brat"):
        with pytest.raises(ScorefError, match="every token"):
            corpus.write(tmp_path / "x.ann", name)
    with pytest.raises(ScorefError, match="its reader would refuse the file"):
        corpus.write(tmp_path / "x.csv", "csv")
    assert not [*tmp_path.iterdir()]
