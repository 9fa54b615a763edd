"""Where counting runs, if not in this process."""
