"""Policy: all choices that can change a score. Its fields make the flags and the signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, Literal, Unpack, get_args, get_type_hints

from scoref.base import html
from scoref.base.phrases import type_of
from scoref.exceptions import UsageError
from scoref.policy.options import PolicyOptions, check_names
from scoref.policy.values import COMPAT, NESTED, OPEN, SPLIT
from scoref.version import __version__

PROGRAM = "scoref"
"""The first part of every signature."""


def _choice(default: str, help: str) -> Any:  # noqa: A002  # what argparse calls it
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """All choices that can change a score.

    The signature and the flags of the command line are made from the fields, so they always
    include every choice. The defaults agree with the reference scorer v8.01, except for files with
    repeated mentions and files that it does not score.
    """

    match: str = field(
        default="exact",
        metadata={
            "help": "which mentions of key and response match: the same span (exact); the same head"
            " (head); a part of the key mention that contains its head (partial) or its minimal"
            " span (min); the same minimal span, computed from the parse (mina; min is mina if the"
            " key has a parse but no minimal spans); or enough shared tokens (overlap=0.5: half of"
            " the tokens of both)",
            "choices": ("exact", "head", "partial", "min", "mina", "overlap=THRESHOLD"),
        },
    )
    zeros: Literal["dependent", "linear"] = _choice(
        "dependent",
        "how zeros in CorefUD match: by the words they depend on, or by position",
    )
    unit: str = field(
        default="document",
        metadata={
            "help": "the unit that links and alignments do not cross: a document; the whole corpus,"
            " for entities across documents; a topic, which is the first column of the file; or"
            " the value of any other column (column=3)",
            "choices": ("document", "corpus", "topic", "column=N"),
        },
    )
    singletons: Literal["keep", "drop"] = _choice(
        "keep",
        "entities of one mention: keep them, or drop them from key and response before matching",
    )
    duplicates: Literal["first", "error"] = _choice(
        "first", "a mention in two entities, or twice in one: keep the first, or refuse the input"
    )
    missing_documents: Literal["empty", "error"] = _choice(
        "empty", "a document that the response lacks: score it as empty, or refuse the input"
    )
    extra_documents: Literal["error", "ignore"] = _choice(
        "error", "a document that the key lacks: refuse the input, or ignore the document"
    )
    where: str = field(
        default="all",
        metadata={
            "help": "score only some mentions and ignore all others: type=pronoun, genre=nw,"
            " entity_size>5, distance<3, length=1, nested=no, document=NAME, document_length<500;"
            " repeat the flag for several conditions",
            "choices": ("all", "FIELD=VALUE"),
            "repeats": True,
        },
    )
    undefined: Literal["zero", "one", "skip"] = _choice(
        "zero", "a ratio of 0/0: count it as 0, count it as 1, or leave it out of averages"
    )
    types: Literal["auto", "file", "columns", "words"] = _choice(
        "auto",
        "source of mention types, for metrics that require them: stated in the file, inferred from"
        " its tag and parse columns, or inferred from an English word list; auto uses the first"
        " source that the input has",
    )
    average: Literal["micro", "macro"] = _choice(
        "micro", "sum the counts of all documents, then divide; or average the scores of documents"
    )
    split_antecedents: Literal["ignore", "score", "only"] = field(
        default="ignore",
        metadata={
            "help": "entities with split antecedents, in CoNLL-UA and CorefUD: score only their own"
            " mentions (ignore), count the set of their antecedents as one more mention (score), or"
            " score only these sets (only)",
            "stated": "unless default",
        },
    )
    markup: str = field(
        default="none",
        metadata={
            "help": "align a response that a language model wrote with the words of the key. auto"
            " detects the markup; a pattern has the groups open, close and entity. A response in"
            " CoNLL columns, CorefUD or Parquet is read as usual",
            "choices": (
                *("none", "auto", "crac", "crac-json", "markdown", "brackets", "xml", "quotes"),
                *("pronouns", "pattern=REGEX", "function=MODULE:NAME"),
            ),
            "stated": "unless default",
        },
    )
    unclosed_tags: Literal["drop", "close-at-sentence", "close-at-end"] = field(
        default="drop",
        metadata={
            "help": "a mention of generated text that is never closed: drop it, or close it at the"
            " end of its sentence or of the text",
            "stated": "unless default",
        },
    )
    positions: Literal[
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
    ] = field(
        default="same",
        metadata={
            "help": "how the response counts positions, if not as the key does: convert its"
            " exclusive ends, positions from 1, characters of the key's words with exclusive or"
            " inclusive ends, (sentence, start, end) from Python, or other tokens of the same"
            " characters (own-tokens); inclusive-ends and from-0 are for a key that counts so",
            "stated": "unless default",
        },
    )
    pair_documents: Literal["same", "similar"] = field(
        default="same",
        metadata={
            "help": "which documents of key and response are paired: those of the same name, or"
            " also those whose names differ only in case, blanks, folders, prefix or suffix",
            "stated": "unless default",
        },
    )
    compat: Literal["none", "corefud-1.2", "e2e"] = field(
        default="none",
        metadata={
            "help": "count as another scorer does where it differs: corefud-1.2 keeps a repeated"
            " mention in all its entities, and lets matches of zeros overwrite each other; e2e"
            " does the former and skips singletons, as the CorefEvaluator of neural resolvers",
            "stated": "unless default",
        },
    )

    nested: Literal["keep", "drop"] = field(
        default="keep",
        metadata={
            "help": "mentions inside another mention of their entity: keep them, or drop them from"
            " key and response before matching. An entity of which one mention would remain is kept"
            " whole, or dropped with --singletons drop",
            "stated": "unless default",
        },
    )
    verb_phrases: Literal["keep", "drop"] = field(
        default="keep",
        metadata={
            "help": "mentions that are verb phrases in the parse of the key: keep them, or drop"
            " them from key and response before matching, with entities of which at most one"
            " mention remains",
            "stated": "unless default",
        },
    )
    repair: Literal["none", "drop-brackets"] = field(
        default="none",
        metadata={
            "help": "what to do with a file that has broken brackets: refuse it (none), or ignore"
            " brackets that open or close no mention, each with a note (drop-brackets)",
            "stated": "unless default",
        },
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
        return replace(policy or cls(), **choices) if choices else policy or cls()

    def __post_init__(self) -> None:
        for name, choices in self.choices().items():
            value = getattr(self, name)
            if not isinstance(value, str):
                raise UsageError(f"{name} is {value!r}, but must be one of: {', '.join(choices)}")
            known = value in choices and "=" not in value
            if not known and not (name in OPEN and OPEN[name](value)):
                listed = ", ".join(choices)
                hint = _similar(value, choices)
                raise UsageError(f"{name} is {value!r}, but must be one of: {listed}", hint)
        if self.compat != "none":
            scorer, values = COMPAT[self.compat]
            self._check("compat", values, f"{scorer} only supports")
        if self.nested != "keep":
            self._check("nested", NESTED, "positions are those of a document: use")
        if self.split_antecedents != "ignore":
            self._check("split_antecedents", SPLIT, "all mentions of its members are required: use")

    def _check(self, choice: str, possible: Mapping[str, tuple[str, ...]], why: str) -> None:
        """Refuse values of other fields that a choice does not support."""
        for name, known in possible.items():
            if (value := getattr(self, name)) not in known:
                flag = name.replace("_", "-")
                raise UsageError(
                    f"{choice} {getattr(self, choice)} cannot be combined with {name} {value}",
                    f"{why} --{flag} {' or '.join(known)}",
                )

    @classmethod
    def choices(cls) -> dict[str, tuple[str, ...]]:
        """Return the possible values of each field."""
        hints = get_type_hints(cls)
        return {
            field.name: field.metadata.get("choices") or get_args(hints[field.name])
            for field in fields(cls)
        }

    def __repr__(self) -> str:
        """Show the choices that are not the default, as Python code."""
        chosen = (f"{name}={value!r}" for name, value in self.changed().items())
        return f"Policy({', '.join(chosen)})"

    def changed(self) -> dict[str, str]:
        """Return the choices that are not the default."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            one.name: values[one.name] for one in fields(self) if values[one.name] != one.default
        }

    def to_dict(self) -> dict[str, str]:
        """Return all choices by name, as the parameter `policy` takes them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _repr_html_(self) -> str:
        """Show all choices in a notebook, those that are not the default in bold."""
        rows = [(name, value, name in self.changed()) for name, value in self.to_dict().items()]

        def cell(shown: tuple[str, bool]) -> str:
            text = html.escape(shown[0])
            return f"<b>{text}</b>" if shown[1] else text

        cells = [[(name, bold), (value, bold)] for name, value, bold in rows]
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
        stated = [f"{name}:{escape(value)}" for name, value in self.stated().items()]
        return "|".join([PROGRAM, f"key:{key}", *stated, f"version:{__version__}"])


def _similar(value: str, choices: tuple[str, ...]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  # only an error needs it

    close = get_close_matches(value, choices, n=1)
    return f"did you mean {close[0]!r}?" if close else ""


def is_always_stated(field: Field[Any]) -> bool:
    """Whether a signature states a choice even if it is the default."""
    return "stated" not in field.metadata


def escape(value: str) -> str:
    """Escape what separates the parts of a signature, which a pattern can contain."""
    return value.replace("%", "%25").replace("|", "%7C")


PolicyLike = Policy | Mapping[str, Any]
"""A policy, or its fields."""
