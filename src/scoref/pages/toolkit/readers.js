"use strict";
// Read a file of any format that a page knows, and pair the documents of key and response.
(() => {
  const Scoref = (globalThis.Scoref ??= {});

  // Return the documents in the bytes of a file.
  Scoref.readFile = (bytes, file, isResponse) => {
    const text = decode(bytes, file);
    if (Scoref.isBlankJson(text)) throw new Scoref.FormatError(file, 0, "an empty file", "documents", "check the program that wrote it");
    let documents;
    if (/^#[ \t]*begin[ \t]+document\b/m.test(text)) documents = Scoref.readConll(text, file);
    else if (/^[ \t\r\n]*[[{]/.test(text)) documents = Scoref.readJson(text, file, isResponse);
    else throw new Scoref.FormatError(file, 0, "a file of another format", "CoNLL columns, JSON lines or clusters", "convert the file: scoref convert IN -o OUT.conll");
    documents.forEach((one) => refuseRepeatedMentions(one, file));
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

  function refuseRepeatedMentions({ name, entities }, file) {
    const seen = new Set();
    for (const mention of entities.flat()) {
      if (seen.has(mention)) throw new Scoref.FormatError(file, 0, `the mention ${mention} twice in document ${name}`, "each mention once", "`scoref score` keeps the mention of the entity that appears first");
      seen.add(mention);
    }
  }

  // Return documents with key and response. Both sides must have the same documents and words.
  Scoref.pairDocuments = (key, response) => {
    const refuse = (found, expected, hint) => { throw new Scoref.FormatError("key and response", 0, found, expected, hint); };
    const others = new Map(response.map((one) => [one.id, one]));
    const lacking = key.find((one) => !others.has(one.id)), known = new Set(key.map((one) => one.id));
    const extra = response.find((one) => !known.has(one.id));
    if (lacking) refuse(`no document ${lacking.id} in the response`, "the same documents on both sides", "score such files with `scoref score`");
    if (extra) refuse(`a document ${extra.id} that the key lacks`, "the same documents on both sides", "score such files with `scoref score`");
    return key.map((one) => {
      const other = others.get(one.id);
      if (Boolean(one.isNamed) !== Boolean(other.isNamed) && one.entities.length && other.entities.length) refuse("spans on one side and names on the other", "mentions of one kind", "use files of one format");
      if (one.length !== null && other.length !== null && one.length !== other.length) refuse(`${one.length} tokens in the key and ${other.length} in the response of document ${one.id}`, "the same text", "are these files of one corpus?");
      refuseOtherWords(one, other, refuse);
      return one.isNamed || other.isNamed ? Scoref.namedDocument(one.name, one.entities, other.entities) : spanDocument(one, other);
    });
  };

  function refuseOtherWords(one, other, refuse) {
    const known = (words) => words && words.some((word) => word !== "_");
    if (!known(one.words) || !known(other.words)) return;
    const at = one.words.findIndex((word, token) => word !== other.words[token]);
    if (at >= 0) refuse(`the word \`${one.words[at].slice(0, 30)}\` in the key and \`${other.words[at].slice(0, 30)}\` in the response at token ${at} of document ${one.id}`, "the same text", "are these files of one corpus?");
  }

  function spanDocument(one, other) {
    const text = one.words ? one : other;
    const last = [...one.entities, ...other.entities].flat().map((mention) => Scoref.span(mention)[1]);
    const length = one.length ?? other.length ?? 1 + last.reduce((a, b) => Math.max(a, b), -1);
    const beyond = last.find((token) => token >= length);
    if (beyond !== undefined) throw new Scoref.FormatError("key and response", 0, `a mention at token ${beyond} of document ${one.id}`, `tokens below ${length}`, "are these files of one corpus?");
    return { name: one.name, part: one.part, words: text.words, length, sentences: text.sentences, key: one.entities, response: other.entities };
  }

  // A document of mentions that have only names: each name becomes a word.
  Scoref.namedDocument = (name, key, response) => {
    const names = [...new Set([...key.flat(), ...response.flat()])];
    const place = new Map(names.map((mention, at) => [mention, `${at}-${at}`]));
    const placed = (side) => side.map((entity) => entity.map((mention) => place.get(mention)));
    const words = names.map((mention) => (/^"/.test(mention) ? JSON.parse(mention) : mention));
    return { name, part: 0, words, length: names.length, sentences: [0], key: placed(key), response: placed(response) };
  };

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
        if (mentions.length) entities.push(mentions.map((mention) => JSON.stringify(mention)));
      }
    });
    return entities;
  };
})();
