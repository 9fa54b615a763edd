"""CoNLL: the mean F1 of MUC, B³ and entity-based CEAF, as in the shared tasks of 2011 and 2012."""

from __future__ import annotations

from scoref.metrics.base import About, average
from scoref.metrics.bcubed import B_CUBED
from scoref.metrics.ceaf import CEAF_E
from scoref.metrics.muc import MUC

CONLL = average(
    "conll",
    (MUC, B_CUBED, CEAF_E),
    About(
        title="CoNLL average",
        formula="F1 = (F1 of muc + F1 of b3 + F1 of ceafe) / 3; it has no recall or precision",
        paper="Denis & Baldridge 2009; Pradhan et al. 2011, 2012",
        rewards="what its three parts reward: links, companions, entities",
        ignores="what all three ignore; an average hides which of them changed",
    ),
)
