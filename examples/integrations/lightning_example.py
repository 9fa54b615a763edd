"""PyTorch Lightning: the metric of torchmetrics in a validation loop."""

from __future__ import annotations

import lightning
import torch
from toy_resolver import AntecedentModel, MentionDataset, clusters_of, gold_clusters

from scoref.integrations.torchmetrics import CoreferenceMetric


class Resolver(lightning.LightningModule):
    def __init__(self, dataset: MentionDataset) -> None:
        super().__init__()
        self.dataset = dataset
        self.model = AntecedentModel()
        self.coreference = CoreferenceMetric(["muc", "b3", "ceafe", "lea", "conll"])
        self.predicted = {}

    def training_step(self, batch, _):
        return self.model(**batch)["loss"]

    def validation_step(self, batch, _):
        found = self.model(**batch)["antecedents"].tolist()
        numbers = batch["document"].tolist()
        names = [self.dataset.names[number] for number in numbers]
        spans = [self.dataset.spans[number] for number in numbers]
        predicted = [clusters_of(*one) for one in zip(spans, found, strict=True)]
        gold = [gold_clusters(*one) for one in zip(spans, batch["labels"].tolist(), strict=True)]
        # With the names, a document that a distributed sampler repeats is an error.
        self.coreference.update(predicted, gold, documents=names)
        self.predicted.update(zip(names, predicted, strict=True))

    def on_validation_epoch_end(self):
        scores = self.coreference.compute()
        self.log_dict({f"dev/{name}": value for name, value in scores.items()})
        self.coreference.reset()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.05)


def main():
    torch.manual_seed(0)
    dataset = MentionDataset()
    loader = torch.utils.data.DataLoader(dataset, batch_size=1)
    module = Resolver(dataset)
    trainer = lightning.Trainer(
        max_epochs=3, accelerator="cpu", logger=False, enable_checkpointing=False,
        enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0,
    )  # fmt: skip
    trainer.fit(module, loader, loader)
    return trainer.callback_metrics, module.predicted


if __name__ == "__main__":
    metrics, _ = main()
    print(f"dev/conll/f1 {metrics['dev/conll/f1'].item():.4f}")
