"""Other scorers' ways to count, to the last bit, where these differ from ours."""
