"""Errors: the worked examples, agreement with slow definitions, and what repairs promise."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.analysis.errors import KINDS, Errors, errors
from scoref.cli import main
from scoref.metrics.bcubed import B_CUBED
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy
from tests.conftest import REPOSITORY
from tests.reference.error_definitions import operations, original_errors, strict_errors
from tests.strategies import MENTIONS, Pair, Partition, corpora, named, pairs

CASE = json.loads((REPOSITORY / "tests" / "cases" / "seed_cases.json").read_text("utf-8"))[
    "diagnostic_cases"
][0]
TYPES = {"NAM": "name", "NOM": "nominal", "PRO": "pronoun"}
FERRY = REPOSITORY / "examples" / "ferry"


def corpora_of(
    key: dict[str, Partition], response: dict[str, Partition], types: dict[str, str]
) -> tuple[scoref.Corpus, scoref.Corpus]:
    """Make both sides, with types."""
    make = scoref.Corpus.from_entities
    return make(key, types=types), make(response, types=types)


def found(
    key: Partition,
    response: Partition,
    types: dict[str, str],
    mode: str = "strict",
    policy: Policy | None = None,
) -> Errors:
    """Find the errors of one document."""
    ours, theirs = corpora_of({"d": key}, {"d": response}, types)
    return errors(ours, theirs, mode, policy)


def nonzero(counts: dict[str, int]) -> dict[str, int]:
    """Leave out what did not occur."""
    return {name: count for name, count in counts.items() if count}


@pytest.mark.parametrize("mode", ["strict", "kk2013"])
def test_the_diagnostics_case(mode: str) -> None:
    """METRICS 10.4: f is conflated, f and {c d} are divided, x is extra, i is missing."""
    types = {mention: TYPES[kind] for mention, kind in CASE["types"].items()}
    errors = found(CASE["key"], CASE["response"], types, mode)
    expected = CASE["expected"]
    assert nonzero(errors.counts) == {
        name.removesuffix("_entities").replace("divided_entity", "divided"): count
        for name, count in expected["kummerfeld_errors"].items()
    }
    assert nonzero(errors.operations) == expected["kummerfeld_operations"]
    assert {(e.kind, "".join(str(m.span) for m in e.mentions)) for e in errors} == {
        ("conflated", "f"),
        ("divided", "f"),
        ("divided", "cd"),
        ("extra_mention", "x"),
        ("missing_mention", "i"),
    }


OBAMA_KEY = [["01", "04", "06"], ["02", "07", "09"], ["03", "08"]]
OBAMA_RESPONSE = [["01", "06", "07"], ["04", "05"], ["02", "09"], ["10", "11"]]
OBAMA_TYPES = {f"{n:02}": "nominal" for n in range(12)} | dict.fromkeys(
    ["06", "07", "09"], "pronoun"
)


def test_a_second_worked_example() -> None:
    """USERS 2.1: an extra entity, a missing entity, and a reporter who follows the president."""
    for mode in ("strict", "kk2013"):
        errors = found(OBAMA_KEY, OBAMA_RESPONSE, OBAMA_TYPES, mode)
        assert nonzero(errors.operations) == {"split": 6, "remove": 3, "introduce": 2, "merge": 6}
        assert nonzero(errors.counts) == {
            "extra_entity": 1,
            "missing_entity": 1,
            "extra_mention": 1,
            "conflated": 1,
            "divided": 2,
        }


def test_strict_does_not_blame_what_is_right() -> None:
    """With the reporter before the president, the original takes the president for conflated."""
    response = [["01", "06", "07"], ["00", "04"], ["02", "09"], ["10", "11"]]
    original = found(OBAMA_KEY, response, OBAMA_TYPES, "kk2013").counts
    strict = found(OBAMA_KEY, response, OBAMA_TYPES).counts
    assert (original["extra_mention"], original["conflated"]) == (0, 2)
    assert (strict["extra_mention"], strict["conflated"]) == (1, 1)


@given(pairs(), st.sets(st.sampled_from(MENTIONS)))
def test_errors_agree_with_their_definitions(pair: Pair, pronouns: set[str]) -> None:
    """Both modes, against sets and loops."""
    key, response = pair
    types = {m: "pronoun" if m in pronouns else "name" for m in MENTIONS}
    ours, theirs = ([frozenset(entity) for entity in side] for side in pair)
    strict = found(key, response, types)
    assert nonzero(strict.counts) == nonzero(strict_errors(ours, theirs, pronouns))
    original = found(key, response, types, "kk2013")
    assert nonzero(original.counts) == nonzero(original_errors(ours, theirs, pronouns))
    splits, merges, extra, missing = operations(ours, theirs)
    assert strict.operations == {
        "correct_span": 0,
        "split": len(splits),
        "remove": len(extra),
        "introduce": len(missing),
        "merge": len(merges),
    }


@given(corpora(), st.sets(st.sampled_from(MENTIONS)), st.sampled_from(["keep", "drop"]))
def test_repairing_everything_gives_the_key(
    documents: list[Pair], pronouns: set[str], singletons: Any
) -> None:
    """Strict errors leave nothing behind."""
    key, response = named(documents)
    types = {m: "pronoun" if m in pronouns else "name" for m in MENTIONS}
    ours, theirs = corpora_of(key, response, types)
    errors = scoref.errors(ours, theirs, policy=Policy(singletons=singletons))
    after = errors.repaired()
    entities: dict[int, set[int]] = {}
    for row, entity in enumerate(after.res.tolist()):
        entities.setdefault(entity, set()).add(row)
    wanted: dict[int, set[int]] = {}
    for row, entity in enumerate(after.key.tolist()):
        wanted.setdefault(entity, set()).add(row)
    assert {frozenset(e) for n, e in entities.items() if n != NOWHERE} == {
        frozenset(e) for n, e in wanted.items() if n != NOWHERE
    }


@given(corpora(), st.sets(st.sampled_from(MENTIONS)))
def test_counts_and_records_say_the_same(documents: list[Pair], pronouns: set[str]) -> None:
    """Every view is made of the same errors."""
    key, response = named(documents)
    types = {m: "pronoun" if m in pronouns else "name" for m in MENTIONS}
    errors = scoref.errors(*corpora_of(key, response, types))
    assert Counter(e.kind for e in errors) == Counter(nonzero(errors.counts))
    by_document = {name: nonzero(counts) for name, counts in errors.by_document.items()}
    for name, counts in by_document.items():
        assert counts == nonzero(errors.where(document=name).counts)
    assert sum(len(errors.where(kind=kind)) for kind in KINDS) == len(errors)
    types_of = errors.where(kind="divided", type="pronoun")
    assert all(m.span in pronouns for error in types_of for m in error.mentions)
    lines = [json.loads(line) for line in errors.to_jsonl().splitlines()]
    assert [line["kind"] for line in lines] == [e.kind for e in errors]
    rows = list(csv.DictReader(io.StringIO(errors.to_csv())))
    assert [row["document"] for row in rows] == [e.document for e in errors]


def test_the_gain_of_all_repairs_is_what_is_lost() -> None:
    """Repairing all errors gives 100 in every metric, and each kind has its number of errors."""
    errors = scoref.errors(FERRY / "key.conll", FERRY / "baseline.conll")
    score = scoref.score(FERRY / "key.conll", FERRY / "baseline.conll")
    *kinds, everything = errors.repairs()
    assert [one.name for one in kinds] == list(KINDS)
    for name, gain in everything.gains.items():
        assert everything.scores[name].f1 == pytest.approx(1)
        assert gain == pytest.approx(1 - score[name].f1)
    assert {one.name: one.count for one in kinds} == errors.counts


@given(corpora(least=2, most=3), st.sets(st.sampled_from(MENTIONS)))
def test_only_listed_errors_are_repaired(documents: list[Pair], pronouns: set[str]) -> None:
    """The errors of one document mend that document, and no other."""
    types = {m: "pronoun" if m in pronouns else "name" for m in MENTIONS}
    errors = scoref.errors(*corpora_of(*named(documents), types))
    first = errors.where(document="d0").repaired()
    whole, as_it_is = errors.repaired(), errors.original.alignment
    here = first.unit == 0
    for now, then in ((first.where(here), whole.where(here)),
                      (first.where(~here), as_it_is.where(~here))):  # fmt: skip
        b3 = [B_CUBED.count(one.table()).tolist() for one in (now, then)]
        assert b3[0] == b3[1]


SPANS = """\
#begin document (d); part 000
d\t0\t0\tthe\tDT\t(S(NP*\t{0}
d\t0\t1\tmayor\tNN\t*\t{1}
d\t0\t2\tof\tIN\t(PP*\t-
d\t0\t3\tKiel\tNNP\t(NP*))){2}
d\t0\t4\tsaid\tVBD\t(VP*\t-
d\t0\t5\the\tPRP\t(NP*)\t(1)
d\t0\t6\tleft\tVBD\t*))\t-

