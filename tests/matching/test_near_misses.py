"""Positions that count otherwise get a note that says what to do, and real responses do not."""

from __future__ import annotations

import json
import random
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given

import scoref
from scoref.cli import main
from scoref.exceptions import DocumentError, MentionError
from tests.conftest import REPOSITORY
from tests.strategies import Pair, corpora, named

FERRY = REPOSITORY / "examples" / "ferry"


def shifted(by: tuple[int, int]) -> dict[str, list[list[tuple[int, int]]]]:
    """Return the entities of the example after a shift of starts and ends."""
    key = scoref.read(FERRY / "key.conll")
    entities: dict[str, dict[int, list[tuple[int, int]]]] = {}
    for document, entity, start, end in zip(
        *(column.tolist() for column in (key.document, key.entity, key.start, key.end)), strict=True
    ):
        span = (max(start + by[0], 0), end + by[1])
        entities.setdefault(key.documents[document].name, {}).setdefault(entity, []).append(span)
    return {name: list(found.values()) for name, found in entities.items()}


@pytest.mark.parametrize(
    ("by", "note"),
    [
        ((0, 1), "if their ends were smaller by 1, but only .* the response's ends look exclusive"),
        ((1, 1), "starts and ends were smaller by 1, .* the response seems to count tokens from 1"),
    ],
)
def test_a_shifted_side_is_noted(by: tuple[int, int], note: str) -> None:
    """With the number of mentions that would match; on either side."""
    key = shifted((0, 0))
    (found,) = scoref.score(key, shifted(by)).notes
    assert found.startswith("66 of 66 response mentions would match the key if")
    assert re.search(note, found)
    (found,) = scoref.score(shifted(by), key).notes
    assert "larger by 1" in found
    assert "the key" in found


def test_the_hint_works(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command of the note corrects the file, with a key of another format."""
    key = scoref.read(FERRY / "key.conll", words=True)
    key.write(tmp_path / "key.jsonl", "jsonl")
    lines = [json.loads(line) for line in (tmp_path / "key.jsonl").read_text().splitlines()]
    for line in lines:
        line.pop("offsets", None)
        line["clusters"] = [[[start, end + 1] for start, end in one] for one in line["clusters"]]
        last = sum(map(len, line["sentences"]))
        line["clusters"] = [[[s, min(e, last - 1)] for s, e in one] for one in line["clusters"]]
        line["clusters"].append([[0, 0]])  # looks inclusive, which makes the reader guess wrong
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["score", "-q", str(FERRY / "key.conll"), str(tmp_path / "r.jsonl")]) == 0
    shown = capsys.readouterr()
    assert "--format jsonl-exclusive" in shown.err
    assert float(shown.out) < 10
    for line in lines:
        line["clusters"].pop()
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    words = ["convert", str(tmp_path / "r.jsonl"), "-o", str(tmp_path / "fixed.jsonl")]
    assert main([*words, "--format", "jsonl-exclusive"]) == 0
    assert main(["score", "-q", str(FERRY / "key.conll"), str(tmp_path / "fixed.jsonl")]) == 0
    shown = capsys.readouterr()
    assert shown.out == "100.00\n"
    assert "exclusive" not in shown.err


@pytest.mark.parametrize("system", ["baseline", "careful", "hasty"])
def test_a_real_response_has_no_such_note(system: str) -> None:
    """However bad it is."""
    result = scoref.score(FERRY / "key.conll", FERRY / f"{system}.conll")
    assert not any("would match" in note for note in result.notes)


@given(corpora(most=3))
def test_labels_are_not_shifted(documents: list[Pair]) -> None:
    """Mentions that are not spans have no ends."""
    result = scoref.score(*named(documents))
    assert not any("would match" in note for note in result.notes)


def test_a_conversion_that_fits_is_applied_by_its_flag() -> None:
    """The note names the value, and the value gives the score of the right positions."""
    key = shifted((0, 0))
    for by in ((0, 1), (1, 1), (1, 2)):
        response = shifted(by)
        (note,) = scoref.score(key, response).notes
        named_value = re.search(r"--positions ([\w-]+)", note)
        assert named_value
        result = scoref.score(key, response, policy={"positions": named_value[1]})
        assert result["conll"].f1 == 1
        assert f"|positions:{named_value[1]}|" in result.signature
        (note,) = result.notes
        assert note == f"converted the positions of 66 response mentions ({named_value[1]})"


def test_spans_behind_the_end_of_a_document_are_diagnosed() -> None:
    """A key from a file knows its length, so such a response is refused, with the near miss."""
    key = scoref.read(FERRY / "key.conll")
    response = shifted((1, 2))
    with pytest.raises(DocumentError, match="but the response has the span") as error:
        scoref.score(key, response)
    assert "66 of 66" in error.value.hint
    assert "--positions from-1-exclusive" in error.value.hint


def test_a_conversion_that_cannot_be_applied_to_all_mentions() -> None:
    """The note does not suggest a flag that would refuse the response."""
    key, response = shifted((0, 0)), shifted((0, 1))
    next(iter(response.values())).append([(3, 3)])
    (note,) = scoref.score(key, response).notes
    assert "1 cannot be converted, so correct them in the file" in note
    assert "--positions" not in note
    with pytest.raises(MentionError, match=r"the mention \(3, 3\) in document .*exclusive-ends"):
        scoref.score(key, response, policy={"positions": "exclusive-ends"})


def test_a_conversion_that_does_harm_is_noted() -> None:
    """Somebody kept the flag after the file was corrected."""
    key = shifted((0, 0))
    result = scoref.score(key, key, policy={"positions": "from-0"})
    assert any("66 match without --positions from-0" in note for note in result.notes)


@pytest.mark.parametrize("seed", range(60))
def test_random_mentions_have_no_near_miss(seed: int) -> None:
    """Neither few nor many, in short or long documents."""
    draw = random.Random(seed)  # noqa: S311  # not for secrets
    tokens, mentions = draw.choice([(30, 8), (100, 15), (300, 100), (3000, 500)])

    def side() -> list[list[tuple[int, int]]]:
        starts = [draw.randrange(tokens) for _ in range(mentions)]
        spans = {(start, start + draw.choice([0, 0, 1, 1, 2, 5])) for start in starts}
        return [[span] for span in sorted(spans)]

    notes = scoref.score({"d": side()}, {"d": side()}).notes
    assert not any("would match" in note for note in notes)


@pytest.mark.parametrize(
    ("key", "response", "is_noted"),
    [
        ("pred.conll", "gold.conll", True),
        ("my-response/a.conll", "key/a.conll", True),
        ("gold.conll", "pred.conll", False),
        ("pred/gold.conll", "pred/system.conll", False),
        ("pred/a.conll", "pred/gold.conll", False),
        ("gold-pred.conll", "gold.conll", False),
        ("monkey.conll", "gold.conll", False),
    ],
)
def test_swapped_sides(key: str, response: str, is_noted: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """Only the names of files can tell: both must say that they are the other side."""
    for name in (key, response):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(FERRY / "key.conll", tmp_path / name)
    notes = scoref.score(tmp_path / key, tmp_path / response).notes
    assert any("if they are swapped" in note for note in notes) == is_noted
