"""Every markup in its variants: detected, parsed, and repaired where tags are damaged."""

# ruff: noqa: E501

from __future__ import annotations

import pytest

import scoref
from scoref.exceptions import UsageError
from scoref.llm.marked_text import OPEN_END, MarkedText, QuoteList, read_stream
from scoref.llm.markups import NAMES, detect_markup, find_markup, written_markups

WORDS = ["Ann", "saw", "the", "man", "with", "a", "hat", ".", "She", "waved"]
MENTIONS = {"1": ["Ann", "She"], "2": ["the man with a hat"], "3": ["a hat"]}
INLINE = {
    "crac": "Ann|[e1] saw the|[e2 man with a|[e3 hat|e3],e2] . She|[e1] waved",
    "crac, spaces around tags": "Ann |[e1] saw the |[e2 man with a |[e3 hat |e3], e2] . She |[e1] waved",
    "markdown": "[Ann](#1) saw [the man with [a hat](#3)](#2) . [She](#1) waved",
    "markdown, names": "[Ann](#cluster_1) saw [the man with [a hat](#c3)](#c2) . [She](#cluster_1) waved",
    "hash": "[Ann]#1 saw [the man with [a hat]#3]#2 . [She]#1 waved",
    "hash and space": "[Ann] #1 saw [the man with [a hat] #3] #2 . [She] #1 waved",
    "underscore": "[Ann]_1 saw [the man with [a hat]_3]_2 . [She]_1 waved",
    "braces": "[Ann]_{1} saw [the man with [a hat]_{3}]_{2} . [She]_{1} waved",
    "caret": "[Ann]^1 saw [the man with [a hat]^3]^2 . [She]^1 waved",
    "number in parentheses": "[Ann](1) saw [the man with [a hat](3)](2) . [She](1) waved",
    "number in braces": "[Ann]{1} saw [the man with [a hat]{3}]{2} . [She]{1} waved",
    "number alone": "[Ann]1 saw [the man with [a hat]3]2 . [She]1 waved",
    "colon": "[Ann: 1] saw [the man with [a hat: 3]: 2] . [She: 1] waved",
    "bar": "[Ann | 1] saw [the man with [a hat | 3] | 2] . [She | 1] waved",
    "hash inside": "[Ann #1] saw [the man with [a hat #3] #2] . [She #1] waved",
    "number first": "[1: Ann] saw [2: the man with [3: a hat]] . [1: She] waved",
    "name first": "[e1 Ann] saw [e2 the man with [e3 a hat]] . [e1 She] waved",
    "attribute": '<m id="1">Ann</m> saw <m id="2">the man with <m id="3">a hat</m></m> . <m id="1">She</m> waved',
    "other attribute": "<mention entity='1'>Ann</mention> saw <mention entity='2'>the man with <mention entity='3'>a hat</mention></mention> . <mention entity='1'>She</mention> waved",
    "attribute without quotes": "<coref id=1>Ann</coref> saw <coref id=2>the man with <coref id=3>a hat</coref></coref> . <coref id=1>She</coref> waved",
    "numbered element": "<e1>Ann</e1> saw <e2>the man with <e3>a hat</e3></e2> . <e1>She</e1> waved",
    "number after the tag": "<m>Ann </m>#1 saw <m>the man with <m>a hat </m>#3</m>#2 . <m>She </m>#1 waved",
    "number before the tag": "<m> Ann | 1 </m> saw <m> the man with <m> a hat | 3 </m> | 2 </m> . <m> She | 1 </m> waved",
}


def read(text: str, markup: str = "auto") -> MarkedText:
    """Parse a text."""
    chosen = detect_markup(text) if markup == "auto" else find_markup(markup)
    assert chosen is not None
    parsed = chosen.parse(text)
    assert not isinstance(parsed, QuoteList)
    return parsed if isinstance(parsed, MarkedText) else read_stream(parsed)


def mentions(text: MarkedText) -> list[tuple[str, str]]:
    """Return the words and the entity of each mention, in text order."""
    closed = [mark for mark in text.marks if mark.end != OPEN_END]
    marks = sorted(closed, key=lambda mark: (mark.start, -mark.end))
    return [(" ".join(text.words[mark.start : mark.end]), mark.entity) for mark in marks]


@pytest.mark.parametrize("variant", INLINE)
def test_inline_markups_are_detected_and_parsed(variant: str) -> None:
    """The same mentions and entities in every variant."""
    text = read(INLINE[variant])
    assert text.words == WORDS
    by_entity: dict[str, list[str]] = {}
    for words, entity in mentions(text):
        by_entity.setdefault(entity, []).append(words)
    assert sorted(by_entity.values()) == sorted(MENTIONS.values())
    assert not text.damage


