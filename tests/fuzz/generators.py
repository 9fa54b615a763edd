"""The generator of each format: a random number generator in, the files of a corpus out."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.fuzz import generate_columns, generate_json, generate_tables, generate_tools

GENERATORS: dict[str, Callable[[Random], dict[str, bytes]]] = {
    "conll": generate_columns.conll,
    "corefud": generate_columns.corefud,
    "jsonl": generate_json.jsonl,
    "jsonl-inclusive": generate_json.jsonl_inclusive,
    "jsonl-exclusive": generate_json.jsonl_exclusive,
    "csv": generate_tables.csv,
    "tsv": generate_tables.tsv,
    "parquet": generate_tables.parquet,
    "clusters": generate_json.clusters,
    "mentionlist": generate_json.mentionlist,
    "conllua": generate_columns.conllua,
    "conllua-deixis": generate_columns.conllua,
    "apf": generate_tools.apf,
    "ecbplus": generate_tools.ecbplus,
    "ecbplus-events": generate_tools.ecbplus,
    "ecbplus-entities": generate_tools.ecbplus,
    "brat": generate_tools.brat,
    "booknlp": generate_tables.booknlp,
    "corenlp": generate_json.corenlp,
    "webanno": generate_tools.webanno,
    "spacy": generate_tools.spacy,
}
