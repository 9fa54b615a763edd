"""The best one-to-one alignment of entities, which CEAF needs: exact, in stages."""
