"""Types and heads of mentions: from files, tags, parses, dependencies and English words."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref.corpus.text import Text
from scoref.formats.conll.text_columns import layout
from scoref.linguistics.heads import head_by_parse, head_by_tags, head_finder, tag_class
from scoref.linguistics.trees import read_tree, smallest_around
from scoref.linguistics.types import looks_english, lower_case_words, mention_type
from scoref.metrics.table import NAME

SENTENCE = """
The      DT   (TOP(S(NP(NP*   (1
old      JJ   *               -
captain  NN   *)              -
of       IN   (PP*            -
the      DT   (NP*            -
Mary     NNP  *               (2
Ann      NNP  *)))            2)|1)
saw      VBD  (VP*            -
her      PRP$ (NP(NP*         (3|(1)
brother  NN   *)              -
,        ,    *               -
John     NNP  (NP*            (4)
,        ,    *)              3)
and      CC   *               -
this     DT   (NP*)))         (5)
"""


def conll(sentence: str, *, tagged: bool = True, parsed: bool = True) -> str:
    """Write a sentence in CoNLL-2012 columns."""
    lines = []
    for number, line in enumerate(sentence.strip().splitlines()):
        word, tag, parse, cell = line.split()
        columns = ["d", "0", str(number), word, tag if tagged else "-"]
        columns += [parse if parsed else "-", "-", "-", "-", "-", "*", cell]
        lines.append("\t".join(columns))
    return "\n".join(["#begin document (d)", *lines, "", "#end document", ""])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with tags and parses."""
    path = tmp_path / "key.conll"
    path.write_text(conll(SENTENCE), "utf-8")
    return path


def named_entities(path: Path, how: str = "auto") -> int:
    """Count entities with a name, after scoring with a metric that requires types."""
    alignment = scoref.score(path, path, ["arcs"], scoref.Policy(types=how)).alignment  # type: ignore[arg-type]
    assert alignment is not None
    rows = alignment.table().rows
    assert rows is not None
    return len(set(rows.key[rows.type == NAME].tolist()))


def test_reads_words_and_columns_on_request(path: Path) -> None:
    """And only then."""
    assert scoref.read(path).text is None
    text = scoref.read(path, words=True).text
    assert text is not None
    assert set(text.columns) == {"word", "pos", "parse"}
    assert text.words(0, 0, 2) == ["The", "old", "captain"]
    assert text.starts_sentence.tolist() == [True] + 14 * [False]
    only = scoref.read(path, words={"word"}).text
    assert only is not None
    assert list(only.columns) == ["word"]


def test_documents_and_sentences_have_their_places(tmp_path: Path) -> None:
    """Also in a directory of files, and for any block size."""
    for name in "ab":
        lines = [f"{name}\t0\t{i}\t{name}{i}\t-" for i in (0, 1, 0)]
        text = "\n".join([f"#begin document ({name})", *lines[:2], "", lines[2], "#end document\n"])
        (tmp_path / f"{name}.conll").write_text(text, "utf-8")
    text_read = scoref.read(tmp_path, words=True).text
    assert text_read is not None
    assert text_read.first.tolist() == [0, 3, 6]
    assert text_read.words(1, 0, 2) == ["b0", "b1", "b0"]
    assert text_read.starts_sentence.tolist() == [True, False, True] * 2


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("bc/cctv 0 {} word NN (S* - - - A * -", 3),
        ("{} word -", 1),
        ("{} word l l NN NN f f 2 2 SBJ SBJ _ _ _ _ -", 1),
        ("38 38_1 x.xml 1 {} word True -", 5),
        ("word{} -", 0),
        ("corpus -", None),
        ("{} -", None),
        ("word word word -", None),
    ],
    ids=[
        "conll-2012",
        "three columns",
        "semeval-2010",
        "ecb+",
        "two",
        "one name",
        "numbers",
        "no counter",
    ],
)
def test_the_word_follows_what_counts_tokens(line: str, word: int | None) -> None:
    """Whatever else a file has."""
    lines = [line.format(number).split() for number in (0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7)]
    assert layout(lines).get("word") == word


def test_types_by_tags_and_parses(path: Path) -> None:
    """Mary Ann and John are names; captain and brother nominals; her and this pronouns."""
    key = scoref.read(path, words=True)
    result = scoref.score(key, key, ["lmuc"])
    assert "mention types were inferred from part-of-speech tags and parses" in result.notes
    assert named_entities(path) == 2


