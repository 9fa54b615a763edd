"""`scoref papers`: the list, every output, the folder and its page, and what can go wrong."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from textwrap import dedent

import pytest

from scoref.cli import main
from scoref.papers import EXHIBITS, find
from scoref.papers.exhibits import Exhibit, ExhibitFigure, ExhibitTable
from scoref.views.exhibit import ExhibitView

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *arguments: str | Path) -> tuple[int, str, str]:
    """Run the command; return its exit code, output and notes."""
    code = main(["papers", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_list(capsys: Capture) -> None:
    """Every name with what it is, by paper."""
    code, out, err = run(capsys)
    assert (code, err) == (0, "")
    for exhibit in EXHIBITS:
        assert re.search(
            rf"^  {re.escape(exhibit.name)} +{re.escape(exhibit.title)}$", out, re.MULTILINE
        )
        assert f"\n{exhibit.paper.label}\n" in f"\n{out}"


def test_a_table_as_text(capsys: Capture) -> None:
    """Our values above the printed ones, decimal points aligned, a mark and its reason."""
    assert run(capsys, "ms2016-table3")[1] == dedent("""\
        Moosavi & Strube 2016, Table 3: two halves, and one half left out (percent, printed below)

        response       MUC       B³    CEAFm    CEAFe        BLANC      LEA
        ---------  -------  -------  -------  -------  -----------  -------
        cr1        92.3077  66.6667  50.0000  44.4444  60.0000      60.0000
          printed  92.30    66.66    50.00    44.44    60.00
        cr2        60.0000  40.0000  66.6667  66.6667  35.2941      35.2941
          printed  60.00    40.00    66.66    66.66    32.29   [1]

        [1] 6/17 = 35.29 %: 28 links in the key, 6 in the response, all right, and no other
          links on either side
        note: one key entity of eight mentions; cr1 has it in two halves, cr2 one half only
        note: percentages in this paper are cut off after two decimals, not rounded
        """)


def test_a_figure_as_text_says_what_holds(capsys: Capture) -> None:
    """Its data, our choices, and the claims."""
    out = run(capsys, "ms2016-fig3")[1]
    assert "\n19.02                20   40.74   47.30   49.37   41.34   62.54   24.89\n" in out
    assert "our choice: the paper says what grows, not how" in out
    assert "\nholds: without a right link only MUC and LEA are 0" in out
    assert "\ndoes not hold: CEAFe drops from 0 % to 20 %" in out


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda exhibit: exhibit.name)
@pytest.mark.parametrize("output", ["text", "markdown", "latex", "json", "csv"])
def test_every_exhibit_in_every_output(output: str, exhibit: Exhibit) -> None:
    """Each has all printed numbers, and all but csv every remark."""
    content = exhibit.make()
    shown = ExhibitView(exhibit, content).render(output)
    if isinstance(content, ExhibitTable):
        for _, _, cell in content.cells():
            assert cell.printed in shown
    if output != "csv":
        remarks = [*content.choices, *content.notes, *(claim.text for claim in content.claims)]
        for remark in remarks:
            assert letters(remark) in letters(shown)


def letters(text: str) -> str:
    """Return the letters and digits of a text, whatever escapes and breaks its lines."""
    return re.sub(r"[^a-z0-9]", "", text.lower().replace("³", "3"))  # LaTeX has B$^3$


def test_csv_has_every_digit(capsys: Capture) -> None:
    """A line per cell, or per point, at full precision."""
    lines = list(csv.DictReader(io.StringIO(run(capsys, "rh2011-table1", "--to", "csv")[1])))
    (pairwise,) = [x for x in lines if (x["row"], x["column"]) == ("(b)", "pairwise")]
    assert float(pairwise["value"]) == pytest.approx(4200 / 67, abs=1e-12)
    assert pairwise["printed"] == "63.6"
    assert pairwise["why_they_differ"]
    points = list(csv.DictReader(io.StringIO(run(capsys, "rh2011-fig6", "--to", "csv")[1])))
    assert [point["muc"] for point in points[:4]] == ["0.0", "28.57142857142857", "50.0", ""]


def test_json_has_everything(capsys: Capture) -> None:
    """A list, with values, print and whether they agree."""
    content = json.loads(run(capsys, "all", "--to", "json")[1])
    assert [one["name"] for one in content] == [exhibit.name for exhibit in EXHIBITS]
    cells = [cell for one in content for cell in one.get("cells", ())]
    assert all(cell["agrees"] is not False or cell["why_they_differ"] for cell in cells)
    assert sum(cell["agrees"] is False for cell in cells) == 10


class Links(HTMLParser):
    """Collects what a page refers to, and what can be referred to."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag's name, id and reference."""
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in {"href", "src", "xlink:href"}:
                self.targets.append(value or "")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All exhibits, written once."""
    pytest.importorskip("matplotlib", reason="figures need matplotlib, which is an extra")
    folder = tmp_path_factory.mktemp("papers") / "new" / "folder"
    assert main(["papers", "all", "-o", str(folder)]) == 0
    return folder


class TestFolder:
    """`-o DIR`."""

    def test_has_every_file(self, folder: Path) -> None:
        """Three for each exhibit, and the page."""
        expected = {"index.html"}
        for exhibit in EXHIBITS:
            kinds = ("svg", "png", "csv") if exhibit.is_figure else ("md", "tex", "csv")
            expected |= {f"{exhibit.name}.{kind}" for kind in kinds}
        assert {path.name for path in folder.iterdir()} == expected

    def test_the_page_stands_alone(self, folder: Path) -> None:
        """No script, no other host; every link leads somewhere, every id is one."""
        text = (folder / "index.html").read_text("utf-8")
        page = Links()
        page.feed(text)
        assert "script" not in page.tags
        assert page.tags.count("svg") == len(find("figures"))
        assert len(set(page.ids)) == len(page.ids)
        for target in page.targets:
            if target.startswith("#"):
                assert target[1:] in page.ids, target
            elif target != "data:,":  # the empty icon
                assert (folder / target).is_file(), target
        hosts = set(re.findall(r"https?://[\w.]+", text))
        assert hosts <= {"http://www.w3.org"}, "names of namespaces only"
        for reference in re.findall(r"url\((.*?)\)", text):
            assert reference.strip("\"'")[1:] in page.ids
        assert "light-dark(" in text
        for exhibit in EXHIBITS:
            assert f'id="{exhibit.name}"' in text

    def test_drawings_are_pictures(self, folder: Path) -> None:
        """SVG and PNG by their first bytes; PNG wide enough for print."""
        for exhibit in find("figures"):
            assert (folder / f"{exhibit.name}.svg").read_bytes().startswith(b"<?xml")
            png = (folder / f"{exhibit.name}.png").read_bytes()
            assert png.startswith(b"\x89PNG")
            assert int.from_bytes(png[16:20], "big") >= 1000

    @pytest.mark.parametrize("paper", ["rh2011", pytest.param("figures", marks=pytest.mark.long)])
    def test_svg_is_the_same_each_time(self, folder: Path, tmp_path: Path, paper: str) -> None:
        """In another process with other hashes, and with a style of the user's own."""
        (tmp_path / "matplotlibrc").write_text("lines.linewidth: 9\nsvg.fonttype: none\n")
        subprocess.run(
            [sys.executable, "-m", "scoref", "papers", paper, "-o", str(tmp_path / "again")],
            env={**os.environ, "PYTHONHASHSEED": "7", "MATPLOTLIBRC": str(tmp_path)},
            check=True,
            stdout=subprocess.DEVNULL,
        )
        drawn = [exhibit for exhibit in find(paper) if exhibit.is_figure]
        assert drawn
        for exhibit in drawn:
            name = f"{exhibit.name}.svg"
            assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes(), name

    def test_is_written_into_again(self, capsys: Capture, tmp_path: Path) -> None:
        """What else is there stays; our page is ours to replace."""
        (tmp_path / "notes.txt").write_text("mine")
        assert run(capsys, "luo2005", "-o", tmp_path)[0] == 0
        code, out, _ = run(capsys, "pradhan2014", "-o", tmp_path)
        assert code == 0
        assert out == f"9 files written; {tmp_path / 'index.html'} shows them\n"
        assert (tmp_path / "notes.txt").read_text() == "mine"
        assert "pradhan2014-section4" in (tmp_path / "index.html").read_text("utf-8")
        assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]

    def test_another_page_is_left_alone(self, capsys: Capture, tmp_path: Path) -> None:
        """And nothing else is written beside it."""
        (tmp_path / "index.html").write_text("<h1>my site</h1>")
        code, _, err = run(capsys, "luo2005", "-o", tmp_path)
        assert code == 2
        assert "was not written by scoref" in err
        assert [path.name for path in tmp_path.iterdir()] == ["index.html"]

    def test_a_file_is_no_folder(self, capsys: Capture, tmp_path: Path) -> None:
        """It stays as it is."""
        (tmp_path / "file").write_text("mine")
        code, _, err = run(capsys, "luo2005", "-o", tmp_path / "file")
        assert code == 2
        assert "is a file, expected a directory" in err
        assert (tmp_path / "file").read_text() == "mine"

    def test_a_folder_that_cannot_be_made(self, capsys: Capture, tmp_path: Path) -> None:
        """Its parent is a file."""
        (tmp_path / "file").write_text("mine")
        code, _, err = run(capsys, "luo2005", "-o", tmp_path / "file" / "under")
        assert code == 2
        assert "cannot make" in err


