"""Tests of `scoref.metrics.assignment`."""
