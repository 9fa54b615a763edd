"""How fast scoref is, as ratios that hold on any machine: `python -m benchmarks`."""
