"""What each engine and feature supports: one table from feature and policy field to the reason.

A feature is named as messages name it. `require` refuses a policy, `supports` only asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoref.policy.policy import Policy

ALL_MENTIONS = "all"
"""The value of `where` that selects every mention."""

E2E = "e2e"
"""The value of `compat` for CorefEvaluator, the evaluator of e2e-coref and its descendants."""

BOOKCOREF = "bookcoref-window"
"""The value of `compat` for the windows of BookCoref's evaluation."""

ORDINARY_JOIN = ("none", BOOKCOREF)
"""The values of `compat` under which mentions are joined and counted as usual."""

AGREEMENT = "the agreement of annotators"
ANALYSIS = "an analysis of single mentions"
CURVES = "a curve"
EDITING = "the editor of the report"
EXPLANATION = "an explanation"
LARGE_TABLES = "tables larger than memory"
LARGE_UNIT = "a unit larger than memory"
OWN_TOKENS = "positions own-tokens"
POSITIONS = "positions"
SEAMS = "the price of seams"
SLICES = "a table of slices"
SPARK = "the Spark engine"
SPARK_DOCUMENTS = "documents on Spark"
STRESS = "a stress test"
TABLES = "the tables engine"
WINDOW = "windows"


class PolicyLimit(NamedTuple):
    """The values of a field that a feature supports, and what to say about others."""

    values: tuple[str, ...]
    problem: str = ""
    hint: str = ""


Limits = dict[str, PolicyLimit]


def _usual(values: Mapping[str, str], problem: str = "", hint: str = "") -> Limits:
    """Return limits with one value per field, which is the default of the field."""
    return {field: PolicyLimit((value,), problem, hint) for field, value in values.items()}


def _combined(values: Mapping[str, tuple[str, ...]], why: str) -> Limits:
    """Return limits of a choice that only some values of other fields can be combined with."""
    problem = "{feature} cannot be combined with {field} {value}"
    return {
        field: PolicyLimit(known, problem, f"{why} {{known}}") for field, known in values.items()
    }


_COUNTED_OTHERWISE = _usual(
    {"split_antecedents": "ignore", "compat": "none"},
    "{feature} is not available with {field} {value}, which only changes scores",
    "leave {field} out",
)
_RESPONSE_AS_READ = {"markup": "none", "positions": "same", "pair_documents": "same"}
_NO_WINDOWS = _usual(
    {"window": "none"},
    "{feature} is not available with {flag}, which cuts documents",
    "leave --window out",
)
_ALL_MENTIONS = {"where": ("all",), "nested": ("keep",), "verb_phrases": ("keep",)}
_WHOLE_DOCUMENTS = {"unit": ("document",), "window": ("none",), **_ALL_MENTIONS}
_SPLIT = _combined(
    {**_WHOLE_DOCUMENTS, "singletons": ("keep",), "compat": ("none",)},
    "all mentions of its members are required: use",
)
_GENERATED = PolicyLimit(
    ("none",),
    "{feature} is not available for generated text, which has no positions",
    "leave out --positions or --markup",
)
_NO_RESPONSE = PolicyLimit(
    ("same",),
    "{feature} has no response, whose positions and names are converted",
    "leave out --positions and --pair-documents",
)

