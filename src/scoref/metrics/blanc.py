"""BLANC: links of both kinds, coreferent and not, each given the same say.

Recasens & Hovy (2011), for predicted mentions as in the reference scorer (Pradhan et al.
2014, Luo et al. 2014). Per document, over pairs of mentions: coreference links of the key
(ck), of the response (cr) and of both (cc); non-coreference links likewise (nk, nr, nn).
A pair of mentions that both sides have, s of them, is common and not coreferent unless it
is coreferent on either side: nn = links(s) less those inside a key entity, less those
inside a response entity, plus those counted twice.

The counts are summed over documents before anything is divided. The boundary rule is that
of the reference scorer: it looks at the key alone. A key without coreference links is
scored on the other kind only, one without non-coreference links likewise. Only a key
without any link leaves recall undefined, only a response without any precision.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from scoref.arrays import Floats
from scoref.exceptions import UsageError
from scoref.metrics.base import About, Metric, divide, links
from scoref.table import Table

COLUMNS = ("ck", "cr", "cc", "nk", "nr", "nn")


def count(table: Table) -> Floats:
    """Count the links of either kind in the key, in the response, and in both."""
    in_key, in_response = table.sum_keys(table.key_size), table.sum_responses(table.res_size)
    shared = table.sum_cells(table.count)
    key_kept = np.bincount(table.cell_key, weights=table.count, minlength=len(table.key_size))
    res_kept = np.bincount(table.cell_res, weights=table.count, minlength=len(table.res_size))
    ck, cr = table.sum_keys(links(table.key_size)), table.sum_responses(links(table.res_size))
    cc = table.sum_cells(links(table.count))
    together = table.sum_keys(links(key_kept)) + table.sum_responses(links(res_kept)) - cc
    nn = links(shared) - together
    return np.stack([ck, cr, cc, links(in_key) - ck, links(in_response) - cr, nn], axis=-1)


def score(counts: Floats, alpha: float = 0.5) -> Floats:
    """Score (..., 6) link counts; alpha is the say of coreference links."""
    ck, cr, cc, nk, nr, nn = np.moveaxis(counts, -1, 0)
    coreferent = _recall_precision_f1(cc, ck, cr)
    other = _recall_precision_f1(nn, nk, nr)
    both = alpha * coreferent + (1 - alpha) * other
    scores = np.where((ck == 0)[..., None], other, np.where((nk == 0)[..., None], coreferent, both))
    no_key, no_response = (ck == 0) & (nk == 0), (cr == 0) & (nr == 0)
    undefined = np.stack([no_key, no_response, no_key & no_response], axis=-1)
    return np.where(undefined, np.nan, scores)


def _recall_precision_f1(common: Floats, in_key: Floats, in_response: Floats) -> Floats:
    """Score one kind of link; what cannot be divided earns nothing."""
    recall, precision = divide(common, in_key), divide(common, in_response)
    harmonic = divide(2 * common, in_key + in_response)
    return np.nan_to_num(np.stack([recall, precision, harmonic], axis=-1))


def blanc(alpha: float = 0.5) -> Metric:
    """Make BLANC with a say of coreference links other than one half."""
    if not 0 <= alpha <= 1:
        raise UsageError(f"blanc has no alpha={alpha:g}: it must lie between 0 and 1")
    return Metric(
        name="blanc",
        count=count,
        score=partial(score, alpha=alpha),
        columns=COLUMNS,
        symmetric=False,
        about=About(
            title="BLANC",
            formula="alpha * F1 of coreference links + (1 - alpha) * F1 of non-coreference links"
            " (R and P likewise); a kind of link that the key lacks is left out",
            paper="Recasens & Hovy 2011; for predicted mentions Luo et al. 2014, with the"
            " boundary rule of the reference scorer v8.01",
            rewards="pairs of mentions rightly together and rightly apart, both kinds equally",
            ignores="that most pairs are apart: missing mentions cost many links of that kind",
        ),
    )


BLANC = blanc()
