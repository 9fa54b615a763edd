"""Tests of `scoref.cli`."""
