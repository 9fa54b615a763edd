"""Make the files beside this one from `source/`, `chat.jsonl` and the resolvers.

    python examples/island/make.py [FOLDER]

writes them to FOLDER (default: the folder of this program). `key`, `second` and `neural` are
converted from their sources. `chat.conll` is `chat.jsonl`, aligned with the words of the key.
`sieve.conll` comes from the rules of `resolvers/sieve.py`, and `runs/` and `checkpoints/` come from
the learned `resolvers/ranker.py`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from resolvers import ranker, sieve
from texts import Clusters, build, read_source, sentences_of, write_conll

import scoref

HERE = Path(__file__).parent
SEEDS = (1, 2, 3)
STEPS = (1, 3, 12, 24, 72)
"""Numbers of training documents after which the ranker is tried; runs end with the last."""


def main(folder: Path) -> None:
    """Write all files."""
    for name in ("runs", "checkpoints"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name in ("key", "second", "neural"):
        write_conll(read_source(HERE / "source" / f"{name}.txt"), folder / f"{name}.conll")
    key = scoref.read(folder / "key.conll", words=True)
    write_conll(scoref.align(key, HERE / "chat.jsonl").corpus, folder / "chat.conll")
    texts = sentences_of(key)
    entities = cast("dict[str, Clusters]", key.entities())  # CoNLL columns have spans
    resolved = {name: sieve.resolve(text) for name, text in texts.items()}
    write_conll(build("sieve", texts, resolved), folder / "sieve.conll")
    for seed in SEEDS:
        found = ranker.checkpoints(texts, entities, seed, STEPS)
        _write_clusters(found[STEPS[-1]], folder / "runs" / f"seed{seed}.json")
        if seed == SEEDS[0]:
            for step in STEPS:
                _write_clusters(found[step], folder / "checkpoints" / f"step{step:03}.json")


def _write_clusters(entities: Mapping[str, Clusters], path: Path) -> None:
    """Write plain clusters of token spans, one document per line."""
    lines = (
        f"{json.dumps(name)}: {json.dumps(entities[name], separators=(',', ':'))}"
        for name in entities
    )
    path.write_text("{" + ",\n".join(lines) + "}\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
