"""What every object that users meet can do: a new public class cannot be forgotten here."""

from __future__ import annotations

import inspect
import json
import pickle
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import scoref
from scoref.comparison.datasets import DatasetsComparison
from scoref.comparison.power import power
from scoref.exceptions import UsageError
from scoref.resampling.sampling_options import Sampling
from tests.conftest import REPOSITORY

EXAMPLES = REPOSITORY / "examples" / "ferry"
HOSTILE = "<script>alert('&')</script>\x1b[2J"
KEY = {HOSTILE: [["a", "b", "c"], ["d", "e"]], "other": [["a", "b"], ["c"]]}
RESPONSE = {HOSTILE: [["a", "b"], ["c", "d", "e"]], "other": [["a", "b", "c"]]}
SPANS = {HOSTILE: [[(0, 0), (3, 4)], [(1, 1)]], "other": [[(0, 0)]]}
WITHOUT_VIEWS = {"CorpusBuilder", "Format", "FormatError", "Metric", "ScorefError", "Table"}
"""Classes that users write or catch, and do not look at."""
TABULAR = {
    *("Result", "Comparison", "Errors", "Report", "Accumulator", "Corpus"),
    *("Agreement", "DatasetsComparison", "Intervals", "Power", "Seams", "Sweep", "Curves"),
    *("Slices", "PresetScores"),
}


def exact(table: scoref.Table) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Count entities that are found exactly: a metric of the user."""
    whole = (table.count == table.cell_key_size) & (table.count == table.cell_res_size)
    found = table.sum_cells(whole)
    keys, responses = (np.ones(len(size)) for size in (table.key_size, table.res_size))
    return np.stack(
        [found, table.sum_keys(keys), found, table.sum_responses(responses)], axis=-1
    ).astype(np.float64)


METRICS: list[Any] = ["b3", "conll", exact]


def accumulator() -> scoref.Accumulator:
    """Return the sums of both documents."""
    found = scoref.Accumulator(METRICS)
    found.update(KEY, RESPONSE)
    return found


def result() -> scoref.Result:
    """Return the scores of the response."""
    return scoref.score(KEY, RESPONSE, METRICS)


def generated() -> scoref.GeneratedAlignment:
    """Return generated text on the words of its source."""
    row = {"doc_key": HOSTILE, "sentences": [["A", "b"]], "clusters": [[[0, 0], [1, 1]]]}
    return scoref.align(scoref.read([row]), {HOSTILE: "[1: A] [1: b]"}, "brackets")


MAKE: dict[str, Any] = {
    "Accumulator": accumulator,
    "Agreement": lambda: scoref.agreement({"x": KEY, HOSTILE: RESPONSE}, ["b3"], trials=9),
    "Comparison": lambda: scoref.compare(KEY, {"x": KEY, HOSTILE: RESPONSE}, METRICS, trials=9),
    "Corpus": lambda: scoref.Corpus.from_entities(KEY, source=HOSTILE),
    "Curves": lambda: scoref.curves(SPANS, SPANS, METRICS, points=2),
    "DatasetsComparison": lambda: scoref.compare_datasets(
        {HOSTILE: (KEY, {"x": KEY, HOSTILE: RESPONSE})}, METRICS, trials=9
    ),
    "DrawnSample": lambda: scoref.sample(KEY, 2, "entity"),
    "Estimates": lambda: scoref.estimate(KEY, RESPONSE, missing="singleton"),
    "Errors": lambda: scoref.errors(KEY, RESPONSE),
    "Explanation": lambda: scoref.explain(KEY, RESPONSE, METRICS),
    "GeneratedAlignment": generated,
    "Intervals": lambda: result().intervals(trials=9),
    "Key": lambda: scoref.Key(scoref.Corpus.from_entities(KEY, source=HOSTILE), METRICS),
    "PresetScores": lambda: scoref.presets.winobias(
        [({f"type1 {HOSTILE} {side}": KEY["other"]},) * 2 for side in ("pro", "anti")], METRICS
    ),
    "Policy": lambda: scoref.Policy(markup=f"pattern={HOSTILE}"),
    "Power": lambda: power({"x": [result()], HOSTILE: [result()]}, Sampling(trials=9)),
    "Report": lambda: scoref.report(KEY, {"x": KEY, HOSTILE: RESPONSE}, METRICS),
    "Result": result,
    "Seams": lambda: scoref.seams(SPANS, SPANS, METRICS, window=2),
    "Slices": lambda: scoref.slices(KEY, {"x": KEY, HOSTILE: RESPONSE}, "document", METRICS),
    "Score": lambda: result()["b3"],
    "Sweep": lambda: scoref.sweep(SPANS, {"x": SPANS, HOSTILE: SPANS}, METRICS),
}
CASES = pytest.mark.parametrize("name", MAKE)


def test_no_public_class_is_forgotten() -> None:
    """A class of `scoref` is in the table above, or is not looked at."""
    classes = {name for name in scoref.__all__ if inspect.isclass(getattr(scoref, name))}
    assert classes <= {*MAKE, *WITHOUT_VIEWS}
    returned = {"Agreement", "DatasetsComparison", "Intervals", "Power", "PresetScores"}
    assert set(MAKE) - classes == returned
    assert DatasetsComparison.__name__ in MAKE


@CASES
def test_the_repr_is_short_and_visible(name: str) -> None:
    """One line, which no name of a document can break."""
    shown = repr(MAKE[name]())
    assert len(shown) < 500
    assert shown.isprintable()
    assert name in shown


def test_the_repr_does_not_grow() -> None:
    """A thousand documents are as long as one."""
    documents = {f"document {at}": [["a", "b"]] for at in range(1000)}
    for one in (
        scoref.score(documents, documents),
        scoref.Key(documents),
        scoref.errors(documents, documents),
        scoref.compare(documents, {"x": documents}, ["b3"]),
        scoref.score(documents, documents, ["b3"]).intervals(),
    ):
        assert len(repr(one)) < 300
        assert len(one._repr_html_()) < 40_000


class _Tags(HTMLParser):
    """Collects the tags and styles of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.styles: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        self.styles += [value or "" for attribute, value in attrs if attribute == "style"]
        assert all(
            attribute in {"style", "open", "sandbox", "srcdoc", "title"} for attribute, _ in attrs
        )

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@CASES
def test_html_is_safe_and_takes_the_colours_of_the_page(name: str) -> None:
    """No scripts, no colours of its own, no names that become tags."""
    html = MAKE[name]()._repr_html_()
    found = _Tags()
    found.feed(html)
    assert found.open == []
    assert not {"script", "style", "link", "img"} & set(found.tags)
    assert "\x1b" not in html
    colours = re.findall(r"(?:color|background)[^:;]*:\s*([^;\"]+)", ";".join(found.styles))
    assert set(colours) <= {"transparent", "inherit"}
    if name == "Report":
        assert '<iframe sandbox="allow-scripts allow-downloads" ' in html


