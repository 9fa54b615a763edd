"""Tests of `scoref.formats.tools`."""
