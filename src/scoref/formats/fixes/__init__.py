"""Fixes of annotation files that change no score: what they are, and the proof by reading."""
