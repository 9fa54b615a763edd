"""The ways of other scorers to count, to the last bit, where they differ from ours."""