@pytest.mark.parametrize("markup", [one.name for one in written_markups()])
def test_examples_of_markups_are_in_their_markup(markup: str) -> None:
    """What messages and the manual show."""
    found = detect_markup(find_markup(markup).example)
    assert found is not None
    assert markup.split("-", maxsplit=1)[0] in (found.name, found.name.split("-")[0])


@pytest.mark.parametrize(
    "text",
    [
        "See [1] and [2], but not (3).",
        "He [sic] wrote <i>this</i> at http://x.org/a#b and a|b.",
        "",
        "I'm sorry, I can't help with that.",
    ],
)
def test_plain_text_is_in_no_markup(text: str) -> None:
    """Brackets alone are not tags."""
    assert detect_markup(text) is None


def test_brackets_of_the_source_stay_in_the_text() -> None:
    """As in `grammar [1] - [11]`, also inside and around mentions."""
    text = read("the [1] [old [sic] man]#1 [ who [slept]#2 ] in [x[i]]#3")
    assert text.words == [
        "the",
        "[1]",
        "old",
        "[sic]",
        "man",
        "[",
        "who",
        "slept",
        "]",
        "in",
        "x[i]",
    ]
    assert mentions(text) == [("old [sic] man", "1"), ("slept", "2"), ("x[i]", "3")]
    text = read("[the [ note]#1 of [Ann]#2 ] and [him]#3 [ too")
    assert mentions(text) == [("the [ note", "1"), ("Ann", "2"), ("him", "3")]
    text = read("a [man 5] tall]#1 [slept]#2 and [ate]#2")
    assert mentions(text)[0] == ("man 5] tall", "1")


def test_other_elements_stay_in_the_text() -> None:
    """As HTML in the source."""
    text = read('<b>a</b> <m id="1">man</m> &amp; <m id="2">x &lt; y</m>')
    assert text.words == ["<b>a</b>", "man", "&", "x", "<", "y"]


@pytest.mark.parametrize(
    ("text", "found", "damage"),
    [
        ("a|[e1 b c|e2] d", [("a b c", "e1")], {"renumbered": 1}),
        ("a|[e1 b c|e1],e1] d|[e2]", [("a b c", "e1"), ("d", "e2")], {"unopened": 1}),
        ("a|[e1 b|[e2 c|e1] d|e2]", [("a b c", "e1"), ("b c d", "e2")], {"crossing": 1}),
        ("a|[e1],[e2]", [("a", "e1"), ("a", "e2")], {}),
        ("[]#3 [a]#1 []#1", [("a", "1")], {"empty": 2}),
        ("a]#1 [b]#2", [("b", "2")], {"unopened": 1}),
        ('<m id="1">a <m id="2">b</m> c', [("b", "2")], {"unclosed": 1}),
        ('a</m> <m id="2">b</m>', [("b", "2")], {"unopened": 1}),
    ],
)
def test_damaged_tags_are_repaired_or_counted(
    text: str, found: list[tuple[str, str]], damage: dict[str, int]
) -> None:
    """Closed under another number, closed twice, crossing, empty, never opened, never closed."""
    parsed = read(text)
    assert mentions(parsed) == found
    assert parsed.damage == damage


def test_markup_inside_words_divides_them() -> None:
    """The alignment joins them again."""
    assert read("do[g]#1s and [he]#2's").words == ["do", "g", "s", "and", "he", "'s"]


def test_an_unclosed_mention_has_no_end() -> None:
    """The policy decides where it ends."""
    (mark,) = read("a|[e1 b c").marks
    assert mark.end == OPEN_END


def test_empty_nodes_are_not_words() -> None:
    """With or without a form, alone or inside a mention."""
    text = read("Los|[e1 jugadores|e1] que ##|[e1] prefieren ##él|[e2 comer|e2]")
    assert text.words == ["Los", "jugadores", "que", "prefieren", "comer"]
    assert text.empties == [3, 4]
    assert [mark.empties for mark in text.marks] == [(), (0,), (1,)]


