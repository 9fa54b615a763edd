"""JSON lines: one document per line, entities as lists of offsets."""
