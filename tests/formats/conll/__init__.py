"""Tests of `scoref.formats.conll`."""