def test_a_file_without_parses_has_tags(tmp_path: Path) -> None:
    """The head is then the last noun before what follows it."""
    path = tmp_path / "tags.conll"
    path.write_text(conll(SENTENCE, parsed=False), "utf-8")
    result = scoref.score(path, path, ["arcs"])
    assert "mention types were inferred from part-of-speech tags" in result.notes
    assert named_entities(path) == 2


def test_types_of_english_are_inferred_from_words_alone(tmp_path: Path) -> None:
    """If the text looks English, or if the user says so."""
    path = tmp_path / "words.conll"
    path.write_text(conll(SENTENCE, tagged=False, parsed=False), "utf-8")
    assert "mention types were inferred from an English word list" in (
        scoref.score(path, path, ["arcs"]).notes
    )
    assert named_entities(path, "words") == 2
    with pytest.raises(scoref.ScorefError, match="no part-of-speech tags"):
        named_entities(path, "columns")
    with pytest.raises(scoref.ScorefError, match="is unknown"):
        named_entities(path, "file")


def test_another_language_is_refused(tmp_path: Path) -> None:
    """Rather than guessed."""
    path = tmp_path / "x.conll"
    text = conll(SENTENCE, tagged=False, parsed=False)
    for word, other in (("The", "Der"), ("the", "der"), ("\tof", "\tvon"), ("\tand", "\tund")):
        text = text.replace(word, other)
    path.write_text(text, "utf-8")
    with pytest.raises(scoref.ScorefError, match="do not look English"):
        scoref.score(path, path, ["arcs"])
    assert named_entities(path, "words")


def test_no_words_no_types(tmp_path: Path) -> None:
    """The message says where words are looked for."""
    path = tmp_path / "x.conll"
    path.write_text("#begin document (d)\n(1)\n(1)\n#end document\n", "utf-8")
    with pytest.raises(scoref.ScorefError, match="the files have no word column"):
        scoref.score(path, path, ["lmuc"])


def test_the_response_can_have_the_words(path: Path, tmp_path: Path) -> None:
    """Both sides have the same tokens, so either text will do."""
    bare = tmp_path / "bare.conll"
    cells = [line.split()[-1] for line in SENTENCE.strip().splitlines()]
    bare.write_text("\n".join(["#begin document (d)", *cells, "#end document\n"]), "utf-8")
    one = scoref.score(path, bare, ["lmuc"])
    other = scoref.score(bare, path, ["lmuc"])
    assert one["lmuc"].f1 == other["lmuc"].f1 == 1.0


def test_types_from_python_are_kept() -> None:
    """By mention, or by document and mention."""
    sides = {"d": [["a", "b"]], "e": [["a", "c"]]}
    one = scoref.Corpus.from_entities(
        sides, {"d": {"a": "name", "b": "pronoun"}, "e": {"a": "nominal", "c": "pronoun"}}
    )
    assert one.attributes["type"].tolist() == ["name", "pronoun", "nominal", "pronoun"]
    with pytest.raises(scoref.ScorefError, match="a mention type is 'noun'"):
        scoref.Corpus.from_entities(sides, {"d": {"a": "noun"}})


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Mrs. Todd", "name"),
        ("the University of Michigan", "name"),
        ("the man in the Moon", "nominal"),
        ("a dependent Englishman", "nominal"),
        ("John 's", "name"),
        ("John 's brother", "nominal"),
        ("each other", "pronoun"),
        ("he himself", "pronoun"),
        ("those", "pronoun"),
        ("those people", "nominal"),
        ("the captain , John", "nominal"),
    ],
)
def test_english_words(words: str, kind: str) -> None:
    """The rule of the manual."""
    assert mention_type(words.split(), frozenset(), starts=False) == kind


def test_a_sentence_start_is_capitalised_anyway() -> None:
    """So a common word at that position is not a name."""
    seen = lower_case_words(["dogs", "bark", "and", "Dogs", "bite"])
    assert mention_type(["Dogs"], seen, starts=True) == "nominal"
    assert mention_type(["Dogs"], seen, starts=False) == "name"
    assert mention_type(["Rex"], seen, starts=True) == "name"


def test_what_looks_english() -> None:
    """By its most frequent words."""
    english = "the cat and the dog went to the house of the man"
    dutch = "de kat en de hond gingen naar het huis van de man"
    assert looks_english(english.split())
    assert not looks_english(dutch.split())
    assert not looks_english([])