@pytest.mark.parametrize(
    "text",
    [
        '{"entities": [{"name": "Ann", "mentions": ["Ann", "she"]}, {"name": "m", "mentions": ["he"]}]}',
        '[{"entity": "Ann", "mentions": [{"text": "Ann", "sentence": 1}, {"text": "she"}]}, {"entity": "m", "mentions": [{"text": "he"}]}]',
        '[["Ann", "she"], ["he"]]',
        '{"clusters": [["Ann", "she"], ["he"]]}',
        '{"Ann": ["Ann", "she"], "m": ["he"]}',
        '[{"text": "Ann", "cluster": 0}, {"text": "she", "cluster": 0}, {"text": "he", "cluster": 1}]',
        '{"mentions": [{"text": "Ann", "cluster_id": 0}, {"text": "she", "cluster_id": 0}, {"text": "he", "cluster_id": 1}]}',
        'Here it is:\n\n```json\n[["Ann", "she"], ["he"]]\n```\nDone.',
        '[["Ann", "she",], ["he"],]',
        '[["Ann", "she"], ["he"',
        '[["Ann", "she"], ["he", "him',
    ],
)
def test_quotes_in_json(text: str) -> None:
    """In every shape, after a preamble, cut off, with trailing commas."""
    markup = detect_markup(text)
    assert markup is not None
    assert markup.name == "quotes"
    parsed = markup.parse(text)
    assert isinstance(parsed, QuoteList)
    by_entity: dict[str, list[str]] = {}
    for quote in parsed.quotes:
        by_entity.setdefault(quote.entity, []).append(quote.text)
    assert list(by_entity.values()) in ([["Ann", "she"], ["he"]], [["Ann", "she"]])


def test_crac_json_prefers_texts_to_wrong_offsets() -> None:
    """Language models count badly."""
    right = '{"tokens": ["Ann", "##", "slept"], "clusters_token_offsets": [[[0, 0], [1, 1]]]%s}'
    parsed = find_markup("crac-json").parse(right % "")
    assert isinstance(parsed, MarkedText)
    assert parsed.words == ["Ann", "slept"]
    assert [(mark.start, mark.end, mark.empties) for mark in parsed.marks] == [
        (0, 1, ()),
        (1, 1, (0,)),
    ]
    parsed = find_markup("crac-json").parse(
        right % ', "clusters_text_mentions": [["Ann", "slept"]]'
    )
    assert isinstance(parsed, QuoteList)
    assert [quote.text for quote in parsed.quotes] == ["Ann", "slept"]


def test_pronouns_with_antecedents() -> None:
    """Numbered, with quotes and remarks, with nothing to refer to."""
    text = '1. she -> Ann\n2. "it" => the ferry (cleft)\n- there -> (expletive)\nher \u2192 none\n'
    parsed = find_markup("pronouns").parse(text)
    assert isinstance(parsed, QuoteList)
    assert [(quote.text, quote.entity) for quote in parsed.quotes] == [
        ("she", "Ann"),
        ("it", "the ferry"),
        ("there", ""),
        ("her", ""),
    ]


def test_a_markup_of_the_user(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a regular expression, or by a function."""
    text = read("{Ann}1 saw {the man}2", r"pattern=(?P<open>\{)|(?P<close>\}(?P<entity>\d+))")
    assert mentions(text) == [("Ann", "1"), ("the man", "2")]
    monkeypatch.chdir(str(tmp_path))
    with open("my_markup.py", "w", encoding="utf-8") as stream:  # noqa: PTH123
        stream.write(
            "from scoref.llm.marked_text import Close, Open\n"
            "def parse(text):\n"
            "    for word in text.split():\n"
            "        yield from ([Open('x'), word.strip('*'), Close('x'), ' ']\n"
            "                    if word.startswith('*') else [word + ' '])\n"
        )
    text = read("*Ann saw *him", "function=my_markup:parse")
    assert mentions(text) == [("Ann", "x"), ("him", "x")]


@pytest.mark.parametrize(
    ("markup", "message"),
    [
        ("nonsense", "unknown markup 'nonsense'"),
        ("pattern=(?P<open>x", "not a regular expression"),
        ("pattern=(?P<open>x)", "lacks the group"),
        ("function=nowhere:parse", "cannot import"),
        ("function=os:nothing", "cannot import"),
    ],
)
def test_a_markup_that_cannot_be_used(markup: str, message: str) -> None:
    """The message says what to write."""
    with pytest.raises(UsageError, match=message):
        find_markup(markup)


def test_a_function_that_returns_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Named in the message."""
    import math

    monkeypatch.setattr(math, "parse", lambda _: [1.5], raising=False)
    with pytest.raises(UsageError, match=r"returned 1\.5"):
        read("x", "function=math:parse")


def test_names_of_policies_are_markups() -> None:
    """`--markup` offers what there is."""
    offered = [name for name in scoref.Policy.choices()["markup"] if "=" not in name]
    assert set(offered) - {"none", "auto"} <= set(NAMES)
