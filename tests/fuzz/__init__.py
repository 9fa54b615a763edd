"""Damaged files of every format, judged by independent readers: `make fuzz`."""
