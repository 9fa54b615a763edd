"""What `make docs` checks in addition to Sphinx: links of the built pages, and spelling."""
