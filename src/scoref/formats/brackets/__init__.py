"""Brackets such as `(5`, `5)` and `(5)|(7`, as several formats write them."""
