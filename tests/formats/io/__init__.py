"""Tests of `scoref.formats.io`."""
