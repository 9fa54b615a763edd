"""Tests of `scoref.overlap`."""