@CASES
def test_an_object_pickles_to_an_equal_one(name: str) -> None:
    """With a metric of the user's module. Equal objects have equal hashes."""
    one = MAKE[name]()
    copy = pickle.loads(pickle.dumps(one))  # noqa: S301
    assert copy == one
    assert MAKE[name]() == one
    assert one != "another thing"
    if type(one).__hash__ is not None:
        assert hash(copy) == hash(one)


@CASES
def test_the_dict_is_plain(name: str) -> None:
    """It can be written as JSON."""
    content = MAKE[name]().to_dict()
    assert isinstance(content, dict)
    json.dumps(content, allow_nan=False)


@pytest.mark.parametrize("name", sorted(TABULAR))
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables_are_data_frames(name: str, library: str) -> None:
    """With a row per metric, error or mention."""
    pytest.importorskip(library, reason=f"{library} is not installed")
    table = getattr(MAKE[name](), f"to_{library}")()
    assert len(table)
    assert all(isinstance(column, str) for column in table.columns)
    if "f1" in list(table.columns):
        assert float(table["f1"].max()) <= 1


def test_without_the_package_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """DataFrames need a package that scoref does not."""
    import sys

    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(UsageError, match="to_polars requires polars") as error:
        result().to_polars()
    assert "scoref[polars]" in error.value.hint


