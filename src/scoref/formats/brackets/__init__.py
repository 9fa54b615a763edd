"""Brackets such as `(5`, `5)` and `(5)|(7`, which CoNLL, CorefUD and CoNLL-UA share."""
