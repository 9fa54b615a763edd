"""Tests of where counting runs."""
