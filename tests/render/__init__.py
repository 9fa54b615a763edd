"""Tests of `scoref.render`."""
