"""Write a corpus as a table of labels, as entity resolution has them: `KEY TABLE.csv`."""

from __future__ import annotations

import sys
from pathlib import Path

import scoref


def main() -> None:
    """Name every mention, and write document, mention and entity."""
    corpus = scoref.read(sys.argv[1])
    places = zip(corpus.document.tolist(), corpus.entity.tolist(), strict=True)
    lines = [
        f"{corpus.documents[document].name},record-{row:08d},entity-{entity}\n"
        for row, (document, entity) in enumerate(places)
    ]
    with Path(sys.argv[2]).open("w", encoding="utf-8") as stream:
        stream.writelines(["document,mention,entity\n", *lines])


if __name__ == "__main__":
    main()
