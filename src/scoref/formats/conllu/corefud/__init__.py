"""CorefUD: CoNLL-U with entities in MISC."""
