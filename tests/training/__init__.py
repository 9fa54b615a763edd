"""Tests of `scoref.training`."""
