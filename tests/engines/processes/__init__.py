"""Tests of `scoref.engines.processes`."""
