"use strict";
// A document with its key and a response that can be edited, undone and redone.
//
// A mention is a text, its first and last token: "12-14", or "12-14,17-17" with two parts. A
// document has `name`, `words` (or null, and `length`), `sentences` (the first token of each), and
// the entities of `key` and `response` as lists of mentions; `keyNames` and `responseNames` name them.
(() => {
  const Scoref = (globalThis.Scoref ??= {});

  const parsed = new Map();
  Scoref.parts = (mention) => {
    if (!parsed.has(mention)) parsed.set(mention, mention.split(",").map((part) => part.split("-").map(Number)));
    return parsed.get(mention);
  };
  Scoref.span = (mention) => {
    const parts = Scoref.parts(mention);
    return [parts[0][0], parts[parts.length - 1][1]];
  };
  const inTextOrder = (one, other) => {
    const [a, b] = [Scoref.span(one), Scoref.span(other)];
    return a[0] - b[0] || b[1] - a[1] || (one < other ? -1 : one > other ? 1 : 0);
  };

  const sorted = (entities, names) => entities
    .map((entity, at) => ({ mentions: [...entity].sort(inTextOrder), name: names?.[at] }))
    .filter((one) => one.mentions.length)
    .sort((one, other) => inTextOrder(one.mentions[0], other.mentions[0]));

  Scoref.letters = (number) => {
    let name = "";
    for (; number > 0; number = Math.floor((number - 1) / 26)) name = String.fromCharCode(97 + ((number - 1) % 26)) + name;
    return name;
  };

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
      if (this.grouped) return this.grouped;
      const found = this.grouped = new Map();
      for (const mention of [...this.entityOf.keys()].sort(inTextOrder)) {
        const entity = this.entityOf.get(mention);
        if (!found.has(entity)) found.set(entity, []);
        found.get(entity).push(mention);
      }
      return found;
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
})();
