"""Other implementations: a slow one of our own, and other scorers where they are found."""
