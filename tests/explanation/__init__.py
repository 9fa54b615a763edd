"""Tests of `scoref.explanation`."""
