"""The tests: published worked examples first, laws second, other scorers third."""
