"""score(): what it takes, what the policies do, what it says and what it refuses."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref import Corpus, Metric, Policy, Score, Table
from scoref.base.arrays import Floats
from scoref.exceptions import DocumentError, MentionError, UsageError

KEY = {"d": [["a", "b", "c"], ["d", "e"], ["f"]]}
PERFECT = Score(1, 1, 1)
RESPONSE = {"d": [["a", "b"], ["c", "d", "e"], ["x"]]}


def write(path: Path, **documents: str) -> Path:
    """Write documents as lines of cells: `d="(1 - 1)"`."""
    text = ""
    for name, cells in documents.items():
        lines = "".join(f"word\t{cell}\n" for cell in cells.split())
        text += f"#begin document ({name}); part 000\n{lines}#end document\n"
    path.write_text(text, "utf-8")
    return path


class TestInput:
    """Whatever a user has."""

    def test_takes_any_hashable_mentions(self) -> None:
        """Strings, numbers, tuples, and lists as JSON has them."""
        assert scoref.score({"d": [[1, 2]]}, {"d": [[1, 2]]})["muc"].f1 == 1
        pairs = {"d": [[[0, 1], [2, 2]]]}
        assert scoref.score(pairs, {"d": [[(0, 1), (2, 2)]]})["muc"].f1 == 1

    def test_takes_entities_by_name(self) -> None:
        """As a mapping."""
        assert scoref.score({"d": {"Ann": ["a", "b"]}}, {"d": [["a", "b"]]})["b3"].f1 == 1

    def test_takes_a_corpus_and_a_path(self, tmp_path: Path) -> None:
        """In any combination; spans are tokens, end inclusive."""
        path = write(tmp_path / "key", d="(1 1) (1) -")
        spans = {"d": [[(0, 1), (2, 2)]]}
        for key in (path, str(path), scoref.read(path), spans, Corpus.from_entities(spans)):
            for response in (path, spans):
                assert scoref.score(key, response)["lea"].f1 == 1

    def test_one_annotation_has_one_fingerprint(self, tmp_path: Path) -> None:
        """Whatever it was read from, in whatever order, under whatever entity names."""
        one = scoref.read(write(tmp_path / "a", x="(1 1) (1) (2)", y="(3)"))
        two = scoref.read(write(tmp_path / "b", y="(9)", x="(7 7) (7) (1)"))
        three = Corpus.from_entities({"y": [[(0, 0)]], "x": [[(3, 3)], [(2, 2), (0, 1)]]})
        other = Corpus.from_entities({"y": [[(0, 0)]], "x": [[(3, 3)], [(2, 2)], [(0, 1)]]})
        assert one.fingerprint() == two.fingerprint() == three.fingerprint()
        assert other.fingerprint() != one.fingerprint()

    def test_a_document_can_be_named_as_it_is_shown(self, tmp_path: Path) -> None:
        """The part of a CoNLL document is in its name where there are several."""
        text = "#begin document (x); part 000\n(1)\n#begin document (x); part 001\n(1)\n"
        path = tmp_path / "key"
        path.write_text(text, "utf-8")
        result = scoref.score(path, {"x/000": [[(0, 0)]], ("x", 1): [[(0, 0)]]})
        assert result["mentions"].f1 == 1
        assert list(result.documents) == ["x/000", "x/001"]

    @pytest.mark.parametrize(
        ("entities", "message"),
        [
            ({"d": ["ab"]}, "an entity is 'ab', but must be a list of mentions"),
            ({"d": [1, 2]}, "an entity is 1, but must be a list of mentions"),
            ({"d": 5}, "document 'd' is 5, but must be a list of entities"),
            ({"d": None}, "document 'd' is None, but must be a list of entities"),
            ({"d": "text"}, "document 'd' is 'text', but must be a list of entities"),
            (None, "the key is None, which cannot be scored"),
            ({"d": [[]]}, "document 'd' has an entity without mentions"),
            ({"d": [[{}]]}, "document 'd' has the mention {}, which is not hashable"),
            (["a"], "the key is a list of str, such as 'a'"),
        ],
    )
    def test_refuses_what_is_probably_a_mistake(self, entities: object, message: str) -> None:
        """With a message that says what to pass."""
        with pytest.raises(scoref.ScorefError) as error:
            scoref.score(entities, {"d": [["a"]]})  # type: ignore[arg-type]
        assert message in str(error.value)
        assert "hint" in str(error.value)

    def test_refuses_labels_against_spans(self, tmp_path: Path) -> None:
        """A string is not a token span."""
        with pytest.raises(MentionError, match="the response has the mention 'a', but"):
            scoref.score(write(tmp_path / "key", d="(1)"), {"d": [["a"]]})

    def test_refuses_spans_beyond_the_text(self, tmp_path: Path) -> None:
        """A span past the end of a document that the other side has counted cannot be right."""
        with pytest.raises(DocumentError, match=r"document d has 2 tokens .* span \(1, 2\)"):
            scoref.score(write(tmp_path / "key", d="(1) -"), {"d": [[(1, 2)]]})

    def test_mention_types(self) -> None:
        """Types stay available for metrics and slices that require them."""
        corpus = Corpus.from_entities({"d": [["a", "b"]]}, types={"a": "name", "b": "pronoun"})
        assert corpus.attributes["type"].tolist() == ["name", "pronoun"]
        with pytest.raises(UsageError, match="must be one of: name, nominal, pronoun"):
            Corpus.from_entities({"d": [["a"]]}, types={"a": "NAM"})


class TestDocuments:
    """How the documents of two sides are paired."""

    def test_missing_documents_are_empty_with_a_note(self) -> None:
        """Recall pays for them."""
        result = scoref.score({"d": [["a", "b"]], "e": [["a", "b"]]}, {"d": [["a", "b"]]})
        assert result["muc"].recall == 0.5
        assert result["muc"].precision == 1
        assert "lacks 1 of 2 documents: e; scored as an empty response" in result.notes[0]

    def test_missing_documents_can_be_an_error(self) -> None:
        """For those who would rather know."""
        with pytest.raises(DocumentError, match="lacks 1 of 2 documents: e") as error:
            scoref.score(
                {"d": [["a"]], "e": [["a"]]},
                {"d": [["a"]]},
                policy=Policy(missing_documents="error"),
            )
        assert "--missing-documents empty" in str(error.value)

    def test_extra_documents_are_an_error(self) -> None:
        """Precision would be wrong without them, recall with them."""
        with pytest.raises(DocumentError, match="1 document that the key lacks: e"):
            scoref.score({"d": [["a"]]}, {"d": [["a"]], "e": [["a"]]})

    def test_extra_documents_can_be_ignored(self) -> None:
        """With a note."""
        result = scoref.score(
            {"d": [["a", "b"]]},
            {"d": [["a", "b"]], "e": [["a", "b"], ["c"]]},
            policy=Policy(extra_documents="ignore"),
        )
        assert result["b3"] == PERFECT
        assert "ignored" in result.notes[0]

    def test_nothing_in_common_is_an_error_under_any_policy(self) -> None:
        """A score of zero would only mean that the wrong file was named."""
        with pytest.raises(DocumentError, match="no document of the response is in the key"):
            scoref.score({"d": [["a"]]}, {"e": [["a"]]}, policy=Policy(extra_documents="ignore"))

    def test_different_lengths_are_named(self, tmp_path: Path) -> None:
        """With both lengths and both places."""
        key, response = write(tmp_path / "key", d="(1) -"), write(tmp_path / "res", d="(1) - -")
        with pytest.raises(DocumentError) as error:
            scoref.score(key, response)
        expected = (
            f"document d has 2 tokens in the key ({key}:1) but 3 in the response ({response}:1)"
        )
        assert expected in str(error.value)

    def test_documents_without_a_name_are_paired_by_position(self, tmp_path: Path) -> None:
        """With a note."""
        path = tmp_path / "x"
        path.write_text("#begin document ()\n(1)\n#begin document ()\n(1)\n(1)\n", "utf-8")
        result = scoref.score(path, path)
        assert result["b3"].f1 == 1
        assert "paired by their position" in result.notes[0]

    def test_documents_in_another_order(self) -> None:
        """Names pair documents, not positions."""
        documents = {"d": [["a", "b"]], "e": [["a"], ["b"]]}
        assert scoref.score(documents, dict(reversed(documents.items())))["b3"].f1 == 1

    def test_documents_that_would_be_shown_by_one_name(self) -> None:
        """They get different names, so that none hides another."""
        documents = {1: [["a"]], "1": [["b"]]}
        assert list(scoref.score(documents, documents).documents) == ["1", "'1'"]

    def test_two_names_for_one_document(self, tmp_path: Path) -> None:
        """A response that has a document twice under two names."""
        path = tmp_path / "key"
        path.write_text(
            "#begin document (x); part 0\n(1)\n#begin document (x); part 1\n(1)\n", "utf-8"
        )
        with pytest.raises(DocumentError, match="are both paired with the key document x/1"):
            scoref.score(path, {"x/1": [[(0, 0)]], ("x", 1): [[(0, 0)]]})


class TestPolicies:
    """Each choice changes what it says, and nothing else."""

    def test_singletons_are_dropped_on_each_side_before_matching(self) -> None:
        """A key singleton inside a response entity becomes a spurious mention."""
        key, response = {"d": [["a", "b"], ["c"]]}, {"d": [["a", "b", "c"], ["d"]]}
        result = scoref.score(key, response, policy=Policy(singletons="drop"))
        assert result["mentions"] == pytest.approx((1, 2 / 3, 0.8))
        assert result.key.singletons_dropped == 1
        assert result.response.singletons_dropped == 1
        assert result.key.mentions == 3

    def test_a_repeated_mention_stays_in_the_first_entity(self) -> None:
        """On either side, and a note says so."""
        key, repeated = {"d": [["a", "b"], ["c", "d"]]}, {"d": [["a", "b"], ["b", "c", "d"]]}
        for one, other in ((key, repeated), (repeated, key)):
            result = scoref.score(one, other)
            assert result["b3"] == PERFECT
            assert "repeats 1 mention; the first one is kept" in result.notes[0]
            assert "mention 'b' of document d in entities 1 and 2" in result.notes[0]

    def test_a_mention_twice_in_one_entity_counts_once(self) -> None:
        """It may leave a singleton behind, which is then dropped like any other."""
        result = scoref.score(
            {"d": [["a", "b"]]}, {"d": [["a", "b"], ["c", "c"]]}, policy=Policy(singletons="drop")
        )
        assert result["b3"] == PERFECT
        assert "twice in entity 2" in result.notes[0]

    def test_an_entity_can_lose_all_its_mentions(self) -> None:
        """Then it is not an entity."""
        result = scoref.score({"d": [["a", "b"]]}, {"d": [["a", "b"], ["a"], ["b"]]})
        assert result["ceafe"] == PERFECT
        assert result.response.duplicates_dropped == 2

    def test_repeated_mentions_can_be_an_error(self) -> None:
        """For those who would rather know."""
        with pytest.raises(MentionError, match="the response repeats 1 mention: mention 'b'"):
            scoref.score(
                {"d": [["a"]]}, {"d": [["a", "b"], ["b"]]}, policy=Policy(duplicates="error")
            )

    @pytest.mark.parametrize(
        ("undefined", "expected"), [("zero", 0.0), ("one", 1.0), ("skip", math.nan)]
    )
    def test_nothing_out_of_nothing(self, undefined: str, expected: float) -> None:
        """A document of singletons has no MUC links on either side."""
        policy = Policy(undefined=undefined)  # type: ignore[arg-type]
        result = scoref.score({"d": [["a"]]}, {"d": [["a"]]}, policy=policy)
        assert result["muc"] == pytest.approx((expected,) * 3, nan_ok=True)
        assert result["blanc"] == pytest.approx((expected,) * 3, nan_ok=True)
        assert result["b3"] == PERFECT
        mean = {"zero": 2 / 3, "one": 1.0, "skip": 1.0}[undefined]
        assert result["conll"].f1 == pytest.approx(mean)
        assert math.isnan(result["conll"].recall)

    def test_half_undefined(self) -> None:
        """Without key links, recall is 0/0; nothing is right, so F1 is 0 whatever one thinks."""
        key, response = {"d": [["a"], ["b"]]}, {"d": [["a", "b"]]}
        for undefined, recall in (("zero", 0.0), ("one", 1.0), ("skip", math.nan)):
            policy = Policy(undefined=undefined)  # type: ignore[arg-type]
            muc = scoref.score(key, response, policy=policy)["muc"]
            assert muc == pytest.approx((recall, 0.0, 0.0), nan_ok=True)

    def test_macro_averages_documents(self) -> None:
        """Each document has the same say, whatever its size; skipped ones have none."""
        key = {"d": [["a", "b", "c"]], "e": [["a"], ["b"]], "f": [["a", "b"]]}
        response = {"d": [["a", "b", "c"]], "e": [["a"], ["b"]], "f": [["a"], ["b"]]}
        macro = scoref.score(key, response, policy=Policy(average="macro"))
        assert macro["muc"].f1 == pytest.approx(1 / 3)
        assert macro["b3"].recall == pytest.approx((1 + 1 + 0.5) / 3)
        skipped = scoref.score(key, response, policy=Policy(average="macro", undefined="skip"))
        assert skipped["muc"].f1 == pytest.approx(1 / 2)
        assert skipped["muc"].precision == pytest.approx(1)
        assert scoref.score(key, response)["muc"].recall == pytest.approx(2 / 3)


class TestResult:
    """What a result says."""

    def test_scores_by_metric_and_document(self) -> None:
        """From 0 to 1, recall first."""
        result = scoref.score(KEY, RESPONSE)
        assert list(result) == ["mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll"]
        assert result["mentions"] == pytest.approx((5 / 6, 5 / 6, 5 / 6))
        assert result.documents["d"]["b3"] == result["b3"]
        assert result.totals("muc") == {
            "recall_num": 2.0,
            "recall_den": 3.0,
            "precision_num": 2.0,
            "precision_den": 3.0,
        }

    def test_an_unknown_metric(self) -> None:
        """Says which there are."""
        with pytest.raises(UsageError, match="this result has no metric 'pairwise'"):
            scoref.score(KEY, RESPONSE)["pairwise"]
        with pytest.raises(UsageError, match="this result has no metric 'pairwise'"):
            scoref.score(KEY, RESPONSE).totals("pairwise")

    def test_other_ways_to_write_a_metric(self) -> None:
        """Lead to the same score."""
        result = scoref.score(KEY, RESPONSE, ["b3", "blanc(alpha=0.2)"])
        assert result["bcub"] == result["b3"]
        assert result["blanc( alpha=0.20 )"] == result["blanc(alpha=0.2)"]

    def test_says_when_nothing_matches(self) -> None:
        """Zero can mean a bad system or a wrong file."""
        assert "no response mention is a key mention" in scoref.score(KEY, {"d": [["z"]]}).notes[0]
        assert "the response has no mentions" in scoref.score(KEY, {"d": []}).notes[0]
        both = scoref.score({"d": []}, {"d": []})
        assert "the key and the response have no mentions" in both.notes[0]
        assert both["b3"] == Score(0, 0, 0)


def exact_entities(table: Table) -> Floats:
    """Count entities found whole: a metric of one's own."""
    exact = (table.count == table.cell_key_size) & (table.count == table.cell_res_size)
    found = table.sum_cells(exact)
    keys = table.sum_keys(np.ones_like(table.key_size))
    responses = table.sum_responses(np.ones_like(table.res_size))
    return np.stack([found, keys, found, responses], axis=-1)


