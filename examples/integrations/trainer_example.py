"""Hugging Face Trainer: `compute_metrics` from a Key that is prepared once."""

from __future__ import annotations

import tempfile

import transformers
from toy_resolver import FERRY, AntecedentModel, MentionDataset, clusters_of

import scoref


def make_compute_metrics(dataset, key):
    """Return a function from predictions of all documents to scores by name."""

    def compute_metrics(prediction):
        predicted = {
            dataset.names[number]: clusters_of(dataset.spans[number], antecedents.tolist())
            for number, antecedents in enumerate(prediction.predictions)
        }
        compute_metrics.predicted = predicted
        return key.score(predicted).to_dict(flat=True)

    return compute_metrics


def main():
    transformers.set_seed(0)
    dataset = MentionDataset()
    key = scoref.Key(FERRY / "key.conll", ["muc", "b3", "ceafe", "lea", "conll"])
    compute_metrics = make_compute_metrics(dataset, key)
    with tempfile.TemporaryDirectory() as folder:
        trainer = transformers.Trainer(
            model=AntecedentModel(),
            args=transformers.TrainingArguments(
                folder, num_train_epochs=3, learning_rate=0.05, report_to=[], use_cpu=True,
                eval_strategy="epoch", save_strategy="no", disable_tqdm=True,
                label_names=["labels"], remove_unused_columns=False,
            ),
            train_dataset=dataset,
            eval_dataset=dataset,
            compute_metrics=compute_metrics,
        )  # fmt: skip
        trainer.train()
        return trainer.evaluate(), compute_metrics.predicted


if __name__ == "__main__":
    metrics, _ = main()
    print(f"eval_conll/f1 {metrics['eval_conll/f1']:.4f}")
