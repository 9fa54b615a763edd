"""brat standoff: links become entities, offsets are checked against the text."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoref
from scoref.cli import main
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import ScorefError
from scoref.formats import inspect
from tests.formats.drawn import problem, read, written

TEXT = "Anna saw the old man. She and\nhe slept.\n"
ANN = """\
T1\tPerson 0 4\tAnna
T2\tPerson 9 20\tthe old man
T3\tPerson 22 25\tShe
T4\tPerson 30 32\the
T5\tGroup 22 25;30 32\tShe he
R1\tCoref Arg1:T3 Arg2:T1\t
R2\tcoreference_anaphoric Arg1:T4 Arg2:T2
R3\tBridging Arg1:T5 Arg2:T1
A1\tPlural T5
#1\tAnnotatorNotes T1\ta remark
"""


def save(folder: Path, ann: str = ANN, text: str | None = TEXT, name: str = "x") -> Path:
    """Write an annotation and its text."""
    if text is not None:
        (folder / f"{name}.txt").write_text(text, "utf-8")
    path = folder / f"{name}.ann"
    path.write_text(ann, "utf-8")
    return path


def test_links_become_entities(tmp_path: Path) -> None:
    """Whatever the relation is called, as long as it says coreference."""
    corpus = scoref.read(save(tmp_path))
    assert corpus.entities() == {"#1": [[(0, 3), (22, 24)], [(9, 19), (30, 31)], [(22, 31)]]}
    assert corpus.attributes["nodes"].tolist() == ["", "", "", "22 23 24 30 31", ""]
    assert corpus.attributes["label"].tolist()[-2:] == ["Group", "Person"]
    assert corpus.unit == "character"
    assert corpus.characters == (TEXT,)
    assert "Bridging (1)" in corpus.notes[0]


def test_equivalences_and_events(tmp_path: Path) -> None:
    """`*` lines name any number; an event stands for its trigger."""
    lines = ANN.splitlines()[:5]
    ann = "\n".join(
        [*lines, "*\tEquiv T1 T3 T4", "E1\tSee:T2 Theme:T1", "R1\tCoref Arg1:E1 Arg2:T5"]
    )
    corpus = scoref.read(save(tmp_path, ann))
    assert [len(entity) for entity in corpus.entities()["#1"]] == [3, 2]


LITBANK = """\
T1\tPROP_PER 0 4\tAnna
T2\tAnna-0 0 4\tAnna
T3\tNOM_PER 9 20\tthe old man
T4\tthe_old_man-1 9 20\tthe old man
T5\tPRON_PER 22 25\tShe
T6\tAnna-0 22 25\tShe
T7\tPRON_PER 30 32\the
R1\tcop Arg1:T7 Arg2:T3
"""


def test_labels_of_entities_are_read(tmp_path: Path) -> None:
    """As in LitBank: the second label of a place names its entity, and relations are not identity.

    The annotations of one place are one mention, and a mention without such a label is alone.
    """
    corpus = scoref.read(save(tmp_path, LITBANK))
    assert corpus.entities() == {"#1": [[(0, 3), (22, 24)], [(9, 19)], [(30, 31)]]}
    assert list(corpus.entity_names)[:2] == ["Anna-0", "the_old_man-1"]
    assert corpus.attributes["label"].tolist() == ["PROP_PER", "NOM_PER", "PRON_PER", "PRON_PER"]
    assert corpus.notes[0].endswith("entities are read from labels such as `Anna-0`")
    linked = scoref.read(save(tmp_path, LITBANK + "R2\tCoref Arg1:T1 Arg2:T3\n"))
    assert len(linked) == 7


@pytest.mark.parametrize(
    ("damage", "line", "found"),
    [
        (("T1\tPROP_PER 0 4\tAnna\n", ""), 1, "`Anna-0` at a place without another label"),
        (("T7\tPRON_PER 30 32\the", "T7\tBob-3 22 25\tShe"), 7, "`Bob-3` at the place of `Anna-0`"),
    ],
)
def test_a_lost_label_of_an_entity_is_refused(
    damage: tuple[str, str], line: int, found: str, tmp_path: Path
) -> None:
    """The other mentions would be singletons."""
    _, (problem, *_) = inspect(save(tmp_path, LITBANK.replace(*damage)))
    assert (problem.line, problem.found) == (line, found)


def test_places_can_be_in_any_order(tmp_path: Path) -> None:
    """If the text agrees in this order, or from left to right."""
    for text in ("he She", "She he"):
        path = save(tmp_path, ANN.replace("22 25;30 32\tShe he", f"30 32;22 25\t{text}"))
        assert scoref.read(path).fingerprint() == scoref.read(save(tmp_path)).fingerprint()
    _, problems = inspect(save(tmp_path, ANN.replace("22 25;30 32\tShe he", "30 32;22 25\theShe")))
    assert problems[0].line == 5


def test_an_empty_annotation_is_a_document_without_mentions(tmp_path: Path) -> None:
    """If its text is there."""
    corpus = scoref.read(save(tmp_path, ""))
    assert (len(corpus.documents), len(corpus)) == (1, 0)
    assert corpus.documents[0].length == len(TEXT)
    corpus.write(tmp_path / "y.ann", "brat")
    assert scoref.read(tmp_path).entities() == {"x": [], "y": []}
    with pytest.raises(ScorefError, match="empty file"):
        scoref.read(save(tmp_path, "", text=None, name="z"))


@pytest.mark.parametrize("line", range(9))
@pytest.mark.parametrize("damage", ["no tab", "no number", "cut", "rubbish"])
def test_a_damaged_line_is_reported_as_brat(line: int, damage: str, tmp_path: Path) -> None:
    """With its line, and not as a file of an unknown format."""
    lines = ANN.splitlines()
    lines[line] = {
        "no tab": lines[line].replace("\t", " "),
        "no number": lines[line].replace("T", "x", 1).replace("R", "x", 1),
        "cut": lines[line][:5],
        "rubbish": "#!%",
    }[damage]
    _, problems = inspect(save(tmp_path, "\n".join(lines)))
    assert all("#begin" not in str(one) for one in problems)
    assert not problems or min(problems).line


def test_listed_characters_are_in_proportion_to_the_file(tmp_path: Path) -> None:
    """The characters of a discontinuous mention are listed one by one."""
    ann = "".join(f"T{at}\tX 0 60000;60001 60002\tx\n" for at in range(1, 200))
    _, problems = inspect(save(tmp_path, ann, text=None), "brat")
    assert problems[0].line == 7
    assert "--no-limits" in problems[0].hint


def test_a_directory_pairs_documents_by_file(tmp_path: Path) -> None:
    """And does not take the texts for annotations."""
    for name in ("one", "two"):
        save(tmp_path, name=name)
    corpus = scoref.read(tmp_path)
    assert [document.name for document in corpus.documents] == ["one", "two"]
    assert scoref.score(tmp_path, tmp_path)["conll"].f1 == 1.0


def test_without_a_text_a_note_says_so(tmp_path: Path) -> None:
    """Offsets cannot be checked."""
    corpus = scoref.read(save(tmp_path, text=None))
    assert "the .txt file is missing" in corpus.notes[-1]
    assert corpus.unit == "character"


REFUSED_WITHOUT_A_TEXT = {
    "a line that was cut": (ANN.replace(" 20\tthe old man", " 12"), 2, "T2 without its text"),
    "a mention of a book": (ANN.replace("9 20", "9 2147483648"), 2, "of 2,147,483,639 characters"),
    "parts in two books": (ANN.replace("30 32\tS", "90000000 90000002\tS"), 5, "of 89,999,980"),
    "only attributes": ("A1\tPlural T5\n", 0, "no annotations"),
    "nothing": ("", 0, "no annotations"),
}


@pytest.mark.parametrize(
    ("ann", "line", "found"), REFUSED_WITHOUT_A_TEXT.values(), ids=REFUSED_WITHOUT_A_TEXT
)
def test_without_a_text_refuses(ann: str, line: int, found: str, tmp_path: Path) -> None:
    """What can be seen in the file alone."""
    first = min(inspect(save(tmp_path, ann, text=None), "brat")[1])
    assert (first.line, found in first.found) == (line, True), first


def test_blanks_of_links(tmp_path: Path) -> None:
    """Are spaces or tabs, one or more."""
    blanks = ANN.replace("\tCoref Arg1:T3 ", "\t Coref\tArg1:T3  ")
    assert scoref.read(save(tmp_path, blanks)).entities() == scoref.read(save(tmp_path)).entities()


REFUSED = {
    "a blank in an id": (ANN + "A\u00a01\tPlural T1\n", ANN.count("\n") + 1, "`A\u00a01"),
    "an offset past the end": (ANN.replace("30 32\the", "39 42\the"), 4, "T4 up to character 42"),
    "another text": (ANN.replace("\tAnna", "\tHanna"), 1, "T1 with the text `Hanna`"),
    "a link to nobody": (ANN.replace("Arg2:T1\t", "Arg2:T9"), 6, "a link to T9"),
    "no text": (ANN.replace("\tAnna\n", "\n"), 1, "T1 without its text"),
    "two links in one line": (ANN.replace("Arg2:T1\t\n", "Arg2:T1\t"), 6, "`Coref Arg1:T3 Arg2:T1"),
    "half a link": (ANN.replace(" Arg2:T1\t", ""), 6, "`Coref Arg1:T3`"),
    "an id twice": (ANN.replace("T2\tPerson", "T1\tPerson"), 2, "T1 again"),
    "an empty span": (ANN.replace("0 4\tAnna", "4 4\t"), 1, "the offsets `4 4`"),
    "overlapping parts": (ANN.replace("22 25;30", "22 31;30"), 5, "the offsets"),
    "no offsets": (ANN.replace("Person 0 4", "Person"), 1, "`Person"),
    "a huge offset": (ANN.replace("Person 0 4", f"Person 0 {'9' * 30}"), 1, "`Person 0 999"),
    "no tab": (ANN.replace("T1\tPerson", "T1 Person"), 1, "`T1 Person"),
    "a bomb": (ANN.replace("0 4\tAnna", "0 4;9 999999999999\tAnna"), 1, "the offsets `0 4;9 9999"),
    "a number after *": (ANN + "*1\tEquiv T1 T2\n", 11, "`*1\tEquiv"),
    "a link without a role": (ANN.replace("Arg1:T3", ":x:T3"), 6, "`Coref :x:T3"),
    "an equivalence of nothing": (ANN + "*\t\n", 11, "`*"),
    "something else": ("x\ty\n" + ANN, 1, "`x\ty`"),
}


@pytest.mark.parametrize(("ann", "line", "found"), REFUSED.values(), ids=REFUSED)
def test_refuses(ann: str, line: int, found: str, tmp_path: Path) -> None:
    """With the line, and what stands there."""
    _, problems = inspect(save(tmp_path, ann), "brat")
    first = min(problems)
    assert (first.line, found in first.found) == (line, True), first


def test_bytes_that_are_no_text() -> None:
    """Are refused with their place."""
    assert "0xe9" in problem("brat", ANN.replace("Anna", "é").encode("latin-1")).found


@given(
    st.lists(st.sets(st.integers(0, 30), min_size=1), min_size=1, max_size=6, unique_by=frozenset),
    st.data(),
)
def test_a_round_trip_keeps_everything(mentions: list[set[int]], data: st.DataObject) -> None:
    """Discontinuous mentions too."""
    builder = CorpusBuilder("drawn")
    number = builder.document("", 31)
    for places in mentions:
        entity = builder.entity(number, data.draw(st.integers(0, 2)))
        span = min(places), max(places)
        plain = len(places) == span[1] - span[0] + 1
        nodes = "" if plain else " ".join(map(str, sorted(places)))
        builder.mention(number, span, entity, nodes=nodes)
    corpus = replace(builder.corpus(), characters=("x" * 31,))
    again, problems = read("brat", written(corpus, "brat"))
    assert not problems
    assert again.fingerprint() == corpus.fingerprint()


def test_tokens_are_written_with_their_text(tmp_path: Path, example: Path) -> None:
    """The words with blanks between them, a sentence a line, in a file beside."""
    corpus = scoref.read(example / "key.conll", words=True)
    one = corpus.where(corpus.document == 0)
    assert one.text is not None
    last = int(one.text.first[1])
    words = one.text.columns["word"][:last]
    cut = replace(one, documents=corpus.documents[:1])
    cut.write(tmp_path / "ferry.ann", "brat")
    text = (tmp_path / "ferry.txt").read_text("utf-8")
    assert text.split() == list(words)
    again = scoref.read(tmp_path / "ferry.ann")
    assert len(again) == len(cut)
    pairs = zip(again.start.tolist(), again.end.tolist(), strict=True)
    covered = sorted(text[start : end + 1].split() for start, end in pairs)
    spans = zip(cut.start.tolist(), cut.end.tolist(), strict=True)
    assert covered == sorted(list(words[start : end + 1]) for start, end in spans)


ONE = "#begin document (ferry)\n0\tAnna\t(1)\n1\tsaw\t-\n2\ther\t(1)\n#end document\n"


def test_a_text_file_of_another_program_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even if it is the input; with `--force`, and if the text is the same, it is."""
    path, ann, text = (tmp_path / name for name in ("one.conll", "one.ann", "one.txt"))
    path.write_text(ONE)
    text.write_text("dear diary")
    assert main(["convert", str(path), "-o", str(ann)]) == 2
    assert "--force" in capsys.readouterr().err
    assert text.read_text() == "dear diary"
    assert not ann.exists()
    assert main(["convert", str(path), "-o", str(ann), "--force"]) == 0
    assert text.read_text() == "Anna saw her"
    assert main(["convert", str(path), "-o", str(ann)]) == 0
    text.write_text(ONE)
    ann.unlink()
    assert main(["convert", str(text), "-o", str(ann)]) == 2
    assert text.read_text() == ONE
    assert sorted(tmp_path.iterdir()) == [path, text]


