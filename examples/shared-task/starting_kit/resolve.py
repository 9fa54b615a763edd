"""A baseline without any training: python resolve.py TEXTS.jsonl RESPONSE.jsonl

It marks runs of capitalised words, and says that equal runs are one entity. The first word of a
sentence counts if it is capitalised elsewhere too. TEXTS.jsonl has a document per line, with
`doc_key` and `sentences`; the response adds `clusters`, lists of [start, end], ends inclusive.
"""

import json
import sys
from pathlib import Path


def mentions(sentences, names):
    """Return the runs of names in a document as (start, end, words)."""
    found, at = [], 0
    for words in sentences:
        start = None
        for place in range(len(words) + 1):
            inside = place < len(words) and words[place] in names
            if inside and start is None:
                start = place
            elif not inside and start is not None:
                found.append((at + start, at + place - 1, " ".join(words[start:place])))
                start = None
        at += len(words)
    return found


def resolve(sentences):
    """Return the entities of a document."""
    inner = (word for words in sentences for word in words[1:])
    names = {word for word in inner if word[0].isupper() and word.lower() != "i"}
    entities = {}
    for start, end, words in mentions(sentences, names):
        entities.setdefault(words, []).append([start, end])
    return list(entities.values())


def main(texts, response):
    """Read the texts, and write them with entities."""
    documents = [json.loads(line) for line in Path(texts).read_text("utf-8").splitlines()]
    for document in documents:
        document["clusters"] = resolve(document["sentences"])
    lines = [json.dumps(document, ensure_ascii=False) + "\n" for document in documents]
    Path(response).write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
