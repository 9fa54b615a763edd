"""A folder of runs, such as checkpoints or seeds, as one page with learning curves."""
