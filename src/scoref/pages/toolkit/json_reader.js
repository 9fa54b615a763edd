"use strict";
// Read JSON lines of neural systems, and clusters. What is doubtful is refused, never guessed.
(() => {
  const Scoref = (globalThis.Scoref ??= {});
  // What a reader refuses: where, what was found, what was expected, what to do.
  Scoref.FormatError = class extends Error {
    constructor(file, line, found, expected, hint) {
      super(`${file}${line ? `:${line}` : ""}: found ${found}, expected ${expected}`);
      Object.assign(this, { name: "FormatError", file, line, found, expected, hint });
    }
  };

  // JSON's own blanks, not those of Unicode.
  Scoref.isBlankJson = (text) => /^[ \t\r\n]*$/.test(text);

  // ---------------------------------------------------------------- strict JSON
  // JSON.parse silently takes the last of two equal keys: its value has fewer keys than the text. A
  // number that is not written as a whole number becomes false, which no reader accepts. Objects
  // become Maps.
  const isList = Array.isArray, isText = (value) => typeof value === "string", isWhole = (value) => Number.isSafeInteger(value);
  const PIECE = /"(?:[^"\\]|\\.)*"([ \t\r\n]*:)?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

  function parseJson(text, file, line) {
    const refuse = (found, expected, hint) => { throw new Scoref.FormatError(file, line, found, expected, hint); };
    let keys = 0, value;
    const whole = text.replace(PIECE, (piece, colon) => {
      if (colon) keys++;
      return !piece.startsWith('"') && /[.eE]/.test(piece) ? "false" : piece;
    });
    const check = (key, one) => {
      if (/\p{Cs}/u.test(isText(one) ? key + one : key)) refuse("half a character", "complete characters in JSON strings", "write both halves, or the character itself");
      if (one === null || typeof one !== "object" || isList(one)) return one;
      keys -= Object.keys(one).length;
      return new Map(Object.entries(one));
    };
    try {
      value = JSON.parse(whole, check);
    } catch (error) {
      if (error instanceof Scoref.FormatError) throw error;
      refuse(error.message.slice(0, 80), "JSON", "is the file complete?");
    }
    if (keys) refuse("a key twice in one object", "each key once", "rename or remove one of them");
    return value;
  }

  // ---------------------------------------------------------------- documents
  const NAMES = ["doc_key", "doc_id", "document_id", "doc_name", "id"], TEXTS = ["sentences", "tokens", "cased_words"];
  const KEYS = ["clusters", "span_clusters", "clusters_token_offsets", "gold_clusters"];
  const PREDICTED = ["predicted_clusters", "pred_clusters", "clusters_pred"];
  const MARKS = [...NAMES.slice(0, 3), ...TEXTS, "text", ...KEYS.slice(1), ...PREDICTED];
  const ENDS = { span_clusters: "exclusive", clusters_token_offsets: "inclusive" };
  const SPANS = "entities as lists of [start, end], such as [[[0, 1], [3, 3]]]";

  // Return documents; of a file with key and predicted entities, a response has the latter.
  Scoref.readJson = (text, file, isResponse) => {
    if (isDocument(text.split("\n").find((line) => !Scoref.isBlankJson(line)))) return readLines(text, file, isResponse);
    const value = parseJson(text, file, 0);
    if (isList(value) ? value.some((one) => one instanceof Map) : value instanceof Map && MARKS.some((name) => value.has(name))) {
      throw new Scoref.FormatError(file, 1, "documents that are not one per line", "one JSON object per line", "write JSON lines, without `[` and `]` around them");
    }
    return readClusters(value, file);
  };

  // Whether a line is a document of JSON lines.
  function isDocument(line) {
    try {
      const value = JSON.parse(line);
      return !isList(value) && MARKS.some((name) => Object.hasOwn(value, name));
    } catch {
      return false;
    }
  }

  function readLines(text, file, isResponse) {
    const documents = [];
    text.split("\n").forEach((line, at) => {
      if (Scoref.isBlankJson(line)) return;
      const value = parseJson(line, file, at + 1);
      const refuse = (found, expected, hint = "see the manual: Files") => { throw new Scoref.FormatError(file, at + 1, found, expected, hint); };
      if (!(value instanceof Map)) refuse("something else than an object", "one JSON object per line");
      documents.push(readLine(value, isResponse, refuse));
    });
    const shift = decideEnds(documents, file);
    documents.forEach((one, at) => { one.name ||= `#${at + 1}`; });
    refuseRepeated(documents, file);
    return documents.map((one) => finish(one, (one.ends ?? shift) === "exclusive" ? 1 : 0));
  }

  function readLine(value, isResponse, refuse) {
    const text = TEXTS.find((name) => value.has(name));
    if (!text) refuse(value.has("text") ? "offsets of characters" : "no field with words", "one of the fields sentences, tokens, cased_words", "convert the file: scoref convert IN -o OUT.conll");
    const found = [KEYS, PREDICTED].map((names) => names.filter((name) => value.has(name)));
    for (const names of found) if (names.length > 1) refuse(`both \`${names[0]}\` and \`${names[1]}\``, "one field with entities", "remove the other field");
    const field = (isResponse ? [...found[1], ...found[0]] : [...found[0], ...found[1]])[0];
    if (!field) refuse("no field with entities", `one of the fields ${[...KEYS, ...PREDICTED].join(", ")}`);
    const entities = value.get(field);
    const isSpan = (span) => isList(span) && span.length === 2 && span.every(isWhole);
    if (!isList(entities) || !entities.every((entity) => isList(entity) && entity.every(isSpan))) refuse(`\`${field}\` that is not a list of entities`, SPANS);
    const sentences = sentencesOf(value.get(text), text, refuse);
    const nameField = NAMES.find((name) => value.has(name) && value.get(name) !== null), name = nameField ? value.get(nameField) : "";
    if (!isText(name) && !isWhole(name)) refuse(`\`${nameField}\` that is not a name`, "a string or a whole number");
    const { ends, map } = convention(value, field, sentences, refuse);
    return { name: String(name), sentences, entities: entities.filter((entity) => entity.length), ends, map, refuse };
  }

  function sentencesOf(value, field, refuse) {
    const sentences = isList(value) && value.length && value.every(isText) ? [value] : value;
    if (!isList(sentences) || !sentences.every((one) => isList(one) && one.every(isText))) refuse(`\`${field}\` with something else than words`, "a list of words, or lists of words", "write words as JSON strings");
    return sentences;
  }

  function convention(value, field, sentences, refuse) {
    const length = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
    if (value.has("offsets")) {
      const stated = /^token-(inclusive|exclusive)$/.exec(isText(value.get("offsets")) ? value.get("offsets") : "");
      if (!stated) refuse("`offsets` with something else", "token-inclusive or token-exclusive", "convert the file: scoref convert IN -o OUT.conll");
      return { ends: stated[1], map: null };
    }
    if (!value.has("subtoken_map")) return { ends: ENDS[field] ?? null, map: null };
    const map = value.get("subtoken_map");
    const rises = isList(map) && map.length === length && map.every((token, at) => isWhole(token) && token >= (at ? map[at - 1] : 0));
    if (!rises || (length && map[length - 1] >= length)) refuse("a `subtoken_map` that does not fit the subtokens", "the number of the token of each subtoken, in order");
    return { ends: "inclusive", map: length ? map : null };
  }

  // A span [3, 3] can only be inclusive, and one that ends behind the last token only exclusive.
  function decideEnds(documents, file) {
    const open = documents.filter((one) => one.ends === null);
    const spans = open.flatMap((one) => one.entities.flat().map(([start, end]) => [start, end, one.sentences.flat().length]));
    const inclusive = spans.some(([start, end]) => start === end), exclusive = spans.some(([, end, length]) => end === length);
    if (spans.length && inclusive === exclusive) {
      throw new Scoref.FormatError(file, 0, `only spans such as [${spans[0][0]}, ${spans[0][1]}], whose end can be inclusive or exclusive`, "a span that shows whether ends are inclusive", 'add the field `"offsets": "token-inclusive"` or `"token-exclusive"`');
    }
    return exclusive ? "exclusive" : "inclusive";
  }

  function finish({ name, sentences, entities, map, refuse }, shift) {
    let words = sentences.flat(), starts = [];
    sentences.reduce((sum, sentence) => (sentence.length && starts.push(sum), sum + sentence.length), 0);
    const mention = ([start, end]) => {
      const last = end - shift;
      if (!(0 <= start && start <= last && last < words.length)) refuse(`the span [${start}, ${end}]`, `offsets from 0 to ${words.length + shift - 1}, the end not before the start`);
      return map ? `${map[start]}-${map[last]}` : `${start}-${last}`;
    };
    const mentions = entities.map((entity) => entity.map(mention));
    if (map) [words, starts] = [joinPieces(words, map), [0]];
    return { name, part: 0, id: name, words, length: words.length, sentences: starts.length ? starts : [0], entities: mentions };
  }

  function joinPieces(pieces, map) {
    const words = Array(1 + map[map.length - 1]).fill("");
    pieces.forEach((piece, at) => {
      if (!["[CLS]", "[SEP]", "<s>", "</s>"].includes(piece)) words[map[at]] += piece.replace(/^##/, "").replace(/^[\u0120\u2581]+/, "");
    });
    return words.map((word) => word || "_");
  }

  function refuseRepeated(documents, file) {
    const names = documents.map((one) => one.name);
    const again = names.find((name, at) => names.indexOf(name) < at);
    if (again !== undefined) throw new Scoref.FormatError(file, 0, `two documents ${again}`, "each name once", "rename one of them");
  }

  // Documents, entities and mentions, without words; a mention is a span or a name.
  function readClusters(value, file) {
    const refuse = (found, expected) => { throw new Scoref.FormatError(file, 0, found, expected, "see the manual: More files"); };
    let documents = isList(value) ? new Map([["#1", value]]) : value;
    if (!(documents instanceof Map)) refuse("a JSON value without documents", "documents, entities, mentions, such as {\"d\": [[[0, 1], [3, 3]]]}");
    if (isText(documents.get("type"))) {
      if (documents.get("type") !== "clusters" || !documents.has("clusters")) refuse(`the type ${documents.get("type").slice(0, 40)}`, "the type clusters");
      documents = new Map([["#1", documents.get("clusters")]]);
    } else if (documents.has("clusters")) refuse("clusters of a document without a name", "documents by their names");
    const kinds = new Set();
    const found = [...documents].map(([name, entities]) => {
      const lists = entities instanceof Map ? [...entities.values()] : entities;
      if (!isList(lists)) refuse(`document ${name.slice(0, 40)} without a list of entities`, "a list of entities");
      const mentions = lists.map((entity) => {
        if (!isList(entity) || !entity.length) refuse("an entity that is not a list of mentions", "a list of mentions");
        return entity.map((mention) => clusterMention(mention, kinds, refuse));
      });
      return { name, part: 0, id: name, words: null, length: null, sentences: [0], entities: mentions };
    });
    if (kinds.size > 1) refuse("spans and names", "mentions of one kind");
    if (!found.length) refuse("no documents", "at least one document");
    return found.map((one) => ({ ...one, isNamed: kinds.has("name") }));
  }

  function clusterMention(mention, kinds, refuse) {
    kinds.add(isList(mention) ? "span" : "name");
    if (isList(mention)) {
      if (mention.length !== 2 || !mention.every(isWhole) || mention[0] < 0 || mention[1] < mention[0]) refuse("a span that is not [start, end]", "two whole numbers from 0, in order");
      return `${mention[0]}-${mention[1]}`;
    }
    if (!isText(mention) && !isWhole(mention)) refuse("a mention that is not a span or a name", "[start, end], a text or a whole number");
    return JSON.stringify(mention);
  }
})();
