"""Tests of what words, tags and parses tell about mentions."""
