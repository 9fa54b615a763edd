"""Tests of `scoref.comparison`."""
