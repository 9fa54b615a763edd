"""Policy: all choices that can change a score, and the signature that states them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple, TypedDict, Unpack, get_args, get_type_hints

from scoref.base import html
from scoref.exceptions import UsageError
from scoref.version import __version__

_PROGRAM = "scoref"
_TIME_LIMIT = "ceaf_time_limit"

_PARAMETERS = ("metrics", "policy", "format", "encoding", "check_words", "trials", "level", "seed")
"""Other parameters of the functions that take choices, which a mistyped keyword may mean."""

E2E = "e2e"
"""The value of `compat` for CorefEvaluator, the evaluator of e2e-coref and its descendants."""


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
            " entity_size>5, distance<3, length=1, document=NAME, document_length<500; repeat the"
            " flag for several conditions",
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
                f"the policy is a {type(policy).__name__}, but must be a Policy or a dict",
                'pass scoref.Policy(match="head") or {"match": "head"}',
            )
        if isinstance(policy, Mapping):
            _check_names(policy, "the policy has no field")
            policy = cls(**policy)
        _check_names(choices, "no parameter and no choice of the policy is called")
        return replace(policy or cls(), **choices) if choices else policy or cls()

    def __post_init__(self) -> None:
        for name, choices in self.choices().items():
            value = getattr(self, name)
            if not isinstance(value, str):
                raise UsageError(f"{name} is {value!r}, but must be one of: {', '.join(choices)}")
            known = value in choices and "=" not in value
            if not known and not (name in _OPEN and _OPEN[name](value)):
                listed = ", ".join(choices)
                raise UsageError(f"{name} is {value!r}, but must be one of: {listed}")
        if self.compat != "none":
            scorer, values = _COMPAT[self.compat]
            self._check("compat", values, f"{scorer} only supports")
        if self.split_antecedents != "ignore":
            self._check(
                "split_antecedents", _SPLIT, "all mentions of its members are required: use"
            )

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
        return {one.name: values[one.name] for one in fields(self) if values[one.name] != one.default}

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
            if (value := getattr(self, field.name)) != field.default or _is_always_stated(field)
        }

    def signature(self, key: str) -> str:
        """State the policy, the key's fingerprint and the version in one line."""
        stated = [f"{name}:{_escaped(value)}" for name, value in self.stated().items()]
        return "|".join([_PROGRAM, f"key:{key}", *stated, f"version:{__version__}"])


def _check_names(found: Mapping[str, Any], complaint: str) -> None:
    """Refuse names that are not choices of a policy, and suggest what was meant."""
    names = [one.name for one in fields(Policy)]
    unknown = next((name for name in found if name not in names), None)
    if unknown is None:
        return
    from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

    close = get_close_matches(str(unknown), [*names, *_PARAMETERS], n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}? " if close else ""
    raise UsageError(f"{complaint} {unknown!r}", f"{hint}choices are {', '.join(names)}")


def _is_always_stated(field: Field[Any]) -> bool:
    """Whether a signature states a choice even if it is the default."""
    return "stated" not in field.metadata


def _is_overlap(value: str) -> bool:
    """Whether a matching mode is `overlap=T` with a threshold above 0 and up to 1."""
    name, _, threshold = value.partition("=")
    try:
        return name == "overlap" and 0 < float(threshold) <= 1
    except ValueError:
        return False


def _is_column(value: str) -> bool:
    """Whether a unit is `column=N`, with columns counted from 1."""
    name, _, number = value.partition("=")
    return name == "column" and number.isdecimal() and int(number) > 0


def _is_where(value: str) -> bool:
    """Whether a text looks like conditions on mentions; `parse_conditions` checks it fully."""
    return value != "FIELD=VALUE" and "|" not in value and bool(re.search(r"[=<>]", value))


def _is_own_markup(value: str) -> bool:
    """Whether a markup is that of the user; `find_markup` checks it fully."""
    return value.startswith(("pattern=", "function=")) and not value.endswith(("REGEX", "E:NAME"))


def _escaped(value: str) -> str:
    """Escape what separates the parts of a signature, which a pattern can contain."""
    return value.replace("%", "%25").replace("|", "%7C")


def _unescaped(value: str) -> str:
    return value.replace("%7C", "|").replace("%25", "%")


