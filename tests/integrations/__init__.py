"""Adapters against the real packages, with dummy models.

Those with torch run in an environment of their own (`make test-integrations`), and are skipped
elsewhere.
"""
