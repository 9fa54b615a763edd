"""A writer for each output: text, JSON, CSV, LaTeX, Markdown, and HTML for notebooks."""
