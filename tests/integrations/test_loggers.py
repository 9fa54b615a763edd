"""W&B and MLflow take the scores as a plain dict."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integrations.conftest import Equal, Pair

pytestmark = pytest.mark.filterwarnings("ignore")


def test_mlflow(tmp_path: Path, pair: Pair, equal: Equal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Metrics are read back from a local store."""
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    with mlflow.start_run() as run:
        mlflow.log_metrics(pair.result.to_dict(flat=True))
        mlflow.set_tag("scoref", pair.result.signature)
    found = mlflow.tracking.MlflowClient().get_run(run.info.run_id).data
    assert found.tags["scoref"] == pair.result.signature
    equal("MLflow", "mlflow-skinny", "60 documents", found.metrics, pair.result)


def test_wandb(tmp_path: Path, pair: Pair, equal: Equal) -> None:
    """The summary of an offline run has them."""
    wandb = pytest.importorskip("wandb")
    with wandb.init(mode="offline", dir=str(tmp_path), project="scoref") as run:
        run.log(pair.result.to_dict(flat=True))
        run.config["scoref"] = pair.result.signature
        found = {name: run.summary[name] for name in pair.result.to_dict(flat=True)}
    equal("Weights & Biases", "wandb", "60 documents", found, pair.result)
