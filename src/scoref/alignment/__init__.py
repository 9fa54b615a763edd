"""The join of key and response: one row per mention that either side has."""