class TestEquality:
    """What counts as equal, and what does not."""

    def test_results(self) -> None:
        """Their counts and signatures matter, not where they were read from."""
        path = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"
        objects: Any = [scoref.read(one).entities() for one in path]
        assert scoref.score(*path) == scoref.score(*objects)
        assert scoref.score(*path) != scoref.score(path[0], EXAMPLES / "hasty.conll")
        assert scoref.score(*path) != scoref.score(*path, average="macro")
        assert scoref.score(*path) != scoref.score(*path, ["b3"])
        assert len({scoref.score(*path), scoref.score(*objects)}) == 1

    def test_corpora(self) -> None:
        """Their mentions and entities matter, not the order or the names of entities."""
        one = scoref.Corpus.from_entities({"x": [["a", "b"], ["c"]], "y": []})
        assert one == scoref.Corpus.from_entities({"y": [], "x": {"E": ["c"], "F": ["b", "a"]}})
        assert one != scoref.Corpus.from_entities({"x": [["a", "b"], ["c"]]})
        assert one != scoref.Corpus.from_entities({"x": [["a"], ["b", "c"]], "y": []})

    def test_keys_and_accumulators(self) -> None:
        """A policy is part of both."""
        assert scoref.Key(KEY) == scoref.Key(dict(reversed(KEY.items())))
        assert scoref.Key(KEY) != scoref.Key(KEY, undefined="one")
        assert scoref.Key(KEY) != scoref.Key(KEY, ["b3"])
        assert accumulator() != scoref.Accumulator(METRICS)

    def test_errors_and_comparisons(self) -> None:
        """One error or one system less is another."""
        errors = scoref.errors(KEY, RESPONSE)
        assert errors != errors.where(document="other")
        systems = {"x": KEY, "y": RESPONSE}
        assert scoref.compare(KEY, systems, trials=9) != scoref.compare(KEY, systems, trials=8)


class TestResultAsMapping:
    """`dict(result)` and what else a mapping can do."""

    def test_has_the_scores(self) -> None:
        """By the names of metrics; aliases are known too."""
        found = scoref.score(KEY, RESPONSE, ["muc", "b3"])
        assert isinstance(found, Mapping)
        assert dict(found) == {"muc": found["muc"], "b3": found["b3"]} == found.scores
        assert found["muc"] == tuple(found["muc"])
        assert dict(result()) == dict(result())  # conll has no recall
        assert list(found.items()) == [*found.scores.items()]
        assert "b-cubed" in found
        assert "lea" not in found
        assert "none" not in found
        assert found.get("lea") is None
        assert found.get("lea", 0) == 0
        assert found.get("muc") == found["muc"]

    def test_flat_scores_are_numbers_by_plain_names(self) -> None:
        """For loggers, which refuse brackets; what does not exist is left out."""
        found = scoref.score(KEY, RESPONSE, ["blanc(alpha=0.2)", "conll"])
        flat = found.to_dict(flat=True, prefix="dev/")
        names = [f"dev/blanc_alpha_0.2/{field}" for field in ("recall", "precision", "f1")]
        assert list(flat) == [*names, "dev/conll/f1"]
        assert flat["dev/conll/f1"] == found["conll"].f1

    def test_the_dict_is_the_json(self) -> None:
        """With documents, unless they are not asked for."""
        found = result()
        assert json.loads(found.to_json()) == json.loads(json.dumps(found.to_dict()))
        assert "documents" not in found.to_dict(per_document=False)


def test_the_signature_of_an_accumulator_is_that_of_all_documents() -> None:
    """However documents are added; those without names as in a list."""
    expected = scoref.score(KEY, RESPONSE).signature
    one, other = scoref.Accumulator(), scoref.Accumulator()
    one.add(KEY["other"], RESPONSE["other"], "other")
    other.update(scoref.Key(KEY), {HOSTILE: RESPONSE[HOSTILE]})
    one += other
    assert one.signature == expected
    assert one.to_dict(flat=True)["b3/f1"] == scoref.score(KEY, RESPONSE)["b3"].f1
    unnamed = scoref.Accumulator()
    for name, entities in KEY.items():
        unnamed.add(entities, RESPONSE[name])
    assert unnamed.signature == scoref.score([*KEY.values()], [*RESPONSE.values()]).signature
    unnamed.reset()
    assert unnamed.signature == scoref.Accumulator().signature


def test_a_report_is_saved_with_or_without_text(tmp_path: Any) -> None:
    """The page follows what the report was made with."""
    made = scoref.report(EXAMPLES / "key.conll", EXAMPLES / "careful.conll", ["b3"], with_text=True)
    made.save(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert text == made.to_html()
    assert len(made.to_html(with_text=False)) < len(text)
    assert repr(made).startswith("<Report on careful: 2 documents")
