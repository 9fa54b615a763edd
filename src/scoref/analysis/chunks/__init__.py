"""Chunks of long texts: their places, what they state, and which of their entities are joined."""
