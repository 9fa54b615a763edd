"""Hugging Face `evaluate`: a module that replaces `coval`, and takes clusters as well.

    import evaluate
    from scoref.integrations.evaluate import MODULE

    coreference = evaluate.load(MODULE)
    coreference.compute(predictions=predictions, references=references, keep_singletons=False)

`MODULE` is a folder of this package, so nothing is downloaded. This module has what is behind it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from scoref.corpus.corpus import Corpus
from scoref.corpus.text import COLUMNS
from scoref.exceptions import FormatError, UsageError
from scoref.formats.corpus_reader import read_stream
from scoref.formats.format import Wanted
from scoref.formats.io.sources import Source
from scoref.matching.inputs import Input
from scoref.metrics import MetricLike
from scoref.policy import Policy, PolicyLike
from scoref.result import Result
from scoref.scoring import score

MODULE = str(Path(__file__).parent / "tasks" / "coreference")
"""The folder that `evaluate.load` loads."""

_COVAL = {"mentions": "mentions", "muc": "muc", "bcub": "b3", "ceafe": "ceafe", "lea": "lea"}
"""The metrics of coval, and their names in scoref."""
_BEGIN = re.compile(r"#\s*begin\s+document\b\s*(?P<rest>.*)")


def compute(
    predictions: Sequence[Any],
    references: Sequence[Any],
    *,
    keep_singletons: bool = True,
    NP_only: bool = False,  # noqa: N803  # what coval calls it
    min_span: bool = False,
    remove_nested: bool = False,
    documents: str = "columns",
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
) -> dict[str, float]:
    """Score sentences of CoNLL lines, as `coval` does, or the clusters of documents.

    * `predictions`, `references`: Either a list of sentences, each a list of lines in CoNLL
      columns, or a list of documents, each a list of clusters of `(start, end)`.
    * `keep_singletons`, `NP_only`, `min_span`, `remove_nested`: As in `coval`.
    * `documents`: `columns` takes the document and part from the first two columns of the lines;
      `one` takes all sentences as one document, as `coval` does.
    * `metrics`: Metrics of scoref, whose names are then those of the scores (`b3/f1`). By default
      the scores are those of `coval`, under its names (`bcub/f1`, `conll_score`).
    * `policy`: Further policies, such as `{"undefined": "skip"}`.
    """
    choices: dict[str, Any] = policy.to_dict() if isinstance(policy, Policy) else {**(policy or {})}
    for is_set, name, value in (
        (not keep_singletons, "singletons", "drop"),
        (NP_only, "verb_phrases", "drop"),
        (min_span, "match", "mina"),
        (remove_nested, "nested", "drop"),
    ):
        if is_set and choices.setdefault(name, value) != value:
            raise UsageError(f"the policy {name}:{choices[name]} contradicts the keywords of coval")
    used = [*_COVAL.values(), "conll"] if metrics is None else metrics
    if _are_lines(references) or _are_lines(predictions):
        sides: list[Input] = [*_read_both(references, predictions, documents)]
    else:
        sides = [_by_number(side) for side in (references, predictions)]
    result = score(sides[0], sides[1], used, Policy.of(choices))
    return _as_coval(result) if metrics is None else result.to_dict(flat=True)


def _as_coval(result: Result) -> dict[str, float]:
    scores = {
        f"{name}/{part}": value
        for name, ours in _COVAL.items()
        for part, value in result[ours]._asdict().items()
    }
    return {**scores, "conll_score": 100 * result["conll"].f1}


def _are_lines(side: Sequence[Any]) -> bool:
    """Whether a side has sentences of lines: its first line is a text."""
    first = next((one for sentence in side for one in sentence), None)
    return isinstance(first, str)


def _by_number(side: Sequence[Any]) -> dict[int, list[list[tuple[Any, ...]]]]:
    return {
        number: [[tuple(mention) for mention in cluster] for cluster in clusters]
        for number, clusters in enumerate(side)
    }


def _read_both(
    references: Sequence[Sequence[str]], predictions: Sequence[Sequence[str]], documents: str
) -> tuple[Corpus, Corpus]:
    """Read both sides; a sentence belongs to the document that the references state."""
    if documents not in ("columns", "one"):
        raise UsageError(f"documents is {documents!r}, but must be one of: columns, one")
    if len(references) != len(predictions):
        raise UsageError(
            f"found {len(references)} sentences of references and {len(predictions)} of"
            " predictions, expected the same sentences"
        )
    names = ["all"] * len(references) if documents == "one" else list(_names(references))
    return _read(references, names, "references"), _read(predictions, names, "predictions")


def _names(sentences: Sequence[Sequence[str]]) -> Iterator[str]:
    """Return the document of each sentence: from its heading, or from its first two columns."""
    heading = ""
    for sentence in sentences:
        for line in sentence:
            if found := _BEGIN.match(line):
                heading = found["rest"]
        words = [line.split() for line in sentence if not line.startswith("#")]
        columns = words[0] if words else []
        usual = f"({columns[0]}); part {columns[1]}" if len(columns) > 3 else "(document)"
        yield heading or usual


def _read(sentences: Sequence[Sequence[str]], names: Sequence[str], side: str) -> Corpus:
    """Read sentences with the reader of CoNLL files, whose line numbers are those of the lines."""
    parts: dict[str, list[str]] = {}
    for name, sentence in zip(names, sentences, strict=True):
        lines = [line.strip() for line in sentence if not line.startswith("#") and line.strip()]
        parts.setdefault(name, []).extend([*lines, ""])
    texts = [
        "\n".join([f"#begin document {name}", *lines, "#end document", ""])
        for name, lines in parts.items()
    ]
    stream = io.BytesIO("".join(texts).encode())
    wanted = Wanted(frozenset(COLUMNS))
    _, corpus, problems = read_stream(stream, Source(None, side), "conll", wanted)
    if problems or corpus is None:
        raise FormatError(problems, side)
    return corpus
