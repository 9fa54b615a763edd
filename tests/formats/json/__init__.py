"""Tests of `scoref.formats.json`."""
