"""The signature states every choice, and can be replayed."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Policy, __version__
from scoref.exceptions import UsageError
from scoref.policy import PolicyOptions, read_signature, short_signature
from scoref.policy.signature import SHORT_NAMES

EXAMPLES = {
    "overlap=THRESHOLD": "overlap=0.5",
    "column=N": "column=3",
    "N[:STEP]": "20s:10s",
    "FIELD=VALUE": "length=1",
    "pattern=REGEX": r"pattern=(?P<open>\{)|(?P<close>\}(?P<entity>%\d+))",
    "function=MODULE:NAME": "auto",  # a signature cannot make scoref run a function
}
CHOICES = {
    name: [EXAMPLES.get(choice, choice) for choice in choices]
    for name, choices in Policy.choices().items()
}
WHOLE = {"where": ["all"], "nested": ["keep"], "verb_phrases": ["keep"], "unit": ["document"]}
WHOLE["window"] = ["none"]
COREFUD = {"match": ["exact", "head", "partial"], **WHOLE}
COREFUD["compat"] = ["corefud-1.2"]
E2E = {**COREFUD, "match": ["exact"], "compat": ["e2e"]}


def drawn(choices: dict[str, list[str]]) -> st.SearchStrategy[Policy]:
    """Draw a policy."""
    return st.builds(Policy, **{name: st.sampled_from(of) for name, of in choices.items()})


SPLIT = {**WHOLE, "singletons": ["keep"], "compat": ["none"]}
CHOICES["duplicates"].remove("keep")
PLAIN = {**CHOICES, "split_antecedents": ["ignore"]}
KEEP = {**PLAIN, **WHOLE, "compat": ["none"], "duplicates": ["keep"]}
policies = (
    drawn({**PLAIN, "compat": ["none"], "nested": ["keep"], "window": ["none"]})
    | drawn({**PLAIN, "compat": ["none"], "unit": ["document"]})
    | drawn({**PLAIN, **WHOLE, "compat": ["bookcoref-window"], "match": ["exact"], "window": ["5"]})
    | drawn({**PLAIN, **COREFUD})
    | drawn({**PLAIN, **E2E})
    | drawn({**CHOICES, **SPLIT})
    | drawn(KEEP)
)


@given(policies)
def test_a_signature_can_be_replayed(policy: Policy) -> None:
    """What a paper prints is enough to rerun it."""
    signature = read_signature(policy.signature("abc"))
    assert signature == (policy, "abc", __version__, ())
    assert Policy.like(policy.signature("abc")) == policy


@given(policies)
def test_a_short_signature_can_be_replayed(policy: Policy) -> None:
    """It states what differs from the defaults, and nothing is lost."""
    signature = policy.signature("abc")
    short = short_signature(signature)
    assert short.startswith("scoref|kabc|")
    assert len(short) < len(signature)
    assert read_signature(short) == read_signature(signature)
    assert short_signature(short) == short
    changed = sum(getattr(policy, field.name) != field.default for field in fields(Policy))
    assert short.count("|") == 2 + changed


def test_short_signatures() -> None:
    """Of the defaults, and of another choice."""
    assert short_signature(Policy().signature("abc")) == f"scoref|kabc|v{__version__}"
    dropped = Policy(singletons="drop").signature("abc")
    assert short_signature(dropped) == f"scoref|kabc|s:drop|v{__version__}"
    assert " ".join(SHORT_NAMES.values()) == "m z u s d md xd w ud t a sa mk ut p pd c n vp win r"


@pytest.mark.parametrize(
    ("short", "message"),
    [
        ("scoref|kabc|q:drop|v0.1.0", "states 'q', which version"),
        ("scoref|kabc|s:drop|s:keep|v0.1.0", "states 'singletons' twice"),
        ("scoref|kabc|s:drop|singletons:keep|v0.1.0", "states 'singletons' twice"),
        ("scoref|kabc|s:some|v0.1.0", "singletons is 'some'"),
        ("scoref|kabc|drop|v0.1.0", "is not a signature"),
        ("other|kabc|v0.1.0", "is not a signature"),
    ],
)
def test_short_signatures_that_are_not_valid(short: str, message: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(UsageError, match=message):
        read_signature(short)


def test_no_choice_is_left_out() -> None:
    """A field of the policy is a part of the signature."""
    signature = Policy().signature("abc")
    few = {"compat", "split_antecedents", "repair", "markup", "unclosed_tags"}
    few |= {"positions", "pair_documents", "nested", "verb_phrases", "window"}
    always = [field for field in fields(Policy) if field.name not in few]
    assert all(f"|{field.name}:{field.default}|" in signature for field in always)
    assert signature.startswith("scoref|key:abc|")
    assert signature.endswith(f"|version:{__version__}")


def test_another_scorer_is_named_where_there_is_one() -> None:
    """Signatures that do not name one are whole."""
    assert "compat" not in Policy().signature("abc")
    assert "|compat:corefud-1.2|" in Policy(compat="corefud-1.2").signature("abc")


@pytest.mark.parametrize(
    "choice",
    [{"match": "min"}, {"match": "overlap=0.5"}, {"unit": "corpus"}, {"where": "length=1"}],
)
def test_another_scorer_is_asked_for_what_it_has(choice: dict[str, str]) -> None:
    """There would be nothing to agree with."""
    (name,) = choice
    with pytest.raises(UsageError, match=f"cannot be combined with {name}") as error:
        Policy(compat="corefud-1.2", **choice)  # type: ignore[arg-type]
    assert f"--{name}" in error.value.hint


def test_a_value_that_is_no_choice() -> None:
    """Named with the choices."""
    with pytest.raises(UsageError, match="singletons is 'maybe', but must be one of: keep, drop"):
        Policy(singletons="maybe")  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["overlap", "overlap=", "overlap=2", "overlap=x", "overlap=0"])
def test_a_threshold_is_above_zero_and_at_most_one(value: str) -> None:
    """And must be there."""
    with pytest.raises(UsageError, match="overlap=THRESHOLD"):
        Policy(match=value)
    assert Policy(match="overlap=0.5").match == "overlap=0.5"


@pytest.mark.parametrize("text", ["", "BLEU|nrefs:1", "scoref", "scoref|key", "scoref|key:"])
def test_what_is_no_signature(text: str) -> None:
    """Refused with an example of one."""
    with pytest.raises(UsageError, match="a signature looks like this: scoref"):
        read_signature(text)


def test_a_choice_of_a_later_version() -> None:
    """Cannot be replayed by this one."""
    with pytest.raises(UsageError, match=r"states 'moods', .*\n.*made by version 9"):
        read_signature("scoref|key:abc|moods:good|version:9")


def test_an_older_signature_says_less() -> None:
    """What it does not state is left to defaults, and a note says so."""
    old = read_signature("scoref|key:abc|singletons:drop|version:0.0.1")
    assert old.policy == Policy(singletons="drop")
    notes = old.differences(read_signature(Policy().signature("def")))
    assert len(notes) == 3
    assert "the signature has the key abc, this key is def" in notes[0]
    assert "made by version 0.0.1" in notes[1]
    assert "does not state match, zeros, unit" in notes[2]


class TestFromDict:
    """A policy can be passed as a dict, everywhere."""

    KEY: ClassVar = {"d": [["a", "b"], ["c"]]}

    def test_is_the_same_policy(self) -> None:
        """With the same signature."""
        choices: dict[str, Any] = {"duplicates": "error", "undefined": "one"}
        for function in (scoref.score, scoref.errors, scoref.explain):
            named = function(self.KEY, self.KEY, policy=choices)
            assert (
                named.signature == function(self.KEY, self.KEY, policy=Policy(**choices)).signature
            )
        compared = scoref.compare(self.KEY, {"one": self.KEY}, policy=choices)
        assert "undefined:one" in compared.signature
        assert scoref.Key(self.KEY, policy=choices).policy == Policy(**choices)
        assert scoref.Accumulator(policy=choices).policy == Policy(**choices)

    @pytest.mark.parametrize(
        ("policy", "message"),
        [
            ({"singleton": "drop"}, "no field 'singleton'"),
            ({"singletons": 1}, "singletons is 1, but must be one of"),
            ({"match": None}, "match is None"),
            ({"where": ["type=name"]}, "where is"),
            ("drop", "is a str, but must be a Policy or a dict"),
            ({1: "x"}, "no field 1"),
        ],
    )
    def test_a_mistake_is_refused(self, policy: Any, message: str) -> None:
        """With what was found."""
        with pytest.raises(UsageError, match=message):
            scoref.score(self.KEY, self.KEY, policy=policy)


class TestKeywords:
    """Choices of a policy can be keywords, everywhere a policy is taken."""

    KEY: ClassVar = {"d": [["a", "b"], ["c"]]}

    def test_are_the_fields_of_a_policy(self) -> None:
        """A new choice cannot be forgotten; types are for editors and type checkers."""
        fields = {**get_type_hints(Policy), "window": str | int}
        assert get_type_hints(PolicyOptions) == {name: fields[name] for name in Policy.choices()}

    def test_are_the_same_policy(self) -> None:
        """With the same signature."""
        policy = Policy(duplicates="error", undefined="one")
        for function in (scoref.score, scoref.errors, scoref.explain):
            named = function(self.KEY, self.KEY, duplicates="error", undefined="one")
            assert named.signature == function(self.KEY, self.KEY, policy=policy).signature
        compared = scoref.compare(self.KEY, {"one": self.KEY}, undefined="one", trials=9)
        assert "undefined:one" in compared.signature
        assert compared.sampling.trials == 9
        agreed = scoref.agreement({"a": self.KEY, "b": self.KEY}, singletons="drop", level=0.1)
        assert "singletons:drop" in agreed.signature
        assert agreed.sampling.level == 0.1
        for made in (scoref.Key(self.KEY, undefined="one"), scoref.Accumulator(undefined="one")):
            assert made.policy == Policy(undefined="one")

    def test_refine_a_policy(self) -> None:
        """The keyword replaces what the policy says."""
        policy = Policy(singletons="drop", undefined="one")
        result = scoref.score(self.KEY, self.KEY, policy=policy, undefined="skip")
        assert result.policy == Policy(singletons="drop", undefined="skip")

    @pytest.mark.parametrize(
        ("wrong", "message", "hint"),
        [
            ({"singleton": "drop"}, "'singleton'", "did you mean singletons?"),
            ({"metric": ["muc"]}, "'metric'", "did you mean metrics?"),
            ({"singletons": "no"}, "singletons is 'no', but must be one of: keep, drop", ""),
            ({"zzz": 1}, "'zzz'", "choices are match, zeros"),
        ],
    )
    def test_a_mistake_is_refused(self, wrong: Any, message: str, hint: str) -> None:
        """With what may be meant."""
        for call in (
            lambda: scoref.score(self.KEY, self.KEY, **wrong),
            lambda: scoref.compare(self.KEY, {"one": self.KEY}, **wrong),
            lambda: scoref.Accumulator(**{k: v for k, v in wrong.items() if k != "metrics"}),
        ):
            with pytest.raises(UsageError, match=message) as error:
                call()
            assert hint in error.value.hint
