"""`scoref convert`: what is kept, what is named, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import scoref
from scoref.cli import main

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("target", ["x.jsonl", "x.conllu", "x.conll"])
def test_there_and_back_again(capsys: Capture, example: Path, tmp_path: Path, target: str) -> None:
    """A file that is converted twice has the same scores and words."""
    out, back = tmp_path / target, tmp_path / "back.conll"
    assert main(["convert", str(example / "key.conll"), "-o", str(out)]) == 0
    assert main(["convert", str(out), "-o", str(back), "--to", "conll"]) == 0
    capsys.readouterr()
    key = scoref.read(example / "key.conll", words=True)
    for path in (out, back):
        again = scoref.read(path, words=True)
        assert again.fingerprint() == key.fingerprint()
        assert again.text is not None
        assert key.text is not None
        assert list(again.text.columns["word"]) == list(key.text.columns["word"])
    response = example / "careful.conll"
    assert scoref.score(out, response).to_csv() == scoref.score(key, response).to_csv()


def test_what_is_unsupported_is_noted(capsys: Capture, tmp_path: Path) -> None:
    """A note lists what the other format does not support."""
    path, out = tmp_path / "x.conllu", tmp_path / "x.jsonl"
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head", "# sent_id = 1"]
    lines += ["1\tAnn\tAnn\tPROPN\t_\t_\t0\troot\t_\tEntity=(e1-person-1)", "", ""]
    path.write_text("\n".join(lines), "utf-8")
    assert main(["convert", str(path), "-o", str(out)]) == 0
    err = capsys.readouterr().err
    assert "jsonl does not support: lemma, pos, head, deprel, heads, entity type" in err
    assert main(["convert", str(path), "-o", str(tmp_path / "y.conllu")]) == 0
    assert capsys.readouterr().err == ""


def test_the_format_must_be_known(capsys: Capture, example: Path, tmp_path: Path) -> None:
    """The name of OUT or --to names the format."""
    key = str(example / "key.conll")
    assert main(["convert", key, "-o", str(tmp_path / "x.doc")]) == 2
    assert "name the format with --to" in capsys.readouterr().err
    assert main(["convert", key, "-o", str(tmp_path / "x.doc"), "--to", "jsnol"]) == 2
    assert "did you mean" in capsys.readouterr().err
    assert main(["convert", key, "-o", str(tmp_path / "x"), "--to", "jsonl-exclusive"]) == 2
    assert "can be read, but not written" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_standard_output_gets_the_very_file(capsys: Capture, example: Path, tmp_path: Path) -> None:
    """What a pipe receives is what a file would hold."""
    target = tmp_path / "key.jsonl"
    main(["convert", str(example / "key.conll"), "-o", str(target)])
    capsys.readouterr()

    assert main(["convert", str(example / "key.conll"), "--to", "jsonl"]) == 0

    assert capsys.readouterr().out == target.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["convert", "KEY"], "name the format with --to"),
        (["convert", "KEY", "--to", "brat"], "brat is two files"),
        (["convert", "KEY", "--to", "parquet"], "a file that is not text"),
        (["convert", "KEY", "--to", "xml"], "name a file or a directory"),
        (["count", "KEY", "KEY", "-o", "-"], "expected a file name"),
        (["report", "KEY", "KEY", "-o", "-"], "expected a file name"),
    ],
)
def test_no_file_is_called_a_dash(
    capsys: Capture,
    example: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    """A dash means standard output where a command can write there, and nothing elsewhere."""
    monkeypatch.chdir(example)

    assert main(["key.conll" if one == "KEY" else one for one in arguments]) == 2

    assert message in capsys.readouterr().err
    assert not Path("-").exists()


@pytest.mark.parametrize("target", ["conll", "corefud", "jsonl", "conllua"])
def test_blind_files_have_words_and_nothing_else(
    capsys: Capture, example: Path, tmp_path: Path, target: str
) -> None:
    """A test set can be handed out; no trace of the annotation is left."""
    key, blind = example / "key.conll", tmp_path / f"blind.{target}"
    assert main(["convert", str(key), "-o", str(blind), "--to", target, "--blind"]) == 0
    capsys.readouterr()
    before, after = (scoref.read(path, words={"word"}) for path in (key, blind))
    assert len(after) == 0
    assert before.text is not None
    assert after.text is not None
    assert list(after.text.columns["word"]) == list(before.text.columns["word"])
    # Another annotation of the same words gives the same bytes.
    other = tmp_path / f"other.{target}"
    command = [
        "convert",
        str(example / "careful.conll"),
        "-o",
        str(other),
        "--to",
        target,
        "--blind",
    ]
    assert main(command) == 0
    assert other.read_bytes() == blind.read_bytes()


def test_blind_files_keep_annotations_unless_only_words_are_asked_for(
    capsys: Capture, tmp_path: Path
) -> None:
    """Tags, parses, lemmas, speakers and named entities; no trace of them is left."""
    key = tmp_path / "key.conll"
    cells = ["d", "0", "0", "Ann", "NNP", "(NP*)", "ann_lemma", "01", "2", "Bea", "(PERSON)", "(1)"]
    key.write_text("#begin document (d); part 000\n" + "\t".join(cells) + "\n\n#end document\n")
    for target in ("conll", "corefud", "jsonl", "crac"):
        out = tmp_path / f"out.{target}"
        command = ["convert", str(key), "-o", str(out), "--to", target, "--blind"]
        assert main(command) == 0
        kept = out.read_text("utf-8")
        assert main([*command, "--words-only"]) == 0
        found = out.read_text("utf-8")
        assert "Ann" in found
        assert not [tag for tag in ("NNP", "NP*", "ann_lemma", "Bea", "PERSON") if tag in found]
        assert ("NNP" in kept) == (target in {"conll", "corefud"})
    capsys.readouterr()
    assert main(["convert", str(key), "-o", str(tmp_path / "x.conll"), "--words-only"]) == 2
    assert "hint: add --blind" in capsys.readouterr().err
    assert not (tmp_path / "x.conll").exists()


@pytest.mark.parametrize("target", ["csv", "clusters"])
def test_blind_files_must_have_words(
    capsys: Capture, example: Path, tmp_path: Path, target: str
) -> None:
    """A table without mentions would say nothing."""
    out = tmp_path / "x"
    assert (
        main(["convert", str(example / "key.conll"), "-o", str(out), "--to", target, "--blind"])
        == 2
    )
    assert f"{target} does not support words" in capsys.readouterr().err
    assert not out.exists()
