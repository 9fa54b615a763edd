"""A corpus of sixty documents, answers of a model, and the table of equalities for the manual."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple, cast

import pytest

import scoref
from scoref import Result
from tests.comparison.systems import make_key, make_system, write_conll
from tests.conftest import REPOSITORY

FERRY = REPOSITORY / "examples" / "ferry"
FOUND = REPOSITORY / "build" / "integrations.json"
Clusters = dict[str, list[list[tuple[int, int]]]]


class Pair(NamedTuple):
    """A key and a response as files and as clusters of token spans, and their result."""

    key: Path
    response: Path
    key_clusters: Clusters
    response_clusters: Clusters
    result: Result


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Sixty documents; the sums of B³, CEAF and LEA are not whole numbers."""
    folder = tmp_path_factory.mktemp("pair")
    documents = make_key(60)
    key, response = folder / "key.conll", folder / "response.conll"
    write_conll(documents, key)
    write_conll(make_system(documents, 0.3, 1), response, documents)
    result = scoref.score(key, response)
    return Pair(key, response, _clusters(key), _clusters(response), result)


def _clusters(path: Path) -> Clusters:
    return cast("Clusters", scoref.read(path).entities())


class Answers(NamedTuple):
    """A key, what a language model wrote for each of its documents, and the result."""

    key: Path
    texts: dict[str, str]
    result: Result

    def to(self, prompt: str) -> str:
        """Return the answer to a prompt, which has the text of a document."""
        return self.texts["harbour/letter" if "Dear Editor" in prompt else "harbour/ferry"]


@pytest.fixture(scope="session")
def answers() -> Answers:
    """The shipped completions, with altered words, an unclosed tag, and an end that is missing."""
    lines = (FERRY / "generated.jsonl").read_text("utf-8").splitlines()
    texts = {one["doc_id"]: one["completion"] for one in map(json.loads, lines)}
    policy = scoref.Policy(markup="brackets")
    key = FERRY / "key.conll"
    return Answers(key, texts, scoref.score(key, FERRY / "generated.jsonl", policy=policy))


Equal = Callable[[str, str, str, Mapping[str, float], Result], None]


@pytest.fixture(scope="session")
def equal() -> Equal:
    """Assert that a harness has the scores of `scoref score`, to the last bit, and note it.

    Its arguments are the harness, its package, the data, the scores by name such as `b3/recall`,
    and the result.
    """

    def check(
        harness: str, package: str, data: str, scores: Mapping[str, float], result: Result
    ) -> None:
        compared = 0
        for name, found in scores.items():
            metric, _, part = name.partition("/")
            expected = getattr(result[metric], part)
            assert found == expected, (harness, name, found, expected)
            compared += 1
        assert compared
        rows = json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {}
        conll = scores["conll/f1"]
        row = [version(package), data, compared, f"{conll!r}", conll - result["conll"].f1]
        FOUND.parent.mkdir(exist_ok=True)
        FOUND.write_text(json.dumps({**rows, harness: row}, indent=1), "utf-8")

    return check
