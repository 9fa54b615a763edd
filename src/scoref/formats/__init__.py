"""Formats: from files to corpora and back."""

from scoref.formats.corpus_reader import inspect as inspect
from scoref.formats.corpus_reader import read as read
from scoref.formats.corpus_writer import unsupported as unsupported
from scoref.formats.corpus_writer import write as write
from scoref.formats.detection import format_of_file as format_of_file
from scoref.formats.detection import format_of_name as format_of_name
from scoref.formats.format import Format as Format
from scoref.formats.format import Wanted as Wanted
from scoref.formats.registry import find_format as find_format
