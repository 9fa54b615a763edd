"""Tests of `scoref.formats.brackets`."""
