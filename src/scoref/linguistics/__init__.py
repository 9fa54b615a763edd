"""Heads, types and minimal spans of mentions, inferred from words, tags and parses."""
