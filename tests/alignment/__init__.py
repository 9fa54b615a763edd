"""Tests of `scoref.alignment`."""
