"""Tests of `scoref.preparation`."""
