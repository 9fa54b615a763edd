"""Intervals and tests by resampling documents, from counts alone."""
