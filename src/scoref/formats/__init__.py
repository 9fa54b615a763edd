"""Formats: from files to corpora; `corpus_writer` is the way back."""

from scoref.formats.corpus_reader import inspect as inspect
from scoref.formats.corpus_reader import read as read
from scoref.formats.format import Format as Format
from scoref.formats.format import Wanted as Wanted
from scoref.formats.registry import find_format as find_format
from scoref.formats.registry import format_of_file as format_of_file
from scoref.formats.registry import format_of_name as format_of_name
