"""`scoref official` prints what the CoNLL reference scorer v8.01 prints, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoref.cli import main
from tests.reference import peers
from tests.reference.documents import Shape, conll_text, draw_documents, write_files

KEY = ["(0", "0)", "(1)", "-", "(1)", "(2)"]
RESPONSE = ["(7", "7)", "(8)", "(8)", "-", "-"]
NAME = "(toy/a); part 000"
TOY = """\
====> (toy/a); part 000:
File (toy/a); part 000:
Entity 0: (0,1)
Entity 1: (2,2) (4,4)
Entity 2: (5,5)
====> (toy/a); part 000:
File (toy/a); part 000:
Entity 0: (0,1)
Entity 1: (2,2) (3,3)
"""
IDENTIFIED = """\
Total key mentions: 4
Total response mentions: 3
Strictly correct identified mentions: 2
Partially correct identified mentions: 0
No identified: 2
Invented: 1
"""
LINE = "-" * 74
TOTALS = f"""\

====== TOTALS =======
Identification of Mentions: Recall: (2 / 4) 50%\tPrecision: (2 / 3) 66.66%\tF1: 57.14%
{LINE}
"""
B3 = "Recall: (1.5 / 4) 37.5%\tPrecision: (1.5 / 3) 50%\tF1: 42.85%\n" + LINE + "\n"


def write(folder: Path, key: list[str], response: list[str]) -> list[str]:
    """Write one document of both sides."""
    paths = [folder / "key.conll", folder / "response.conll"]
    for path, cells in zip(paths, (key, response), strict=True):
        path.write_text(conll_text(NAME, cells), encoding="utf-8")
    return [str(path) for path in paths]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return what the command prints below its first line, which states versions."""
    assert main(["official", *arguments]) == 0
    version, _, rest = capsys.readouterr().out.partition("\n")
    assert version.startswith("version: 8.01 scoref ")
    return rest


@pytest.mark.parametrize("metric", ["muc", "bcub", "ceafm", "ceafe", "blanc", "all"])
def test_same_bytes_as_the_reference_scorer(
    metric: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its own test files, and random documents, each by itself."""
    reference = peers.reference_scorer()
    pairs = [
        (path.with_name(f"{path.name[:4]}.key"), path)
        for path in sorted((reference.folder / "test" / "DataFiles").glob("*.response"))
    ]
    for number, document in enumerate(draw_documents(5, Shape(documents=20))):
        (tmp_path / str(number)).mkdir()
        pairs.append(write_files(tmp_path / str(number), [document]))
    for key, response in pairs:
        for totals in ([], ["none"]):
            arguments = [metric, str(key), str(response), *totals]
            code, printed = reference.printed(*arguments)
            assert main(["official", *arguments, "--refuse-repeated"]) == code
            ours = capsys.readouterr().out
            assert ours.splitlines()[1:] == printed.splitlines()[1:], arguments


def test_all_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Entities are listed first, then the name, the mentions, the counts, and the totals."""
    files = write(tmp_path, KEY, RESPONSE)

    expected = f"{TOY}{NAME}:\n{IDENTIFIED}{B3}{TOTALS}Coreference: {B3}"
    assert run(capsys, "bcub", *files) == expected


def test_one_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The name comes first if one document is requested."""
    files = write(tmp_path, KEY, RESPONSE)

    expected = f"{NAME}:\n{TOY}{IDENTIFIED}{B3}{TOTALS}Coreference: {B3}"
    assert run(capsys, "bcub", *files, NAME) == expected


def test_totals_of_blanc(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """BLANC has three lines of totals."""
    files = write(tmp_path, KEY, RESPONSE)

    assert run(capsys, "BLANC", *files, "none") == (
        f"{TOTALS}\nCoreference:\n"
        f"Coreference links: Recall: (0 / 1) 0%\tPrecision: (0 / 1) 0%\tF1: 0%\n{LINE}\n"
        f"Non-coreference links: Recall: (1 / 5) 20%\tPrecision: (1 / 2) 50%\tF1: 28.57%\n{LINE}\n"
        f"BLANC: Recall: (0.1 / 1) 10%\tPrecision: (0.25 / 1) 25%\tF1: 14.28%\n{LINE}\n"
    )


def test_all_metrics_have_headings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`all` prints every metric below a heading."""
    printed = run(capsys, "all", *write(tmp_path, KEY, RESPONSE), "none")

    headings = [line for line in printed.splitlines() if line.startswith("METRIC")]
    assert headings == [f"METRIC {m}:" for m in ("muc", "bcub", "ceafm", "ceafe", "blanc")]


def test_document_that_the_response_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its response is shown without a name."""
    key, response = write(tmp_path, KEY, RESPONSE)
    with Path(key).open("a", encoding="utf-8") as stream:
        stream.write(conll_text("(toy/b); part 000", KEY))

    printed = run(capsys, "muc", key, response)
    assert "====> :\nFile :\n" in printed
    assert "Total response mentions: 0\n" in printed


@pytest.mark.parametrize("cut", [1, 5, 20, 40, 90, 130])
def test_a_response_that_is_not_written_to_its_end(
    example: Path, tmp_path: Path, cut: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some resolvers do not flush their file before they run the scorer: it reads what is there."""
    response = tmp_path / "response"
    response.write_bytes((example / "careful.conll").read_bytes()[:-cut])
    assert main(["official", "bcub", str(example / "key.conll"), str(response), "none"]) == 0
    output, notes = capsys.readouterr()
    assert "Coreference: Recall: (" in output
    assert (cut == 1) or "the file ends inside a document: is it complete?" in notes
    first = response.read_bytes().split(b"#end document")[0]
    response.write_bytes(first[:-cut])
    assert main(["official", "bcub", str(example / "key.conll"), str(response), "none"]) == 0


def test_a_directory_is_refused(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The arguments of the reference scorer are files."""
    assert main(["official", "bcub", str(example), str(example / "key.conll")]) == 2
    assert "name one file" in capsys.readouterr().err


def test_repeated_mentions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are named; with the flag, more than ten of all metrics end the program with code 1."""
    files = write(tmp_path, KEY, ["(7", "7)", "(8)|(9)|(7)", "-", "-", "-"])

    printed = run(capsys, "all", *files, "none")
    assert printed.count("Repeated mention in the response: 2, 2 11\n") == 10
    run(capsys, "muc", *files, "none", "--refuse-repeated")
    more = write(tmp_path, KEY, ["(7", "7)", "(8)|(9)|(7)|(6)", "-", "-", "-"])
    assert main(["official", "all", *more, "none", "--refuse-repeated"]) == 1
    assert "too many repeated mentions (> 10)" in capsys.readouterr().err


def test_mistakes_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown metric, document or file gets a message and code 2."""
    files = write(tmp_path, KEY, RESPONSE)

    for arguments in (["b3", *files], ["muc", *files, "toy/a"], ["muc", files[0], "absent"]):
        assert main(["official", *arguments]) == 2
        found = capsys.readouterr()
        assert not found.out
        assert "scoref: error" in found.err
