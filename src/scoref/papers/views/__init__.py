"""Regenerated tables and figures in every output, and as a folder with a page."""
