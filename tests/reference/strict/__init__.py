"""An independent reader for each format: slow, simple and strict.

They are written from the manual, and share no code with the readers of scoref. Each returns what a
file says, or raises `InvalidFileError`. The fuzzer (`tests/fuzz`) compares the two.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tests.reference.strict import conll, conllu, jsons, tables, tools
from tests.reference.strict.reading import Files, Reading

READERS: dict[str, Callable[[Files], Reading]] = {
    "conll": conll.read,
    "corefud": conllu.read_corefud,
    "jsonl": jsons.read_jsonl,
    "jsonl-inclusive": partial(jsons.read_jsonl, ends="inclusive"),
    "jsonl-exclusive": partial(jsons.read_jsonl, ends="exclusive"),
    "csv": tables.read_delimited,
    "tsv": tables.read_delimited,
    "parquet": tables.read_parquet,
    "clusters": jsons.read_clusters,
    "mentionlist": jsons.read_mentionlist,
    "conllua": conllu.read_conllua,
    "conllua-deixis": partial(conllu.read_conllua, column="DISCOURSE_DEIXIS"),
    "apf": tools.read_apf,
    "ecbplus": tools.read_ecbplus,
    "ecbplus-events": partial(tools.read_ecbplus, kind="events"),
    "ecbplus-entities": partial(tools.read_ecbplus, kind="entities"),
    "brat": tools.read_brat,
    "booknlp": tables.read_booknlp,
    "corenlp": jsons.read_corenlp,
    "webanno": tools.read_webanno,
    "spacy": tools.read_spacy,
}
