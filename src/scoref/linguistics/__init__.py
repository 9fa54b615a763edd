"""What words, tags and parses tell about mentions: their heads, and what kind they are of."""
