"""JSON formats: JSON lines of neural systems, and plain clusters."""
