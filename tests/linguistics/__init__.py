"""Tests of heads, types and minimal spans that are inferred from words, tags and parses."""
