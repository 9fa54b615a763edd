"""Two small resolvers that are run on the texts of the island: rules, and a learned ranker."""
