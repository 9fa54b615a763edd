"""Tests of `scoref.assignment`."""