#end document
"""


def test_spans_are_corrected_before_all_else(tmp_path: Path) -> None:
    """`the mayor` means `the mayor of Kiel`: one span error, no missing and no extra mention."""
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(SPANS.format("(1", "-", "\t1)"), "utf-8")
    response.write_text(SPANS.format("(1", "1)", "\t-"), "utf-8")
    for mode in ("strict", "kk2013"):
        errors = scoref.errors(key, response, mode=mode)
        assert nonzero(errors.counts) == {"span": 1}
        (error,) = errors
        assert error.mentions[0].words == "the mayor"
        assert error.meant is not None
        assert error.meant.words == "the mayor of Kiel"
        assert error.operations == {"correct_span": 1}
        span, *_, everything = errors.repairs(["muc"])
        assert span.scores["muc"].f1 == everything.scores["muc"].f1 == 1


def test_determiners_and_punctuation_need_no_heads(tmp_path: Path) -> None:
    """`the mayor` and `mayor` are one mention where only words are known, and a note says so."""
    lines = "#begin document (d); part 000\n{}\n#end document\n"
    words = [("the", "(1", "-"), ("mayor", "1)", "(1)"), ("left", "-", "-"), ("he", "(1)", "(1)")]
    for name, column in (("key", 1), ("response", 2)):
        rows = [f"d\t0\t{at}\t{word[0]}\t{word[column]}" for at, word in enumerate(words)]
        (tmp_path / name).write_text(lines.format("\n".join(rows)), "utf-8")
    errors = scoref.errors(tmp_path / "key", tmp_path / "response", policy=Policy(types="words"))
    assert nonzero(errors.counts) == {"span": 1}
    assert any("heads are unknown" in note for note in errors.notes)


def test_what_is_not_known_is_said() -> None:
    """Labels without types or words: no pronouns, no span errors, and two notes."""
    errors = scoref.errors({"d": [["a", "b"]]}, {"d": [["a", "c"]]})
    assert nonzero(errors.counts) == {"extra_mention": 1, "missing_mention": 1}
    assert any("no mention counts as a pronoun" in note for note in errors.notes)
    assert any("span errors were not searched for" in note for note in errors.notes)


def test_bad_names_are_refused() -> None:
    """With the names that there are."""
    errors = scoref.errors({"d": [["a", "b"]]}, {"d": [["a", "c"]]})
    with pytest.raises(scoref.ScorefError, match="one of: span, conflated"):
        errors.where(kind="nonsense")
    with pytest.raises(scoref.ScorefError, match="one of: name"):
        errors.where(type="verb")
    with pytest.raises(scoref.ScorefError, match="documents: d"):
        errors.where(document="e")
    with pytest.raises(scoref.ScorefError, match="unknown mode"):
        scoref.errors({"d": [["a", "b"]]}, {"d": [["a", "c"]]}, mode="loose")


def test_titles_name_kinds_too() -> None:
    """As tables print them."""
    errors = scoref.errors({"d": [["a", "b"]]}, {"d": [["a", "c"]]})
    assert len(errors.where(kind="extra mention")) == len(errors.where(kind="extra_mention")) == 1
    assert len(errors.where(test=lambda error: error.key_entity == "1")) == 1


Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("output", ["text", "json", "jsonl", "csv", "latex", "markdown"])
def test_every_output(capsys: Capture, output: str) -> None:
    """Each names the errors, and none fails."""
    sides = [str(FERRY / "key.conll"), str(FERRY / "baseline.conll")]
    assert main(["errors", *sides, "--to", output]) == 0
    out = capsys.readouterr().out
    if output == "json":
        content = json.loads(out)
        assert content["counts"]["divided"] == 8
        assert len(content["errors"]) == 20
        assert content["repairs"]["all"]["f1"]["conll"] == pytest.approx(1)
    elif output == "jsonl":
        assert len([json.loads(line) for line in out.splitlines()]) == 20
    elif output == "csv":
        assert len(list(csv.DictReader(io.StringIO(out)))) == 20
    else:
        assert "divided entity" in out
        assert "+15.69" in out


def test_filters_of_the_command(capsys: Capture) -> None:
    """Only what is asked for is listed."""
    sides = [str(FERRY / "key.conll"), str(FERRY / "baseline.conll")]
    options = ["--where", "kind=divided", "--where", "type=pronoun", "--to", "jsonl"]
    assert main(["errors", *sides, *options]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(records) == 5
    assert {record["kind"] for record in records} == {"divided"}


def test_showing_a_document(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers and marks follow words; colours appear only if they are wanted."""
    sides = [str(FERRY / "key.conll"), str(FERRY / "baseline.conll")]
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert main(["errors", *sides, "--show", "harbour/ferry"]) == 0
    assert "\033[1;" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["errors", *sides, "--show", "harbour/ferry"]) == 0
    out = capsys.readouterr().out
    assert "\033" not in out
    assert "[Ada Brandt]5 , [who]5- had steered [it]1" in out
    assert "[it]5=1" in out
    assert max(map(len, out.splitlines()[1:])) <= 60
    assert main(["errors", *sides, "--show", "nowhere"]) == 2
    assert "no document is called 'nowhere'" in capsys.readouterr().err
