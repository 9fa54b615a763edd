"""The metric of torchmetrics: batches, processes, checkpoints."""

from __future__ import annotations

import copy
import os
import pickle
import socket
from pathlib import Path
from typing import Any

import pytest

from scoref.exceptions import UsageError
from tests.integrations.conftest import Clusters, Equal, Pair

torch = pytest.importorskip("torch")
pytest.importorskip("torchmetrics")

METRICS = ["muc", "b3", "ceafe", "blanc", "lea", "conll"]


def make(**keywords: Any) -> Any:
    """Return a new metric."""
    from scoref.integrations.torchmetrics import CoreferenceMetric

    return CoreferenceMetric(METRICS, **keywords)


def add(metric: Any, response: Clusters, key: Clusters, names: list[str], size: int = 7) -> None:
    """Update a metric with some documents, in batches."""
    for at in range(0, len(names), size):
        batch = names[at : at + size]
        metric.update([response[n] for n in batch], [key[n] for n in batch], documents=batch)


def as_floats(scores: dict[str, Any]) -> dict[str, float]:
    """Return tensors as numbers."""
    return {name: value.item() for name, value in scores.items()}


def documents_of(metric: Any) -> int:
    """Return how many documents this process has."""
    return sum(map(len, metric.rows))


def _worker(rank: int, folder: str, key: Clusters, response: Clusters) -> None:
    """Score a share of the documents in one of two processes, and all documents together."""
    from torch import distributed

    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=Path(folder, "port").read_text())
    distributed.init_process_group("gloo", rank=rank, world_size=2)
    names = sorted(key)
    found: dict[str, Any] = {}
    for case, first in (("shares", 13), ("repeat", 13), ("idle", 0)):
        metric = make()
        own = names[:first] if rank == 0 else names[first:][::-1]
        add(metric, response, key, own, size=4 + rank)
        if case == "repeat" and rank == 0:
            add(metric, response, key, names[-1:])
        try:
            found[case] = as_floats(metric.compute())
        except UsageError as error:
            found[case] = str(error)
        found[f"documents of {case}"] = documents_of(metric)
    torch.save(found, Path(folder, f"{rank}.pt"))
    distributed.destroy_process_group()


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory, pair: Pair) -> list[dict[str, Any]]:
    """What each of two processes computed, and how many documents it has itself."""
    folder = tmp_path_factory.mktemp("processes")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        (folder / "port").write_text(str(free.getsockname()[1]))
    context = torch.multiprocessing.get_context("spawn")
    args = (str(folder), pair.key_clusters, pair.response_clusters)
    started = [context.Process(target=_worker, args=(rank, *args)) for rank in range(2)]
    for process in started:
        process.start()
    for process in started:
        process.join(300)
        assert process.exitcode == 0
    return [torch.load(folder / f"{rank}.pt") for rank in range(2)]


def test_two_processes_have_the_scores_of_one(
    processes: list[dict[str, Any]], pair: Pair, equal: Equal
) -> None:
    """Rows of 13 and of 47 documents are gathered by gloo; every bit is as in `scoref score`."""
    first, second = (one["shares"] for one in processes)
    assert [one["documents of shares"] for one in processes] == [13, 47]
    assert first == second
    assert len(first) == 16
    equal("torchmetrics", "torchmetrics", "60 documents, 2 processes", first, pair.result)


def test_a_process_without_documents(processes: list[dict[str, Any]], pair: Pair) -> None:
    """The last batch may leave it idle."""
    assert [one["documents of idle"] for one in processes] == [0, 60]
    for found in processes:
        assert found["idle"]["conll/f1"] == pair.result["conll"].f1


def test_a_document_of_two_processes_is_an_error(processes: list[dict[str, Any]]) -> None:
    """Samplers repeat documents, which would change the score."""
    for found in processes:
        assert "1 document was added twice" in found["repeat"]
        assert "use_distributed_sampler=False" in found["repeat"]


def test_batches_and_forward(pair: Pair) -> None:
    """`forward` returns the scores of a batch, and adds it."""
    metric = make()
    names = list(pair.key_clusters)
    for at in range(0, 60, 20):
        batch = names[at : at + 20]
        sides = [[side[n] for n in batch] for side in (pair.response_clusters, pair.key_clusters)]
        scores = metric(*sides)
        single = make()
        single.update(*sides)
        assert as_floats(scores) == as_floats(single.compute())
    assert as_floats(metric.compute())["conll/f1"] == pair.result["conll"].f1
    metric.reset()
    with (
        pytest.raises(UsageError, match="no documents were added"),
        pytest.warns(UserWarning, match="compute"),
    ):
        metric.compute()


@pytest.mark.filterwarnings("ignore:The ``compute`` method")
def test_states_travel(pair: Pair) -> None:
    """In a checkpoint, in a pickle, in a copy, and as half precision would be cast."""
    metric = make()
    metric.persistent(True)
    add(metric, pair.response_clusters, pair.key_clusters, list(pair.key_clusters))
    again = make()
    again.persistent(True)
    again.load_state_dict(metric.state_dict())
    expected = as_floats(metric.compute())
    for one in (again, copy.deepcopy(metric), pickle.loads(pickle.dumps(metric)), metric.half()):  # noqa: S301
        one._computed = None
        assert as_floats(one.compute()) == expected
    assert list(metric.state_dict()) == ["rows", "names"]


def test_a_collection_of_metrics(pair: Pair) -> None:
    """With a prefix, next to other metrics."""
    from torchmetrics import MetricCollection

    collection = MetricCollection({"coref": make()}, prefix="dev/")
    sides = [list(side.values()) for side in (pair.response_clusters, pair.key_clusters)]
    collection.update(*sides)
    found = collection.compute()
    assert found["dev/conll/f1"].item() == pair.result["conll"].f1


def test_batches_of_different_sizes_are_refused() -> None:
    """Not silently cut."""
    metric = make()
    with pytest.raises(UsageError, match="found batches of 2 and 1 documents"):
        metric.update([[], []], [[]])
    metric.update([], [])
    assert documents_of(metric) == 0
