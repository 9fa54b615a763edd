"""Tests of `scoref.matching.modes`."""