class TestWithoutMatplotlib:
    """It is an extra."""

    @pytest.fixture(autouse=True)
    def _without(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "matplotlib", None)

    @pytest.mark.parametrize("name", ["all", "figures", "ms2016", "rh2011-fig7"])
    def test_figures_say_what_is_missing(self, capsys: Capture, tmp_path: Path, name: str) -> None:
        """Before anything is written."""
        code, out, err = run(capsys, name, "-o", tmp_path / "folder")
        assert (code, out) == (2, "")
        assert "figures require matplotlib" in err
        assert "pip install 'scoref[figures]'" in err
        assert not (tmp_path / "folder").exists()

    def test_tables_still_work(self, capsys: Capture, tmp_path: Path) -> None:
        """And so does the data of figures."""
        assert run(capsys, "tables", "-o", tmp_path)[0] == 0
        assert (tmp_path / "index.html").is_file()
        assert run(capsys, "all")[0] == 0
        assert run(capsys, "ms2016-fig4", "--to", "csv")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["luo2005-tabel1"], "did you mean 'luo2005-table1'?"),
        (["ms2016-fig9"], "did you mean 'ms2016-fig"),
        (["xyzzy"], "`scoref papers` lists the names"),
        (["luo2005", "--to", "csv"], "csv shows one table or figure, found 3"),
        (["-o", "folder"], "--out and --to require a NAME"),
        (["--to", "json"], "--out and --to require a NAME"),
    ],
)
def test_mistakes(capsys: Capture, arguments: list[str], message: str) -> None:
    """A message and code 2."""
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_a_format_makes_out_a_file(capsys: Capture, tmp_path: Path) -> None:
    """`-o OUT --to FORMAT` writes to one file what would be printed."""
    path = tmp_path / "tables"
    _, printed, _ = run(capsys, "luo2005", "--to", "json")
    assert run(capsys, "luo2005", "--to", "json", "-o", path)[:2] == (0, "")
    assert path.read_text("utf-8") == printed


def test_drawing_looks_at_the_points() -> None:
    """Two figures of one kind with other points are other drawings."""
    pytest.importorskip("matplotlib", reason="figures need matplotlib, which is an extra")
    from scoref.views.paper_charts import draw

    (four,), (five,) = find("ms2016-fig4"), find("ms2016-fig5")
    one, other = four.make(), five.make()
    assert isinstance(one, ExhibitFigure)
    assert isinstance(other, ExhibitFigure)
    assert draw(four, one)[0] != draw(four, other)[0]
