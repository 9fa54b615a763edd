"""Key and response joined: one row per mention that either side has."""
