"""Tests of `scoref.alignment.matching`."""