def test_both_files_are_written_or_none(tmp_path: Path) -> None:
    """A failure while the second is written leaves neither."""
    corpus = replace(Corpus.from_entities({"": [[(0, 1)]]}), characters=("ab",))
    (tmp_path / "x.txt").mkdir()
    with pytest.raises(ScorefError):
        corpus.write(tmp_path / "x.ann", "brat", force=True)
    assert not (tmp_path / "x.ann").exists()
    with pytest.raises(ScorefError, match="writes two files"):
        corpus.write(tmp_path / "y.txt", "brat")
    assert [one.name for one in tmp_path.iterdir()] == ["x.txt"]


def test_a_text_that_does_not_belong_to_the_annotation_is_not_adopted(tmp_path: Path) -> None:
    """A corpus without its text is not written next to a text of something else."""
    (tmp_path / "x.txt").write_text("dear diary")
    corpus = replace(Corpus.from_entities({"": [[(0, 1)]]}), characters=("",))
    with pytest.raises(ScorefError, match="does not belong"):
        corpus.write(tmp_path / "x.ann", "brat")


def test_several_documents_are_refused() -> None:
    """A file has one."""
    with pytest.raises(ScorefError, match="one document"):
        written(Corpus.from_entities({"a": [[(0, 1)]], "b": []}), "brat")


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_refused_or_noted_or_harmless(tmp_path: Path, data: st.DataObject) -> None:
    """Rubbish anywhere never gives a traceback, and mentions stay inside the text."""
    at = data.draw(st.integers(0, len(ANN)))
    rubbish = data.draw(st.text("T R1*\t\n;:09é", max_size=4))
    path = save(tmp_path, ANN[:at] + rubbish + ANN[at + data.draw(st.integers(0, 3)) :])
    with suppress(ScorefError):
        corpus = scoref.read(path, "brat")
        assert (corpus.start <= corpus.end).all()
        assert corpus.end.max(initial=0) < len(TEXT)


@pytest.mark.parametrize("filler", ["T1", "\t", "0 4;", "\0", " ", "\u00e9"])
def test_a_line_of_ten_megabytes_gets_an_answer(filler: str) -> None:
    """A message, and no traceback."""
    line = f"T1\tPerson {filler * (10_000_000 // len(filler))}\tAnna\n"
    assert problem("brat", line).line == 1


def test_a_nul_byte_is_refused() -> None:
    """Wherever it stands in what is looked at."""
    for place in ("T1\0\tPerson 0 4\tAnna\n", "T1\tPerson\t0\0 4\tAnna\n", "\0" * 9):
        assert problem("brat", place).line == 1


def test_a_relation_of_many_colons_takes_no_time() -> None:
    """As a pattern, the line took cubic time: the test would not end."""
    for rest in ("a:" * 50_000, "Coref " + "a:" * 50_000, "Coref a:T1 " + ":" * 99_999):
        assert problem("brat", f"T1\tPerson 0 1\ta\nR1\t{rest}\n").line == 2
