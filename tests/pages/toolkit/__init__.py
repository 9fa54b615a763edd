"""Tests of the scripts that run in pages."""
