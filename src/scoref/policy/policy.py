"""Policy: all choices that can change a score. Its fields make the flags and the signature."""

# ruff: noqa: RUF009  # `_choice` makes a field
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal, TypedDict, Unpack, get_args

from scoref.base.phrases import type_of
from scoref.exceptions import UsageError
from scoref.policy.capabilities import LIMITS, check_windows, require
from scoref.policy.values import check_names, check_value

Keep = Literal["keep", "drop"]
Zeros = Literal["dependent", "linear"]
Duplicates = Literal["first", "error", "keep"]
MissingDocuments = Literal["empty", "error"]
ExtraDocuments = Literal["error", "ignore"]
Undefined = Literal["zero", "one", "skip"]
TypeSource = Literal["auto", "file", "columns", "words"]
AverageKind = Literal["micro", "macro"]
SplitAntecedents = Literal["ignore", "score", "only"]
UnclosedTags = Literal["drop", "close-at-sentence", "close-at-end"]
PositionsKind = Literal[
    "same",
    "exclusive-ends",
    "inclusive-ends",
    "from-1",
    "from-0",
    "from-1-exclusive",
    "characters",
    "characters-inclusive",
    "sentence-relative",
    "own-tokens",
]
PairDocuments = Literal["same", "similar"]
Compat = Literal["none", "corefud-1.2", "e2e", "bookcoref-window"]
Repair = Literal["none", "drop-brackets"]

_RARE = {"stated": "unless default"}
"""Choices whose defaults signatures do not state."""


