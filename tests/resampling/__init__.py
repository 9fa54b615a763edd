"""Tests of `scoref.resampling`."""
