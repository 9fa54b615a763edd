"""Tests of `scoref.formats.table`."""
