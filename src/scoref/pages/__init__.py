"""HTML pages that work offline: the report, a folder of runs, the playground, papers."""
