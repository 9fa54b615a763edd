"use strict";
// A document with its key and a response that can be edited, undone, redone and written to files.
//
// A mention is a text, its first and last token: "12-14", or "12-14,17-17" with two parts; one
// without words is "12", the token before which it stands. A document has `name`, `words` (or null,
// and `length`), `sentences` (the first token of each), and the entities of `key` and `response` as
// lists of mentions; `keyNames` and `responseNames` name them.
(() => {
  const Scoref = (globalThis.Scoref ??= {});
  const parsed = new Map();
  Scoref.parts = (mention) => {
    if (!parsed.has(mention)) parsed.set(mention, mention.includes("-") ? mention.split(",").map((part) => part.split("-").map(Number)) : []);
    return parsed.get(mention);
  };
  Scoref.span = (mention) => {
    const parts = Scoref.parts(mention);
    return parts.length ? [parts[0][0], parts[parts.length - 1][1]] : [Number(mention), Number(mention)];
  };
  const inTextOrder = (one, other) => {
    const [a, b] = [Scoref.span(one), Scoref.span(other)];
    return a[0] - b[0] || b[1] - a[1] || (one < other ? -1 : one > other ? 1 : 0);
  };

  const sorted = (entities, names) => entities
    .map((entity, at) => ({ mentions: [...entity].sort(inTextOrder), name: names?.[at] }))
    .filter((one) => one.mentions.length)
    .sort((one, other) => inTextOrder(one.mentions[0], other.mentions[0]));

  Scoref.Annotation = class {
    constructor({ name = "", part = null, words = null, length, sentences = [0], key, response, keyNames = null, responseNames = null }) {
      Object.assign(this, { name, part, words, sentences, length: words ? words.length : length });
      const keys = sorted(key, keyNames), entities = sorted(response, responseNames);
      this.key = keys.map((one) => one.mentions);
      this.keyNames = keys.map((one, at) => one.name ?? String(at + 1));
      this.keyOf = new Map(this.key.flatMap((entity, at) => entity.map((mention) => [mention, at])));
      this.entityOf = new Map(entities.flatMap((one, at) => one.mentions.map((mention) => [mention, at])));
      this.lettered = 0;
      this.names = responseNames ? entities.map((one) => one.name) : this.#nameEntities(entities.map((one) => one.mentions));
      this.done = [];
      this.undone = [];
    }

    // A response entity has the number of a key entity with which it shares most, or a letter.
    #nameEntities(entities) {
      const cells = Scoref.table(this.key, entities).cells.sort((one, other) => other.count - one.count);
      const names = Array(entities.length).fill(null), taken = new Set();
      for (const { row, column } of cells) {
        if (names[column] !== null || taken.has(row)) continue;
        names[column] = this.keyNames[row];
        taken.add(row);
      }
      return names.map((name) => name ?? this.#newName());
    }

    #newName() {
      let name;
      do name = Scoref.letters(++this.lettered); while (this.names?.includes(name));
      return name;
    }

    // The mentions of each response entity that has any, by the entity, in the order of the text.
    entities() {
      this.grouped ??= Scoref.groupBy([...this.entityOf.keys()].sort(inTextOrder), (mention) => this.entityOf.get(mention));
      return this.grouped;
    }

    response() {
      return [...this.entities().values()];
    }

    newEntity() {
      return this.names.push(this.#newName()) - 1;
    }

    // Put mentions into an entity; null removes them. A mention that was in no entity is added.
    assign(mentions, entity) {
      return this.change(mentions.map((mention) => [mention, entity]));
    }

    // Put each mention where the key has it: with most of its companions, or nowhere.
    followKey(mentions) {
      const made = new Map();
      return this.change(mentions.map((mention) => {
        const at = this.keyOf.get(mention);
        if (at === undefined) return [mention, null];
        if (!made.has(at)) made.set(at, this.#counterpart(at, mentions) ?? this.newEntity());
        return [mention, made.get(at)];
      }));
    }

    // The response entity with most mentions of a key entity, not counting some.
    #counterpart(at, without) {
      const votes = new Map();
      for (const mention of this.key[at]) {
        const entity = this.entityOf.get(mention);
        if (entity !== undefined && !without.includes(mention)) votes.set(entity, (votes.get(entity) || 0) + 1);
      }
      let best;
      for (const [entity, count] of votes) if (best === undefined || count > votes.get(best)) best = entity;
      return best;
    }

    // Put each mention into an entity, or nowhere (null); return the edit, or null if nothing changes.
    change(places) {
      const edit = places
        .map(([mention, after]) => ({ mention, before: this.entityOf.get(mention) ?? null, after }))
        .filter(({ before, after }) => before !== after);
      if (!edit.length) return null;
      this.done.push(this.#apply(edit, "after"));
      this.undone = [];
      return edit;
    }

    // Undo or redo an edit, and return it, or null if there is none.
    undo() {
      return this.done.length ? this.undone[this.undone.push(this.#apply(this.done.pop(), "before")) - 1] : null;
    }

    redo() {
      return this.undone.length ? this.done[this.done.push(this.#apply(this.undone.pop(), "after")) - 1] : null;
    }

    #apply(edit, which) {
      this.grouped = null;
      for (const one of edit) {
        if (one[which] === null) this.entityOf.delete(one.mention);
        else this.entityOf.set(one.mention, one[which]);
      }
      return edit;
    }

    counts() {
      return Scoref.countDocument(this.key, this.response());
    }
  };

  const encoder = new TextEncoder();
  const escaped = (text) => [...encoder.encode(text)].map((byte) => "%" + byte.toString(16).toUpperCase().padStart(2, "0")).join("");
  const CONTROL = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufeff";
  const UNSAFE_WORD = new RegExp(`[ ${CONTROL}]|^\\s+|\\s+$`, "gu");
  const UNSAFE_NAME = new RegExp(`[\\s${CONTROL}]|^#`, "gu");
  const cell = (word) => word.replace(UNSAFE_WORD, escaped) || "_";

  // ---------------------------------------------------------------- files, as Python writes them
  // Documents are { name, part, words, length, sentences, entities }, where entities are lists of
  // mentions; words may be null, and `ids` are the ids of entities in CoNLL columns if there are any.
  Scoref.writeJsonLines = (documents) => documents.map((document) => {
    refuseParts(document, "JSON lines");
    const words = wordsOf(document), ends = [...document.sentences.slice(1), words.length];
    return JSON.stringify({
      doc_key: document.part ? `${document.name}_${document.part}` : document.name,
      sentences: words.length ? document.sentences.map((start, at) => words.slice(start, ends[at])) : [],
      offsets: "token-inclusive",
      clusters: document.entities.map((entity) => entity.map(Scoref.span)),
    }) + "\n";
  }).join("");

  Scoref.writeConll = (documents) => documents.map((document) => {
    refuseParts(document, "CoNLL columns");
    document.entities.forEach(refuseCrossing);
    const words = wordsOf(document), starts = new Set(document.sentences);
    const name = document.name.replace(UNSAFE_NAME, escaped) || "%", part = document.part ?? 0;
    const cells = brackets(document.entities, document.ids ?? document.entities.map((_, at) => at));
    let lines = `#begin document (${name}); part ${String(part).padStart(3, "0")}\n`;
    let inSentence = 0;
    words.forEach((word, token) => {
      if (starts.has(token)) {
        if (token) lines += "\n";
        inSentence = 0;
      }
      const line = [name, part, inSentence++, cell(word), "-", "*", "-", "-", "-", "-", "*", (cells.get(token) || ["-"]).join("|")];
      lines += line.join("\t") + "\n";
    });
    return lines + "\n#end document\n";
  }).join("");

  const wordsOf = ({ words, length }) => words || Array(length).fill("_");

  // The brackets of each token: openings of longer mentions first, then mentions of one token,
  // then closings of shorter mentions first.
  function brackets(entities, ids) {
    const spans = entities.flatMap((entity, id) => entity.map((mention) => [...Scoref.span(mention), ids[id]]));
    const cells = new Map();
    const add = (token, text) => cells.set(token, [...(cells.get(token) || []), text]);
    spans.sort((a, b) => a[0] - b[0] || b[1] - a[1] || a[2] - b[2]);
    for (const [start, end, id] of spans) add(start, start === end ? `(${id})` : `(${id}`);
    for (const [start, end, id] of [...spans].reverse()) if (start < end) add(end, `${id})`);
    return cells;
  }

  function refuseParts({ name, entities }, format) {
    const odd = entities.flat().find((mention) => mention.includes(","));
    if (odd) throw new Error(`document ${name} has a mention of several parts (${odd}), which ${format} cannot express`);
  }

  // A closing bracket closes the latest open one, and openings of a token are read first.
  function refuseCrossing(entity) {
    const around = [];
    const spans = entity.map(Scoref.span).filter(([start, end]) => start < end).sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    for (const span of spans) {
      while (around.length && around[around.length - 1][1] < span[0]) around.pop();
      const last = around[around.length - 1];
      if (last && last[1] < span[1]) {
        throw new Error(`an entity has the mentions ${last.join("-")} and ${span.join("-")}, which cross or touch: brackets cannot express this; use JSON lines`);
      }
      around.push(span);
    }
  }
})();
