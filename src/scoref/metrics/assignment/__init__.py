"""The best one-to-one alignment of entities, which CEAF requires: exact, one stage per file."""
