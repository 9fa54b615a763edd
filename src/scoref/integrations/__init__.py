"""Thin adapters to other people's harnesses, all over one vector of counts (`CountsVector`).

Each adapter is a module of its own, and imports its harness when it is imported.
"""