class TestOwnMetrics:
    """A metric of the user's own is accepted wherever a name is."""

    def test_a_function(self) -> None:
        """Its name is the function's."""
        result = scoref.score(KEY, {"d": [["a", "b", "c"], ["d"]]}, ["b3", exact_entities])
        assert result["exact_entities"] == pytest.approx((1 / 3, 1 / 2, 0.4))
        phi1 = scoref.score(KEY, {"d": [["a", "b", "c"], ["d"]]}, ["ceaf(phi=1)"])
        assert result["exact_entities"] == pytest.approx(phi1["ceaf(phi=1)"])

    def test_a_metric(self) -> None:
        """With a name and a way to score of its own."""
        mine = Metric("mine", exact_entities, score=lambda counts: counts[..., :3] * 0 + 0.25)
        assert scoref.score(KEY, RESPONSE, [mine])["mine"] == Score(0.25, 0.25, 0.25)

    def test_a_name_to_import(self) -> None:
        """As the command line has it."""
        result = scoref.score(KEY, RESPONSE, ["tests.test_scoring:exact_entities"])
        assert "exact_entities" in list(result)

    def test_wrong_counts_are_named(self) -> None:
        """A metric that returns something else says so, not a wrong score."""
        with pytest.raises(UsageError, match=r"returned counts of shape \(3,\), expected \(1, 4\)"):
            scoref.score(KEY, RESPONSE, [Metric("odd", lambda _: np.zeros(3))])

    def test_two_metrics_of_one_name(self) -> None:
        """Would hide each other."""
        with pytest.raises(UsageError, match="two metrics have the name 'b3'"):
            scoref.score(KEY, RESPONSE, ["b3", Metric("b3", exact_entities)])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bcubd", "unknown metric 'bcubd'\n  hint: did you mean 'bcubed'?"),
        ("zzz", "known metrics: ace, ami, arcs, ari, b3, blanc"),
        ("blanc(beta=1)", "blanc has no parameter 'beta'\n  hint: its parameters are: alpha"),
        ("muc(alpha=1)", "muc has no parameter 'alpha'\n  hint: it has no parameters"),
        ("blanc(alpha=x)", "blanc has alpha=x, expected a number"),
        ("blanc(alpha=2)", "blanc has no alpha=2: it must be between 0 and 1"),
        ("ceaf(phi=1.5)", "ceaf has phi=1.5, expected a whole number"),
        ("ceaf(phi=7)", "ceaf has no phi=7, only 1, 2, 3 and 4"),
        ("blanc(alpha)", "found 'alpha' in the metric 'blanc(alpha)', expected"),
        ("blanc(alpha=0.2", "unknown metric 'blanc(alpha=0.2'"),
        ("nowhere:nothing", "cannot import the metric 'nowhere:nothing'"),
        ("math:pi", "'math:pi' is neither a metric nor a function"),
    ],
)
def test_names_that_are_no_metrics(name: str, message: str) -> None:
    """Each mistake has its own message."""
    with pytest.raises(UsageError) as error:
        scoref.score(KEY, RESPONSE, [name])
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("bcub", "b3"),
        ("B-cubed", "b3"),
        ("MUC", "muc"),
        (" blanc ( alpha = 0.20 ) ", "blanc(alpha=0.2)"),
        ("blanc(alpha=0.5)", "blanc"),
        ("blanc()", "blanc"),
        ("ceaf", "ceaf"),
        ("ceaf(phi=3)", "ceaf"),
        ("ceaf(phi=4)", "ceaf(phi=4)"),
        ("blanc(alpha=0.123456789012)", "blanc(alpha=0.123456789012)"),
        ("blanc(alpha=1.0)", "blanc(alpha=1)"),
    ],
)
def test_names_as_people_write_them(written: str, name: str) -> None:
    """Aliases, spaces and stated defaults lead to one name."""
    assert list(scoref.score(KEY, RESPONSE, [written])) == [name]


def test_no_metric_at_all() -> None:
    """An empty list is a mistake, not an empty table."""
    with pytest.raises(UsageError, match="the list of metrics is empty"):
        scoref.score(KEY, RESPONSE, [])
