"""Every renderer on the same result: what a user sees is what the test shows."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

import scoref
from scoref import Policy, Result
from scoref.exceptions import UsageError
from scoref.views.model import FormulaStep, FormulaView, Page, SectionView, TableCell, TableView
from scoref.views.writers import csv as render_csv
from scoref.views.writers import latex, markdown, text
from scoref.views.writers.latex import escape

KEY = {"one_doc": [["a", "b", "c"], ["d", "e"], ["f"]], "two|docs": [["a", "b"]]}
RESPONSE = {"one_doc": [["a", "b"], ["c", "d", "e"], ["x"]], "two|docs": [["a", "b"]]}
METRICS = ["muc", "b3", "conll"]


@pytest.fixture
def result() -> Result:
    """A small result with something dropped."""
    return scoref.score(KEY, RESPONSE, METRICS, Policy(singletons="drop"))


def test_a_table_lines_up() -> None:
    """The first column to the left, numbers to the right."""
    table = text.write_table(TableView(["metric", "F1"], [["muc", "50.00"], ["conll", "9.31"]]))
    assert table == dedent("""\
        metric     F1
        ------  -----
        muc     50.00
        conll    9.31""")


def test_text(result: Result) -> None:
    """What was read, what was done, the scores, the signature."""
    assert str(result) == dedent(f"""\
        key       2 documents  8 mentions  4 entities
        response  2 documents  8 mentions  4 entities
        singletons dropped: 1 from the key, 1 from the response

        metric  recall  precision     F1
        ------  ------  ---------  -----
        muc      75.00      75.00  75.00
        b3       80.95      80.95  80.95
        conll                      80.87

        {result.signature}""")


def test_text_by_document(result: Result) -> None:
    """The F1 of each metric, and all together."""
    table = result.to_text(per_document=True, digits=1).split("\n\n")[1]
    assert table == dedent("""\
        F1 by document    muc     b3  conll
        --------------  -----  -----  -----
        one_doc          66.7   73.3   73.3
        two|docs        100.0  100.0  100.0
        all              75.0   81.0   80.9""")


def test_json_has_the_keys_that_others_rely_on(result: Result) -> None:
    """At full precision; what does not exist is null."""
    content = json.loads(result.to_json())
    assert content["signature"] == result.signature
    assert content["key"]["documents"] == 2
    assert content["key"]["mentions"] == 8
    assert content["response"]["entities"] == 4
    assert content["scores"]["b3"] == result["b3"]._asdict()
    assert content["scores"]["conll"]["recall"] is None
    assert content["documents"]["one_doc"]["muc"]["f1"] == pytest.approx(2 / 3)
    assert content["counts"]["muc"]["recall_num"] == 3
    assert "documents" not in json.loads(result.to_json(per_document=False))


def test_csv(result: Result) -> None:
    """A row per metric, or per document and metric; full precision."""
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert [row["metric"] for row in rows] == METRICS
    assert float(rows[1]["f1"]) == result["b3"].f1
    assert rows[2]["recall"] == ""
    assert rows[0]["signature"] == result.signature
    rows = list(csv.DictReader(io.StringIO(result.to_csv(per_document=True))))
    assert [row["document"] for row in rows] == ["one_doc"] * 3 + ["two|docs"] * 3 + [""] * 3


def test_markdown(result: Result) -> None:
    """Names cannot break the table."""
    text = result.to_markdown(per_document=True)
    assert "| one\\_doc | 66.67 | 73.33 | 73.33 |" in text
    assert "| two\\|docs | 100.00 | 100.00 | 100.00 |" in text
    assert "| muc | 75.00 | 75.00 | 75.00 |" in text
    assert "- singletons dropped: 1 from the key, 1 from the response" in text
    assert text.endswith(f"`{result.signature}`")


def test_latex(result: Result) -> None:
    """A booktabs table with the signature in its caption."""
    text = result.to_latex(per_document=True)
    assert r"one\_doc & 66.67 & 73.33 & 73.33 \\" in text
    assert r"MUC & 75.00 & 75.00 & 75.00 \\" in text
    assert r"CoNLL &  &  & 80.87 \\" in text
    assert r"s:\allowbreak{}drop\textbar{}\allowbreak{}" in text


def test_latex_escapes_what_it_must() -> None:
    """Every special character is printed, not obeyed."""
    assert escape(r"a_b%c&d#e$f{g}~h^i\j|k<l>") == (
        r"a\_b\%c\&d\#e\$f\{g\}\textasciitilde{}h\textasciicircum{}i\textbackslash{}j"
        r"\textbar{}k\textless{}l\textgreater{}"
    )


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="no LaTeX (pdflatex) on this machine")
def test_latex_compiles(result: Result, tmp_path: Path) -> None:
    """Where an engine is installed."""
    body = result.to_latex(per_document=True)
    text = f"\\documentclass{{article}}\\usepackage{{booktabs}}\n\\begin{{document}}\n{body}\n"
    (tmp_path / "x.tex").write_text(text + "\\end{document}\n", "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)


def test_an_unknown_output(result: Result) -> None:
    """Says which there are."""
    with pytest.raises(UsageError, match="one of: text, json, csv, latex, markdown"):
        result.render("html")


def test_undefined_scores_are_called_so() -> None:
    """Not a number that nobody computed."""
    result = scoref.score({"d": [["a"]]}, {"d": [["a"]]}, ["muc"], Policy(undefined="skip"))
    assert result.to_text().split("\n\n")[1].splitlines()[-1].split() == ["muc", "undefined"]
    assert json.loads(result.to_json())["scores"]["muc"] == dict.fromkeys(
        ["recall", "precision", "f1"]
    )


class TestOneModel:
    """A page in every output for people: the same content, laid out three ways."""

    PAGE = Page(
        title="A title",
        inputs=[["key", "k_1.conll", "2 documents"], ["response", "", "1 document"]],
        changes=["singletons dropped: 1 from the key, 0 from the response"],
        tables=[
            TableView(
                ["system", "F1", "95 %"],
                [
                    ["a_1", TableCell("90.00", "bc", bold=True), "[-1.00, 2.00]"],
                    ["b", TableCell("8.50"), ""],
                ],
                total=["all", "50.00", "-3.00"],
                title="systems",
                caption=["F1 in percent", "Letters: p < 0.05"],
            ),
        ],
        remarks=["a remark", "Letters: p < 0.05"],
        signature="scoref|key:1",
    )

    def test_text(self) -> None:
        """Scores line up."""
        assert text.write_page(self.PAGE) == dedent("""\
            A title

            key       k_1.conll  2 documents
            response              1 document
            singletons dropped: 1 from the key, 0 from the response

            systems
            system         F1           95 %
            ------  ---------  -------------
            a_1     *90.00 bc  [-1.00, 2.00]
            b         8.50
            all      50.00             -3.00

            a remark
            Letters: p < 0.05

            scoref|key:1""")

    def test_markdown(self) -> None:
        """Bold and superscripts; nothing in a cell means anything else."""
        assert markdown.write_page(self.PAGE) == dedent("""\
            ## A title

            - key: `k_1.conll`, 2 documents
            - response: 1 document
            - singletons dropped: 1 from the key, 0 from the response

            **systems**

            | system | F1 | 95 % |
            | --- | ---: | ---: |
            | a\\_1 | **90.00**<sup>bc</sup> | \\[-1.00, 2.00\\] |
            | b | 8.50 |  |
            | all | 50.00 | -3.00 |

            - a remark
            - Letters: p \\< 0.05

            `scoref|key:1`""")

    def test_latex(self) -> None:
        """A float with a caption; remarks that no caption has are comments."""
        shown = latex.write_page(self.PAGE)
        shown = shown.replace(latex.write_signature(self.PAGE.signature), "SIGNATURE")
        assert f"\n{shown}" == dedent(r"""
            % needs \usepackage{booktabs}

            \begin{table}
              \centering
              \begin{tabular}{llr}
                \toprule
                system & F1 & 95 \% \\
                \midrule
                a\_1 & \textbf{90.00}\textsuperscript{bc} & [$-$1.00, 2.00] \\
                b & 8.50 &  \\
                \midrule
                all & 50.00 & $-3.00$ \\
                \bottomrule
              \end{tabular}
              \caption{F1 in percent. Letters: $p < 0.05$. SIGNATURE}
            \end{table}

            % a remark
            % scoref|key:1""")

    def test_latex_without_a_caption_is_no_float(self) -> None:
        """The title is a comment."""
        table = TableView(["a", "b"], [["x", "1"]], title="some title")
        assert latex.write_table(table).splitlines()[:2] == [
            "% some title",
            r"\begin{tabular}{lr}",
        ]

    def test_a_table_without_rows(self) -> None:
        """Shows its header."""
        table = TableView(["a", "bc"], [])
        assert text.write_table(table) == "a  bc\n-  --"
        assert markdown.write_table(table) == "| a | bc |\n| --- | ---: |"

    def test_csv_leaves_out_what_does_not_exist(self) -> None:
        """Numbers read back as the same."""
        records: list[list[object]] = [
            ["name", "value"],
            ["x", 0.1],
            ["y", float("nan")],
            ["z", None],
        ]
        assert render_csv.write_records(records) == "name,value\nx,0.1\ny,\nz,"


class TestSections:
    """Paragraphs, tables that are made to fit, and formulas, in every output."""

    words = " ".join(["word"] * 30)
    table = TableView(
        ["names", "a long title"],
        [[words, TableCell("2/3", math="2/3")]],
        total=[TableCell("sum", bold=True), TableCell("2/3", bold=True, math="2/3")],
        title="Terms",
    )
    formula = FormulaView("R_c", [FormulaStep("≈", "2/3", r"\frac{2}{3}")])
    section = SectionView("Title", [words, table, [formula]])

    def test_text_fits_a_terminal(self) -> None:
        """Texts of a table take several lines."""
        lines = text.write_page(Page(sections=[self.section])).splitlines()
        assert max(map(len, lines)) <= 80
        assert lines[:2] == ["Title", "====="]
        assert lines[-3].split() == ["sum", "2/3"]
        assert lines[-1] == "  R_c ≈ 2/3"

    def test_markdown_marks_the_sum(self) -> None:
        """In bold, as nothing else sets it apart."""
        shown = markdown.write_page(Page(sections=[self.section]))
        assert shown.startswith("## Title")
        assert "| **sum** | **2/3** |" in shown
        assert shown.endswith(r"- R\_c ≈ 2/3")

    def test_latex_breaks_wide_columns(self) -> None:
        """Indices and signs are those of mathematics."""
        shown = latex.write_page(Page(sections=[self.section], signature="scoref|key:1"))
        assert r"\begin{tabular}{p{" in shown
        assert r"sum & $2/3$ \\" in shown
        assert r"  R_c & \approx & \displaystyle \frac{2}{3}" in shown
        assert shown.splitlines()[-1].startswith(r"\noindent{\raggedright")
