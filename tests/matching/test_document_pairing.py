"""Documents that are not paired: the message says what differs, and its hint would help."""

from __future__ import annotations

from pathlib import Path

import pytest

import scoref
from scoref import Policy
from scoref.exceptions import DocumentError

ENTITIES = [["a", "b"], ["c"]]


@pytest.mark.parametrize(
    ("name", "difference"),
    [
        ("WSJ_0001", "in case, blanks or Unicode form"),
        (" wsj_0001", "in case, blanks or Unicode form"),
        ("wsj_\uff10\uff10\uff10\uff11", "in case, blanks or Unicode form"),
        ("nw/wsj_0001", "in case, folders or suffix"),
        ("wsj_0001.txt", "in case, folders or suffix"),
    ],
)
@pytest.mark.parametrize("others", [{}, {"other": ENTITIES}])
def test_names_that_are_almost_the_same(
    name: str, difference: str, others: dict[str, list[list[str]]]
) -> None:
    """`--extra-documents ignore` would drop a document that the key has."""
    key, response = {"wsj_0001": ENTITIES, **others}, {name: ENTITIES, **others}
    with pytest.raises(DocumentError) as error:
        scoref.score(key, response)
    assert f"the key document 'wsj_0001' differ only {difference}" in error.value.hint
    assert "--extra-documents" not in error.value.hint
    if others:
        notes = scoref.score(key, response, policy=Policy(extra_documents="ignore")).notes
        assert any(f"differ only {difference}" in note for note in notes)
        missing = Policy(extra_documents="ignore", missing_documents="error")
        with pytest.raises(DocumentError, match=f"differ only {difference}"):
            scoref.score(key, response, policy=missing)


@pytest.mark.parametrize(("mine", "other"), [("a", "b"), ("x.1", "x.2"), ("bn/01", "mz/01")])
def test_other_names(mine: str, other: str) -> None:
    """The flag helps if the document is really another one."""
    both = {"c": ENTITIES}
    key, response = {mine: ENTITIES, **both}, {mine: ENTITIES, other: ENTITIES, **both}
    with pytest.raises(DocumentError, match="--extra-documents ignore leaves them out"):
        scoref.score({mine: ENTITIES, **both}, {other: ENTITIES, **both})
    with pytest.raises(DocumentError, match="--extra-documents ignore leaves them out"):
        scoref.score(key, response)
    policy = Policy(extra_documents="ignore")
    assert scoref.score(key, response, policy=policy)["b3"].f1 == 1


PREFIXED = {f"conll/test-{number}-v2": ENTITIES for number in (1, 2, 12)}


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ({"wsj_0001": ENTITIES}, {"WSJ_0001": ENTITIES}),
        ({"a": ENTITIES, "b": ENTITIES}, {"nw/a": ENTITIES, "B": ENTITIES}),
        ({"a": ENTITIES, "b": ENTITIES}, {"a": ENTITIES, "b.txt": ENTITIES}),
        ({"1": ENTITIES, "2": ENTITIES, "12": ENTITIES}, PREFIXED),
        (PREFIXED, {"test-1": ENTITIES, "test-2": ENTITIES, "test-12": ENTITIES}),
    ],
)
def test_similar_names_are_paired_when_asked(
    key: dict[str, list[list[str]]], response: dict[str, list[list[str]]]
) -> None:
    """The hint names the flag, a note says what was paired, and the signature states it."""
    with pytest.raises(DocumentError) as error:
        scoref.score(key, response)
    assert "--pair-documents similar" in error.value.hint
    policy = Policy(pair_documents="similar", missing_documents="error")
    for source in (key, scoref.Corpus.from_entities(key)):
        result = scoref.score(source, response, policy=policy)
        assert result["b3"].f1 == 1
        assert "|pair_documents:similar|" in result.signature
        assert any(note.startswith("paired ") for note in result.notes)
    assert scoref.Key(key, policy=policy).score(response)["b3"].f1 == 1


def test_equal_names_are_never_renamed() -> None:
    """And a name that is similar to several is not paired at all."""
    policy = Policy(pair_documents="similar")
    key = {"a": ENTITIES, "A": [["a", "c"], ["b"]]}
    result = scoref.score(key, key, policy=policy)
    assert result["b3"].f1 == 1
    assert not result.notes
    with pytest.raises(DocumentError, match="no document of the response is in the key"):
        scoref.score(key, {"a ": ENTITIES}, policy=policy)
    with pytest.raises(DocumentError, match="no document of the response is in the key"):
        scoref.score({"nw-1": ENTITIES, "nw-2": ENTITIES}, {"b1": ENTITIES, "b2": ENTITIES})


def test_chunks_lead_to_stitch() -> None:
    """Their names are those of documents, with a number."""
    for names in (["emma_S0", "emma_S17"], ["emma-part-1", "emma-part-2"], ["emma.1", "emma.2"]):
        with pytest.raises(DocumentError) as error:
            scoref.score({"emma": ENTITIES}, dict.fromkeys(names, ENTITIES))
        assert "with `scoref stitch` first" in error.value.hint
    with pytest.raises(DocumentError) as error:
        scoref.score({"emma": ENTITIES, "kim": ENTITIES}, {"emma": ENTITIES, "ann": ENTITIES})
    assert "stitch" not in error.value.hint


def test_one_document_without_a_name_on_each_side(tmp_path: Path) -> None:
    """Nothing could be paired otherwise, so no note says how: tables of records have none."""
    table, named = tmp_path / "records.csv", tmp_path / "named.csv"
    table.write_text("id,cluster\na,1\nb,1\n")
    named.write_text("document,mention,entity\nd,a,1\nd,b,1\n")
    assert not scoref.score(table, table).notes
    assert scoref.score(named, table).notes == (
        "documents without a name are paired by their position in the file",
    )


def one_document(path: Path, name: str, cells: str) -> Path:
    """Write a corpus as one document with a mention per line, as papers across documents do."""
    rows = "".join(f"{name}\t({cell})\n" for cell in cells)
    path.write_text(f"#begin document ({name}); part 000\n{rows}#end document\n")
    return path


def test_the_only_documents_are_paired(tmp_path: Path) -> None:
    """Whatever their names, if they have as many tokens; a note has both names."""
    key = one_document(tmp_path / "key", "ECB+/ecbplus_all", "112")
    response = one_document(tmp_path / "response", "test_events", "344")
    result = scoref.score(key, response, ["b3"])
    assert 0 < result["b3"].f1 < 1
    (note,) = result.notes
    assert note == (
        "the only document of the response, 'test_events', is paired with the only document of the"
        " key, 'ECB+/ecbplus_all', because both have 3 tokens"
    )
    assert not scoref.score(key, key, ["b3"]).notes
    longer = one_document(tmp_path / "longer", "test_events", "3444")
    with pytest.raises(DocumentError, match="no document of the response is in the key"):
        scoref.score(key, longer)


def test_documents_without_names_and_with_names() -> None:
    """By their order, if one side has no names, and if both have the same number."""
    key = scoref.CorpusBuilder("key")
    for name in ("x", "y"):
        number = key.document(name, 2)
        key.mention(number, (0, 0), key.entity(number, "e"))
    response = scoref.CorpusBuilder("response")
    for _ in range(2):
        number = response.document("", 2)
        response.mention(number, (0, 0), response.entity(number, "e"))
    assert scoref.score(key.corpus(), response.corpus(), ["mentions"])["mentions"].f1 == 1
    response.document("", 2)
    with pytest.raises(DocumentError):
        scoref.score(key.corpus(), response.corpus())
