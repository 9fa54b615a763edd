"""BLANC: links of both kinds, coreferent and not, each given the same say.

Recasens & Hovy (2011), for predicted mentions as in the reference scorer (Pradhan et al.
2014, Luo et al. 2014). Per document, over pairs of mentions: coreference links of the key
(ck), of the response (cr) and of both (cc); non-coreference links likewise (nk, nr, nn).
A pair of mentions that both sides have, s of them, is common and not coreferent unless it
is coreferent on either side: nn = links(s) less those inside a key entity, less those
inside a response entity, plus those counted twice.

The counts are summed over documents before anything is divided. What to do when a kind of
link is absent is a boundary rule:

    v8       the reference scorer: a kind that the key lacks is left out; a key without any
             link leaves recall undefined, a response without any precision
    rh2011   the same, for equal mentions only, and undefined below two mentions
    luo2014  a kind that both sides lack is left out; without any link on either side the
             score is 1 if the mentions are equal, else 0
"""

from __future__ import annotations

from functools import partial

import numpy as np

from scoref.base.arrays import Bools, Floats
from scoref.exceptions import UsageError
from scoref.metrics.base import (
    SAME_MENTIONS,
    About,
    Metric,
    check_same_mentions,
    divide,
    links,
)
from scoref.metrics.parameters import one_of
from scoref.metrics.restriction import shared_mentions
from scoref.overlap.table import Table

COLUMNS = ("ck", "cr", "cc", "nk", "nr", "nn")
_MENTIONS = ("key_mentions", "response_mentions", "shared_mentions")


def count(table: Table) -> Floats:
    """Count the links of either kind in the key, in the response, and in both."""
    in_key, in_response = table.sum_keys(table.key_size), table.sum_responses(table.res_size)
    shared = table.sum_cells(table.count)
    ck, cr = table.sum_keys(links(table.key_size)), table.sum_responses(links(table.res_size))
    cc = table.sum_cells(links(table.count))
    in_one = table.sum_keys(links(table.key_kept)) + table.sum_responses(links(table.res_kept))
    nn = links(shared) - (in_one - cc)
    return np.stack([ck, cr, cc, links(in_key) - ck, links(in_response) - cr, nn], axis=-1)


def score(counts: Floats, alpha: float = 0.5) -> Floats:
    """Score (..., 6) link counts by the reference scorer's rule; alpha weighs coreference."""
    ck, cr, _, nk, nr, _ = np.moveaxis(counts, -1, 0)
    scores = _weigh(counts, alpha, without_coreference=ck == 0, without_others=nk == 0)
    no_key, no_response = (ck == 0) & (nk == 0), (cr == 0) & (nr == 0)
    undefined = np.stack([no_key, no_response, no_key & no_response], axis=-1)
    return np.where(undefined, np.nan, scores)


def score_if_either_has(counts: Floats) -> Floats:
    """Score (..., 6) link counts with every kind of link that either side has."""
    ck, cr, _, nk, nr, _ = np.moveaxis(counts, -1, 0)
    no_coreference, no_others = (ck == 0) & (cr == 0), (nk == 0) & (nr == 0)
    scores = _weigh(counts, 0.5, no_coreference, no_others)
    return np.where((no_coreference & no_others)[..., None], np.nan, scores)


def _score_luo(counts: Floats, alpha: float) -> Floats:
    """Score (..., 9) counts: a kind of link is left out only if neither side has it."""
    ck, cr, _, nk, nr, _, in_key, in_response, shared = np.moveaxis(counts, -1, 0)
    no_coreference, no_others = (ck == 0) & (cr == 0), (nk == 0) & (nr == 0)
    scores = _weigh(counts[..., :6], alpha, no_coreference, no_others)
    nothing = no_coreference & no_others
    same = (in_key == shared) & (in_response == shared) & (shared > 0)
    scores = np.where(nothing[..., None], np.where(same, 1.0, 0.0)[..., None], scores)
    return np.where((nothing & (in_key + in_response == 0))[..., None], np.nan, scores)


def _weigh(
    counts: Floats, alpha: float, without_coreference: Bools, without_others: Bools
) -> Floats:
    """Average the two kinds of link, or take the one that is there."""
    ck, cr, cc, nk, nr, nn = np.moveaxis(counts, -1, 0)
    coreferent = _recall_precision_f1(cc, ck, cr)
    other = _recall_precision_f1(nn, nk, nr)
    both = alpha * coreferent + (1 - alpha) * other
    only_coreferent = np.where(without_others[..., None], coreferent, both)
    return np.where(without_coreference[..., None], other, only_coreferent)


def _recall_precision_f1(common: Floats, in_key: Floats, in_response: Floats) -> Floats:
    """Score one kind of link; what cannot be divided earns nothing."""
    recall, precision = divide(common, in_key), divide(common, in_response)
    harmonic = divide(2 * common, in_key + in_response)
    return np.nan_to_num(np.stack([recall, precision, harmonic], axis=-1))


def _count_same(table: Table) -> Floats:
    instead = "blanc(boundary=rh2011,mentions=shared)"
    check_same_mentions(table, "blanc(boundary=rh2011)", instead)
    return count(table)


def _count_with_mentions(table: Table) -> Floats:
    mentions = [
        table.sum_keys(table.key_size),
        table.sum_responses(table.res_size),
        table.sum_cells(table.count),
    ]
    return np.concatenate([count(table), np.stack(mentions, axis=-1)], axis=-1)


_COUNT = {"v8": count, "rh2011": _count_same, "luo2014": _count_with_mentions}
_SCORE = {"v8": score, "rh2011": score, "luo2014": _score_luo}


def blanc(alpha: float = 0.5, boundary: str = "v8", mentions: str = "all") -> Metric:
    """Make BLANC with another say of coreference links, boundary rule, or choice of mentions."""
    if not 0 <= alpha <= 1:
        raise UsageError(f"blanc has no alpha={alpha:g}: it must lie between 0 and 1")
    one_of("blanc", "boundary", boundary, tuple(_COUNT))
    one_of("blanc", "mentions", mentions, ("all", "shared"))
    counting = _COUNT[boundary]
    return Metric(
        name="blanc",
        by_sums=True,
        count=counting if mentions == "all" else lambda table: counting(shared_mentions(table)),
        score=partial(_SCORE[boundary], alpha=alpha),
        columns=(*COLUMNS, *_MENTIONS) if boundary == "luo2014" else COLUMNS,
        symmetric=boundary == "luo2014",
        needs=frozenset({SAME_MENTIONS} if (boundary, mentions) == ("rh2011", "all") else ()),
        about=About(
            title="BLANC",
            formula="alpha * F1 of coreference links + (1 - alpha) * F1 of non-coreference links"
            " (R and P likewise); a kind of link that the key lacks is left out (boundary=v8)",
            paper="Recasens & Hovy 2011; for predicted mentions Luo et al. 2014, with the"
            " boundary rule of the reference scorer v8.01 unless another is asked for",
            rewards="pairs of mentions rightly together and rightly apart, both kinds equally",
            ignores="that most pairs are apart: missing mentions cost many links of that kind",
        ),
    )


BLANC = blanc()
