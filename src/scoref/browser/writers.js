"use strict";
// Write a document as CoNLL columns or as JSON lines, as Python writes them.
(() => {
  const Scoref = (globalThis.Scoref ??= {});
  const encoder = new TextEncoder();
  const escaped = (text) => [...encoder.encode(text)].map((byte) => "%" + byte.toString(16).toUpperCase().padStart(2, "0")).join("");
  const CONTROL = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufeff";
  const UNSAFE_WORD = new RegExp(`[ ${CONTROL}]|^\\s+|\\s+$`, "gu");
  const UNSAFE_NAME = new RegExp(`[\\s${CONTROL}]|^#`, "gu");
  const cell = (word) => word.replace(UNSAFE_WORD, escaped) || "_";

  // Documents are { name, part, words, length, sentences, entities }, where entities are lists of
  // mentions; words may be null.
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
    const cells = brackets(document.entities);
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
  function brackets(entities) {
    const spans = entities.flatMap((entity, id) => entity.map((mention) => [...Scoref.span(mention), id]));
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
