"""Tests of `scoref.engines.spark`."""
