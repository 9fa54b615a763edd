"use strict";
// Cards with the score of each metric now, and how far it has moved.
(() => {
  const Scoref = (globalThis.Scoref ??= {});
  const el = Scoref.element;

  function line(label, now, before) {
    const change = now[2] - before[2];
    const style = change > 0 ? "wi-up" : change < 0 ? "wi-down" : "wi-same";
    const sides = now[0] === null ? "" : `, recall ${Scoref.percent(now[0])}, precision ${Scoref.percent(now[1])}`;
    const title = `F1 ${100 * now[2]}${sides}; before: F1 ${100 * before[2]}`;
    return el("div", { class: "wi-line", title }, el("span", null, label), el("b", null, Scoref.percent(now[2])), el("i", { class: style }, Scoref.points(change)));
  }

  // `now` and `before` have the scores of the document, and of the corpus if there is one.
  Scoref.scoreCards = (now, before) => el("ul", { class: "wi-cards", "aria-label": "F1 by metric, and its change" }, Scoref.METRICS.map((name) => el("li", { "data-metric": name },
    el("h4", null, Scoref.METRIC_TITLES[name]),
    line(now.corpus ? "document" : "F1", now.document[name], before.document[name]),
    now.corpus ? line("corpus", now.corpus[name], before.corpus[name]) : null,
    now.document[name][0] === null ? null : el("small", null, `R ${Scoref.percent(now.document[name][0])} P ${Scoref.percent(now.document[name][1])}`))));
})();