LIMITS: dict[str, Limits] = {
    # Choices of the policy that restrict others.
    f"compat {E2E}": _combined(
        {"match": ("exact",), **_WHOLE_DOCUMENTS}, "CorefEvaluator only supports"
    ),
    "compat corefud-1.2": _combined(
        {"match": ("exact", "head", "partial"), **_WHOLE_DOCUMENTS}, "corefud-scorer only supports"
    ),
    f"compat {BOOKCOREF}": _combined(
        {"match": ("exact",), "unit": ("document",), **_ALL_MENTIONS}, "BookCoref only supports"
    ),
    WINDOW: {
        "unit": PolicyLimit(
            ("document",),
            "{feature} cannot be combined with unit {value}",
            "windows are parts of documents: leave --unit or --window out",
        )
    },
    "nested drop": _combined({"unit": ("document",)}, "positions are those of a document: use"),
    "split_antecedents score": _SPLIT,
    "split_antecedents only": _SPLIT,
    # Conversions of the response; `name` is the flag.
    POSITIONS: {"markup": _GENERATED},
    OWN_TOKENS: {
        "markup": _GENERATED,
        "unit": PolicyLimit(
            ("document", "corpus"),
            "{feature} cannot be combined with {flag}: units are columns of tokens",
            "use --unit document or --unit corpus",
        ),
    },
    # Engines. What the tables engine does not support is scored from corpora.
    TABLES: _usual({**_RESPONSE_AS_READ, "split_antecedents": "ignore", "window": "none"}),
    LARGE_TABLES: {
        "compat": PolicyLimit(
            ("none",),
            "--compat is not available for {feature}",
            "raise --memory, or leave --compat out",
        ),
        "unit": PolicyLimit(
            ("document",),
            "{flag} is not available for {feature}",
            "raise --memory, or leave the column of documents out for entities across documents",
        ),
    },
    LARGE_UNIT: _usual({"match": "exact", "where": "all", "nested": "keep", "window": "none"}),
    SPARK: _COUNTED_OTHERWISE
    | _usual(
        {**_RESPONSE_AS_READ, "verb_phrases": "keep"},
        "{field} {value} is not available on Spark, which scores mentions as they are",
        "leave {field} out, or score on one machine",
    ),
    SPARK_DOCUMENTS: {
        "unit": PolicyLimit(
            ("document", "corpus"),
            "{flag} is not available on Spark: it requires the tokens of a file",
            "--unit corpus puts all documents together",
        ),
    },
    # Features.
    ANALYSIS: _COUNTED_OTHERWISE,
    CURVES: _COUNTED_OTHERWISE
    | _NO_WINDOWS
    | {
        "unit": PolicyLimit(
            ("document",),
            "{feature} is not available with {flag}",
            "positions are those of documents: leave --unit out",
        )
    },
    EXPLANATION: _COUNTED_OTHERWISE | _NO_WINDOWS,
    SEAMS: _COUNTED_OTHERWISE,
    SLICES: _COUNTED_OTHERWISE | _NO_WINDOWS,
    STRESS: _COUNTED_OTHERWISE | _NO_WINDOWS,
    AGREEMENT: _COUNTED_OTHERWISE
    | _NO_WINDOWS
    | {
        "positions": _NO_RESPONSE,
        "pair_documents": _NO_RESPONSE,
        "markup": PolicyLimit(
            ("none",),
            "{feature} is not available for generated text",
            "place it on the words of its source first, with `scoref align`",
        ),
    },
    EDITING: _usual(
        {
            "match": "exact",
            "zeros": "dependent",
            "unit": "document",
            "singletons": "keep",
            "where": "all",
            "undefined": "zero",
            "average": "micro",
            "split_antecedents": "ignore",
            "compat": "none",
            "nested": "keep",
            "verb_phrases": "keep",
            "window": "none",
        }
    ),
}
"""What each feature supports. A field that is not listed has no effect on the feature."""


def supports(policy: Policy, feature: str) -> bool:
    """Whether a feature is available under a policy."""
    return next(unsupported(policy, feature), None) is None


def unsupported(policy: Policy, feature: str) -> Iterator[str]:
    """Return the flags of a policy that a feature does not support, such as `--match head`."""
    for field, limit in LIMITS[feature].items():
        if (value := getattr(policy, field)) not in limit.values:
            yield _flag(field, value)


def require(policy: Policy, feature: str, name: str = "") -> None:
    """Refuse a policy that a feature does not support; messages say `name` for the feature."""
    for field, limit in LIMITS[feature].items():
        if (value := getattr(policy, field)) not in limit.values:
            words = {
                "feature": name or feature,
                "field": field,
                "value": value,
                "flag": _flag(field, value),
                "known": _flag(field, " or ".join(limit.values)),
            }
            raise UsageError(limit.problem.format_map(words), limit.hint.format_map(words))


def check_windows(policy: Policy) -> None:
    """Refuse windows of units other than documents, and BookCoref's windows without a length."""
    if policy.window != "none":
        require(policy, WINDOW, f"window {policy.window}")
    if policy.compat == BOOKCOREF and not policy.window.isdecimal():
        raise UsageError(
            f"compat {BOOKCOREF} requires windows of tokens without a step",
            "choose their length as in BookCoref: --window 1500",
        )


def _flag(field: str, value: str) -> str:
    return f"--{field.replace('_', '-')} {value}"
