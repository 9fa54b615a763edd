"""Metrics: one family per file, found by name in one registry (`registry.py`)."""

from __future__ import annotations

from scoref.metrics.base import Metric
from scoref.metrics.names import Family, MetricLike
from scoref.metrics.registry import DEFAULT, FAMILIES, find_metric, find_metrics, portable

__all__ = [
    "DEFAULT",
    "FAMILIES",
    "Family",
    "Metric",
    "MetricLike",
    "find_metric",
    "find_metrics",
    "portable",
]
