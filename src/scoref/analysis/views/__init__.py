"""Errors, statistics and stress tests in every output."""
