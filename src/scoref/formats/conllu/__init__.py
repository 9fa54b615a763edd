"""CoNLL-U and what is built on it: CorefUD and CoNLL-UA."""
