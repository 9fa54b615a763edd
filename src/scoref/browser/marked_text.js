"use strict";
// The sentences of a document with the mentions of key and response as brackets.
(() => {
  const Scoref = (globalThis.Scoref ??= {});
  const el = Scoref.element;

  // Colours differ for entities with neighbouring numbers: steps of the golden angle.
  const hue = (name) => {
    const number = /^\d+$/.test(name) ? Number(name) : [...name].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0), 7);
    return Math.round((number * 137.508) % 360);
  };
  const tinted = (node, name) => {
    node.style.setProperty("--hue", hue(name));
    return node;
  };
  Scoref.chip = (name, attributes = {}) => tinted(el("span", { ...attributes, class: `wi-chip ${attributes.class || ""}` }, name), name);

  Scoref.mentionText = ({ words }, mention, most = 60) => {
    const [start, end] = Scoref.span(mention);
    if (!words) return start === end ? `token ${start}` : `tokens ${start}–${end}`;
    const text = Scoref.parts(mention).map(([first, last]) => words.slice(first, last + 1).join(" ")).join(" … ");
    return text.length > most ? text.slice(0, most - 1) + "…" : text;
  };

  // What an annotator should see of a mention at once: is it as in the key?
  function status(annotation, mention) {
    const key = annotation.keyOf.get(mention), response = annotation.entityOf.get(mention);
    if (key === undefined) return "spurious";
    if (response === undefined) return "missing";
    return annotation.names[response] === annotation.keyNames[key] ? "right" : "elsewhere";
  }
  const MEANING = {
    right: "as in the key", spurious: "not in the key", missing: "not in the response", elsewhere: "in another entity than in the key",
  };

  const nameOf = (annotation, side, mention) =>
    (side === "key" ? annotation.keyNames[annotation.keyOf.get(mention)] : annotation.names[annotation.entityOf.get(mention)]);

  function opening(annotation, side, mention) {
    const name = nameOf(annotation, side, mention), state = status(annotation, mention);
    const title = `entity ${name}, ${MEANING[state]}: ${Scoref.mentionText(annotation, mention)}`;
    return Scoref.chip(name, { class: `wi-${state}`, "data-m": mention, "data-side": side, draggable: side === "response" ? "true" : null, title });
  }

  const closing = (annotation, side, mention) =>
    tinted(el("span", { class: "wi-end", "data-m": mention, "aria-hidden": "true" }, "]"), nameOf(annotation, side, mention));

  // The mentions of which a part begins, or ends, at each token; `which` is 0 or 1.
  function byToken(mentions, which) {
    const found = new Map();
    for (const mention of mentions) {
      for (const part of Scoref.parts(mention)) {
        if (!found.has(part[which])) found.set(part[which], []);
        found.get(part[which]).push(mention);
      }
    }
    // Of mentions that begin together the longest opens first, of those that end together it closes last.
    for (const together of found.values()) together.sort((one, other) => Scoref.span(other)[1 - which] - Scoref.span(one)[1 - which]);
    return found;
  }

  // The text of a sentence on one side.
  Scoref.markedSentence = (annotation, side, mentions, start, end) => {
    const line = el("p", { "data-side": side }), begins = byToken(mentions, 0), ends = byToken(mentions, 1);
    for (let token = start; token < end; token++) {
      const word = el("span", { class: annotation.words ? "wi-w" : "wi-w wi-veil", "data-i": token }, annotation.words ? annotation.words[token] : "");
      line.append(el("span", { class: "wi-nb" },
        (begins.get(token) || []).map((mention) => opening(annotation, side, mention)), word,
        (ends.get(token) || []).map((mention) => closing(annotation, side, mention))), " ");
    }
    return line;
  };
})();
