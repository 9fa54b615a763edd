"""Tests of `scoref.metrics`."""
