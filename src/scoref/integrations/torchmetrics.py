"""A torchmetrics metric: `update`, `compute` and `reset`, with exact sums over processes.

    metric = CoreferenceMetric(["muc", "b3", "ceafe", "conll"])
    metric.update(predicted, entities, documents=names)     # one batch: a list of documents
    metric.compute()["conll/f1"]

The state is a row of counts per document (`CountsVector`), and processes gather the rows of all.
Rows are summed exactly, so the scores do not depend on batches or on the number of processes. They
are those of `scoref.score`, to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import torch
from torchmetrics import Metric
from torchmetrics.utilities import dim_zero_cat

from scoref.base.phrases import counted
from scoref.corpus.corpus import Entities
from scoref.exceptions import UsageError
from scoref.integrations.counts_vector import CountsVector
from scoref.metrics import MetricLike
from scoref.policy import PolicyLike
from scoref.result import flat_scores


class CoreferenceMetric(Metric):
    """Coreference scores of all documents so far, as `{"b3/recall": tensor, ...}`.

    Further keywords are those of `torchmetrics.Metric`, such as `dist_sync_on_step`.
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False
    rows: list[torch.Tensor] | torch.Tensor
    names: list[torch.Tensor] | torch.Tensor

    def __init__(
        self,
        metrics: Iterable[MetricLike] | None = None,
        policy: PolicyLike | None = None,
        **keywords: Any,
    ) -> None:
        super().__init__(**keywords)
        self.vector = CountsVector(metrics, policy)
        self.add_state("rows", default=[], dist_reduce_fx="cat")
        self.add_state("names", default=[], dist_reduce_fx="cat")
        self.reset()

    def update(
        self,
        preds: Sequence[Entities],
        target: Sequence[Entities],
        documents: Sequence[str] | None = None,
    ) -> None:
        """Add a batch: for each document its entities in the response and in the key.

        A mention is a token span, or any hashable object. With names of `documents`, a document
        that was added twice, also in another process, is an error when scores are computed.
        """
        if len(preds) != len(target) or (documents is not None and len(documents) != len(target)):
            sizes = [len(preds), len(target), *([] if documents is None else [len(documents)])]
            raise UsageError(
                f"found batches of {' and '.join(map(str, sizes))} documents, expected equal sizes"
            )
        if not target:
            return
        rows = self.vector.count(dict(enumerate(target)), dict(enumerate(preds)))
        # As integers, the bits of counts survive every device and every cast.
        self.rows.append(torch.from_numpy(rows.view(np.int64)).to(self.device))
        if documents is not None:
            names = [_number(name) for name in documents]
            self.names.append(torch.tensor(names, dtype=torch.int64, device=self.device))

    def reset(self) -> None:
        """Remove all documents."""
        super().reset()
        # A process without documents must send tensors of the same type as the others.
        columns = len(self.vector.columns)
        self.rows = [torch.zeros((0, columns), dtype=torch.int64, device=self.device)]
        self.names = [torch.zeros(0, dtype=torch.int64, device=self.device)]

    def compute(self) -> dict[str, torch.Tensor]:
        """Return recall, precision and F1 of every metric, over all documents and processes."""
        names = dim_zero_cat(self.names)
        if again := len(names) - len(torch.unique(names)):
            raise UsageError(
                f"{counted(again, 'document was', 'documents were')} added twice",
                "samplers of distributed training repeat documents to fill the last batch: use one"
                " that does not, such as Trainer(use_distributed_sampler=False) in Lightning",
            )
        rows = dim_zero_cat(self.rows).cpu().numpy().view(np.float64)
        if not len(rows):
            raise UsageError("no documents were added", "call update() before compute()")
        scores = self.vector.scores(rows)
        # Apple's devices have no numbers of 64 bits.
        dtype = torch.float32 if self.device.type == "mps" else torch.float64
        return {
            name: torch.tensor(value, dtype=dtype, device=self.device)
            for name, value in flat_scores(scores).items()
        }


def _number(name: str) -> int:
    """Return a number that identifies a document; a tensor cannot hold its name."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), signed=True)