@pytest.mark.parametrize(
    ("tag", "kind"),
    [
        ("NNP", "name"),
        ("PROPN", "name"),
        ("NR", "name"),
        ("NE", "name"),
        ("N(eigen,ev)", "name"),
        ("DET+NOUN_PROP+CASE", "name"),
        ("PRP$", "pronoun"),
        ("PN", "pronoun"),
        ("PPER", "pronoun"),
        ("VNW[pers]", "pronoun"),
        ("NNS", "noun"),
        ("NOUN", "noun"),
        ("DT", "determiner"),
        ("IN", "break"),
        ("JJ", "other"),
    ],
)
def test_tags(tag: str, kind: str) -> None:
    """Of six tag sets."""
    assert tag_class(tag) == kind


@pytest.mark.parametrize(
    ("tags", "head"),
    [("DT JJ NN", 2), ("DT NN IN DT NNP", 1), ("NNP POS NN", 2), ("JJ", 0), ("NN , NN", 0)],
)
def test_heads_by_tags(tags: str, head: int) -> None:
    """The last noun of the core."""
    assert head_by_tags(tags.split()) == head


HEADS = [
    ("(NP(NP* * *) (PP* (NP* * *)))", "DT JJ NN IN DT NNP NNP", (0, 6), 2),
    ("(NP(NP* *) * (NP*) *)", "PRP$ NN , NNP ,", (0, 4), 1),
    ("(NP(NP* *) *)", "NNP POS NN", (0, 2), 2),
    ("(NP(NP*) * (NP*))", "NNP CC NNP", (0, 2), 0),
    ("(NP* (NML* *) *)", "DT NN NN NN", (0, 3), 3),
    ("(S(NP*) (VP* (NP* *)))", "PRP VBD DT NN", (1, 3), 1),
    ("(S(NP*) (VP* (NP* *)))", "PRP VBD DT NN", (2, 3), 3),
    ("(NP* * * *)", "DT JJ NN NNS", (0, 2), 2),
]


@pytest.mark.parametrize(("cells", "tags", "span", "head"), HEADS)
def test_heads_by_parse(cells: str, tags: str, span: tuple[int, int], head: int) -> None:
    """Head rules: also of a mention that is not a constituent."""
    tree = read_tree(re.findall(r"[^*]*?\*\)*", cells.replace(" ", "")))
    assert tree is not None
    assert head_by_parse(tree, tags.split(), *span) == head


def test_broken_parses_are_not_trees() -> None:
    """Types then go by tags."""
    assert read_tree(["(S*", "*"]) is None
    assert read_tree(["(S*)", "*)"]) is None
    tree = read_tree(["(S(NP*", "*)", "(VP*))"])
    assert tree is not None
    assert smallest_around(tree, 0, 1).label == "NP"


def test_heads_by_dependencies() -> None:
    """The first token that is governed from outside the mention."""
    words = ["the", "captain", "of", "the", "ship", "sleeps"]
    heads = ["2", "6", "5", "5", "2", "0"]
    text = Text(
        np.array([0, 6]),
        np.array([True] + 5 * [False]),
        {"word": words, "head": heads},
    )
    find = head_finder(text)
    assert find is not None
    assert [find(0, 0, 4), find(0, 3, 4), find(0, 0, 5)] == [1, 4, 5]
    assert head_finder(text.without("head")) is None


def test_arcs_by_part_of_speech(path: Path) -> None:
    """By type, or by a tag as the file writes it; the counts of the parts make the whole."""
    names = ["arcs", "arcs(of=noun)", "arcs(of=pronoun)", "arcs(of=PRP$)"]
    result = scoref.score(path, path, names)
    assert [result.totals(name)["right"] for name in names] == [1, 0, 1, 1]
    untagged = scoref.Corpus.from_entities({"d": [["a", "b"]]}, {"a": "name", "b": "pronoun"})
    with pytest.raises(scoref.ScorefError, match="part-of-speech tags"):
        scoref.score(untagged, untagged, ["arcs(of=PRP)"])


def test_a_longer_response_is_refused_before_types_are_inferred(path: Path, tmp_path: Path) -> None:
    """Its mentions could lie outside the words of the key."""
    longer = tmp_path / "longer.conll"
    more = "\n".join(f"d\t0\t{15 + at}\tx\tNN\t*\t-\t-\t-\t-\t*\t(9)" for at in range(3))
    longer.write_text(path.read_text("utf-8").replace("\n\n#end", f"\n{more}\n\n#end"), "utf-8")
    for one, other in ((path, longer), (longer, path)):
        with pytest.raises(scoref.ScorefError, match=r"has 1[58] tokens in the key"):
            scoref.score(one, other, ["lmuc"])
