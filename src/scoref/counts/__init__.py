"""Counts per metric and document: all that scores and statistics need."""
