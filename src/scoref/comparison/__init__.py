"""Several systems on one key: tests, ranks, power, gates."""
