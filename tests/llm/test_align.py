"""From files that a language model wrote to a corpus, and directly to a score."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scoref
from scoref import Policy
from scoref.cli import main
from scoref.exceptions import DocumentError, FormatError, UsageError
from scoref.llm.align import align
from scoref.llm.completions import read_completions, unwrap
from scoref.llm.prompts import write_markup

TWO = """#begin document (one); part 000
one 0 0 Ann (1)
one 0 1 saw -
one 0 2 the (2
one 0 3 old -
one 0 4 man 2)
one 0 5 . -

one 0 0 She (1)
one 0 1 waved -
one 0 2 to -
one 0 3 him (2)
one 0 4 . -

#end document
#begin document (two); part 000
two 0 0 Tom (1)
two 0 1 lost -
two 0 2 his (1)
two 0 3 only -
two 0 4 key -
two 0 5 again -
two 0 6 . -

#end document
"""
ONE_TEXT = "[Ann](#a) saw [the old man](#b) .\n[She](#a) waved to [him](#b) ."
TWO_TEXT = "[Tom](#t) lost [his](#t) only key again ."
ENTITIES = {"one": [[(0, 0), (6, 6)], [(2, 4), (9, 9)]], "two": [[(0, 0), (2, 2)]]}


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A key of two documents."""
    path = tmp_path / "key.conll"
    path.write_text(TWO, "utf-8")
    return path


def entities(found: scoref.GeneratedAlignment) -> dict[str, list[list[object]]]:
    """Return the entities of an alignment."""
    return found.corpus.entities()


def test_by_name(key: Path, tmp_path: Path) -> None:
    """A mapping, a directory, JSON lines, a JSON object."""
    texts = {"one": ONE_TEXT, "two": TWO_TEXT}
    assert entities(align(key, texts)) == ENTITIES
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.model.txt").write_text(text, "utf-8")
    found = align(key, folder)
    assert entities(found) == ENTITIES
    assert found.paired == "by name"
    lines = tmp_path / "lines.jsonl"
    rows = [{"doc_id": name, "prompt": "?", "completion": text} for name, text in texts.items()]
    lines.write_text("\n".join(map(json.dumps, reversed(rows))), "utf-8")
    assert entities(align(key, lines)) == ENTITIES
    (tmp_path / "object.json").write_text(json.dumps(texts), "utf-8")
    assert entities(align(key, tmp_path / "object.json")) == ENTITIES


def test_as_services_answer(key: Path, tmp_path: Path) -> None:
    """The text is in `choices`, in `message`, or in the body of a batch."""
    path = tmp_path / "batch.jsonl"
    one = {
        "custom_id": "one",
        "response": {"body": {"choices": [{"message": {"content": ONE_TEXT}}]}},
    }
    two = {"id": "two", "messages": [{"content": "?"}, {"role": "assistant", "content": TWO_TEXT}]}
    path.write_text(f"{json.dumps(one)}\n{json.dumps(two)}\n", "utf-8")
    assert entities(align(key, path)) == ENTITIES


def test_quotes_as_objects_of_json_lines(key: Path, tmp_path: Path) -> None:
    """The completion of a line need not be a string."""
    path = tmp_path / "lines.jsonl"
    one = {"doc_id": "one", "prompt": "Ann saw", "output": {"entities": [["Ann", "She"]]}}
    two = {"doc_id": "two", "prompt": "Tom lost", "output": [["Tom", "his"]]}
    path.write_text(f"{json.dumps(one)}\n{json.dumps(two)}\n", "utf-8")
    found = entities(align(key, path))
    assert found == {"one": [[(0, 0), (6, 6)]], "two": ENTITIES["two"]}


def test_by_order_and_by_content(key: Path, tmp_path: Path) -> None:
    """A line per document, in order; or in another order, or with one document missing."""
    path = tmp_path / "lines.txt"
    one = ONE_TEXT.replace("\n", " ")
    path.write_text(f"{one}\n{TWO_TEXT}\n", "utf-8")
    found = align(key, path)
    assert found.paired == "by order"
    assert entities(found) == ENTITIES
    path.write_text(f"{TWO_TEXT}\n{one}\n", "utf-8")
    found = align(key, path)
    assert found.paired == "by content"
    assert entities(found) == ENTITIES
    path.write_text(f"Here it is:\n\n{TWO_TEXT}\n", "utf-8")
    assert entities(align(key, path)) == {"two": ENTITIES["two"]}


def test_a_text_in_pieces_is_joined(key: Path) -> None:
    """A model that was asked to continue may begin with the words that it ended with."""
    parts = [
        "[Ann](#a) saw [the old man](#b) .",
        "[the old man](#b) . [She](#a) waved to [him](#b) .",
    ]
    one = scoref.read(key, words=True)
    found = align(one, {"one": "\n".join(parts), "two": TWO_TEXT})
    assert entities(found) == ENTITIES


