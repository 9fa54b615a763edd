"""Tests of `scoref.corpus`."""
