"use strict";
// What the what-if editor shows: a card per metric, and sentences with mentions as brackets.
(() => {
  const Scoref = (globalThis.Scoref ??= {});
  const el = Scoref.element;

  // ---------------------------------------------------------------- score cards
  function line(label, now, before) {
    const change = now[2] - before[2];
    const style = change > 1e-12 ? "wi-up" : change < -1e-12 ? "wi-down" : "wi-same";
    const sides = now[0] === null ? "" : `, recall ${Scoref.percent(now[0])}, precision ${Scoref.percent(now[1])}`;
    const title = `F1 ${100 * now[2]}${sides}; before: F1 ${100 * before[2]}`;
    return el("div", { class: "wi-line", title }, el("span", null, label), el("b", null, Scoref.percent(now[2])), el("i", { class: style }, style === "wi-same" ? "±0" : Scoref.points(change)));
  }

  // `now` and `before` have the scores of the document, and of the corpus if there is one.
  Scoref.scoreCards = (now, before) => el("ul", { class: "wi-cards", "aria-label": "F1 by metric, and its change" }, Scoref.METRICS.map((name) => el("li", { "data-metric": name },
    el("h4", null, Scoref.METRIC_TITLES[name]),
    line(now.corpus ? "document" : "F1", now.document[name], before.document[name]),
    now.corpus ? line("corpus", now.corpus[name], before.corpus[name]) : null,
    now.document[name][0] === null ? null : el("small", null, `R ${Scoref.percent(now.document[name][0])} P ${Scoref.percent(now.document[name][1])}`))));

  // ---------------------------------------------------------------- sentences
  const tinted = (node, name) => {
    node.style.setProperty("--tint", Scoref.colour(/^\d+$/.test(name) ? Number(name) : 0));
    return node;
  };
  Scoref.chip = (name, attributes = {}) => tinted(el("span", { ...attributes, class: `wi-chip ${attributes.class || ""}` }, name), name);

  Scoref.mentionText = ({ words }, mention, most = 60) => {
    const [start, end] = Scoref.span(mention);
    if (!words) return start === end ? `token ${start}` : `tokens ${start}–${end}`;
    const text = Scoref.parts(mention).map(([first, last]) => words.slice(first, last + 1).join(" ")).join(" … ");
    return Scoref.shorten(text || "∅", most);
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
    const places = mentions.flatMap((mention) => Scoref.parts(mention).map((part) => ({ mention, token: part[which] })));
    const found = new Map([...Scoref.groupBy(places, (one) => one.token)].map(([token, some]) => [token, some.map((one) => one.mention)]));
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