def test_a_text_with_an_unknown_name(key: Path) -> None:
    """It is matched by content; if that fails, it is refused instead of being matched by order."""
    assert entities(align(key, {"one": ONE_TEXT, "zwei": TWO_TEXT})) == ENTITIES
    for other in (ONE_TEXT, '[["Nobody", "nothing"]]'):
        with pytest.raises(DocumentError, match="belongs to no document"):
            align(key, {"one": ONE_TEXT, "zwei": other}, "auto")


def test_a_signature_runs_no_code(key: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A published signature can name a function, but only the user can make scoref call it."""
    signature = Policy(markup="function=os:system").signature("abc")
    with pytest.raises(UsageError, match="cannot make scoref run"):
        Policy.like(signature)
    assert main(["score", str(key), str(key), "--like", signature]) == 2
    assert "os:system" in capsys.readouterr().err


def test_texts_in_different_markups_do_not_continue_each_other(key: Path, tmp_path: Path) -> None:
    """They are two completions for one document."""
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "one.a.txt").write_text(ONE_TEXT, "utf-8")
    (folder / "one.b.txt").write_text("<m id='1'>Ann</m> saw <m id='2'>the old man</m>", "utf-8")
    with pytest.raises(DocumentError, match="different markups"):
        align(key, folder)


def test_unclosed_tags(key: Path) -> None:
    """Dropped, or closed as the policy says."""
    text = {"one": "Ann|[e1] saw the|[e2 old man . She|[e1] waved to him|[e2] ."}
    spans = {
        how: {span for entity in entities(align(key, text, "crac", how))["one"] for span in entity}
        for how in ("drop", "close-at-sentence", "close-at-end")
    }
    rest = {(0, 0), (6, 6), (9, 9)}
    assert spans["drop"] == rest
    assert spans["close-at-sentence"] == {*rest, (2, 5)}
    assert spans["close-at-end"] == {*rest, (2, 10)}
    with pytest.raises(UsageError, match="unclosed_tags"):
        align(key, text, "crac", "guess")  # type: ignore[arg-type]


def test_fidelity_says_what_happened(key: Path) -> None:
    """Every count, and every change with its place."""
    text = "Sure!\n\n[Anne](#a) saw [the man](#b) .\n[She](#a) really waved at [him"
    found = align(key, {"one": text})
    counts = found.fidelity
    assert (counts.tokens, counts.kept, counts.altered, counts.dropped) == (11, 7, 2, 2)
    assert (counts.inserted, counts.outside) == (1, 1)
    assert counts.tags == {"unclosed": 1}
    assert (counts.mentions, counts.placed) == (3, 3)
    assert counts.truncated == {}
    kinds = [(change.kind, change.start, change.words) for change in found.documents[0].changes]
    assert ("altered", 0, "Anne") in kinds
    assert ("dropped", 3, "") in kinds
    assert ("inserted", 7, "really") in kinds


def test_lost_and_adjusted_mentions(key: Path) -> None:
    """A mention none of whose words is there is lost; one whose edge is not there is adjusted."""
    text = "[Ann](#a) saw [the old man of the sea](#b) . [She](#a) waved to [him](#b) ."
    text += " [Nobody else](#c)"
    found = align(key, {"one": text})
    assert entities(found)["one"] == [[(0, 0), (6, 6)], [(2, 4), (9, 9)]]
    assert (found.fidelity.adjusted, found.fidelity.lost) == (1, 1)


def test_quotes_and_pronouns(key: Path) -> None:
    """Without a text of their own."""
    quotes = '{"entities": [{"mentions": ["Ann", "She"]}, {"mentions": ["the old man", "him"]}]}'
    assert entities(align(key, {"one": quotes}))["one"] == ENTITIES["one"]
    pronouns = "She -> Ann\nhim -> the old man"
    assert entities(align(key, {"one": pronouns}))["one"] == ENTITIES["one"]


def test_generated_text_is_scored_in_one_step(key: Path, tmp_path: Path) -> None:
    """The signature states the markup, the result has the fidelity."""
    path = tmp_path / "generated.txt"
    path.write_text(ONE_TEXT.replace("\n", " ") + f"\n{TWO_TEXT}\n", "utf-8")
    result = scoref.score(key, path, policy=Policy(markup="auto"))
    assert result["conll"].f1 == 1
    assert "|markup:auto|" in result.signature
    assert result.fidelity is not None
    assert result.fidelity.kept == 18
    again = scoref.score(key, path, policy=Policy.like(result.signature))
    assert again.signature == result.signature
    texts = {"one": ONE_TEXT, "two": TWO_TEXT}
    assert scoref.score(key, texts, policy=Policy(markup="markdown"))["conll"].f1 == 1


def test_every_command_takes_generated_text(
    key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As one of several systems, too."""
    path = tmp_path / "generated.txt"
    path.write_text(ONE_TEXT.replace("\n", " ") + f"\n{TWO_TEXT}\n", "utf-8")
    files = [str(key), str(path)]
    markup = ["--markup", "markdown"]
    assert main(["score", *files, *markup]) == 0
    assert "words: 100.00 % kept" in capsys.readouterr().out
    assert main(["score", *files, *markup, "--to", "json", "--jobs", "2"]) == 0
    assert json.loads(capsys.readouterr().out)["fidelity"]["markup"] == "markdown"
    assert main(["score", *files, *markup, "--to", "markdown"]) == 0
    assert "generated text in markdown" in capsys.readouterr().out
    assert main(["compare", *files, f"same={key}", *markup, "-m", "conll"]) == 0
    counts = str(tmp_path / "a.counts.json")
    assert main(["count", *files, *markup, "-o", counts]) == 0
    assert main(["gate", files[0], counts, files[1], *markup]) == 0
    assert main(["errors", *files, *markup]) == 0
    assert main(["explain", *files, *markup, "-m", "b3"]) == 0
    page = tmp_path / "report.html"
    path.write_text(ONE_TEXT.replace("\n", " ").replace("old ", "") + f"\n{TWO_TEXT}\n", "utf-8")
    assert main(["report", *files, *markup, "-o", str(page), "--with-text"]) == 0
    html = page.read_text("utf-8")
    assert "Fidelity of generated text" in html
    assert "<del>old</del>" in html
    assert main(["report", *files, *markup, "-o", str(page)]) == 0
    assert "<del>" not in page.read_text("utf-8")
    capsys.readouterr()


def test_the_align_command(key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It writes any format with words, and prints the fidelity."""
    path = tmp_path / "generated.txt"
    path.write_text(f"{TWO_TEXT.replace('only', 'own')}\n", "utf-8")
    out = tmp_path / "out.conllu"
    assert main(["align", str(key), str(path), "-o", str(out), "--changes"]) == 0
    printed = capsys.readouterr()
    assert "two, token 3: `only` became `own`" in printed.out
    assert "paired with the source by content" in printed.err
    assert scoref.read(out).entities() == {"two": ENTITIES["two"]}
    fidelity = tmp_path / "fidelity.json"
    command = ["align", str(key), str(path), "-o", str(out), "--force"]
    assert main([*command, "--fidelity", str(fidelity)]) == 0
    content = json.loads(fidelity.read_text("utf-8"))
    assert content["documents"]["two"]["fidelity"]["altered"] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ann saw the old man .", "no tags in `Ann saw"),
        ("", "no tags in"),
        ("[Nothing](#1) of this [is](#2) there at all , my [dear](#1) friend", "shares its words"),
    ],
)
def test_text_that_cannot_be_used(key: Path, tmp_path: Path, text: str, message: str) -> None:
    """Nothing is written, and the message says what to do."""
    path, out = tmp_path / "generated.txt", tmp_path / "out.conll"
    path.write_text(text, "utf-8")
    with pytest.raises((FormatError, DocumentError), match=message):
        align(key, path)
    assert main(["align", str(key), str(path), "-o", str(out)]) == 2
    assert not out.exists()


def test_a_source_without_words_is_refused(tmp_path: Path) -> None:
    """There is nothing to align with."""
    path = tmp_path / "key.csv"
    path.write_text("document,start,end,entity\na,0,1,x\n", "utf-8")
    with pytest.raises(UsageError, match="no words"):
        align(path, {"a": "[x](#1)"})


def test_code_fences_and_parts() -> None:
    """What is in fences counts; a fence that is not closed goes to the end."""
    assert unwrap("Sure:\n```xml\na\n```\nand\n```\nb\n```\nDone") == "a\n\nb\n"
    assert unwrap("Sure:\n```\na\nb") == "a\nb"
    assert unwrap("a ``` b") == "a ``` b"


def test_completions_of_other_types_are_refused() -> None:
    """A number is not a text."""
    with pytest.raises(UsageError, match="generated text is a list"):
        read_completions([1])  # type: ignore[list-item]


def test_empty_nodes_round_trip(tmp_path: Path) -> None:
    """A zero is anchored to the empty node of the key, or to a new one after the same word."""
    rows = [
        ("1", "Ana", "(e1)"),
        ("2", "vino", ""),
        ("2.1", "_", "(e1)"),
        ("3", "y", ""),
        ("3.1", "_", ""),
        ("4", "comi\u00f3", "(e2"),
        ("5", "pan", "e2)"),
    ]
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = 1"]
    for number, word, cell in rows:
        misc = f"Entity={cell}" if cell else "_"
        deps = "2:nsubj" if "." in number else "_"
        lines.append("\t".join([number, word, *["_"] * 6, deps, misc]))
    path = tmp_path / "key.conllu"
    path.write_text("\n".join(lines) + "\n\n", "utf-8")
    key = scoref.read(path, words=True)
    for markup in ("crac", "crac-json"):
        out = tmp_path / "out.txt"
        write_markup(key, out, markup)
        assert "##" in out.read_text("utf-8")
        assert scoref.score(path, out, policy=Policy(markup=markup))["mentions"].f1 == 1
    assert write_markup(key, out, "xml") == [
        "xml does not support empty nodes, which 1 mention has"
    ]
    found = align(key, ["Ana|[e1] vino ##|[e1] y ##|[e1] comi\u00f3|[e2 pan|e2]"])
    assert sorted(found.corpus.attributes["nodes"].tolist()) == ["", "", "1.1", "2.1"]
