"use strict";
// Elements are created from text, never from HTML, so nothing in the data can become code.
(() => {
  const Scoref = (globalThis.Scoref ??= {});

  Scoref.element = (name, attributes, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
  };

  Scoref.button = (text, onclick, attributes = {}) => Scoref.element("button", { type: "button", onclick, ...attributes }, text);

  Scoref.percent = (score) => (score === null || Number.isNaN(score) ? "–" : (100 * score).toFixed(2));

  // A difference in points with its sign; what rounds to nothing is shown as nothing.
  Scoref.points = (difference) => {
    const text = (100 * Math.abs(difference)).toFixed(2);
    if (text === "0.00") return difference === 0 ? "±0" : difference > 0 ? "+0.00" : "−0.00";
    return (difference > 0 ? "+" : "−") + text;
  };

  Scoref.plural = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

  Scoref.METRIC_TITLES = { mentions: "Mentions", muc: "MUC", b3: "B³", ceafm: "CEAFm", ceafe: "CEAFe", blanc: "BLANC", lea: "LEA", conll: "CoNLL" };

  // Let the user save a text as a file. The page makes the file itself; nothing is requested.
  Scoref.download = (name, text, type = "text/plain") => {
    const address = URL.createObjectURL(new Blob([text], { type }));
    Scoref.element("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  };
})();
