"""The markups that language models write: a file for each, and one registry."""
