"""Tests of `scoref.formats.fixes`."""
