"""Tests of `scoref.matching.compat`."""
