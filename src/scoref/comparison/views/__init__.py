"""Comparisons, agreement, power and gates in every output, and figures."""
