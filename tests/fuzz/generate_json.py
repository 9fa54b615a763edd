"""Files of JSON as they are in the wild: JSON lines of neural systems, clusters, CoreNLP."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.fuzz.texts import DrawnText, draw_text, draw_texts


def spans(text: DrawnText, shift: int = 0) -> list[list[list[int]]]:
    """Return the entities as lists of pairs."""
    return [[[m.span[0], m.span[1] + shift] for m in entity] for entity in text.entities]


def names_of(text: DrawnText) -> dict[str, Any]:
    """Return the fields that most systems write beside words and clusters."""
    return {
        "doc_key": text.name,
        "speakers": [["-"] * len(sentence) for sentence in text.sentences],
        "constituents": [],
        "ner": [[0, 0, "PERSON"]],
    }


def e2e(text: DrawnText, rng: Random, shift: int = 0) -> dict[str, Any]:
    """As e2e, LingMess and BookCoref write."""
    value = {**names_of(text), "sentences": text.sentences, "clusters": spans(text, shift)}
    if rng.random() < 0.3:
        value["predicted_clusters"] = spans(draw_text(rng, "x"))[:0]
    return value


def minimized(text: DrawnText, rng: Random) -> dict[str, Any]:
    """In pieces of words."""
    sentences: list[list[str]] = []
    words: list[int] = []
    first: dict[int, int] = {}
    at = 0
    for sentence in text.sentences:
        pieces = []
        for word in sentence:
            first[at] = len(words)
            cut = rng.choice((1, 1, 2, 3))
            pieces += [f"{word[:1]}##"] * cut
            words += [at] * cut
            at += 1
        sentences.append(pieces)
    last = {word: place for place, word in enumerate(words)}
    clusters = [[[first[m.span[0]], last[m.span[1]]] for m in one] for one in text.entities]
    number = [at for at, sentence in enumerate(sentences) for _ in sentence]
    return {
        **names_of(text),
        "sentences": sentences,
        "subtoken_map": words,
        "sentence_map": number,
        "clusters": clusters,
    }


def wl_coref(text: DrawnText, _: Random) -> dict[str, Any]:
    """As wl-coref writes."""
    number = [at for at, sentence in enumerate(text.sentences) for _ in sentence]
    return {
        "document_id": text.name,
        "cased_words": text.words,
        "sent_id": number,
        "part_id": 0,
        "speaker": ["-"] * len(text.words),
        "pos": ["NN"] * len(text.words),
        "span_clusters": spans(text, 1),
        "word_clusters": [],
    }


def maverick(text: DrawnText, _: Random) -> dict[str, Any]:
    """As maverick writes."""
    return {
        "doc_key": text.name,
        "tokens": text.words,
        "clusters_token_offsets": spans(text),
        "clusters_text_mentions": [],
    }


def xcore(text: DrawnText, _: Random) -> dict[str, Any]:
    """As xCoRe writes a long text in parts: the sentences, if no mention crosses them."""
    part = [at for at, sentence in enumerate(text.sentences) for _ in sentence]
    crosses = any(part[m.span[0]] != part[m.span[1]] for m in text.mentions)
    parts = [text.words] if crosses else text.sentences
    first = [0 if crosses else part.index(at) for at in part]
    clusters = [
        [
            [
                0 if crosses else part[m.span[0]],
                m.span[0] - first[m.span[0]],
                m.span[1] - first[m.span[1]],
            ]
            for m in entity
        ]
        for entity in text.entities
    ]
    return {"doc_key": text.name, "tokens": parts, "clusters_token_offsets": clusters}


def xcore_set(text: DrawnText, rng: Random) -> dict[str, Any]:
    """As xCoRe writes several documents, here the sentences, with or without names."""
    value = xcore(text, rng)
    names = [f"{text.name} {at}" for at in range(len(value["tokens"]))]
    value["doc_key"] = rng.choice([names, None])
    return value


def fastcoref(text: DrawnText, _: Random) -> dict[str, Any]:
    """With characters."""
    starts, at = [], 0
    for word in text.words:
        starts.append(at)
        at += len(word) + 1
    clusters = [
        [[starts[m.span[0]], starts[m.span[1]] + len(text.words[m.span[1]])] for m in entity]
        for entity in text.entities
    ]
    return {"doc_key": text.name, "text": " ".join(text.words), "clusters": clusters}


def ours(text: DrawnText, rng: Random) -> dict[str, Any]:
    """With a statement of what offsets count."""
    kind = rng.choice(["inclusive", "exclusive"])
    clusters = spans(text, kind == "exclusive")
    return {"doc_key": text.name, "sentences": text.sentences, "offsets": f"token-{kind}",
            "clusters": clusters}  # fmt: skip


def lines(values: list[dict[str, Any]], rng: Random) -> dict[str, bytes]:
    """Write a value per line."""
    escaped = rng.random() < 0.5
    return {"": "".join(json.dumps(v, ensure_ascii=escaped) + "\n" for v in values).encode()}


def jsonl(rng: Random) -> dict[str, bytes]:
    """Write documents of one system."""
    make = rng.choice([e2e, minimized, wl_coref, maverick, xcore, fastcoref, ours])
    make = xcore_set if make is xcore and rng.random() < 0.5 else make
    texts = draw_texts(rng)
    if make is e2e:
        # A mention of one token decides that ends are inclusive.
        texts[0].mentions = [m for m in texts[0].mentions if m.entity != 1]
        values = [e2e(text, rng) for text in texts]
        values[0]["clusters"].append([[0, 0]])
        return lines(values, rng)
    return lines([make(text, rng) for text in texts], rng)


def jsonl_inclusive(rng: Random) -> dict[str, bytes]:
    """Write documents whose ends are not stated."""
    return lines([e2e(text, rng) for text in draw_texts(rng)], rng)


def jsonl_exclusive(rng: Random) -> dict[str, bytes]:
    """Write documents whose ends are not stated, and exclusive."""
    return lines([e2e(text, rng, 1) for text in draw_texts(rng)], rng)


def clusters(rng: Random) -> dict[str, bytes]:
    """Write plain clusters of spans or names, or the JSON of scorch."""
    texts = draw_texts(rng)
    named = rng.random() < 0.4
    documents: dict[str, Any] = {}
    for text in texts:
        entities: Any = spans(text)
        if named:
            entities = [[f"m{a}-{b}" for a, b in entity] for entity in entities]
        if rng.random() < 0.3:
            entities = {f"e{at}": entity for at, entity in enumerate(entities)}
        documents[text.name] = entities
    value: Any = documents
    shape = rng.random()
    if shape < 0.15:
        value = next(iter(documents.values()))
        value = list(value.values()) if isinstance(value, dict) else value
    elif shape < 0.3 and named:
        entities = next(iter(documents.values()))
        lists = list(entities.values()) if isinstance(entities, dict) else entities
        value = {"type": "clusters", "clusters": {str(at): e for at, e in enumerate(lists)}}
        if rng.random() < 0.5:
            mentions = [mention for entity in lists for mention in entity]
            links = [[entity[0], other] for entity in lists for other in entity[1:]]
            value = {"type": "graph", "mentions": mentions, "links": links}
    return {"": json.dumps(value, indent=rng.choice((None, 1))).encode()}


def mentionlist(rng: Random) -> dict[str, bytes]:
    """Write an object per mention, as Cattan et al. or as WEC."""
    by_tokens = rng.random() < 0.5
    rows: list[dict[str, Any]] = []
    for number, text in enumerate(draw_texts(rng, gaps=by_tokens)):
        name = rng.choice([text.name, f"{number}_{number}ecbplus.xml"])
        topic, subtopic = rng.choice([1, "1", None]), rng.choice(["1_0", None])
        for at, mention in enumerate(text.mentions):
            entity = rng.choice([int, str])(mention.entity)
            if by_tokens:
                tokens = [token for a, b in mention.parts for token in range(a, b + 1)]
                row = {"doc_id": name, "topic": topic, "subtopic": subtopic, "m_id": str(at),
                       "sentence_id": 0, "tokens_ids": tokens, "tokens": " ".join(text.words[:2]),
                       "tags": "", "lemmas": "", "cluster_id": entity, "cluster_desc": "",
                       "singleton": False}  # fmt: skip
            else:
                row = {"coref_chain": entity, "doc_id": name, "mention_context": text.words[:3],
                       "mention_head_lemma": text.words[0], "mention_id": f"m{at}", "sent_id": 0,
                       "predicted_coref_chain": rng.choice(["UNK", 7]),
                       "tokens_number": [0], "topic_id": number - 1}  # fmt: skip
            rows.append(row)
    if not rows:
        rows = [{"doc_id": "d", "tokens_ids": [0], "cluster_id": "x"}]
    if rng.random() < 0.3:
        return lines(rows, rng)
    return {"": json.dumps(rows, indent=rng.choice((None, 1))).encode()}


def corenlp(rng: Random) -> dict[str, bytes]:
    """Write what CoreNLP writes, with its other fields."""
    text = draw_text(rng, "x")
    bounds = []
    for at, sentence in enumerate(text.sentences):
        bounds += [(at, place) for place in range(1, len(sentence) + 1)]
    corefs = {}
    for number, entity in enumerate(text.entities):
        chain: list[dict[str, Any]] = []
        for mention in entity:
            (number_of_sentence, start), (_, end) = (bounds[at] for at in mention.span)
            chain.append({"id": len(chain), "text": "x", "type": rng.choice(["PROPER", "NOMINAL"]),
                          "number": "SINGULAR", "gender": "UNKNOWN", "animacy": "ANIMATE",
                          "startIndex": start, "endIndex": end + 1,
                          "headIndex": rng.randint(start, end), "sentNum": number_of_sentence + 1,
                          "position": [number_of_sentence + 1, 1],
                          "isRepresentativeMention": not chain})  # fmt: skip
        corefs[str(number + 3)] = chain
    value: dict[str, Any] = {"docId": "x"} if rng.random() < 0.5 else {}
    value["sentences"] = [
        {"index": at, "parse": "(ROOT)", "basicDependencies": [], "tokens": [
            {"index": i + 1, "word": word, "originalText": word, "lemma": word, "pos": "NN",
             "ner": "O", "speaker": "PER0"} for i, word in enumerate(sentence)]}
        for at, sentence in enumerate(text.sentences)
    ]  # fmt: skip
    value["corefs"] = corefs
    return {"": json.dumps(value, indent=rng.choice((None, 2))).encode()}
