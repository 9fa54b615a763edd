"""Tests of `scoref.base`."""
