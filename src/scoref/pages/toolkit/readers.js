"use strict";
// Read CoNLL columns or JSON lines of neural systems, and pair the documents of key and response.
// What is doubtful or rare is refused, never guessed: the command line reads more files.
(() => {
  const Scoref = (globalThis.Scoref ??= {});
  // What a reader refuses: where, what was found, what was expected, what to do.
  Scoref.FormatError = class extends Error {
    constructor(file, line, found, expected, hint) {
      super(`${file}${line ? `:${line}` : ""}: found ${found}, expected ${expected}`);
      Object.assign(this, { name: "FormatError", file, line, found, expected, hint });
    }
  };
  const CONVERT = "convert the file: scoref convert IN -o OUT.conll", SCORE = "score this file with the command `scoref score`";

  // Return the documents in the bytes of a file: { name, part, id, line, words, length, sentences,
  // entities }, where `line` is their place in the file.
  Scoref.readFile = (bytes, file, isResponse) => {
    const text = decode(bytes, file);
    let documents;
    if (/^[ \t\r\n]*$/.test(text)) throw new Scoref.FormatError(file, 0, "an empty file", "documents", "check the program that wrote it");
    if (/^#[ \t]*begin[ \t]+document\b/m.test(text)) documents = Scoref.readConll(text, file);
    else if (/^[ \t\r\n]*\{/.test(text)) documents = readJsonLines(text, file, isResponse);
    else throw new Scoref.FormatError(file, 0, "a file of another format", "CoNLL columns or JSON lines", CONVERT);
    refuseRepeated(documents, file);
    return documents;
  };

  function decode(bytes, file) {
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      throw new Scoref.FormatError(file, 0, "bytes that are not valid UTF-8", "UTF-8 text", "convert the file to UTF-8");
    }
    const at = text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
    if (at >= 0) {
      const line = text.slice(0, at).split("\n").length;
      throw new Scoref.FormatError(file, line, `the control character 0x${text.charCodeAt(at).toString(16).padStart(2, "0")}`, "lines of text", "replace or remove the character; is this the right file?");
    }
    return text;
  }

  function refuseRepeated(documents, file) {
    const lines = new Map();
    for (const { id, line, entities } of documents) {
      if (lines.has(id)) throw new Scoref.FormatError(file, line, `a second document ${id}`, `a name that is not in line ${lines.get(id)}`, "rename one of them");
      lines.set(id, line);
      const seen = new Set();
      for (const mention of entities.flat()) {
        if (seen.has(mention)) throw new Scoref.FormatError(file, line, `the mention ${mention} twice in document ${id}`, "each mention once", "`scoref score` keeps the mention of the entity that appears first");
        seen.add(mention);
      }
    }
  }

  // ---------------------------------------------------------------- strict JSON
  // JSON.parse silently takes the last of two equal keys: its value has fewer keys than the text. A
  // number that is not written as a whole number becomes false, which no reader accepts. Objects
  // become Maps.
  const isList = Array.isArray, isText = (value) => typeof value === "string", isWhole = (value) => Number.isSafeInteger(value);
  const PIECE = /"(?:[^"\\]|\\.)*"([ \t\r\n]*:)?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

  function parseJson(text, refuse) {
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
      refuse(error.message.slice(0, 80), "one JSON object per line", "is the file complete?");
    }
    if (keys) refuse("a key twice in one object", "each key once", "rename or remove one of them");
    return value;
  }

  // ---------------------------------------------------------------- JSON lines
  const NAMES = ["doc_key", "doc_id", "document_id", "doc_name", "id"], TEXTS = ["sentences", "tokens", "cased_words"];
  const KEYS = ["clusters", "span_clusters", "clusters_token_offsets", "gold_clusters"];
  const PREDICTED = ["predicted_clusters", "pred_clusters", "clusters_pred"];
  const ENDS = { span_clusters: "exclusive", clusters_token_offsets: "inclusive" };

  function readJsonLines(text, file, isResponse) {
    const documents = [];
    text.split("\n").forEach((line, at) => {
      if (/^[ \t\r]*$/.test(line)) return;
      const refuse = (found, expected, hint = SCORE) => { throw new Scoref.FormatError(file, at + 1, found, expected, hint); };
      const value = parseJson(line, refuse);
      if (!(value instanceof Map)) refuse("something else than an object", "one JSON object per line");
      documents.push({ ...readLine(value, isResponse, refuse), line: at + 1 });
    });
    const shift = decideEnds(documents, file);
    return documents.map((one, at) => finish(one, one.name || `#${at + 1}`, (one.ends ?? shift) === "exclusive" ? 1 : 0));
  }

  // Of a line with key and predicted entities, a response has the latter.
  function readLine(value, isResponse, refuse) {
    const text = TEXTS.find((name) => value.has(name));
    if (!text) refuse("no field with words", `one of the fields ${TEXTS.join(", ")}`);
    const found = [KEYS, PREDICTED].map((names) => names.filter((name) => value.has(name)));
    for (const names of found) if (names.length > 1) refuse(`both \`${names[0]}\` and \`${names[1]}\``, "one field with entities", "remove the other field");
    const field = (isResponse ? [...found[1], ...found[0]] : [...found[0], ...found[1]])[0];
    if (!field) refuse("no field with entities", `one of the fields ${[...KEYS, ...PREDICTED].join(", ")}`);
    const entities = value.get(field);
    const isSpan = (span) => isList(span) && span.length === 2 && span.every(isWhole);
    if (!isList(entities) || !entities.every((entity) => isList(entity) && entity.every(isSpan))) refuse(`\`${field}\` that is not a list of entities`, "entities as lists of [start, end], such as [[[0, 1], [3, 3]]]");
    const nameField = NAMES.find((name) => value.has(name) && value.get(name) !== null), name = nameField ? value.get(nameField) : "";
    if (!isText(name) && !isWhole(name)) refuse(`\`${nameField}\` that is not a name`, "a string or a whole number");
    const given = value.get(text), sentences = isList(given) && given.length && given.every(isText) ? [given] : given;
    if (!isList(sentences) || !sentences.every((one) => isList(one) && one.every(isText))) refuse(`\`${text}\` with something else than words`, "a list of words, or lists of words", "write words as JSON strings");
    return { name: String(name), sentences, entities: entities.filter((entity) => entity.length), ends: endsOf(value, field, refuse), refuse };
  }

  function endsOf(value, field, refuse) {
    if (value.has("offsets")) {
      const stated = /^token-(inclusive|exclusive)$/.exec(isText(value.get("offsets")) ? value.get("offsets") : "");
      if (!stated) refuse("`offsets` with something else", "token-inclusive or token-exclusive", CONVERT);
      return stated[1];
    }
    if (value.has("subtoken_map")) refuse("a `subtoken_map`", "offsets of words, not of pieces of words", CONVERT);
    return ENDS[field] ?? null;
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

  function finish({ line, sentences, entities, refuse }, name, shift) {
    const words = sentences.flat(), starts = [];
    sentences.reduce((sum, sentence) => (sentence.length && starts.push(sum), sum + sentence.length), 0);
    const mention = ([start, end]) => {
      const last = end - shift;
      if (!(0 <= start && start <= last && last < words.length)) refuse(`the span [${start}, ${end}]`, `offsets from 0 to ${words.length + shift - 1}, the end not before the start`);
      return `${start}-${last}`;
    };
    return { name, part: 0, id: name, line, words, length: words.length, sentences: starts.length ? starts : [0], entities: entities.map((entity) => entity.map(mention)) };
  }

  // ---------------------------------------------------------------- key and response
  // Return documents with key and response. Both sides must have the same documents and words.
  Scoref.pairDocuments = (key, response) => {
    const refuse = (found, expected, hint = "are these files of one corpus?") => { throw new Scoref.FormatError("key and response", 0, found, expected, hint); };
    const others = new Map(response.map((one) => [one.id, one])), known = new Set(key.map((one) => one.id));
    const lacking = key.find((one) => !others.has(one.id)), extra = response.find((one) => !known.has(one.id));
    if (lacking) refuse(`no document ${lacking.id} in the response`, "the same documents on both sides", "score such files with `scoref score`");
    if (extra) refuse(`a document ${extra.id} that the key lacks`, "the same documents on both sides", "score such files with `scoref score`");
    return key.map((one) => {
      const other = others.get(one.id), text = one.words ? one : other;
      if (one.length !== other.length) refuse(`${one.length} tokens in the key and ${other.length} in the response of document ${one.id}`, "the same text");
      const hasWords = ({ words }) => words && words.some((word) => word !== "_");
      const at = hasWords(one) && hasWords(other) ? one.words.findIndex((word, token) => word !== other.words[token]) : -1;
      if (at >= 0) refuse(`the word \`${one.words[at].slice(0, 30)}\` in the key and \`${other.words[at].slice(0, 30)}\` in the response at token ${at} of document ${one.id}`, "the same text");
      return { name: one.name, part: one.part, words: text.words, length: one.length, sentences: text.sentences, key: one.entities, response: other.entities };
    });
  };

  // ---------------------------------------------------------------- typed entities
  // Entities as a user types them: one per line, or in braces, mentions separated by blanks.
  Scoref.parseEntities = (text, side) => {
    const refuse = (line, found, expected, hint) => { throw new Scoref.FormatError(side, line, found, expected, hint); };
    const seen = new Map(), entities = [];
    text.split("\n").forEach((line, at) => {
      const inBraces = line.includes("{") || line.includes("}");
      if (inBraces && !/^\s*(\{[^{}]*\}\s*,?\s*)*$/.test(line)) refuse(at + 1, "text outside of braces", "entities such as `{a b} {c d}`", "close each brace, or write one entity per line without braces");
      const groups = inBraces ? [...line.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]) : [line];
      for (const group of groups) {
        const mentions = group.split(/[\s,]+/).filter(Boolean);
        for (const mention of mentions) {
          if (seen.has(mention)) refuse(at + 1, `the mention \`${mention}\` again`, "each mention once", `it is in line ${seen.get(mention)} too`);
          seen.set(mention, at + 1);
        }
        if (mentions.length) entities.push(mentions);
      }
    });
    return entities;
  };

  // A document of mentions that have only names: each name becomes a word.
  Scoref.namedDocument = (name, key, response) => {
    const words = [...new Set([...key.flat(), ...response.flat()])];
    const place = new Map(words.map((mention, at) => [mention, `${at}-${at}`]));
    const placed = (side) => side.map((entity) => entity.map((mention) => place.get(mention)));
    return { name, part: 0, words, length: words.length, sentences: [0], key: placed(key), response: placed(response) };
  };
})();
