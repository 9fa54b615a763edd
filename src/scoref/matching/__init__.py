"""From two inputs to matched mentions: reading, pairing, checking, cleaning, matching."""
