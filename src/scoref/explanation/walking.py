"""explain(): read and align two sides, then walk through each measure and check it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from scoref.base.phrases import counted, listed
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.explanation.blocks import Block, Grid, Section
from scoref.explanation.corpus import close
from scoref.explanation.entities import entities, shared
from scoref.explanation.explainer import Explainer
from scoref.explanation.explanation import Explanation, Walk
from scoref.explanation.families import explainer_of
from scoref.explanation.numbers import check, numbers
from scoref.explanation.scene import Scene, Scenes
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.policy import Policy
from scoref.preparation.inputs import Input, ReadOptions
from scoref.preparation.needs import needs_of
from scoref.preparation.pipeline import prepare, refuse_special_counting
from scoref.preparation.same_text import AUTO, Checks

LIMIT = 10
_ELIDED = (
    "Of long tables, the {limit} largest rows are shown, and the exact sums of the others"
    " (--limit 0 shows all)."
)
_NAMES = (
    "K1, K2, ... are the entities of the key, R1, R2, ... those of the response, beside the id that"
    " each has in its file."
)
_SPANS = f"{_NAMES} Mentions are token positions in the document, counted from 0"
_WITH_WORDS = ", and their words, of which long mentions show only the ends"


def explain(  # noqa: PLR0917  # as `score`, and a document
    key: Input,
    response: Input,
    metrics: Iterable[MetricLike] | None = None,
    policy: Policy | None = None,
    document: str | None = None,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    *,
    limit: int = LIMIT,
    encoding: str | None = None,
    check_words: Checks = AUTO,
    words: bool = True,
) -> Explanation:
    """Walk through the computation of some measures on one document.

    Without a `document`, it is the first one that has mentions, and the sums over all
    documents follow. Tables show the `limit` largest terms and the exact sum of the others;
    0 shows all. Mentions are shown with their words where the files have them, unless `words`
    is false. All else is as for `score`.
    """
    if limit < 0:
        raise UsageError(f"the limit is {limit}, but must be 0 (all) or more")
    chosen = find_metrics(metrics)
    policy = policy or Policy()
    refuse_special_counting(policy, "an explanation")
    options = ReadOptions(format, encoding, check_words)
    aligned = prepare(
        key,
        response,
        policy,
        options,
        needs=needs_of(chosen),
        columns=["word"] if words else [],
    )
    table = aligned.alignment.table()
    counts = Counts.of(table, chosen)
    scenes = Scenes(aligned.alignment, table, limit, words=words)
    scene = scenes.scene(_unit(scenes, document))
    walks = {}
    for metric in chosen:
        explainer = explainer_of(metric, table, counts.rows[metric.name])
        walk = _walk(metric, explainer, scene, counts, policy)
        if document is None and len(scenes) > 1:
            walk = replace(walk, **close(metric, explainer, scenes, counts, policy)._asdict())
        walks[metric.name] = walk
    opening = _opening(scene, len(scenes))
    if _is_elided([*opening.blocks, *(block for walk in walks.values() for block in walk.blocks)]):
        opening.blocks.insert(0, _ELIDED.format(limit=limit))
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
    """Find a document by its name, or the first one with mentions."""
    names = scenes.documents
    if not names:
        raise UsageError("the key has no documents, so that there is nothing to explain")
    if document is None:
        return int((scenes.mentions() > 0).argmax())
    if document in names:
        return names.index(document)
    from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

    close_names = get_close_matches(document, names, n=3, cutoff=0.4)
    known = f"the key has {counted(len(names), 'document')}: {listed(names)}"
    hint = f"did you mean {' or '.join(map(repr, close_names))}?" if close_names else known
    raise UsageError(f"there is no document {document!r}", hint)


def _opening(scene: Scene, documents: int) -> Section:
    """Show the document as all measures see it."""
    title = f"Document {scene.document}"
    if documents > 1:
        title += f" (one of {documents})"
    names = _NAMES
    if scene.source.has_spans:
        names = f"{_SPANS}{_WITH_WORDS if scene.source.words else ''}."
    return Section(title, [names, *entities(scene), shared(scene)])


def _is_elided(blocks: Iterable[Block]) -> bool:
    """Whether a table does not show all of its rows."""
    return any(isinstance(block, Grid) and block.elided for block in blocks)


def _walk(
    metric: Metric, explainer: Explainer, scene: Scene, counts: Counts, policy: Policy
) -> Walk:
    """Walk through a measure on one document."""
    found = explainer.count(scene)
    scored = explainer.score(found.columns, policy.undefined)
    row = counts.rows[metric.name][scene.unit]
    check(metric, scene.document, found.columns, row.tolist())
    check(metric, scene.document, scored.values, metric.scores(row, policy.undefined).tolist())
    return Walk(
        name=metric.name,
        title=metric.about.title if metric.about else "",
        steps=found.blocks,
        result=scored.blocks,
        document=numbers(metric, found.columns, scored),
        closing=[],
        corpus=None,
    )
