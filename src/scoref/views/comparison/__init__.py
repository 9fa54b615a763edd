"""A comparison of systems in every output: tables, remarks, figures."""
