"""Tests of `scoref.formats.conllu`."""
