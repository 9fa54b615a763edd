"""Scores in a training loop: one key for many responses, and sums over documents."""
