"""Explanations: published examples as exact fractions, what is left out, what is refused."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref.base.arrays import Floats
from scoref.explanation import EXPLAINERS, Explanation
from scoref.explanation.blocks import Block, Formula, Grid
from scoref.explanation.explainer import Columns, Explainer, Steps
from scoref.explanation.expressions import ZERO, Number, exact_sum
from scoref.metrics import Metric, find_metrics
from scoref.metrics.base import average
from scoref.metrics.bcubed import B_CUBED
from scoref.metrics.blanc import blanc
from scoref.metrics.derived_tables import count_shared
from scoref.metrics.lea import lea
from scoref.metrics.muc import MUC
from scoref.metrics.table import Table
from tests.conftest import REPOSITORY

GOLDEN = Path(__file__).parent / "golden"
P14 = {"d": [list("abc"), list("defg")]}, {"d": [list("ab"), list("cd"), list("fghi")]}
P14_TYPES = dict(zip("abcdefghi", ["name", "pronoun", "nominal"] * 3, strict=True)) | {
    "d": "name",
    "e": "nominal",
    "f": "pronoun",
    "g": "pronoun",
    "h": "nominal",
    "i": "pronoun",
}


def scores(explanation: Explanation, metric: str) -> str:
    """Return recall, precision and F1 as fractions."""
    numbers = explanation[metric].document
    values = (numbers.recall, numbers.precision, numbers.f1)
    return " ".join("-" if value is None else str(value) for value in values)


def formulas(blocks: Iterable[Block]) -> dict[str, Number | None]:
    """Return the values of the formulas among some blocks."""
    return {block.name: block.value for block in blocks if isinstance(block, Formula)}


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("mentions", "6/7 3/4 4/5"),
        ("muc", "2/5 2/5 2/5"),
        ("b3", "5/12 1/2 5/11"),
        ("ceafm", "4/7 1/2 8/15"),
        ("ceafe", "13/20 13/30 13/25"),
        ("blanc", "4/9 13/40 25/68"),
        ("blanc(mentions=shared)", "11/18 2/3 38/63"),
        ("lea", "5/21 1/3 5/18"),
        ("lea(importance=uniform)", "1/4 7/18 7/23"),
        ("lea(importance=links)", "2/9 1/4 4/17"),
        ("pairwise", "2/9 1/4 4/17"),
        ("conll", "- - 126/275"),
    ],
)
def test_the_example_of_the_reference_scorer(metric: str, expected: str) -> None:
    """Pradhan et al. 2014, section 4, whose B³ of 0.46 and BLANC of 0.36 are rounded twice."""
    explanation = scoref.explain(*P14, [metric])
    assert scores(explanation, metric) == expected
    text = str(explanation)
    assert all(f"= {value} " in text for value in expected.split() if value != "-")


def test_the_counts_of_the_example() -> None:
    """What section 4 of the paper shows on the way to its scores."""
    explanation = scoref.explain(*P14)
    assert dict(explanation["b3"].document.counts) == {
        "recall_num": Fraction(35, 12),
        "recall_den": 7,
        "precision_num": 4,
        "precision_den": 8,
    }
    assert list(explanation["blanc"].document.counts.values()) == [9, 8, 2, 12, 20, 8]
    kinds = formulas(explanation["blanc"].result)
    assert kinds["F_c"] == Fraction(4, 17)
    assert kinds["F_n"] == Fraction(1, 2)
    text = str(explanation)
    assert "  K2      4  3      1      3  {f, g} {d} {e}\n" in text
    assert "  nn = 15 - 6 - 3 + 2 = 8\n" in text
    assert "  coreferent                 2               4                      3    9\n" in text


def test_weights_of_mention_types() -> None:
    """METRICS 6: importance by mention types with weights 1, 0.5 and 0.1."""
    key, response = (scoref.Corpus.from_entities(side, P14_TYPES) for side in P14)
    name = "lea(importance=mention_types,nom=0.5,pro=0.1)"
    explanation = scoref.explain(key, response, [name])
    assert scores(explanation, name) == "49/198 37/102 1813/6162"


def test_weights_of_entity_types() -> None:
    """METRICS 6: key entities weigh 1 and 0.5, response entities 1, 0.5 and 0.5."""
    kinds = (["PER", "ORG"], ["PER", "ORG", "ORG"])
    key, response = (
        scoref.Corpus.from_entities(side, entities={"d": [{"type": kind} for kind in of]})
        for side, of in zip(P14, kinds, strict=True)
    )
    name = "lea(importance=entity_type,org=0.5)"
    explanation = scoref.explain(key, response, [name])
    assert scores(explanation, name) == "5/18 13/24 65/177"
    assert "1/2 for ORG, 1 for any other" in str(explanation).replace("\n", " ")
    assert "  K2      ORG   4         1/2      6       1         1/6     1/12\n" in str(explanation)


LUO = {
    "a": "12345 6789ABC",
    "b": "1234589ABC 67",
    "c": "123456789ABC",
    "d": "1 2 3 4 5 6 7 8 9 A B C",
}


@pytest.mark.parametrize(
    ("response", "muc", "b3", "ceafm", "ceafe", "printed"),
    [
        ("a", "18/19", "32/37", "5/6", "11/15", [0.947, 0.865, 0.833, 0.733]),
        ("b", "18/19", "14/19", "7/12", "2/3", [0.947, 0.737, 0.583, 0.667]),
        ("c", "9/10", "6/11", "5/12", "5/17", [0.900, 0.545, 0.417, 0.294]),
        ("d", "0", "2/5", "1/4", "8/45", [0.0, 0.400, 0.250, 0.178]),
    ],
)
def test_the_four_responses_of_luo(  # noqa: PLR0917
    response: str, muc: str, b3: str, ceafm: str, ceafe: str, printed: list[float]
) -> None:
    """Luo 2005, Table 1: F1 of MUC, B³ and the two CEAF."""
    key = {"d": [list("12345"), list("67"), list("89ABC")]}
    names = ["muc", "b3", "ceafm", "ceafe"]
    explanation = scoref.explain(key, {"d": list(map(list, LUO[response].split()))}, names)
    found = [explanation[name].document.f1 for name in names]
    assert [str(value) for value in found] == [muc, b3, ceafm, ceafe]
    assert [round(float(value or 0), 3) for value in found] == printed


def test_anaphors() -> None:
    """METRICS 10.4: the verdicts of ARCS."""
    nominals = {"a": "name", "e": "name", "c": "nominal", "h": "nominal", "x": "nominal"}
    types = dict.fromkeys("abcdefghix", "pronoun") | nominals
    key, response = (
        scoref.Corpus.from_entities({"d": list(map(list, side.split()))}, types)
        for side in ("abcd efg hi", "abf cd eg hx")
    )
    kinds = ["arcs", "arcs(kind=inferred)", "arcs(kind=anchor)"]
    explanation = scoref.explain(key, response, kinds)
    assert [scores(explanation, kind) for kind in kinds] == [
        "1/3 2/5 4/11",
        "1/2 3/5 6/11",
        "- - 60/83",
    ]
    text = str(explanation)
    assert "  g        K2   R2                        1\n" in text


def test_anaphors_of_a_kind() -> None:
    """Verdicts of names, nominals and pronouns add up; of a tag, those of its mentions."""
    kinds = {"a": "name", "e": "name", "c": "nominal", "h": "nominal", "x": "nominal"}
    types = dict.fromkeys("abcdefghix", "pronoun") | kinds
    tags = {"d": {letter: {"tag": "PRP$" if letter in "bg" else "PRP"} for letter in "bdfgi"}}
    key, response = (
        scoref.Corpus.from_entities({"d": list(map(list, side.split()))}, types, mentions=tags)
        for side in ("abcd efg hi", "abf cd eg hx")
    )
    for kind in ("immediate", "inferred"):
        names = [f"arcs(kind={kind},of={of})" for of in ("noun", "name", "nominal", "pronoun")]
        both = f"arcs(kind={kind})", f"arcs(kind={kind},of=PRP$)"
        explanation = scoref.explain(key, response, [*names, *both])
        noun, name, nominal, pronoun, every, tagged = (
            list(explanation[one].document.counts.values()) for one in [*names, *both]
        )
        assert noun == [sum(pair) for pair in zip(name, nominal, strict=True)]
        assert every == [sum(pair) for pair in zip(noun, pronoun, strict=True)]
        assert tagged == ([1, 1, 0, 0] if kind == "immediate" else [2, 0, 0, 0])
    assert "a tag such as PRP$\ncounts only such anaphors." in str(explanation)


def test_a_metric_that_changes_the_entities_shows_its_counts() -> None:
    """Cai & Strube 2010, Table 1: {a b d} for {a b c}. The terms are those of other entities."""
    pair = {"d": [list("abc")]}, {"d": [list("abd")]}
    named = "b3(twinless=sys)"
    assert scores(scoref.explain(*pair, [named]), named) == "5/9 2/3 20/33"
    own = Metric("my_shared_b3", count=count_shared(B_CUBED.count))
    explanation = scoref.explain(*pair, [named, own])
    for walk in explanation.walks.values():
        assert [block.caption for block in walk.steps if isinstance(block, Grid)] == ["Counts"]
    assert list(explanation[own.name].document.counts.values()) == [2, 2, 2, 2]


def many() -> tuple[dict[str, list[list[int]]], dict[str, list[list[int]]]]:
    """Make documents with many entities, cut in many ways."""
    key = {f"d{d}": [list(range(10 * e, 10 * e + e % 7 + 1)) for e in range(30)] for d in range(5)}
    response: dict[str, list[list[int]]] = {}
    for number, (name, entities) in enumerate(key.items()):
        mentions = [m for entity in entities for m in entity if m % (11 + number)]
        step = 3 + number
        response[name] = [mentions[at : at + step] for at in range(0, len(mentions), step)]
    return key, response


def grids(explanation: Explanation) -> list[Grid]:
    """Return all tables."""
    blocks = [*explanation.opening]
    for walk in explanation.walks.values():
        blocks += walk.blocks
    return [block for block in blocks if isinstance(block, Grid)]


@pytest.mark.parametrize("limit", [1, 4, 10])
def test_what_is_left_out_is_in_the_sums(limit: int) -> None:
    """The shown rows and the sum of the others are the sum of all, exactly."""
    names = ["muc", "b3", "ceafe", "blanc", "lea", "conll", "pairwise", "nmi(mentions=shared)"]
    cut = grids(scoref.explain(*many(), names, limit=limit))
    whole = grids(scoref.explain(*many(), names, limit=0))
    assert any(table.elided for table in cut)
    assert not any(table.elided for table in whole)
    for short, long in zip(cut, whole, strict=True):
        assert short.total == long.total
        assert len(short.rows) + (short.elided.rows if short.elided else 0) == len(long.rows)
        if short.elided is None:
            continue
        for at, summed in enumerate(short.summed):
            if summed:
                shown = [row[at] for row in short.rows]
                numbers = [cell for cell in shown if isinstance(cell, Fraction | float)]
                hidden = short.elided.sums[at]
                assert hidden is not None
                assert short.total is not None
                assert exact_sum([*numbers, hidden]) == pytest.approx(short.total[at], abs=1e-12)


def test_what_is_left_out_is_said() -> None:
    """In a row of its own, in every output, and how to see it."""
    explanation = scoref.explain(*many(), ["b3"], limit=4)
    text = explanation.to_text()
    assert "Long tables show the 4 largest rows" in text
    assert "  ... 26 more" in text
    assert "... 3 more" in text
    assert "... 1 more" in explanation.to_markdown()
    assert r"\dots{} 26 more" in explanation.to_latex()
    table = json.loads(explanation.to_json())["metrics"]["b3"]["corpus"]["steps"][1]
    assert table["not_shown"]["rows"] == 1
    assert "largest rows" not in scoref.explain(*many(), ["b3"], limit=0).to_text()


def test_largest_rows_are_shown_first() -> None:
    """And rows as large as others in their own order."""
    key = {"d": list(map(list, ["a", "bcd", "ef", "ghi"]))}
    explanation = scoref.explain(key, {"d": []}, ["muc"], limit=3)
    (table, *_) = grids(explanation)
    assert [row[0] for row in table.rows] == ["K2", "K4", "K3"]
    assert table.elided is not None
    assert table.elided.rows == 1


class TestDocuments:
    """Which document is explained, and how all of them come together."""

    def test_the_first_with_mentions_and_all_together(self) -> None:
        """Counts are summed, then scored."""
        key = {"empty": [], "one": [list("ab")], "two": [list("abc"), list("de")]}
        response = {"empty": [], "one": [list("ab")], "two": [list("ab"), list("cd")]}
        explanation = scoref.explain(key, response, ["b3"])
        assert explanation.document == "one"
        assert scores(explanation, "b3") == "1 1 1"
        corpus = explanation["b3"].corpus
        assert corpus is not None
        assert corpus.counts["recall_num"] == 2 + Fraction(5, 3) + Fraction(1, 2)
        assert corpus.recall == (2 + Fraction(5, 3) + Fraction(1, 2)) / 7
        assert "All 3 documents: b3" in str(explanation)

    def test_one_by_its_name(self) -> None:
        """Without the others."""
        key = {"one": [list("ab")], "two": [list("abc"), list("de")]}
        explanation = scoref.explain(key, key, ["b3"], document="two")
        assert explanation.document == "two"
        assert explanation["b3"].corpus is None
        assert "All 2 documents" not in str(explanation)
        assert "Document two (one of 2)" in str(explanation)

    def test_one_document_is_all(self) -> None:
        """Nothing to add up."""
        explanation = scoref.explain(*P14)
        assert all(walk.corpus is None for walk in explanation.walks.values())

    def test_an_average_over_documents(self) -> None:
        """The mean of scores, 0/0 left out or not as the policy says."""
        key = {"one": [list("ab")], "two": [list("abc")], "three": [["a"]]}
        response = {"one": [list("ab")], "two": [list("ab"), ["c"]], "three": [["a"]]}
        policy = scoref.Policy(average="macro", undefined="skip")
        corpus = scoref.explain(key, response, ["muc"], policy)["muc"].corpus
        assert corpus is not None
        assert (corpus.recall, corpus.precision) == (Fraction(3, 4), 1)
        text = str(scoref.explain(key, response, ["muc"], policy))
        assert "average:macro" in text
        assert "  recall    = (1 + 1/2) / 2 = 3/4 = 0.7500: 1 left out because 0/0\n" in text

    def test_an_unknown_name(self) -> None:
        """The closest ones are named."""
        key = {"wsj_0001": [["a"]], "wsj_0002": [["a"]]}
        with pytest.raises(scoref.ScorefError, match="did you mean 'wsj_0001'"):
            scoref.explain(key, key, document="wsj_001")
        with pytest.raises(scoref.ScorefError, match="the key has 2 documents: wsj_0001, wsj"):
            scoref.explain(key, key, document="?")

    def test_nothing_to_explain(self) -> None:
        """No documents, or a limit that makes no sense."""
        with pytest.raises(scoref.ScorefError, match="no documents"):
            scoref.explain({}, {})
        with pytest.raises(scoref.ScorefError, match="limit"):
            scoref.explain(*P14, limit=-1)


class TestUndefined:
    """0/0 is explained."""

    @pytest.mark.parametrize(
        ("undefined", "said", "value"),
        [
            ("zero", "0/0, counted as zero by the policy", 0),
            ("one", "0/0, counted as one by the policy", 1),
            ("skip", "0/0, left out by the policy", None),
        ],
    )
    def test_what_the_policy_makes_of_it(
        self, undefined: str, said: str, value: int | None
    ) -> None:
        """Each choice is named."""
        policy = scoref.Policy(undefined=undefined)  # type: ignore[arg-type]
        explanation = scoref.explain({"d": [["a"]]}, {"d": [["a"]]}, ["muc", "blanc"], policy)
        assert f"  recall    = {said}\n" in str(explanation)
        for walk in explanation.walks.values():
            assert walk.document.recall == walk.document.f1 == value

    def test_the_boundary_rule_is_named(self) -> None:
        """The key has only coreferent pairs."""
        explanation = scoref.explain({"d": [list("abc")]}, {"d": [list("ab"), ["c"]]}, ["blanc"])
        assert scores(explanation, "blanc") == "1/3 1 1/2"
        assert "the key has no pair that is not coreferent" in str(explanation).replace("\n", " ")

    def test_metrics_that_refuse_still_refuse(self) -> None:
        """With the message of `score`."""
        with pytest.raises(scoref.ScorefError, match="of 7 mentions of the key is unknown"):
            scoref.explain(*P14, ["lmuc"])
        with pytest.raises(scoref.ScorefError, match="same mentions"):
            scoref.explain(*P14, ["rand"])


def whole_entities(table: Table) -> Floats:
    """Count the entities that are found exactly."""
    whole = (table.count == table.cell_key_size) & (table.count == table.cell_res_size)
    ours, theirs = np.ones(len(table.key_size)), np.ones(len(table.res_size))
    found = table.sum_cells(whole)
    return np.stack([found, table.sum_keys(ours), found, table.sum_responses(theirs)], axis=-1)


class TestMetricsOfTheUsersOwn:
    """They are explained by the terms that they sum, under any name."""

    def test_a_function(self) -> None:
        """Terms, counts, sums and score."""
        key, response = P14[0] | {"e": [["a"]]}, P14[1] | {"e": [["a"]]}
        explanation = scoref.explain(key, response, [whole_entities])
        assert "no walk-through of its own" in str(explanation)
        assert "  K2        4           1\n" in str(explanation)
        assert "  recall_den         2\n" in str(explanation)
        corpus = explanation["whole_entities"].corpus
        assert corpus is not None
        assert (corpus.recall, corpus.precision) == (Fraction(1, 3), Fraction(1, 4))

    @pytest.mark.parametrize("name", ["muc", "b3", "pairwise"])
    def test_terms_are_exact(self, name: str) -> None:
        """The same fractions as in the walk-through of a metric that has one."""
        (metric,) = find_metrics([name])
        (own,) = scoref.explain(*P14, [scoref.Metric("own", metric.count)]).walks.values()
        assert own.document == scoref.explain(*P14, [name])[name].document
        assert (
            sum(
                block.caption.startswith("Sums over")
                for block in own.steps
                if isinstance(block, Grid)
            )
            == 3
        )

    def test_what_cannot_be_recorded_is_counted(self) -> None:
        """A metric may do what neither fractions nor recorded sums can do."""

        def roots(table: Table) -> Floats:
            counts = whole_entities(table)
            return np.sqrt(np.where(np.isfinite(counts), counts, 0.0))

        (walk,) = scoref.explain(*P14, [roots]).walks.values()
        assert walk.document.counts["recall_den"] == pytest.approx(2**0.5)
        assert [block.caption for block in walk.steps if isinstance(block, Grid)] == ["Counts"]

    def test_one_that_bears_a_known_name(self) -> None:
        """It is not explained as what it is not; a known one that is passed as an object is."""
        impostor = scoref.Metric("muc", whole_entities)
        assert "no walk-through of its own" in str(scoref.explain(*P14, [impostor]))
        assert "no walk-through of its own" in str(scoref.explain(*P14, [blanc(alpha=0.2)]))
        assert "no walk-through of its own" not in str(scoref.explain(*P14, [MUC]))
        odd = lea(lambda table: (np.sqrt(table.key_size), np.sqrt(table.res_size)))
        explanation = scoref.explain(*P14, [odd])
        assert "no walk-through of its own" in str(explanation)
        assert explanation["lea"].document.f1 == pytest.approx(scoref.score(*P14, [odd])["lea"].f1)

    def test_an_average_of_some(self) -> None:
        """The parts of an average are explained each in its way."""
        own = scoref.Metric("own", whole_entities)
        explanation = scoref.explain(*P14, [average("mine", [MUC, own])])
        assert scores(explanation, "mine") == "- - 1/5"
        assert "  F1 = (2/5 + 0) / 2 = 1/5 = 0.2000\n" in str(explanation)


def test_a_wrong_walk_through_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts and scores are compared with the metric's own."""

    def count(_: Steps) -> Columns:
        return ZERO, Fraction(5), ZERO, Fraction(5)

    monkeypatch.setitem(EXPLAINERS, "muc", Explainer(count))
    with pytest.raises(RuntimeError, match="walk-through of muc on d finds"):
        scoref.explain(*P14, ["muc"])


