"""Agreement of annotators, or of systems, when none of them is the key."""
