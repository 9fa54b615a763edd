"""CorefEvaluator of e2e-coref, which most neural resolvers contain a copy of: join and metrics."""
