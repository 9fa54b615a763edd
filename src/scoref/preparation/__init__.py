"""From two inputs to an alignment: reading, pairing, checking, cleaning, matching."""
