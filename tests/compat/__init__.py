"""Tests of `scoref.compat`."""
