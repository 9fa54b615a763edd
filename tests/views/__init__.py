"""Tests of `scoref.views`."""
