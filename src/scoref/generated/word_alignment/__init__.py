"""Alignment of the words of a generated text with the tokens of its source."""
