"""CoNLL-2011 and CoNLL-2012: one token per line, entities as brackets in the last column."""
