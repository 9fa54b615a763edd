"""ECB+ by topic, subtopic and corpus, beside public code of papers on this corpus.

The code is that of Cattan et al. (2021), which SCOREF_CDCR names. Its writer makes a CoNLL file
with a document per topic, or one document of all, and coval scores it. The checkout has a copy of
coval that differs in its imports only, but lacks the metrics; SCOREF_COVAL names coval itself.
"""

from __future__ import annotations

import csv
import runpy
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

import scoref
from scoref import Policy
from tests.reference import peers
from tests.reference.documents import Files
from tests.reference.peers import Coval

COUNTED = {"mentions": "mentions", "muc": "muc", "b_cubed": "b3", "ceafe": "ceafe", "lea": "lea"}
LEVELS = {"topic": "topic", "subtopic": "column=2", "corpus": "corpus"}
"""The units of scores, and what `unit` calls them."""

each_level = pytest.mark.parametrize("level", LEVELS)
both_ways = pytest.mark.parametrize("singletons", ["keep", "drop"])

_TOKENS = 40


class Mention(NamedTuple):
    """A mention of an entity across documents."""

    document: str
    start: int
    end: int
    entity: int


@dataclass(frozen=True)
class Release:
    """A key as a directory of XML files, a response as a table, and the mentions of both."""

    key: Path
    response: Path
    documents: list[str]
    mentions: tuple[list[Mention], list[Mention]]


@pytest.fixture(scope="module")
def coval() -> Coval:
    """Coval, if this machine has it."""
    return peers.coval()


@pytest.fixture(params=range(3))
def release(request: pytest.FixtureRequest, tmp_path: Path) -> Release:
    """A random corpus of six topics; some entities are in several topics."""
    random = Random(request.param)  # noqa: S311  # not a secret
    documents = [
        f"{topic}_{number}ecb{plus}.xml"
        for topic in range(36, 42)
        for number in (1, 2)
        for plus in ("", "plus")
    ]
    key = [one for name in documents for one in _draw(random, name)]
    spans: dict[tuple[str, int, int], Mention] = {}  # no span twice
    for one in key:
        if random.random() < 0.85:
            other = random.choice(key).entity if random.random() < 0.3 else one.entity
            end = one.end + (random.random() < 0.1)
            spans.setdefault((one.document, one.start, end), one._replace(entity=other, end=end))
    response = list(spans.values())
    folder = tmp_path / "ECB+"
    for name in documents:
        path = folder / name.partition("_")[0] / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_xml(name, [one for one in key if one.document == name]), "utf-8")
    table = tmp_path / "response.csv"
    with table.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(Mention._fields)
        writer.writerows((one.document.removesuffix(".xml"), *one[1:]) for one in response)
    return Release(folder, table, documents, (key, response))


def _draw(random: Random, name: str) -> list[Mention]:
    """Draw mentions that do not overlap, or are inside another: a third are singletons."""
    topic, found = int(name.partition("_")[0]), []
    for at, start in enumerate(range(0, _TOKENS - 4, 4)):
        kind = random.random()
        shared = random.randrange(3) if kind < 0.1 else 10 * topic + random.randrange(6)
        alone = 100_000 + 1000 * topic + 100 * len(name) + 10 * int(name.split("_")[1][0]) + at
        end = start + random.randrange(3)
        found.append(Mention(name, start, end, alone if kind > 0.65 else shared))
        if end > start and random.random() < 0.3:
            found.append(Mention(name, start, start, 1000 + topic))
    return found


def _xml(name: str, mentions: list[Mention]) -> str:
    """Return a file of the release, whose sentences have ten tokens."""
    tokens = [
        f'<token t_id="{at + 1}" sentence="{at // 10}" number="{at % 10}">w{at}</token>'
        for at in range(_TOKENS)
    ]
    markables, sources = [], defaultdict(list)
    for number, one in enumerate(mentions):
        anchors = "".join(
            f'<token_anchor t_id="{token + 1}"/>' for token in range(one.start, one.end + 1)
        )
        markables.append(f'<ACTION_OCCURRENCE m_id="{number}">{anchors}</ACTION_OCCURRENCE>')
        sources[one.entity].append(f'<source m_id="{number}"/>')
    relations = []
    for entity, those in sources.items():
        target = f'm_id="{entity + 1000}"'
        markables.append(
            f'<ACTION_OCCURRENCE {target} RELATED_TO="" TAG_DESCRIPTOR="x" instance_id="{entity}"/>'
        )
        relations.append(
            f'<CROSS_DOC_COREF r_id="{entity}" note="{entity}">{"".join(those)}<target {target}/>'
            "</CROSS_DOC_COREF>"
        )
    lines = [f'<Document doc_name="{name}" doc_id="D">', *tokens, "<Markables>", *markables]
    return "\n".join([*lines, "</Markables>", "<Relations>", *relations, "</Relations>",
                      "</Document>", ""])  # fmt: skip


