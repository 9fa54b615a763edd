"""Fields of mentions: what `where` and `scoref slices` can select and divide mentions by.

A field has a value for each row of an alignment. It describes the mention of the key, or that of
the response if the key lacks the mention, in the whole corpus, before any mention is removed. An
empty text means that the value is not known. The manual (policies, "Where") describes each field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import PurePath
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, first_of_run, pack
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.document import UNKNOWN, genres
from scoref.corpus.spans import Spans, nested
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.matching.aligned_rows import AlignedRows, look_up
from scoref.matching.alignment import Alignment
from scoref.matching.document_pairing import invert_pairing
from scoref.metrics.needs import TYPES
from scoref.metrics.table import NOWHERE, SideName

Values = Callable[[Alignment], NDArray[Any]]

YES_NO = ("yes", "no")
_MAIN = 5
CHAINS = ("singleton", "short", "long")


class Field(NamedTuple):
    """A field: its name, and how its values are found.

    The values of a number are divided into classes at `edges`, which are the least value of each
    class. `known` are the values that a text can have, if they are limited. `needs` is what must be
    inferred if it is not stated, and `columns` are those of the text that are read. `without` is
    the name of the slice of mentions without a value.
    """

    name: str
    values: Values
    edges: tuple[int, ...] = ()
    known: tuple[str, ...] = ()
    needs: frozenset[str] = frozenset()
    columns: frozenset[str] = frozenset()
    without: str = "unknown"

    @property
    def is_number(self) -> bool:
        """Whether values are numbers."""
        return bool(self.edges)

    @property
    def names(self) -> Sequence[str]:
        """The names of slices that are known before values are: of classes, or of texts."""
        return class_names(self.edges) if self.edges else self.known


def class_names(edges: Sequence[int]) -> list[str]:
    """Name each class of numbers, given the least value of each."""
    names = [str(low) if high == low + 1 else f"{low}-{high - 1}" for low, high in pairwise(edges)]
    return [*names, f"{edges[-1]}+"]


def bins(values: Ints, edges: Sequence[int]) -> Iterator[tuple[str, Bools]]:
    """Yield the name of each class of numbers, and which values are in it."""
    of = np.searchsorted(edges, values, side="right") - 1
    for at, name in enumerate(class_names(edges)):
        yield name, of == at


class MentionSide(NamedTuple):
    """One side of an alignment: its name, and the entity of each row."""

    rows: AlignedRows
    name: SideName
    entity: Ints

    @property
    def spans(self) -> Spans:
        """The span of each row."""
        return self.rows.spans(self.name)


def by_side(compute: Callable[[MentionSide], NDArray[Any]], alignment: Alignment) -> NDArray[Any]:
    """Find values on the side of the key for its mentions, and of the response for others."""
    rows = _rows(alignment)
    of_key = compute(MentionSide(rows, "key", alignment.key))
    of_response = compute(MentionSide(rows, "response", alignment.res))
    return np.where(alignment.key != NOWHERE, of_key, of_response)


def _rows(alignment: Alignment) -> AlignedRows:
    """Return the rows with entities numbered as in the alignment."""
    sizes = (int(entity.max(initial=NOWHERE)) + 1 for entity in (alignment.key, alignment.res))
    return AlignedRows(alignment, *(np.arange(size) for size in sizes))


def _type(alignment: Alignment) -> NDArray[Any]:
    names = np.array([*MENTION_TYPES, ""])
    return names[_rows(alignment).type]


def spans_of_mentions(alignment: Alignment) -> Spans:
    """Return the span of each mention."""
    ends = by_side(lambda side: np.stack([side.spans.start, side.spans.end]), alignment)
    return Spans(alignment.unit, *ends)


def _length(side: MentionSide) -> NDArray[Any]:
    return side.spans.length


def _entity_size(side: MentionSide) -> NDArray[Any]:
    """Return the size of the entity of each row, 0 for a row without an entity."""
    entity = side.entity
    return np.append(np.bincount(entity[entity != NOWHERE]), 0)[entity]


def _chain(side: MentionSide) -> NDArray[Any]:
    """Say whether the entity is a singleton, a short chain (2 to 4 mentions) or a long one."""
    return np.array(CHAINS)[np.searchsorted((2, 5), _entity_size(side), side="right")]


def _distance(side: MentionSide) -> NDArray[Any]:
    """Return how many mentions of its side a mention comes after its antecedent, or -1."""
    order, rows = side.rows.order, np.flatnonzero(side.entity != NOWHERE)
    place = np.zeros(len(order), dtype=np.int64)
    place[rows[np.lexsort((order[rows], side.rows.unit[rows]))]] = np.arange(len(rows))
    return since_antecedent(side.entity, order, place)


def since_antecedent(entity: Ints, order: Ints, place: Ints) -> Ints:
    """Return how far each mention is from the previous mention of its entity, or -1."""
    distance = np.full(len(entity), NOWHERE, dtype=np.int64)
    rows = np.flatnonzero(entity != NOWHERE)
    rows = rows[np.lexsort((order[rows], entity[rows]))]
    later = np.flatnonzero(~first_of_run(entity[rows]))
    distance[rows[later]] = place[rows[later]] - place[rows[later - 1]]
    return distance


def _nested(side: MentionSide) -> NDArray[Any]:
    """Say whether each mention is inside another mention of its entity and document."""
    entity, spans = side.entity, side.spans
    rows = np.flatnonzero(entity != NOWHERE)
    group = np.unique(pack(entity[rows], spans.document[rows]), return_inverse=True)[1]
    marked = np.zeros(len(entity), dtype=bool)
    marked[rows[nested(spans.where(rows)._replace(document=group))[0]]] = True
    return np.where(marked, *YES_NO)


def _depth(side: MentionSide) -> NDArray[Any]:
    """Count the mentions of its side that each mention is inside of."""
    spans = side.spans
    there = np.flatnonzero(spans.start >= 0)
    inner, _ = nested(spans.where(there))
    depth = np.zeros(len(spans.start), dtype=np.int64)
    depth[there] = np.bincount(inner, minlength=len(there))
    return depth


def _main(side: MentionSide) -> NDArray[Any]:
    """Say whether its entity is one of the five largest of the document, or as large as these."""
    entity, unit, size = side.entity, side.rows.unit, _entity_size(side)
    rows = np.flatnonzero(entity != NOWHERE)
    _, first = np.unique(entity[rows], return_index=True)
    one = rows[first]  # a row per entity
    one = one[np.lexsort((-size[one], unit[one]))]
    start = np.flatnonzero(first_of_run(unit[one]))
    place = np.arange(len(one)) - np.repeat(start, np.diff(start, append=len(one)))
    least = np.full(int(unit.max(initial=0)) + 1, 2, dtype=np.int64)
    fifth = one[place == _MAIN - 1]
    least[unit[fifth]] = np.maximum(size[fifth], 2)
    return np.where(size >= least[unit], *YES_NO)


def _genre(alignment: Alignment) -> NDArray[Any]:
    found = genres(alignment.units)
    if not found:
        raise UsageError(
            "genres cannot be inferred from the names of documents",
            "the genre is the first part that differs between names such as nw/wsj_0001",
        )
    return np.array(found)[alignment.unit]


def _document(alignment: Alignment) -> NDArray[Any]:
    return np.array([str(name) for name in alignment.units])[alignment.unit]


def _lengths(alignment: Alignment) -> Ints:
    corpus = alignment.key_corpus
    lengths = [document.length for document in corpus.documents] if corpus is not None else []
    if not lengths or UNKNOWN in lengths:
        raise UsageError("the lengths of documents are not known")
    return np.array(lengths)[alignment.unit]


def _tenth(alignment: Alignment) -> NDArray[Any]:
    """Return the tenth of the document, from 1 to 10, in which each mention starts."""
    lengths = np.maximum(_lengths(alignment), 1)
    return np.minimum(10 * spans_of_mentions(alignment).start // lengths, 9) + 1


def _language(alignment: Alignment) -> NDArray[Any]:
    """Return the language that the name of each file or document starts with."""
    corpus = alignment.key_corpus
    documents = corpus.documents if corpus is not None else ()
    found = []
    for one in documents:
        names = (PurePath(one.source or corpus.source if corpus else "").name, one.name)
        codes = (re.match(r"([a-z]{2,3})[_-]", name) for name in names)
        found.append(next((code[1] for code in codes if code), ""))
    if not any(found):
        raise UsageError(
            "the language of documents is not stated",
            "names of files or documents that start with a code state it: cs_pcedt-test.conllu",
        )
    return np.array(found)[alignment.unit]


_WITH_WORDS = "use files with words; in Python, score with where=..., which reads them"


class TokenRows(NamedTuple):
    """The text of an alignment, the first token and the head of each row in it; -1 is unknown."""

    text: Text
    start: Ints
    head: Ints

    @classmethod
    def of(cls, alignment: Alignment, column: str, what: str, hint: str) -> TokenRows:
        """Return the tokens, or refuse a text that lacks a column."""
        text, place = _text_of(alignment)
        if text is None or column not in text:
            raise UsageError(f"{what} is not stated in these files", hint)
        document, spans = place[alignment.unit], spans_of_mentions(alignment)
        head = _heads(alignment, text, spans._replace(document=document))
        first, known = text.first[document], document != NOWHERE
        return cls(text, *(np.where(known, first + at, NOWHERE) for at in (spans.start, head)))

    def column(self, name: str, token: Ints) -> NDArray[Any]:
        """Return a column of the text for some tokens."""
        values, nothing = self.text.columns[name], ("_", "-")
        found = (
            "" if at == NOWHERE or values[at] in nothing else values[at] for at in token.tolist()
        )
        return np.array([*found], dtype=np.str_)


def _heads(alignment: Alignment, text: Text, spans: Spans) -> Ints:
    """Return the heads that are stated, or else those of dependencies, or else first tokens."""
    stated = alignment.column("head_start")
    head = np.full(len(spans.start), NOWHERE, dtype=np.int64) if stated is None else stated.copy()
    head[spans.start == spans.end] = spans.start[spans.start == spans.end]
    missing = np.flatnonzero((head == NOWHERE) & (spans.document != NOWHERE))
    if "head" in text and len(missing):
        from scoref.linguistics.heads import head_finder  # noqa: PLC0415  # few fields need it

        find = head_finder(text)
        rows = zip(*(column[missing].tolist() for column in spans[:3]), strict=True)
        head[missing] = [find(*row) for row in rows] if find is not None else NOWHERE
    return np.where(head == NOWHERE, spans.start, head)


def _text_of(alignment: Alignment) -> tuple[Text | None, Ints]:
    """Return the text of both sides, and the place of each document in it, or NOWHERE."""
    key, response, units = alignment.key_corpus, alignment.res_corpus, len(alignment.units)
    if key is None or response is None or key.grouped_by:
        return None, np.full(units, NOWHERE, dtype=np.int64)
    if key.text is not None and key.text.columns:
        return key.text, np.arange(units)
    of_response = alignment.key_document
    if response.text is None or of_response is None:
        return None, np.full(units, NOWHERE, dtype=np.int64)
    return response.text, invert_pairing(of_response, units)


def _in_sentence(alignment: Alignment) -> NDArray[Any]:
    """Return how many tokens of its sentence come before each mention."""
    tokens = TokenRows.of(alignment, "word", "the sentence of a mention", _WITH_WORDS)
    starts = np.flatnonzero(tokens.text.starts_sentence)
    sentence = starts[np.searchsorted(starts, tokens.start, side="right") - 1]
    return np.where(tokens.start == NOWHERE, 0, tokens.start - sentence)


def _sentences(alignment: Alignment) -> NDArray[Any]:
    """Return how many sentences a mention comes after its antecedent; -1 for first mentions."""
    tokens = TokenRows.of(alignment, "word", "the sentence of a mention", _WITH_WORDS)
    starts = np.flatnonzero(tokens.text.starts_sentence)
    sentence = np.searchsorted(starts, tokens.start, side="right")
    return by_side(lambda side: since_antecedent(side.entity, side.rows.order, sentence), alignment)


_SPEAKERS = "CoNLL-2012 (column 10), JSON lines (speakers) and CoreNLP state speakers"


def _speaker(alignment: Alignment) -> NDArray[Any]:
    tokens = TokenRows.of(alignment, "speaker", "the speaker", _SPEAKERS)
    return tokens.column("speaker", tokens.start)


def _quote(alignment: Alignment) -> NDArray[Any]:
    tokens = TokenRows.of(alignment, "speaker", "what is a quote", _SPEAKERS)
    return np.where(tokens.column("speaker", tokens.start) == "", "no", "yes")


def _feature(feature: str, alignment: Alignment, *, of_first: bool = False) -> NDArray[Any]:
    """Return a feature of Universal Dependencies, such as Gender, of each head.

    With `of_first`, the first token, such as an article, has it where the head does not.
    """
    what = f"the feature {feature}"
    tokens = TokenRows.of(alignment, "feats", what, "CoNLL-U files state it in column 6")

    def find(token: Ints) -> NDArray[Any]:
        different, which = np.unique(tokens.column("feats", token), return_inverse=True)
        found = [re.search(rf"(?:^|\|){feature}=([^|]+)", cell) for cell in different.tolist()]
        return np.array([one[1] if one else "" for one in found], dtype=np.str_)[which]

    found = find(tokens.head)
    return np.where(found == "", find(tokens.start), found) if of_first else found


_DEPENDENCIES = "CoNLL-U files state dependencies in columns 7 and 8"


def _appositive(alignment: Alignment) -> NDArray[Any]:
    tokens = TokenRows.of(alignment, "deprel", "what is an apposition", _DEPENDENCIES)
    relation = tokens.column("deprel", tokens.head)
    return np.where(np.char.startswith(relation, "appos"), *YES_NO)


def _copular(alignment: Alignment) -> NDArray[Any]:
    """Say whether the head of each mention is the predicate of a copula."""
    tokens = TokenRows.of(alignment, "deprel", "what is a predicate", _DEPENDENCIES)
    text = tokens.text
    starts = np.flatnonzero(text.starts_sentence)
    rows = [at for at, one in enumerate(text.columns["deprel"]) if one.partition(":")[0] == "cop"]
    sentence = starts[np.searchsorted(starts, rows, side="right") - 1] if rows else np.zeros(0)
    governors = [text.columns["head"][at] for at in rows]
    number = np.array([int(one) if one.isdecimal() else 0 for one in governors], dtype=np.int64)
    is_predicate = np.zeros(len(text) + 1, dtype=bool)  # the last one is for NOWHERE
    is_predicate[(sentence + number - 1)[number > 0].astype(np.int64)] = True
    return np.where(is_predicate[tokens.head], *YES_NO)


PRONOUN_FORMS = {
    "he": "he him his himself",
    "she": "she her hers herself",
    "they": "they them their theirs themselves themself 'em em",
    "it": "it its itself",
    "neopronoun": """ae aer aers aerself co cos coself e eir eirs emself ey eirself fae faer
        faers faerself hu hum hus humself ne nem nir nirs nemself nemselves per pers perself sie
        hir hirs hirself tey tem ter ters temself thon thons thonself ve ver vis verself vi vir
        virs virself xe xem xyr xyrs xemself ze zir zirs zirself zie zim zieself zis mer""",
    "I": "i me my mine myself",
    "we": "we us our ours ourselves ourself",
    "you": "you your yours yourself yourselves thou thee thy thine thyself ye y'all",
}
"""English pronouns, by the form that a slice is called after."""
_FORM_OF = {word: form for form, words in PRONOUN_FORMS.items() for word in words.split()}


def _pronoun(alignment: Alignment) -> NDArray[Any]:
    """Return the form of each mention that is one pronoun, `none` for other mentions."""
    tokens = TokenRows.of(alignment, "word", "the word of a mention", _WITH_WORDS)
    words, which = np.unique(tokens.column("word", tokens.start), return_inverse=True)
    forms = np.array([_FORM_OF.get(word.lower(), "none") for word in words.tolist()])[which]
    return np.where(spans_of_mentions(alignment).length == 1, forms, "none")


def _stated(alignment: Alignment, what: str, names: Sequence[str], hint: str) -> NDArray[Any]:
    """Return what files state of mentions, or of their entities (`entity ...`)."""
    for name in names:
        kind, _, attribute = name.rpartition(" ")
        found = _of_entity(alignment, attribute) if kind else alignment.column(attribute)
        if found is not None and (found != "").any():
            return found
    raise UsageError(f"{what} is not stated in these files", hint)


def _of_entity(alignment: Alignment, name: str) -> NDArray[Any] | None:
    """Return an attribute of the entity of each row, preferably the key's, or None."""
    sides = (
        (alignment.key_corpus, alignment.corpus_entity("key")),
        (alignment.res_corpus, alignment.corpus_entity("response")),
    )
    found = [
        look_up(corpus.entity_attributes[name], entity)
        for corpus, entity in sides
        if corpus is not None and name in corpus.entity_attributes
    ]
    if len(found) < 2:
        return found[0] if found else None
    return np.where(found[0] == "", found[1], found[0])


