"""Agreement with `evaluate.load("coval")`, a module in the repository of Hugging Face evaluate.

SCOREF_EVALUATE names a checkout of evaluate, SCOREF_COVAL one of coval, which the module imports.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import scoref
from tests.conftest import REPOSITORY
from tests.integrations.test_evaluate import COVAL_NAMES, sentences
from tests.reference import peers
from tests.reference.documents import Files
from tests.reference.parses import write_nested_files
from tests.reference.test_moving import PAGE

METRICS = ["mentions", "muc", "b3", "ceafe", "lea", "conll"]
_ROW = re.compile(r'^\| `(\w+)=(True|False)` \| `(\w+)="(\w+)"` \|$', re.MULTILINE)
KEYWORDS = {row[0]: (row[1] == "True", {row[2]: row[3]}) for row in _ROW.findall(PAGE)}
ISLAND = REPOSITORY / "examples" / "island"


@pytest.fixture
def coval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module, if this machine has it."""
    return peers.hugging_face_coval(tmp_path, monkeypatch)


def compute(coval: Any, files: Files, **keywords: bool) -> dict[str, float]:
    """Return its scores of two files under our names, the CoNLL average from 0 to 1."""
    key, response = (sentences(path) for path in files)
    scores = coval.compute(predictions=response, references=key, **keywords)
    named = {"conll/f1": scores.pop("conll_score") / 100}
    for name, value in scores.items():
        metric, part = name.split("/")
        named[f"{COVAL_NAMES.get(metric, metric)}/{part}"] = value
    return named


def ours(files: Files, policy: dict[str, str]) -> dict[str, float]:
    """Return our scores of two files."""
    scores = scoref.score(*files, METRICS, policy=policy).to_dict(flat=True)
    return {name: value for name, value in scores.items() if not name.startswith("conll/")} | {
        "conll/f1": scores["conll/f1"]
    }


def documents_of(path: Path, folder: Path) -> list[Path]:
    """Write each document of a CoNLL file into a file of its own."""
    parts = path.read_text("utf-8").split("#end document\n")[:-1]
    made = []
    for at, part in enumerate(parts):
        made.append(folder / f"{path.stem}.{at}.conll")
        made[-1].write_text(f"{part}#end document\n", "utf-8")
    return made


def test_the_page_has_its_keywords() -> None:
    """All of them, each with the policy that takes its place."""
    assert {*KEYWORDS} == {"keep_singletons", "NP_only", "remove_nested", "min_span"}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("keyword", ["", *(name for name in KEYWORDS if name != "min_span")])
def test_keywords_of_the_page(coval: Any, keyword: str, tmp_path: Path) -> None:
    """On documents with nested phrases and parses, one at a time."""
    value, policy = KEYWORDS.get(keyword, (True, {}))
    keywords = {keyword: value} if keyword else {}
    for seed in range(5):
        folder = tmp_path / str(seed)
        folder.mkdir()
        files = Files(*write_nested_files(folder, seed=seed, documents=1))
        expected = compute(coval, files, **keywords)
        assert ours(files, policy) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_examples_one_document_at_a_time(coval: Any, tmp_path: Path) -> None:
    """The same numbers as `scoref score` of the document."""
    pairs = zip(
        *(documents_of(ISLAND / f"{name}.conll", tmp_path) for name in ("key", "sieve")),
        strict=True,
    )
    for files in list(pairs)[:6]:
        expected = compute(coval, Files(*files))
        assert ours(Files(*files), {}) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_real_data(coval: Any, data: Path) -> None:
    """A novel is one document."""
    files = Files(
        data / "openboek" / "titaantjes.gold.conll",
        data / "openboek" / "titaantjes.dutchcoref.conll",
    )
    assert ours(files, {}) == pytest.approx(compute(coval, files), rel=1e-12, abs=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_where_it_differs(coval: Any) -> None:
    """It takes a corpus as one document, so that entity 1 of two documents is one entity."""
    files = Files(ISLAND / "key.conll", ISLAND / "sieve.conll")
    assert f"{100 * compute(coval, files)['conll/f1']:.2f}" == "48.18"
    assert f"{100 * ours(files, {})['conll/f1']:.2f}" == "70.66"
    with pytest.raises(TypeError):
        compute(coval, files, min_span=True)
