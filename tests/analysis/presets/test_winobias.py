"""WinoBias: parts by the names of documents and files, average and difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoref.analysis.presets import winobias
from scoref.cli import main
from scoref.exceptions import UsageError
from tests.conftest import REPOSITORY

EXAMPLES = REPOSITORY / "examples" / "presets" / "winobias"
PUBLISHED = {
    "pro": {"muc": 95.62, "b3": 95.64, "ceafe": 95.65, "lea": 95.64, "conll": 95.64, "dropped": 33},
    "anti": {"muc": 84.12, "b3": 84.0, "ceafe": 83.87, "lea": 84.0, "conll": 84.0, "dropped": 110},
    "average": {"conll": 89.82},
    "difference": {"conll": 11.64},
}
KEY = [[(0, 1), (6, 6)]]


def test_published_figures(data: Path) -> None:
    """The development set with dropped documents."""
    stem = data / "corpora" / "winobias" / "dev_type1"
    pairs = [
        (f"{stem}_{side}.key.conll", f"{stem}_{side}.response.conll") for side in ("pro", "anti")
    ]
    found = winobias(pairs)
    for row, values in PUBLISHED.items():
        for name, value in values.items():
            shown = found.tables["dev type1"][row][name]
            assert shown == value if name == "dropped" else round(100 * shown, 2) == value
    assert "dev type1 pro: the response has no mention in 33 of 396 documents" in found.notes


def test_directories_are_divided_by_the_names_of_documents() -> None:
    """One pair with all documents has the scores of a pair per part."""
    together = winobias([(EXAMPLES / "key", EXAMPLES / "response")])
    parts = [
        (EXAMPLES / "key" / name, EXAMPLES / "response" / name)
        for name in ("type1_anti.conll", "type1_pro.conll")
    ]
    assert winobias(parts).tables == together.tables
    rows = together.tables["type1"]
    assert [*rows] == ["pro", "anti", "average", "difference"]
    assert [rows[side]["dropped"] for side in ("pro", "anti")] == [0, 1]
    assert rows["difference"]["conll"] == rows["pro"]["conll"] - rows["anti"]["conll"]


@pytest.mark.parametrize(
    ("document", "part"),
    [
        ("nw/dev_type1/not_stereotype//0", ("dev type1", "anti")),
        ("nw/test_type2/stereotype//12", ("test type2", "pro")),
        ("type2-anti-3", ("type2", "anti")),
        ("anti_stereotyped_type1.txt.dev/4", ("type1", "anti")),
        ("pro_stereotyped_type2.txt.test/4", ("type2", "pro")),
    ],
)
def test_names_of_documents(document: str, part: tuple[str, str]) -> None:
    """As published, and as people write them."""
    found = winobias([({document: KEY}, {document: KEY})], ["muc"])
    assert [(dataset, side) for dataset, rows in found.tables.items() for side in rows] == [part]
    assert found.notes[-1].endswith("documents: no average and no difference")


def test_the_file_states_the_part(tmp_path: Path) -> None:
    """If documents do not."""
    pairs = []
    for side in ("pro", "anti"):
        path = tmp_path / f"dev_type2_{side}_stereotype.v4_auto_conll"
        name = f"{side}//0"
        path.write_text(
            f"#begin document (x/{side[:1]}); part 000\n{name} 0 0 a (1)\n#end document\n"
        )
        pairs.append((path, path))
    assert [*winobias(pairs).tables["dev type2"]] == ["pro", "anti", "average", "difference"]


def test_what_is_refused() -> None:
    """Documents of an unknown part, and documents of several pairs."""
    with pytest.raises(UsageError, match=r"document x of .* does not state its part of WinoBias"):
        winobias([({"x": KEY}, {"x": KEY})])
    pair = ({"type1/pro/0": KEY}, {"type1/pro/0": KEY})
    with pytest.raises(UsageError, match="are in two pairs of files"):
        winobias([pair, pair])


def test_the_command_takes_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    """And the options of scoring."""
    files = [
        str(EXAMPLES / side / f"type1_{part}.conll")
        for part in ("pro", "anti")
        for side in ("key", "response")
    ]
    words = ["slices", *files, "--preset", "winobias", "-m", "conll", "--singletons", "drop"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[2:6] == [
        "pro         90.62          8        0",
        "anti        63.33          8        1",
        "average     76.98",
        "difference  27.29",
    ]
    assert shown.count("|singletons:drop|") == 2
    assert main(["slices", *files[:3], "--preset", "winobias"]) == 2
    assert (
        "found 3 files, expected --preset winobias KEY RESPONSE [KEY RESPONSE]..."
        in capsys.readouterr().err
    )
