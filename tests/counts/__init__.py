"""Tests of `scoref.counts`."""
