"""What a corpus is made of, and what went wrong in a response."""
