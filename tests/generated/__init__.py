"""Tests of generated text."""
