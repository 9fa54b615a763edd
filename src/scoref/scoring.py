"""score(): the scores of a response against a key.

From here, `engines.local.score_local` shows the whole way: `prepare` aligns the two sides,
`Counts.of` counts their overlap table, and a `Result` scores the counts. Parquet tables and counts
files take other ways to the same result.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from os import PathLike
from typing import Unpack

from scoref.base.memory import parse_size
from scoref.counts.counted import is_counts_file, reuse
from scoref.engines.local import score_local
from scoref.formats.io.sources import is_parquet
from scoref.matching.inputs import Input, OneOrTwo, ReadOptions, as_corpus, as_path
from scoref.matching.same_text import AUTO, Checks
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.policy import Policy, PolicyLike, PolicyOptions
from scoref.policy.capabilities import TABLES, supports
from scoref.result import Result


def score(
    key: Input,
    response: Input,
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
    *,
    encoding: OneOrTwo = None,
    check_words: Checks = AUTO,
    memory: str | int | None = None,
    **choices: Unpack[PolicyOptions],
) -> Result:
    """Score a response against a key.

    * `key`: The reference: a path (a file, a directory, or `-`), an open file, a `Corpus`, entities
      as `{"doc": [[mention, ...], ...]}` or as lists with any hashable mentions, rows with
      `doc_key` and `clusters`, spaCy or Stanza documents, or a table of pandas, polars or Arrow.
    * `response`: The output of a system, in the same way; or a counts file.
    * `metrics`: Names such as `"b3"` or `"blanc(alpha=0.2)"`, `Metric` objects, or functions from a
      `Table` to counts of shape (units, 4). By default, those of `scoref score`.
    * `policy`: A `Policy`, or a dict of its fields.
    * `format`: The name of the format, by default detected; a pair of names for key and response.
    * `encoding`: The text encoding, by default UTF-8; a pair for key and response.
    * `check_words`: With `auto`, sides whose words differ are refused where both words are read
      anyway; with `always` in any case. `note` adds a note instead, and `never` does not compare.
    * `memory`: The memory for Parquet tables, such as `"2GB"`, by default a quarter of the free
      memory. Tables are scored in parts, without a corpus in memory, if no metric requires single
      mentions, or if a corpus would take more. `result.where` then reads the tables again, or is
      not available.
    * `choices`: Fields of the policy as keywords, such as `singletons="drop"`.
    """
    chosen = None if metrics is None else find_metrics(metrics)  # metrics may be a generator
    policy = Policy.of(policy, **choices)
    options = ReadOptions.under(policy, format, encoding, check_words)
    return score_with(key, response, chosen, policy, options, memory=memory)


def score_with(
    key: Input,
    response: Input,
    metrics: tuple[Metric, ...] | None,
    policy: Policy,
    options: ReadOptions,
    *,
    memory: str | int | None = None,
) -> Result:
    """Score with bundled options: from Parquet tables, from a counts file, or from two corpora."""
    key, response = as_path(key), as_path(response)
    if isinstance(memory, str):
        memory = parse_size(memory)
    if _can_be_tables(policy, options) and is_parquet(key) and is_parquet(response):
        from scoref.engines.tables import score_parquet  # noqa: PLC0415  # few inputs are tables

        found = score_parquet(key, response, metrics, policy, memory=memory)
        if found is not None:
            return found
    if isinstance(response, str | PathLike) and is_counts_file(response):
        return _score_counts(key, response, metrics, policy, options)
    chosen = find_metrics(metrics)
    return score_local(key, response, chosen, policy, options)


def _can_be_tables(policy: Policy, options: ReadOptions) -> bool:
    """Whether the tables engine, which sees only mentions and entities, can score the inputs."""
    sides = [options.of_side(side) for side in ("key", "response")]
    plain = all(named in (None, "parquet") and encoding is None for named, encoding in sides)
    return plain and supports(policy, TABLES)


def _score_counts(
    key: Input,
    path: str | PathLike[str],
    metrics: tuple[Metric, ...] | None,
    policy: Policy,
    options: ReadOptions,
) -> Result:
    """Return the result of a counts file, after a check that it was counted against this key."""
    from scoref.counts.counts_file import load  # noqa: PLC0415  # few responses are counts
    from scoref.matching.regrouping import regroup  # noqa: PLC0415

    corpus = regroup(as_corpus(key, "key", options), policy.unit)
    result = Result.of(load(path, metrics or ()))
    units = [document.name for document in corpus.documents]
    result = reuse(result, str(path), corpus.fingerprint(), policy, units, metrics=metrics)
    return replace(result, key=result.key._replace(source=corpus.source))
