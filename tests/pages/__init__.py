"""Tests of `scoref.pages`."""
