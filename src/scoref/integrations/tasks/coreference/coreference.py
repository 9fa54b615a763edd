"""The module that `evaluate.load` loads. `scoref.integrations.evaluate` has what is behind it."""

from typing import Any

import datasets
import evaluate

from scoref.integrations.evaluate import compute
from scoref.version import __version__

_DESCRIPTION = """\
Coreference scores by scoref: MUC, B-cubed, CEAF, BLANC, LEA, the CoNLL average and others. Inputs,
keywords and scores are those of `coval`. Clusters of token spans are accepted as well.
"""
_INPUTS = """\
Args:
    predictions, references: a list of sentences, each a list of lines in CoNLL columns; or a list
        of documents, each a list of clusters, each a list of (start, end).
    keep_singletons: whether entities of one mention count. Default: True.
    NP_only: whether to remove verb phrases, which requires a parse. Default: False.
    min_span: whether to match minimal spans (MINA), which requires a parse. Default: False.
    remove_nested: whether to remove mentions inside a mention of the same entity. Default: False.
    documents: `columns` to take documents from the first two columns, `one` to take all sentences
        as one document, as coval does. Default: `columns`.
    metrics: metrics of scoref (`scoref metrics` lists them). Default: those of coval.
    policy: further policies of scoref, such as {"undefined": "skip"}.
Returns:
    `mentions/recall`, `mentions/precision`, `mentions/f1`, the same of `muc`, `bcub`, `ceafe` and
    `lea`, and `conll_score` in percent; or the chosen metrics by their names in scoref.
"""
_CLUSTERS = datasets.Sequence(datasets.Sequence(datasets.Sequence(datasets.Value("int64"))))
_LINES = datasets.Sequence(datasets.Value("string"))


class Coreference(evaluate.Metric):
    """Coreference scores by scoref."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=f"scoref {__version__}: `scoref metrics NAME` names the paper of a metric.",
            inputs_description=_INPUTS,
            features=[
                datasets.Features({"predictions": side, "references": side})
                for side in (_CLUSTERS, _LINES)
            ],
        )

    def _compute(self, predictions: Any, references: Any, **keywords: Any) -> dict[str, float]:
        return compute(predictions, references, **keywords)
