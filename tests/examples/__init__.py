"""Tests of the shipped examples."""
