"""Tests of `scoref.annotators`."""