def test_a_real_corpus(data: Path) -> None:
    """A hundred books with 29,000 mentions: exact, and no longer to read than a small text."""
    key, response = (data / "litbank" / name for name in ("key.conll", "response.conll"))
    result = scoref.score(key, response)
    explanation = scoref.explain(key, response)
    for name, score in result.scores.items():
        corpus = explanation[name].corpus
        assert corpus is not None
        assert float(corpus.f1 or 0) == pytest.approx(score.f1, abs=1e-12)
    assert len(str(explanation).splitlines()) < 1000


def golden(explanation: Explanation, output: str) -> str:
    """Render, but for what changes with every version."""
    return explanation.render(output).replace(explanation.signature, "SIGNATURE") + "\n"


@pytest.mark.parametrize(
    ("output", "name"),
    [("text", "b3.txt"), ("markdown", "b3.md"), ("latex", "b3.tex"), ("json", "b3.json")],
)
def test_every_output_to_the_letter(output: str, name: str) -> None:
    """B³ of a small example whose tables are cut."""
    key = {"doc_1": [["Ann", "she", "her|self"], ["the boat"]]}
    response = {"doc_1": [["Ann", "she"], ["her|self", "the boat", "50 %"]]}
    explanation = scoref.explain(key, response, ["b3"], limit=2)
    shown = golden(explanation, output)
    if output == "latex":
        assert shown.splitlines()[-1].startswith(r"\noindent{\raggedright\footnotesize\ttfamily")
        shown = "\n".join(shown.splitlines()[:-1]) + "\n"
    assert shown == (GOLDEN / name).read_text("utf-8")


def test_an_unknown_output() -> None:
    """Those that there are, are named."""
    with pytest.raises(scoref.ScorefError, match="text, markdown, latex, json"):
        scoref.explain(*P14).render("csv")


def test_latex_compiles(tmp_path: Path) -> None:
    """With booktabs and nothing else."""
    pdflatex = shutil.which("pdflatex")
    if pdflatex is None:
        pytest.skip("LaTeX is not on this machine")
    names = ["b3", "blanc", "b3(twinless=sys)", "conll", "nmi(mentions=shared)", "muc"]
    odd = {"a_b": [["x & y", "50 % {z} \\ ^~"]], "[c]": [["#$"]], "[d]": [["--"], ["..."]]}
    example = REPOSITORY / "examples" / "ferry"
    pages = [
        scoref.explain(example / "key.conll", example / "careful.conll", names).to_latex(),
        scoref.explain(odd, odd).to_latex(),
    ]
    text = "\n".join(
        [r"\documentclass{article}\usepackage{booktabs}\begin{document}", *pages, r"\end{document}"]
    )
    (tmp_path / "page.tex").write_text(text, "utf-8")
    done = subprocess.run(
        [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
