"""GAP: the text of its scorer, its warnings, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.analysis.presets import gap
from scoref.cli import main
from tests.conftest import REPOSITORY

EXAMPLES = REPOSITORY / "examples" / "presets"
HEADER = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"
PRONOUNS = ("she", "Her", "hers", "he", "HIM", "his")


def example(name: str, pronoun: str, one: str, other: str) -> str:
    """Return an example of the key."""
    return f"{name}\ttext\t{pronoun}\t0\tA\t1\t{one}\tB\t2\t{other}\tu"


def write(folder: Path, key: list[str], response: list[str]) -> tuple[str, str]:
    """Write both files."""
    (folder / "key.tsv").write_text("\n".join([HEADER, *key, ""]), "utf-8")
    (folder / "response.tsv").write_text("\n".join(response), "utf-8")
    return str(folder / "key.tsv"), str(folder / "response.tsv")


@pytest.mark.parametrize("response", ["all-true", "synthetic"])
def test_the_text_is_that_of_the_published_scorer(
    data: Path, response: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Line for line; its warnings are notes."""
    folder = data / "corpora" / "gap"
    key = folder / "gap-development.tsv"
    assert main(["slices", str(key), f"{folder}/{key.stem}.{response}.tsv", "--preset", "gap"]) == 0
    shown = capsys.readouterr()
    lines = (folder / f"{key.stem}.{response}.score.txt").read_text("utf-8").splitlines()
    warnings = [line for line in lines if line.startswith("Multiple")]
    assert shown.out.splitlines() == [line for line in lines if line not in warnings]
    assert all(f"scoref: note: {line}: " in shown.err for line in warnings)


def test_figures(data: Path) -> None:
    """What the text rounds."""
    folder = data / "corpora" / "gap"
    found = gap(folder / "gap-development.tsv", folder / "gap-development.synthetic.tsv")
    overall = found.tables["examples"]["overall"]
    assert [overall[name] for name in ("tp", "fp", "fn", "tn")] == [1344, 497, 505, 1654]
    assert found.figures["bias"] == pytest.approx(0.9041777)


def test_json_has_the_groups_and_the_bias(capsys: pytest.CaptureFixture[str]) -> None:
    """From 0 to 1, at the top."""
    files = [str(EXAMPLES / name) for name in ("gap.tsv", "gap.answers.tsv")]
    assert main(["slices", *files, "--preset", "gap", "--to", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["feminine"] == {
        "recall": 1 / 3,
        "precision": 0.5,
        "f1": 0.4,
        "tp": 1,
        "fp": 1,
        "fn": 2,
        "tn": 2,
    }
    assert found["bias"] == pytest.approx(0.4 / found["masculine"]["f1"])


def test_warnings_of_the_published_scorer(tmp_path: Path) -> None:
    """The first answer counts; what is not an answer is a false negative."""
    key = [example("a", "she", "TRUE", "FALSE"), example("b", "he", "FALSE", "FALSE")]
    files = write(tmp_path, [*key, key[0]], ["a\ttrue\tMaybe", "a\tFALSE\tFALSE", "c\tTRUE\tTRUE"])
    found = gap(*files)
    assert found.notes == (
        "Multiple annotations for a: the first counts, not that of line 4",
        "Multiple annotations for a: the first counts, not that of line 2",
        "Unexpected label! Maybe: not an answer, in line 1",
        "Missing output for a: counted as a false negative",
        "Missing output for b: counted as a false negative",
        "ignored 1 answer to examples that the key lacks: c",
    )
    assert str(found).splitlines()[:3] == [
        "Overall recall: 25.0 precision: 100.0 f1: 40.0",
        "\t\ttp 1\tfp 0",
        "\t\tfn 3\ttn 0",
    ]
    assert str(found).endswith("Bias (F/M): -\n")


def test_many_warnings_are_counted(tmp_path: Path) -> None:
    """Ten of each kind are shown."""
    key = [example(f"e{at}", "she", "TRUE", "FALSE") for at in range(1013)]
    found = gap(*write(tmp_path, key, ["e0\tTRUE\tFALSE"]))
    assert len(found.notes) == 11
    assert found.notes[-1] == "Missing output for 1,002 more"


@given(
    st.lists(
        st.tuples(
            st.sampled_from(PRONOUNS),
            *[st.booleans()] * 2,
            *[st.sampled_from([True, False, None])] * 2,
        ),
        min_size=1,
    )
)
def test_decisions_are_counted(
    tmp_path_factory: pytest.TempPathFactory, examples: list[tuple[object, ...]]
) -> None:
    """Each by its gender, as a slow count has them."""
    key, response = [], ["none\tTRUE\tTRUE"]
    expected = {"feminine": [0, 0, 0, 0], "masculine": [0, 0, 0, 0]}
    for at, (pronoun, one, other, *answers) in enumerate(examples):
        key.append(example(f"e{at}", str(pronoun), str(one).upper(), str(other).upper()))
        response.append("\t".join([f"e{at}", *map(str, answers)]))
        gender = "masculine" if str(pronoun).lower() in {"he", "him", "his"} else "feminine"
        for true, answer in zip((one, other), answers, strict=True):
            outcomes = (
                true and answer,
                not true and answer,
                (true and not answer) or answer is None,
            )
            place = next((place for place, hit in enumerate(outcomes) if hit), 3)
            expected[gender][place] += 1
    found = gap(*write(tmp_path_factory.mktemp("gap"), key, response)).tables["examples"]
    for gender, counts in expected.items():
        assert [found[gender][name] for name in ("tp", "fp", "fn", "tn")] == counts


@pytest.mark.parametrize(
    ("key", "response", "message"),
    [
        ([], ["a\tTRUE\tFALSE"], "key.tsv: found no rows"),
        (
            [example("a", "it", "TRUE", "FALSE")],
            ["a\tTRUE\tTRUE"],
            "key.tsv:2: found the pronoun `it`",
        ),
        (
            [example("a", "he", "yes", "FALSE")],
            ["a\tTRUE\tTRUE"],
            "key.tsv:2: found the labels `yes`",
        ),
        ([example("a", "he", "TRUE", "FALSE")], ["a\tTRUE"], "response.tsv:1: found 2 cells"),
        ([example("a", "he", "TRUE", "FALSE")], [""], "response.tsv: found no rows"),
        ([example("a", "he", "TRUE", "FALSE")], ["b\tTRUE\tTRUE"], "answers no example of"),
        (
            [f'a\t"text\the\t0\tA\t1\tTRUE\tB\t2\tFALSE\tu\nb\t"{HEADER}'],
            ["a\tTRUE\tTRUE"],
            "key.tsv:2: found a quoted cell over several lines",
        ),
    ],
)
def test_what_is_refused(
    tmp_path: Path,
    key: list[str],
    response: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With the file, the line, what was found and what was expected."""
    assert main(["slices", *write(tmp_path, key, response), "--preset", "gap"]) == 2
    assert message in capsys.readouterr().err


def test_a_key_of_another_format(capsys: pytest.CaptureFixture[str]) -> None:
    """The header says that it is not GAP's."""
    path = str(REPOSITORY / "examples" / "ferry" / "key.conll")
    assert main(["slices", path, path, "--preset", "gap"]) == 2
    assert (
        "key.conll:1: found no column `ID`, expected the columns ID, A-coref"
        in capsys.readouterr().err
    )
