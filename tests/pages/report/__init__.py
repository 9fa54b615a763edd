"""Tests of the report, most of them in a real browser."""
