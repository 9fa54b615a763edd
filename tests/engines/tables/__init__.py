"""Tests of `scoref.engines.tables`."""
