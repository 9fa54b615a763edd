"""explain(): how the scores of a document come about, and those of all documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Unpack

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.base.phrases import counted, listed
from scoref.base.viewed import Viewed
from scoref.base.visible import visible
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.explanation.blocks import Block, Grid
from scoref.explanation.explainer import Steps, show_entities, show_overlaps
from scoref.explanation.explainers import explainer_of
from scoref.explanation.scene import Scene, Scenes
from scoref.explanation.walkthrough import Walkthrough, walk_through
from scoref.matching.inputs import Input, OneOrTwo, ReadOptions
from scoref.matching.pipeline import prepare
from scoref.matching.requirements import Requirements
from scoref.matching.same_text import AUTO, Checks
from scoref.metrics import MetricLike, find_metric, find_metrics
from scoref.policy import ALL_MENTIONS, Policy, PolicyLike, PolicyOptions
from scoref.policy.capabilities import EXPLANATION, require
from scoref.result import Side

LIMIT = 10
_ELIDED = (
    "Long tables show the {limit} largest rows and the exact sums of the others (--top 0 shows"
    " all)."
)
_NAMES = (
    "K1, K2, ... are the entities of the key. R1 is the response entity that is aligned with K1 so"
    " that aligned entities share as many mentions as possible; Ra, Rb, ... are aligned with none."
    " The id is the name of the entity in its file."
)
_SPANS = " Mentions are shown by token positions in the document, counted from 0{words}."
_WORDS = ", and by their words; long mentions show only the first and last words"


@dataclass(frozen=True, slots=True, eq=False)
class Explanation(Viewed):
    """How scores come about: `str(explanation)`, or one of the other views."""

    document: str
    documents: int
    key: Side
    response: Side
    opening: list[Block]
    walks: Mapping[str, Walkthrough]
    signature: str
    notes: tuple[str, ...]

    def __getitem__(self, metric: str) -> Walkthrough:
        if metric not in self.walks and (known := find_metric(metric).name) in self.walks:
            return self.walks[known]
        if metric not in self.walks:
            hint = f"it has: {', '.join(self.walks)}"
            raise UsageError(f"this explanation does not have the metric {metric!r}", hint)
        return self.walks[metric]

    def __repr__(self) -> str:
        return visible(f"<Explanation of document {self.document}: {', '.join(self.walks)}>")


def explain(  # noqa: PLR0917  # as `score`, and a document
    key: Input,
    response: Input,
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    document: str | None = None,
    format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
    *,
    limit: int = LIMIT,
    encoding: OneOrTwo = None,
    check_words: Checks = AUTO,
    words: bool = True,
    **choices: Unpack[PolicyOptions],
) -> Explanation:
    """Walk through the computation of some metrics on one document.

    * `key`, `response`: The two sides, as in `scoref.score`.
    * `metrics`: Names such as `"b3"` or `"blanc(alpha=0.2)"`, `Metric` objects, or functions from a
      `Table` to counts of shape (units, 4). By default, those of `scoref score`.
    * `policy`: A `Policy`, or a dict of its fields.
    * `document`: The name of the document. Without it, the first document that has mentions is
      explained, and then the sums over all documents.
    * `format`: The name of the format, by default detected; a pair of names for key and response.
    * `encoding`: The text encoding, by default UTF-8; a pair for key and response.
    * `limit`: How many terms tables show; the exact sum of the others follows. 0 shows all.
    * `check_words`: Whether to compare words, as in `scoref.score`.
    * `words`: Whether mentions are shown with their words, if the files have words.
    * `choices`: Fields of the policy as keywords, such as `singletons="drop"`.
    """
    if limit < 0:
        raise UsageError(f"the limit must be 0 (all) or more rows, got {limit}")
    chosen = find_metrics(metrics)
    policy = Policy.of(policy, **choices)
    require(policy, EXPLANATION)
    options = ReadOptions.under(policy, format, encoding, check_words)
    shown = ["word"] if words else []
    aligned = prepare(key, response, Requirements.of(chosen, policy, options, shown=shown))
    mentions = AlignedMentions.of(aligned, words=words)
    table = mentions.table
    counts = Counts.of(table, chosen)
    scenes = Scenes(mentions, limit)
    scene = scenes.scene(_unit(scenes, document))
    if policy.where != ALL_MENTIONS and not scenes.sizes[scene.unit]:
        message = f"document {scene.document} has no mentions where {policy.where}: it has no score"
        raise UsageError(message, "explain another document, or leave --where out")
    together = scenes if document is None and len(scenes) > 1 else None
    walks = {}
    for metric in chosen:
        explainer = explainer_of(metric, table, counts.rows[metric.name])
        walks[metric.name] = walk_through(metric, explainer, scene, together, counts, policy)
    opening = _opening(scene)
    blocks = [*opening, *(block for walk in walks.values() for block in walk.blocks)]
    if any(isinstance(block, Grid) and block.elided for block in blocks):
        opening.insert(0, _ELIDED.format(limit=limit))
    return Explanation(
        document=scene.document,
        documents=len(scenes),
        key=aligned.key,
        response=aligned.response,
        opening=opening,
        walks=walks,
        signature=aligned.signature,
        notes=aligned.notes,
    )


def _unit(scenes: Scenes, document: str | None) -> int:
    """Find a document by its name, or the first document with mentions."""
    names = scenes.documents
    if not names:
        raise UsageError("the key has no documents: there is nothing to explain")
    if document is None:
        return int((scenes.sizes > 0).argmax())
    if document in names:
        return names.index(document)
    from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

    close_names = get_close_matches(document, names, n=3, cutoff=0.4)
    known = f"the key has {counted(len(names), 'document')}: {listed(names)}"
    hint = f"did you mean {' or '.join(map(repr, close_names))}?" if close_names else known
    raise UsageError(f"the key has no document {document!r}", hint)


def _opening(scene: Scene) -> list[Block]:
    """Show the document as all metrics see it."""
    names = _NAMES
    if scene.source.spans is not None:
        names += _SPANS.format(words=_WORDS if scene.source.text is not None else "")
    steps = Steps(scene, [names])
    for side in scene.sides:
        show_entities(steps, side)
    show_overlaps(steps)
    return steps.blocks