PolicyLike = Policy | Mapping[str, Any]
"""A policy, or its fields."""


class PolicyOptions(TypedDict, total=False):
    """The choices of a policy as keywords: `scoref.score(key, response, singletons="drop")`.

    They have the names and the types of the fields of `Policy`, for editors and type checkers.
    """

    match: str
    zeros: Literal["dependent", "linear"]
    unit: str
    singletons: Literal["keep", "drop"]
    duplicates: Literal["first", "error"]
    missing_documents: Literal["empty", "error"]
    extra_documents: Literal["error", "ignore"]
    where: str
    undefined: Literal["zero", "one", "skip"]
    types: Literal["auto", "file", "columns", "words"]
    average: Literal["micro", "macro"]
    split_antecedents: Literal["ignore", "score", "only"]
    markup: str
    unclosed_tags: Literal["drop", "close-at-sentence", "close-at-end"]
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
    ]
    pair_documents: Literal["same", "similar"]
    compat: Literal["none", "corefud-1.2", "e2e"]
    repair: Literal["none", "drop-brackets"]


# The values that other scorers support.
_SIMPLE = {"unit": ("document",), "where": ("all",)}
_COMPAT: dict[str, tuple[str, dict[str, tuple[str, ...]]]] = {
    "corefud-1.2": ("corefud-scorer", {"match": ("exact", "head", "partial"), **_SIMPLE}),
    E2E: ("CorefEvaluator", {"match": ("exact",), **_SIMPLE}),
}
# The members of a split antecedent are compared by all of their mentions.
_SPLIT = {"unit": ("document",), "singletons": ("keep",), "where": ("all",), "compat": ("none",)}
_OPEN = {"match": _is_overlap, "unit": _is_column, "where": _is_where, "markup": _is_own_markup}


def with_time_limit(signature: str, seconds: float) -> str:
    """Add to a signature that some scores are bounds, since the time limit ran out."""
    return f"{signature}|{_TIME_LIMIT}:{seconds:g}"


class Signature(NamedTuple):
    """The content of a published signature.

    `unstated` are the choices that it does not state. `time_limit` is the time limit of CEAF in
    seconds if it ran out.
    """

    policy: Policy
    key: str
    version: str
    unstated: tuple[str, ...]
    time_limit: str = ""

    def differences(self, current: Signature) -> list[str]:
        """Explain why a score with the same policy may differ from the published score."""
        notes = []
        if self.key != current.key:
            stated = f"has the key {self.key}" if self.key else "states no key"
            notes.append(
                f"the signature {stated}, this key is {current.key}: scores may be different"
            )
        if self.version != current.version:
            version = f"version {self.version}" if self.version else "an unknown version"
            notes.append(f"the signature was made by {version}, this is version {current.version}")
        if self.time_limit:
            notes.append(
                "the CEAF scores of the signature are lower bounds, found in"
                f" {self.time_limit} seconds: scores may be different"
            )
        if self.unstated:
            notes.append(
                f"the signature does not state {', '.join(self.unstated)}: defaults were used"
            )
        return notes


def read_signature(text: str) -> Signature:
    """Parse a signature."""
    program, _, rest = text.strip().partition("|")
    pairs = [part.partition(":") for part in rest.split("|")]
    if program != _PROGRAM or not all(colon and name and value for name, colon, value in pairs):
        raise UsageError(
            f"{text!r} is not a signature",
            f"a signature looks like this: {Policy().signature('d5995bee')}",
        )
    stated = {name: _unescaped(value) for name, _, value in pairs}
    key, version = stated.pop("key", ""), stated.pop("version", "")
    time_limit = stated.pop(_TIME_LIMIT, "")
    names = [field.name for field in fields(Policy)]
    if unknown := sorted(stated.keys() - set(names)):
        raise UsageError(
            f"the signature states {unknown[0]!r}, which version {__version__} does not know",
            f"it was made by version {version}" if version else "",
        )
    unstated = tuple(
        field.name
        for field in fields(Policy)
        if field.name not in stated and _is_always_stated(field)
    )
    return Signature(Policy(**stated), key, version, unstated, time_limit)  # type: ignore[arg-type]
