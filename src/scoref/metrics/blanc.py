"""BLANC: links of both kinds, coreferent and not, with the same weight.

Recasens & Hovy (2011), for predicted mentions as in the reference scorer (Pradhan et al.
2014, Luo et al. 2014). Per document, over pairs of mentions: coreference links of the key
(ck), of the response (cr) and of both (cc); non-coreference links likewise (nk, nr, nn).
Of the pairs among the s mentions that both sides have, nn are coreferent on neither side:
nn = links(s) - links inside a key entity - links inside a response entity + links inside both.

The counts are summed over documents before they are divided. A boundary rule says what
happens where a kind of link is absent:

    v8       the reference scorer: a kind that the key lacks is ignored; a key without links
             leaves recall undefined, a response without links precision
    rh2011   the same, for equal mentions only, and undefined below two mentions
    luo2014  a kind that both sides lack is ignored; without links on either side the
             score is 1 if the mentions are equal, else 0
"""

from __future__ import annotations

from functools import partial

import numpy as np

from scoref.base.arrays import Bools, Floats
from scoref.exceptions import UsageError
from scoref.metrics.base import About, Count, Metric, divide, links
from scoref.metrics.names import one_of
from scoref.metrics.needs import SAME_MENTIONS
from scoref.metrics.table import Table

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
    return np.column_stack([ck, cr, cc, links(in_key) - ck, links(in_response) - cr, nn])


def score(counts: Floats, alpha: float = 0.5) -> Floats:
    """Score (..., 6) link counts by the reference scorer's rule; alpha weighs coreference links."""
    ck, cr, _, nk, nr, _ = np.moveaxis(counts, -1, 0)
    scores = _weigh(counts, alpha, without_coreference=ck == 0, without_others=nk == 0)
    no_key, no_response = (ck == 0) & (nk == 0), (cr == 0) & (nr == 0)
    undefined = np.stack([no_key, no_response, no_key & no_response], axis=-1)
    return np.where(undefined, np.nan, scores)


def score_if_either_has(counts: Floats, alpha: float = 0.5) -> Floats:
    """Score (..., 6) link counts with every kind of link that either side has."""
    ck, cr, _, nk, nr, _ = np.moveaxis(counts, -1, 0)
    no_coreference, no_others = (ck == 0) & (cr == 0), (nk == 0) & (nr == 0)
    scores = _weigh(counts, alpha, no_coreference, no_others)
    return np.where((no_coreference & no_others)[..., None], np.nan, scores)


def _score_luo(counts: Floats, alpha: float) -> Floats:
    """Score (..., 9) counts: as `score_if_either_has`, but with a score for no links at all."""
    in_key, in_response, shared = np.moveaxis(counts[..., 6:], -1, 0)
    scores = score_if_either_has(counts[..., :6], alpha)
    without_links: Bools = np.isnan(scores[..., 2])
    same = (in_key == shared) & (in_response == shared) & (shared > 0)
    scores = np.where(without_links[..., None], np.where(same, 1.0, 0.0)[..., None], scores)
    return np.where((without_links & (in_key + in_response == 0))[..., None], np.nan, scores)


def _weigh(
    counts: Floats, alpha: float, without_coreference: Bools, without_others: Bools
) -> Floats:
    """Average the two kinds of link, or return the one that is present."""
    ck, cr, cc, nk, nr, nn = np.moveaxis(counts, -1, 0)
    coreferent = _recall_precision_f1(cc, ck, cr)
    other = _recall_precision_f1(nn, nk, nr)
    both = alpha * coreferent + (1 - alpha) * other
    only_coreferent = np.where(without_others[..., None], coreferent, both)
    return np.where(without_coreference[..., None], other, only_coreferent)


def _recall_precision_f1(common: Floats, in_key: Floats, in_response: Floats) -> Floats:
    """Score one kind of link; 0/0 earns nothing."""
    recall, precision = divide(common, in_key), divide(common, in_response)
    harmonic = divide(2 * common, in_key + in_response)
    return np.nan_to_num(np.stack([recall, precision, harmonic], axis=-1))


def _count_with_mentions(table: Table) -> Floats:
    in_key, in_response = table.sum_keys(table.key_size), table.sum_responses(table.res_size)
    return np.column_stack([count(table), in_key, in_response, table.sum_cells(table.count)])


_COUNT: dict[str, Count] = {"v8": count, "rh2011": count, "luo2014": _count_with_mentions}
_SCORE = {"v8": score, "rh2011": score, "luo2014": _score_luo}


def _counting(boundary: str, mentions: str) -> Count:
    """Return the function that counts with a boundary rule and a set of mentions."""
    count = _COUNT[boundary]
    if mentions == "all" and boundary != "rh2011":
        return count
    from scoref.metrics.derived_tables import count_same, count_shared  # noqa: PLC0415  # few ask

    if mentions == "shared" and boundary != "rh2011":
        return count_shared(count)
    count = count_same(count, "blanc(boundary=rh2011)", "blanc(boundary=rh2011,mentions=shared)")
    return count if mentions == "all" else count_shared(count)


def blanc(alpha: float = 0.5, boundary: str = "v8", mentions: str = "all") -> Metric:
    """Return BLANC with a weight of coreference links, a boundary rule and a set of mentions."""
    if not 0 <= alpha <= 1:
        raise UsageError(f"blanc has no alpha={alpha:g}: it must be between 0 and 1")
    one_of("blanc", "boundary", boundary, tuple(_COUNT))
    one_of("blanc", "mentions", mentions, ("all", "shared"))
    return Metric(
        name="blanc",
        by_sums=True,
        count=_counting(boundary, mentions),
        score=partial(_SCORE[boundary], alpha=alpha),
        columns=(*COLUMNS, *_MENTIONS) if boundary == "luo2014" else COLUMNS,
        symmetric=boundary == "luo2014",
        needs=frozenset({SAME_MENTIONS} if (boundary, mentions) == ("rh2011", "all") else ()),
        about=About(
            title="BLANC",
            formula="alpha * F1 of coreference links + (1 - alpha) * F1 of non-coreference links"
            " (R and P likewise); a kind of link that the key lacks is ignored (boundary=v8)",
            paper="Recasens & Hovy 2011; for predicted mentions Luo et al. 2014, with the"
            " boundary rule of the reference scorer v8.01 by default",
            rewards="pairs of mentions correctly together and correctly apart, both kinds equally",
            ignores="that most pairs are apart: missing mentions cost many links of that kind",
        ),
    )


BLANC = blanc()