def write_as_in_papers(release: Release, folder: Path, level: str) -> Files:
    """Write both sides with the writer of the papers; it has no files of subtopics."""
    write = runpy.run_path(str(peers.cdcr() / "conll.py"))["write_output_file"]
    tokens = {
        name: [[at // 10, at, f"w{at}", True] for at in range(_TOKENS)]
        for name in release.documents
    }
    made = []
    for side, mentions in zip(("key", "response"), release.mentions, strict=True):
        clusters = defaultdict(list)
        for number, one in enumerate(mentions):
            clusters[one.entity].append(number)
        columns = ([getattr(one, field) for one in mentions] for field in Mention._fields[:3])
        write(tokens, clusters, *columns, str(folder), f"{side}_events")
        whole = folder / f"{side}_events_corpus_level.conll"
        made.append(folder / f"{side}_events_{level}_level.conll")
        if level == "subtopic":
            regroup(whole, made[-1], 1)
    if level == "corpus":  # the document has the name of the file
        for path, name in zip(made, ("key_events", "response_events"), strict=True):
            path.write_text(path.read_text("utf-8").replace(name, "all"), "utf-8")
    return Files(made[0], made[1])


def regroup(path: Path, made: Path, column: int) -> None:
    """Write a file with a document for each value of a column."""
    groups = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            groups[line.split("\t")[column]].append(line)
    made.write_text(
        "".join(
            f"#begin document {name}\n" + "\n".join(lines) + "\n#end document\n"
            for name, lines in groups.items()
        ),
        "utf-8",
    )


def assert_same_counts(coval: Coval, files: Files, result: scoref.Result, singletons: str) -> None:
    """Compare the sums of what both count; their documents have different orders."""
    for name, rows in coval.documents(files, [*COUNTED], singletons).items():
        ours = result.counts.rows[COUNTED[name]]
        assert len(ours) == len(rows)
        np.testing.assert_allclose(
            ours[np.lexsort(ours.T)], np.array(rows)[np.lexsort(np.array(rows).T)], rtol=1e-12
        )


@each_level
@both_ways
def test_xml_and_table(
    coval: Coval, release: Release, tmp_path: Path, level: str, singletons: str
) -> None:
    """The files of the release, and a table; and the files of the papers, as they are."""
    files = write_as_in_papers(release, tmp_path, level)
    policy = Policy(singletons=singletons, unit=LEVELS[level])  # type: ignore[arg-type]
    result = scoref.score(release.key, release.response, COUNTED.values(), policy)
    assert 0.1 < result["muc"].f1 < 0.9
    assert_same_counts(coval, files, result, singletons)
    of_papers = scoref.score(*files, COUNTED.values(), replace(policy, unit="document"))
    assert of_papers["lea"] == pytest.approx(result["lea"], abs=1e-12)
    whole = write_as_in_papers(release, tmp_path, "corpus")
    by_column = scoref.score(*whole, COUNTED.values(), policy)
    assert by_column["lea"] == pytest.approx(result["lea"], abs=1e-12)


CORPORA = {
    "ECB+": ("ecbp.key.conll", "ecbp.01.response.conll"),
    "Gun Violence Corpus": ("gvc.key.conll", "gvc.05.response.conll"),
}


@pytest.mark.slow
@pytest.mark.parametrize("corpus", CORPORA)
@each_level
def test_real_corpora(coval: Coval, data: Path, tmp_path: Path, corpus: str, level: str) -> None:
    """Files of another system in the same columns, which have one document."""
    whole = Files(*(data / "hypercoref" / name for name in CORPORA[corpus]))
    files = whole
    if level != "corpus":
        files = Files(tmp_path / "key.conll", tmp_path / "response.conll")
        for path, made in zip(whole, files, strict=True):
            regroup(path, made, 0 if level == "topic" else 1)
    for singletons in ("keep", "drop"):
        policy = Policy(singletons=singletons, unit=LEVELS[level])
        result = scoref.score(*whole, COUNTED.values(), policy)
        assert_same_counts(coval, files, result, singletons)
