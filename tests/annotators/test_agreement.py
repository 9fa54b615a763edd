"""Agreement of annotators: the worked example, the definition written out, and laws."""

from __future__ import annotations

import json
import math
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Policy
from scoref.exceptions import DocumentError, UsageError
from tests.comparison.systems import make_key, make_system
from tests.strategies import Partition, partitions

ANN = {"doc": [["a", "b", "c"], ["d", "e"]]}
BEN = {"doc": [["a", "b"], ["c"], ["d", "e"]]}


def distance(name: str, one: frozenset[str], other: frozenset[str]) -> float:
    """Say how far apart two sets are, case by case as the papers do."""
    if one == other:
        monotonicity = 1.0
    elif one < other or other < one:
        monotonicity = 2 / 3
    elif one & other:
        monotonicity = 1 / 3
    else:
        monotonicity = 0.0
    if name == "passonneau":
        return 1 - monotonicity
    return 1 - len(one & other) / len(one | other) * monotonicity


def alpha(name: str, documents: list[list[Partition]]) -> float:
    """Compute alpha as Krippendorff defines it, item by item; sums over documents."""
    observed = expected = 0.0
    for people in documents:
        mentions = sorted({m for partition in people for entity in partition for m in entity})
        said = [
            [
                next((frozenset(e) for e in partition if m in e), frozenset({m}))
                for partition in people
            ]
            for m in mentions
        ]
        values = [value for item in said for value in item]
        if not values:
            continue
        for item in said:
            pairs = [distance(name, *pair) for pair in product(item, repeat=2)]
            observed += sum(pairs) / (len(item) - 1)
        everything = sum(distance(name, *pair) for pair in product(values, repeat=2))
        expected += everything / (len(values) - 1)
    return 1 - observed / expected if expected else math.nan


class TestTheWorkedExample:
    """By hand, as the manual does it: two annotators, five mentions."""

    def test_passonneau(self) -> None:
        """Observed 3 * 1/3 of 5 mentions; expected 58 of 90 ordered pairs; 1 - 18/58."""
        found = scoref.agreement({"ann": ANN, "ben": BEN}).alpha["passonneau"]
        assert found.value == pytest.approx(1 - (2 / 10) / (58 / 90))
        assert found.value == pytest.approx(0.6897, abs=5e-5)

    def test_masi(self) -> None:
        """Observed (5/9 + 5/9 + 7/9) of 5 mentions; expected 190/3 of 90 ordered pairs."""
        found = scoref.agreement({"ann": ANN, "ben": BEN}).alpha["masi"]
        assert found.value == pytest.approx(1 - (34 / 9 / 10) / (190 / 3 / 90))
        assert found.value == pytest.approx(0.4632, abs=5e-5)

    def test_one_document_has_no_interval(self) -> None:
        """And says so."""
        found = scoref.agreement({"ann": ANN, "ben": BEN})
        assert found.alpha["masi"].interval is None
        assert "intervals and tests require at least 2 documents" in str(found)


annotated = st.lists(st.tuples(partitions(), partitions(), partitions()), min_size=1, max_size=3)


@given(annotated)
def test_alpha_is_what_the_definition_says(documents: list[tuple[Partition, ...]]) -> None:
    """For three annotators, who need not mark the same mentions, over several documents."""
    people = {
        f"p{at}": {f"d{n}": annotation[at] for n, annotation in enumerate(documents)}
        for at in range(3)
    }
    found = scoref.agreement(people, ["b3"], trials=10)
    for name in ("passonneau", "masi"):
        ours = found.alpha[name].value
        theirs = alpha(name, [list(annotation) for annotation in documents])
        assert ours == pytest.approx(theirs, nan_ok=True)


@given(annotated)
def test_nobody_is_the_key(documents: list[tuple[Partition, ...]]) -> None:
    """The order of annotators changes nothing."""
    people = {
        f"p{at}": {f"d{n}": annotation[at] for n, annotation in enumerate(documents)}
        for at in range(3)
    }
    one = scoref.agreement(people, trials=10)
    other = scoref.agreement(dict(reversed(people.items())), trials=10)
    assert one.signature == other.signature
    for name, estimate in one.alpha.items():
        assert estimate.value == pytest.approx(other.alpha[name].value, nan_ok=True)
    theirs = {frozenset((pair.one, pair.other)): pair.f1 for pair in other.pairs}
    for pair in one.pairs:
        for metric in one.metrics:
            expected = theirs[frozenset((pair.one, pair.other))][metric].value
            assert pair.f1[metric].value == pytest.approx(expected)


def test_perfect_and_chance_agreement() -> None:
    """Alpha is 1 for equal annotations and about 0 for unrelated ones."""
    key = make_key(30)
    same = scoref.agreement({"x": key, "y": key, "z": key}, ["b3"], trials=50)
    assert same.alpha["masi"].value == 1
    interval = same.alpha["masi"].interval
    assert interval is not None
    assert 0.5 < interval.low < interval.high == 1
    assert "x and y, x and z, y and z: the 30 documents show no variance of b3" in str(
        same.cautions
    )
    assert "the 30 documents show no variance of alpha (passonneau), alpha (masi)" in str(
        same.cautions
    )
    random = scoref.agreement(
        {"x": make_system(key, 1.0, 1), "y": make_system(key, 1.0, 2)}, ["b3"], trials=50
    )
    assert random.alpha["masi"].value == pytest.approx(0, abs=0.1)
    assert random.alpha["passonneau"].value < 0.25


