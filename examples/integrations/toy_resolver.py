"""A toy resolver for the examples of training loops: mentions are given, antecedents are learned.

Its features are poor. What counts is where its clusters are scored.
"""

from __future__ import annotations

from pathlib import Path

import torch

import scoref

Clusters = list[list[tuple[int, int]]]
FERRY = Path(__file__).resolve().parents[1] / "ferry"


class MentionDataset(torch.utils.data.Dataset):
    """Documents: the spans of mentions, their features, and their entities, padded with -100."""

    def __init__(self, path: str | Path = FERRY / "key.conll") -> None:
        corpus = scoref.read(path, words={"word"})
        self.names = [document.name for document in corpus.documents]
        self.spans: list[list[tuple[int, int]]] = []
        self.items: list[dict[str, torch.Tensor]] = []
        longest = max((corpus.document == d).sum() for d in range(len(self.names)))
        for number in range(len(self.names)):
            rows = (corpus.document == number).nonzero()[0]
            rows = sorted(rows, key=lambda row: (corpus.start[row], corpus.end[row]))
            spans = [(int(corpus.start[row]), int(corpus.end[row])) for row in rows]
            entities = torch.full((longest,), -100)
            entities[: len(rows)] = torch.tensor([int(corpus.entity[row]) for row in rows])
            features = torch.zeros(longest, 16)
            for at, (start, end) in enumerate(spans):
                word = corpus.text.words(number, start, end)[-1].lower()
                features[at, sum(word.encode()) % 16] = 1.0
            self.spans.append(spans)
            self.items.append({"features": features, "labels": entities})

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> dict[str, torch.Tensor]:
        return {**self.items[index], "document": torch.tensor(index)}


class AntecedentModel(torch.nn.Module):
    """Scores every earlier mention, and "none", as the antecedent of a mention."""

    def __init__(self) -> None:
        super().__init__()
        self.project = torch.nn.Linear(16, 16)

    def forward(
        self, features: torch.Tensor, labels: torch.Tensor, **_: torch.Tensor
    ) -> dict[str, torch.Tensor]:
        similar = self.project(features) @ features.transpose(1, 2)
        size = similar.shape[-1]
        earlier = torch.ones(size, size, dtype=torch.bool).tril(-1) & (labels != -100)[:, None]
        scores = similar.masked_fill(~earlier, -1e4)
        scores = torch.cat([torch.zeros_like(scores[..., :1]), scores], dim=-1)  # "none" first
        same = (labels[:, :, None] == labels[:, None]) & earlier
        gold = torch.cat([~same.any(-1, keepdim=True), same], dim=-1)
        likely = torch.logsumexp(scores.log_softmax(-1).masked_fill(~gold, -1e4), dim=-1)
        return {"loss": -likely[labels != -100].mean(), "antecedents": scores.argmax(-1) - 1}


def clusters_of(spans: list[tuple[int, int]], antecedents: list[int]) -> Clusters:
    """Return the clusters of mentions, of which each has an antecedent or -1."""
    number: list[int] = []
    for at, antecedent in enumerate(antecedents[: len(spans)]):
        number.append(at if antecedent < 0 else number[antecedent])
    found: dict[int, list[tuple[int, int]]] = {}
    for span, entity in zip(spans, number, strict=True):
        found.setdefault(entity, []).append(span)
    return list(found.values())


def gold_clusters(spans: list[tuple[int, int]], labels: list[int]) -> Clusters:
    """Return the clusters of the key."""
    found: dict[int, list[tuple[int, int]]] = {}
    for span, entity in zip(spans, labels[: len(spans)], strict=True):
        found.setdefault(entity, []).append(span)
    return list(found.values())
