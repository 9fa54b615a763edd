"""Tests of `scoref.matching`."""
