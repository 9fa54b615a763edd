"""Where counting runs, other than at once and in memory."""
