"""The published tables and figures."""
