"""Plain clusters: documents, their entities, their mentions, and nothing else."""