def _choice(kind: Any, default: str, help: str, **more: Any) -> Any:  # noqa: A002  # as in argparse
    """Return a field whose values are those of a type, or those listed."""
    choices = kind if isinstance(kind, tuple) else get_args(kind)
    return field(default=default, metadata={"help": help, "choices": choices, **more})


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """All choices that can change a score.

    The signature and the flags of the command line are made from the fields, so they always
    include every choice. The defaults agree with the reference scorer v8.01, except for files with
    repeated mentions and files that it does not score.
    """

    match: str = _choice(
        ("exact", "head", "partial", "partial-craft", "min", "mina", "overlap=THRESHOLD"),
        "exact",
        "which mentions of key and response match: the same span (exact); the same head"
        " (head); a part of the key mention that contains its head (partial) or its minimal"
        " span (min); a continuous part inside the first continuous part of the key mention"
        " (partial-craft); the same minimal span, computed from the parse (mina; min is mina if"
        " the key has a parse but no minimal spans); or enough shared tokens (overlap=0.5:"
        " half of the tokens of both)",
    )
    zeros: Zeros = _choice(
        Zeros,
        "dependent",
        "how zeros in CorefUD match: by the words they depend on, or by position",
    )
    unit: str = _choice(
        ("document", "corpus", "topic", "column=N"),
        "document",
        "the unit that links and alignments do not cross: a document; the whole corpus, for"
        " entities across documents; a topic, which is the first column of the file; or the"
        " value of any other column (column=3)",
    )
    singletons: Keep = _choice(
        Keep,
        "keep",
        "entities of one mention: keep them, or drop them from key and response before matching",
    )
    duplicates: Duplicates = _choice(
        Duplicates,
        "first",
        "a mention in two entities, or twice in one: keep the first, refuse it, or keep it in all",
    )
    missing_documents: MissingDocuments = _choice(
        MissingDocuments,
        "empty",
        "a document that the response lacks: score it as empty, or refuse the input",
    )
    extra_documents: ExtraDocuments = _choice(
        ExtraDocuments,
        "error",
        "a document that the key lacks: refuse the input, or ignore the document",
        short="xd",
    )
    where: str = _choice(
        ("all", "FIELD=VALUE"),
        "all",
        "score only some mentions and ignore all others: type=pronoun, genre=nw,"
        " entity_size>5, distance<3, length=1, nested=no, document=NAME, document_length<500;"
        " repeat the flag for several conditions",
        repeats=True,
    )
    undefined: Undefined = _choice(
        Undefined,
        "zero",
        "a ratio of 0/0: count it as 0, count it as 1, or leave it out of averages",
        short="ud",
    )
    types: TypeSource = _choice(
        TypeSource,
        "auto",
        "source of mention types, for metrics that require them: stated in the file, inferred"
        " from its tag and parse columns, or inferred from an English word list; auto uses"
        " the first source that the input has",
    )
    average: AverageKind = _choice(
        AverageKind,
        "micro",
        "sum the counts of all documents, then divide; or average the scores of documents",
    )
    split_antecedents: SplitAntecedents = _choice(
        SplitAntecedents,
        "ignore",
        "entities with split antecedents, in CoNLL-UA and CorefUD: score only their own"
        " mentions (ignore), count the set of their antecedents as one more mention (score),"
        " or score only these sets (only)",
        **_RARE,
    )
    markup: str = _choice(
        (
            *("none", "auto", "crac", "crac-json", "markdown", "brackets", "xml", "quotes"),
            *("pronouns", "pattern=REGEX", "function=MODULE:NAME"),
        ),
        "none",
        "align a response that a language model wrote with the words of the key. auto detects"
        " the markup; a pattern has the groups open, close and entity. A response in CoNLL"
        " columns, CorefUD or Parquet is read as usual",
        short="mk",
        **_RARE,
    )
    unclosed_tags: UnclosedTags = _choice(
        UnclosedTags,
        "drop",
        "a mention of generated text that is never closed: drop it, or close it at the end of"
        " its sentence or of the text",
        **_RARE,
    )
    positions: PositionsKind = _choice(
        PositionsKind,
        "same",
        "how the response counts positions, if not as the key does: convert its exclusive"
        " ends, positions from 1, characters of the key's words with exclusive or inclusive"
        " ends, (sentence, start, end) from Python, or other tokens of the same characters"
        " (own-tokens); inclusive-ends and from-0 are for a key that counts so",
        **_RARE,
    )
    pair_documents: PairDocuments = _choice(
        PairDocuments,
        "same",
        "which documents of key and response are paired: those of the same name, or also"
        " those whose names differ only in case, blanks, folders, prefix or suffix",
        **_RARE,
    )
    compat: Compat = _choice(
        Compat,
        "none",
        "count as another scorer does where it differs: corefud-1.2 keeps a repeated mention"
        " in all its entities, and lets matches of zeros overwrite each other; e2e does the"
        " former and skips singletons, as the CorefEvaluator of neural resolvers;"
        " bookcoref-window, with --window N, drops and doubles mentions as BookCoref's windows do",
        **_RARE,
    )
    nested: Keep = _choice(
        Keep,
        "keep",
        "mentions inside another mention of their entity: keep them, or drop them from key"
        " and response before matching. An entity of which one mention would remain is kept"
        " whole, or dropped with --singletons drop",
        **_RARE,
    )
    verb_phrases: Keep = _choice(
        Keep,
        "keep",
        "mentions that are verb phrases in the parse of the key: keep them, or drop them from"
        " key and response before matching, with entities of which at most one mention"
        " remains",
        **_RARE,
    )
    window: str = _choice(
        ("none", "N[:STEP]"),
        "none",
        "score windows of documents instead of documents: of 200 tokens (200) or 20"
        " sentences (20s). Entities are cut at the seams, and a mention is in the window of its"
        " first token. With a step (200:100), windows overlap, and a mention counts in each window"
        " that has its first token",
        short="win",
        **_RARE,
    )
    repair: Repair = _choice(
        Repair,
        "none",
        "what to do with a file that has broken brackets: refuse it (none), or ignore"
        " brackets that open or close no mention, each with a note (drop-brackets)",
        **_RARE,
    )

    @classmethod
    def of(cls, policy: PolicyLike | None, **choices: Unpack[PolicyOptions]) -> Policy:
        """Return a policy from a policy, from `{"match": "head"}`, or from nothing: the default.

        Keywords are choices too, and replace those of the policy.
        """
        if policy is not None and not isinstance(policy, Policy | Mapping):
            raise UsageError(
                f"the policy is {type_of(policy)}, but must be a Policy or a dict",
                'pass scoref.Policy(match="head") or {"match": "head"}',
            )
        names = [one.name for one in fields(cls)]
        if isinstance(policy, Mapping):
            check_names(policy, names, "the policy has no field")
            policy = cls(**policy)
        check_names(choices, names, "no parameter and no choice of the policy is called")
        return replace(policy or cls(), **choices) if choices else policy or cls()  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        size, _, step = str(self.window).partition(":")  # `window=5` is a number in Python
        object.__setattr__(self, "window", size if size == step else str(self.window))
        for name, choices in self.choices().items():
            check_value(name, getattr(self, name), choices)
        for name in ("compat", "nested", "split_antecedents", "duplicates"):
            if (feature := f"{name} {getattr(self, name)}") in LIMITS:
                require(self, feature)
        check_windows(self)

    @classmethod
    @cache
    def choices(cls) -> dict[str, tuple[str, ...]]:
        """Return the possible values of each field."""
        return {field.name: field.metadata["choices"] for field in fields(cls)}

    def __repr__(self) -> str:
        """Show the choices that are not the default, as Python code."""
        chosen = (f"{name}={value!r}" for name, value in self.changed().items())
        return f"Policy({', '.join(chosen)})"

    def changed(self) -> dict[str, str]:
        """Return the choices that are not the default."""
        return {
            field.name: value
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default
        }

    def to_dict(self) -> dict[str, str]:
        """Return all choices by name, as the parameter `policy` takes them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _repr_html_(self) -> str:
        """Show all choices in a notebook, those that are not the default in bold."""
        from scoref.base import html  # noqa: PLC0415  # only notebooks need it

        changed = self.changed()

        def cell(shown: tuple[str, bool]) -> html.Markup:
            text, bold = shown
            return html.tag("b", text) if bold else html.escape(text)

        cells = [[(text, row[0] in changed) for text in row] for row in self.to_dict().items()]
        header = [("choice", True), ("value", True)]
        return html.block(html.table(header, cells, left=(0, 1), cell=cell))

    @classmethod
    def like(cls, signature: str) -> Policy:
        """Return the policy that a published signature states."""
        from scoref.policy.signature import read_signature  # noqa: PLC0415  # it builds policies

        policy = read_signature(signature).policy
        if policy.markup.startswith("function="):
            raise UsageError(
                f"the signature uses the Python function {policy.markup.partition('=')[2]}, which"
                " a signature cannot make scoref run",
                f"if you trust it, name it yourself: markup={policy.markup!r}",
            )
        return policy

    def stated(self) -> dict[str, str]:
        """Return the choices that a signature states: all except the defaults of rare choices."""
        return {
            field.name: value
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default or is_always_stated(field)
        }

    def signature(self, key: str) -> str:
        """State the policy, the key's fingerprint and the version in one line."""
        from scoref.policy.signature import make_signature  # noqa: PLC0415  # it builds policies

        return make_signature(self, key)


def is_always_stated(field: Field[Any]) -> bool:
    """Whether a signature states a choice even if it is the default."""
    return "stated" not in field.metadata


PolicyLike = Policy | Mapping[str, Any]
"""A policy, or its fields."""


class PolicyOptions(TypedDict, total=False):
    """The choices of a policy as keywords: `scoref.score(key, response, singletons="drop")`.

    They have the names and the types of the fields of `Policy`, for editors and type checkers.
    """

    match: str
    zeros: Zeros
    unit: str
    singletons: Keep
    duplicates: Duplicates
    missing_documents: MissingDocuments
    extra_documents: ExtraDocuments
    where: str
    undefined: Undefined
    types: TypeSource
    average: AverageKind
    split_antecedents: SplitAntecedents
    markup: str
    unclosed_tags: UnclosedTags
    positions: PositionsKind
    pair_documents: PairDocuments
    compat: Compat
    nested: Keep
    verb_phrases: Keep
    window: str | int
    repair: Repair
