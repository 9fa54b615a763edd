"""corefud-scorer 1.2: its mentions, its matching, its tables and its metrics."""
