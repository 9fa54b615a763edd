"""CoNLL-UA: CoNLL-U rows with columns for identity, bridging and discourse deixis."""