def _class(alignment: Alignment) -> NDArray[Any]:
    hint = "CorefUD (etype), CoNLL-UA (SemType), ACE's APF (TYPE) and brat (labels) state classes"
    names = ("entity type", "label", "semtype")
    return _stated(alignment, "the semantic class", names, hint)


def _generic(alignment: Alignment) -> NDArray[Any]:
    hint = "ACE's APF states it: CLASS=GEN"
    found = _stated(alignment, "what is generic", ("entity class", "generic"), hint)
    return np.where(np.isin(found, ("GEN", "yes", "true", "generic")), *YES_NO)


_SIZES = (1, 2, 3, 4, 6, 11, 21)
_LENGTHS = (0, 250, 500, 1000, 2000, 5000, 10000)


_WORD, _SPEAKER = frozenset({"word"}), frozenset({"word", "speaker"})
_UD = frozenset({"word", "head", "deprel", "feats"})
_FIELDS = (
    Field("type", _type, known=MENTION_TYPES, needs=frozenset({TYPES})),
    Field("length", partial(by_side, _length), _SIZES),
    Field("entity_size", partial(by_side, _entity_size), _SIZES),
    Field("chain", partial(by_side, _chain), known=CHAINS),
    Field("distance", partial(by_side, _distance), (1, 2, 3, 6, 11, 21), without="first"),
    Field("sentences", _sentences, (0, 1, 2, 3, 6, 11), columns=_WORD, without="first"),
    Field("nested", partial(by_side, _nested), known=YES_NO),
    Field("depth", partial(by_side, _depth), (0, 1, 2, 3)),
    Field("main", partial(by_side, _main), known=YES_NO),
    Field("tenth", _tenth, tuple(range(1, 11))),
    Field("in_sentence", _in_sentence, (0, 1, 3, 6, 11, 21), columns=_WORD),
    Field("pronoun", _pronoun, columns=_WORD),
    Field("speaker", _speaker, columns=_SPEAKER),
    Field("quote", _quote, known=YES_NO, columns=_SPEAKER),
    Field("number", partial(_feature, "Number"), columns=_UD),
    Field("gender", partial(_feature, "Gender"), columns=_UD),
    Field("person", partial(_feature, "Person"), columns=_UD),
    Field("definite", partial(_feature, "Definite", of_first=True), columns=_UD),
    Field("appositive", _appositive, known=YES_NO, columns=_UD),
    Field("copular", _copular, known=YES_NO, columns=_UD),
    Field("class", _class),
    Field("generic", _generic, known=YES_NO),
    Field("genre", _genre),
    Field("language", _language),
    Field("document", _document),
    Field("document_length", _lengths, _LENGTHS),
)
FIELDS = {field.name: field for field in _FIELDS}
