"""Tests of Python objects as inputs."""