def test_pairs_have_intervals_and_a_mean() -> None:
    """For all pairs, those of score."""
    key = make_key(25)
    people = {"x": key, "y": make_system(key, 0.1, 1), "z": make_system(key, 0.2, 2)}
    found = scoref.agreement(people, ["lea"], trials=300)
    assert [(pair.one, pair.other) for pair in found.pairs] == list(combinations("xyz", 2))
    values = [pair.f1["lea"].value for pair in found.pairs]
    assert values[0] == scoref.score(people["x"], people["y"])["lea"].f1
    assert found.mean("lea") == pytest.approx(sum(values) / 3)
    for pair in found.pairs:
        value, interval = pair.f1["lea"]
        assert interval is not None
        assert interval.low <= value <= interval.high
    alpha, interval = found.alpha["passonneau"]
    assert interval is not None
    assert interval.low <= alpha <= interval.high


def test_documents_that_not_all_have() -> None:
    """Are left out, and their order does not matter."""
    ann = {"one": [["a", "b"]], "two": [["c"]], "three": [["d", "e"], ["f"]]}
    ben = {"three": [["d"], ["e", "f"]], "one": [["a", "b"]]}
    found = scoref.agreement({"ann": ann, "ben": ben}, ["b3"], trials=10)
    assert found.notes == ("ann: ignored 1 document that not all have",)
    rest = {name: ann[name] for name in ("one", "three")}
    assert found.pairs[0].f1["b3"].value == scoref.score(rest, ben)["b3"].f1
    with pytest.raises(DocumentError, match="no document is in all of ann, ben"):
        scoref.agreement({"ann": ann, "ben": {"four": [["a"]]}})


def test_what_is_refused() -> None:
    """A single annotator, and asymmetric metrics."""
    with pytest.raises(UsageError, match="at least 2 annotators"):
        scoref.agreement({"ann": ANN})
    with pytest.raises(
        UsageError, match=r"blanc treats the key and the response differently(.|\n)*luo2014"
    ):
        scoref.agreement({"ann": ANN, "ben": BEN}, ["blanc"])
    with pytest.raises(UsageError, match="arcs treats the key and the response differently"):
        scoref.agreement({"ann": ANN, "ben": BEN}, ["arcs"])


def test_two_documents_of_one_name_are_refused() -> None:
    """`x_0` is part 0 of `x`: neither may be dropped silently."""
    ann, ben = {"x": [["a", "b"]]}, {"x": [["a", "b"]], "x_0": [["a"]]}
    with pytest.raises(DocumentError, match="the ben documents x, x_0 are both paired"):
        scoref.agreement({"ann": ann, "ben": ben})


def test_policies_apply_to_alpha_as_well() -> None:
    """Without singletons, `c` of Ben is a mention that he has not marked: alone as before."""
    kept = scoref.agreement({"ann": ANN, "ben": BEN}, ["b3"])
    dropped = scoref.agreement({"ann": ANN, "ben": BEN}, ["b3"], Policy(singletons="drop"))
    assert dropped.alpha["masi"].value == kept.alpha["masi"].value
    assert dropped.pairs[0].f1["b3"].value != kept.pairs[0].f1["b3"].value


def test_files(example: Path) -> None:
    """Spans are mentions; all outputs show the same numbers."""
    people = {name: example / f"{name}.conll" for name in ("key", "careful", "baseline")}
    found = scoref.agreement(people, trials=50)
    entities = [scoref.read(path).entities() for path in people.values()]
    documents = [[one[name] for one in entities] for name in entities[0]]
    written = [
        [[[repr(m) for m in entity] for entity in one] for one in document]
        for document in documents
    ]
    assert found.alpha["masi"].value == pytest.approx(alpha("masi", written))
    content = json.loads(found.render("json"))
    assert content["alpha"]["masi"]["value"] == found.alpha["masi"].value
    assert len(content["pairs"]) == 3
    for output in ("text", "markdown", "latex"):
        assert f"{found.alpha['masi'].value:.3f}" in found.render(output)
    assert f"alpha_masi,,,{found.alpha['masi'].value!r}," in found.render("csv")
    with pytest.raises(UsageError, match="unknown output"):
        found.render("html")


PEOPLE = {
    "ann": {"d": [["a", "b", "c"], ["d", "e"]], "e": [["x", "y"], ["z"]]},
    "ben": {"d": [["a", "b"], ["c"], ["d", "e"]], "e": [["x", "y", "z"]]},
    "cem": {"d": [["a", "c"], ["d"]], "e": [["x"], ["w", "z"]]},
}


