"""How other scorers join and count, to the last bit, where they differ from scoref."""