class TestPairs:
    """Alpha of each pair, and agreement on mentions apart from links."""

    def test_alpha_of_a_pair_is_that_of_the_two_alone(self) -> None:
        """Whoever else annotates."""
        found = scoref.agreement(PEOPLE)
        for pair in found.pairs:
            two = {name: PEOPLE[name] for name in (pair.one, pair.other)}
            alone = scoref.agreement(two)
            for name in ("passonneau", "masi"):
                assert pair.alpha[name] == alone.alpha[name]
                assert alone.pairs[0].alpha[name] == alone.alpha[name]

    def test_links_on_the_mentions_of_both(self) -> None:
        """As if neither had marked any other mention."""
        found = scoref.agreement(PEOPLE)
        pair = next(one for one in found.pairs if (one.one, one.other) == ("ann", "cem"))
        both = {
            "ann": {"d": [["a", "c"], ["d"]], "e": [["x"], ["z"]]},
            "cem": {"d": [["a", "c"], ["d"]], "e": [["x"], ["z"]]},
        }
        assert pair.mentions.shared == 5
        assert pair.mentions.f1 == pytest.approx(2 * 5 / (8 + 6))
        expected = scoref.agreement(both).alpha
        assert pair.alpha_shared["masi"].value == pytest.approx(expected["masi"].value)
        assert pair.alpha_shared["masi"].value == 1

    def test_kappa_is_what_the_definition_says(self, example: Path) -> None:
        """Word by word, over the lengths of the mentions that start there."""
        people = {name: example / f"{name}.conll" for name in ("key", "careful")}
        (pair,) = scoref.agreement(people).pairs
        labels: list[list[tuple[int, ...]]] = []
        for path in people.values():
            corpus = scoref.read(path)
            words: list[list[int]] = []
            for document in corpus.documents:
                words += [[] for _ in range(document.length)]
            starts = [0]
            for document in corpus.documents:
                starts.append(starts[-1] + document.length)
            for document, start, end in zip(
                corpus.document.tolist(), corpus.start.tolist(), corpus.end.tolist(), strict=True
            ):
                words[starts[document] + start].append(end - start)
            labels.append([tuple(sorted(word)) for word in words])
        one, other = labels
        observed = sum(a == b for a, b in zip(one, other, strict=True)) / len(one)
        expected = sum(one.count(label) * other.count(label) for label in set(one)) / len(one) ** 2
        assert pair.mentions.kappa == pytest.approx((observed - expected) / (1 - expected))
        assert 0 < pair.mentions.kappa < 1

    def test_no_words_no_kappa(self) -> None:
        """Python objects do not say how many words there are."""
        found = scoref.agreement(PEOPLE)
        assert math.isnan(found.pairs[0].mentions.kappa)
        assert json.loads(found.render("json"))["pairs"][0]["mentions"]["kappa"] is None
        assert found.render("csv")


class TestBaselines:
    """What alpha is for annotations that say nothing."""

    def test_an_annotator_who_marks_nothing(self) -> None:
        """Is close to the usual threshold of 0.667 by Passonneau's distance, but not by MASI."""
        key = make_key(40)
        found = scoref.agreement({"ann": key, "ben": key})
        nothing = scoref.agreement({"ann": key, "none": {name: [] for name in key}})
        for name in ("passonneau", "masi"):
            expected = nothing.alpha[name].value
            assert found.baselines["nothing"][name] == pytest.approx(expected)
        assert found.baselines["nothing"]["passonneau"] > 0.6
        assert found.baselines["nothing"]["masi"] < 0.4

    def test_random_dealing(self) -> None:
        """Well above zero by Passonneau's distance; the mean of many deals."""
        key = make_key(40)
        found = scoref.agreement({"ann": key, "ben": make_system(key, 0.1, 1)})
        assert found.baselines["random"]["masi"] < found.baselines["random"]["passonneau"] < 0.6
        assert found.alpha["masi"].value > found.baselines["random"]["masi"] + 0.3
        again = scoref.agreement({"ann": key, "ben": make_system(key, 0.1, 1)})
        assert again.baselines == found.baselines
        turned = dict(reversed(key.items()))
        other = scoref.agreement({"ann": turned, "ben": make_system(key, 0.1, 1)})
        assert other.baselines["random"] == pytest.approx(found.baselines["random"])
        assert other.alpha["masi"].value == pytest.approx(found.alpha["masi"].value)
        assert other.alpha["masi"].interval == pytest.approx(found.alpha["masi"].interval)

    def test_sizes_stay(self) -> None:
        """Dealing into one entity changes nothing."""
        one = {"d": [["a", "b", "c"]], "e": [["x"], ["y"]]}
        found = scoref.agreement({"ann": one, "ben": one})
        assert found.baselines["random"]["masi"] == 1


def test_intervals_of_alpha_end_at_one() -> None:
    """However few documents there are."""
    key = make_key(3)
    found = scoref.agreement({"ann": key, "ben": make_system(key, 0.05, 1)})
    interval = found.alpha["masi"].interval
    assert interval is not None
    assert interval.low < found.alpha["masi"].value <= interval.high <= 1
