// What all charts share: scales, grids, tools, and marks that the keyboard can reach.
function scale(low, high, from, to) {
  const place = (value) => from + ((value - low) / (high - low || 1)) * (to - from);
  place.ticks = (most) => Scoref.ticks(low, high, most);
  return place;
}

// The range of some values with a margin, within 0 and 1 for shares.
function rangeOf(values, share) {
  if (!values.length) return [0, 1];
  let low = Infinity, high = -Infinity;
  for (const value of values) { low = Math.min(low, value); high = Math.max(high, value); }
  const margin = Math.max((high - low) * 0.06, share ? 0.02 : 1);
  return [Math.max(0, low - margin), share ? Math.min(1, high + margin) : high + margin];
}
const shareTick = (value) => String(Math.round(1000 * value) / 10);

const NARROWEST = 120; // a column that is hidden, or that paper squeezes, has no room for axes

// Draws a chart again when its width changes. `draw(width)` returns a picture, or null if there is nothing to show.
function makeChart(id, name, draw, rows) {
  const figure = $(id);
  if (!figure) return () => {};
  const canvas = figure.querySelector(".canvas"), tools = figure.querySelector(".tools");
  const picture = () => canvas.querySelector("svg");
  const tool = (kind, action) => button(kind, action, { "aria-label": `Save this chart as ${kind}` });
  tools.replaceChildren(
    tool("CSV", () => saveCsv(name, rows())), tool("SVG", () => saveSvg(name, picture())), tool("PNG", () => savePng(name, picture())));
  let drawn = 0;
  const redraw = () => {
    const width = Math.floor(canvas.clientWidth);
    if (width < NARROWEST) return;
    drawn = width;
    const found = draw(width);
    canvas.replaceChildren(found || el("p", { class: "empty" }, "Nothing to show: no document has a score in this metric."));
    tools.hidden = !found;
  };
  new ResizeObserver(() => { if (Math.floor(canvas.clientWidth) !== drawn) redraw(); }).observe(canvas);
  redraw();
  return redraw;
}

// One mark of a chart has the focus; arrow keys move it. So a chart is one stop of the Tab key.
function roving(picture, marks) {
  marks.forEach((mark, at) => mark.setAttribute("tabindex", at ? -1 : 0));
  picture.addEventListener("keydown", (event) => {
    const at = marks.indexOf(event.target);
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (at < 0 || !by) return;
    event.preventDefault();
    const next = marks[(at + by + marks.length) % marks.length];
    marks[at].setAttribute("tabindex", -1);
    next.setAttribute("tabindex", 0);
    next.focus();
  });
  return picture;
}
const systemDot = (at, x, y, size = 11) =>
  svg("g", { transform: `translate(${(x - size / 2).toFixed(1)} ${(y - size / 2).toFixed(1)}) scale(${size / 16})`, class: "dot" }, systemPath(at));

// Scores by metric: for several systems a panel per metric, for one system a row per metric.
const RECALL = 0, PRECISION = 1, F1 = 2, LOW = 3, HIGH = 4;

function scoreRange() {
  const values = D.scores.flat().flatMap((score) => (D.systems.length > 1 ? score.slice(F1) : score));
  const [low, high] = rangeOf(values.filter((value) => value !== null), true);
  return [Math.floor(20 * low) / 20, Math.ceil(20 * high) / 20];
}

function drawScores(width) {
  return D.systems.length > 1 ? drawPanels(width) : drawRows(width);
}

function scoreTip(at, metric) {
  const score = D.scores[at][metric];
  const lines = [D.systems.length > 1 ? systemTitle(at) : D.metrics[metric], `${D.metrics[metric]} F1 ${percent(score[F1])}`];
  if (score[LOW] !== null) lines.push(`95 % interval ${percent(score[LOW])} to ${percent(score[HIGH])}`);
  if (score[RECALL] !== null) lines.push(`recall ${percent(score[RECALL])}, precision ${percent(score[PRECISION])}`);
  return lines;
}

function drawPanels(width) {
  const gap = 28, across = Math.max(1, Math.min(D.metrics.length, width < 520 ? 1 : width < 860 ? 2 : 4));
  const panel = (width - gap * (across - 1)) / across, row = D.systems.length > 12 ? 15 : 19;
  const top = 26, height = top + row * D.systems.length + 30, [low, high] = scoreRange();
  const marks = [], nodes = [];
  D.metrics.forEach((metric, number) => {
    const left = (number % across) * (panel + gap), y0 = Math.floor(number / across) * (height + 10);
    const x = scale(low, high, left + 26, left + panel - 14);
    nodes.push(svg("text", { x: left, y: y0 + 13, class: "metric" }, metric));
    for (const tick of x.ticks(panel < 260 ? 4 : 6)) {
      nodes.push(svg("line", { x1: x(tick), x2: x(tick), y1: y0 + top - 4, y2: y0 + height - 24, class: "grid" }));
      nodes.push(svg("text", { x: x(tick), y: y0 + height - 10, class: "tick" }, shareTick(tick)));
    }
    D.systems.forEach((system, at) => {
      const score = D.scores[at][number], y = y0 + top + row * (at + 0.5);
      nodes.push(svg("text", { x: left, y: y + 4, class: "letter" }, system.letter));
      if (score[F1] === null) return;
      const line = score[LOW] === null ? null : svg("line", { x1: x(score[LOW]), x2: x(score[HIGH]), y1: y, y2: y, class: "whisker" });
      const target = svg("rect", { x: left + 26, y: y - row / 2, width: panel - 34, height: row, class: "target" });
      const mark = svg("g", { class: `s${system.hue} point`, role: "img" }, target, line, systemDot(at, x(score[F1]), y, row > 16 ? 12 : 10));
      marks.push(withTip(mark, scoreTip(at, number)));
      nodes.push(mark);
    });
  });
  const total = Math.ceil(D.metrics.length / across) * (height + 10);
  return roving(svg("svg", { viewBox: `0 0 ${width} ${total}`, width, height: total, role: "group", "aria-label": "F1 of each system by metric" }, ...nodes), marks);
}

// One system: recall, precision and F1 of each metric, and the interval of F1.
function drawRows(width) {
  const row = width < 480 ? 36 : 46, top = 26, left = 76, height = top + row * D.metrics.length + 26, [low, high] = scoreRange();
  const x = scale(low, high, left, width - 16), marks = [], nodes = [];
  nodes.push(svg("text", { x: left, y: 12, class: "key" }, "R recall   P precision   ● F1 with interval"));
  for (const tick of x.ticks(width < 480 ? 4 : 6)) {
    nodes.push(svg("line", { x1: x(tick), x2: x(tick), y1: top, y2: height - 22, class: "grid" }));
    nodes.push(svg("text", { x: x(tick), y: height - 6, class: "tick" }, shareTick(tick)));
  }
  D.metrics.forEach((metric, number) => {
    const score = D.scores[0][number], y = top + row * (number + 0.5);
    nodes.push(svg("text", { x: 0, y: y + 4, class: "metric" }, metric));
    if (score[F1] === null) return;
    const parts = [svg("rect", { x: left, y: y - row / 2, width: width - left, height: row, class: "target" })];
    if (score[RECALL] !== null) {
      parts.push(svg("line", { x1: x(score[RECALL]), x2: x(score[PRECISION]), y1: y, y2: y, class: "between" }));
      const equal = Math.abs(x(score[RECALL]) - x(score[PRECISION])) < 12;
      parts.push(svg("text", { x: x(score[RECALL]), y: y - 7, class: "tick side" }, equal ? "R P" : "R"));
      if (!equal) parts.push(svg("text", { x: x(score[PRECISION]), y: y - 7, class: "tick side" }, "P"));
    }
    if (score[LOW] !== null) parts.push(svg("line", { x1: x(score[LOW]), x2: x(score[HIGH]), y1: y, y2: y, class: "whisker" }));
    parts.push(systemDot(0, x(score[F1]), y, 12));
    const mark = svg("g", { class: "s0 point", role: "img" }, ...parts);
    marks.push(withTip(mark, scoreTip(0, number)));
    nodes.push(mark);
  });
  return roving(svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": "Scores by metric" }, ...nodes), marks);
}

const scoreRows = () => [
  ["system", "metric", "recall", "precision", "f1", "low", "high"],
  ...D.systems.flatMap((system, at) => D.metrics.map((metric, number) => [system.name, metric, ...D.scores[at][number]])),
];
makeChart("chart-scores", "scores", drawScores, scoreRows);

// Documents as points: one system against another, or against the length of the document.
const LENGTH = D.systems.length;  // the option after the systems
const opens = (at) => Object.hasOwn(D.views, at);
const overview = { metric: D.metric, one: 0, other: D.systems.length > 1 ? 1 : LENGTH, find: "", sort: null, up: true };

// With two systems, the better one is on the x axis, and the points below the line are regressions.
const rival = () => (overview.other !== LENGTH && overview.other !== overview.one ? overview.other : null);

function documentAddress(at, system, other = null) {
  return writeAddress(`doc/${at}/${system}`, { with: other !== null && other !== system ? other : null, metric: overview.metric === D.metric ? null : overview.metric });
}

function drawDocuments(width) {
  const { metric, one, other } = overview, both = other !== LENGTH;
  const height = Math.round(Math.min(Math.max(300, width * 0.78), 470)), L = 52, B = 46, T = 10, R = 14;
  const value = (document, which) => (which === LENGTH ? document.mentions : document.f1[which][metric]);
  const known = D.documents
    .map((document, at) => ({ at, name: document.name, x: value(document, other), y: value(document, one) }))
    .filter((point) => point.x !== null && point.y !== null);
  if (!known.length) return null;
  const ys = rangeOf(known.flatMap((point) => (both ? [point.x, point.y] : [point.y])), true);
  const xs = both ? ys : rangeOf(known.map((point) => point.x), false);
  const X = scale(...xs, L, width - R), Y = scale(...ys, height - B, T), nodes = [], marks = [];
  for (const tick of X.ticks(width < 420 ? 4 : 6)) {
    nodes.push(svg("line", { x1: X(tick), x2: X(tick), y1: T, y2: height - B, class: "grid" }));
    nodes.push(svg("text", { x: X(tick), y: height - B + 18, class: "tick" }, both ? shareTick(tick) : count(Math.round(tick))));
  }
  for (const tick of Y.ticks(5)) {
    nodes.push(svg("line", { x1: L, x2: width - R, y1: Y(tick), y2: Y(tick), class: "grid" }));
    nodes.push(svg("text", { x: L - 8, y: Y(tick) + 4, class: "tick end" }, shareTick(tick)));
  }
  if (both) nodes.push(svg("line", { x1: X(xs[0]), y1: Y(xs[0]), x2: X(xs[1]), y2: Y(xs[1]), class: "same" }));
  const radius = known.length > 800 ? 3 : 5;
  for (const point of known) {
    const tip = [point.name, `${systemTitle(one)}: ${percent(point.y)}`, both ? `${systemTitle(other)}: ${percent(point.x)}` : plural(point.x, "mention")];
    const circle = svg("circle", { cx: X(point.x).toFixed(1), cy: Y(point.y).toFixed(1), r: radius, class: opens(point.at) ? "point" : "point closed" });
    const mark = opens(point.at) ? svg("a", { href: documentAddress(point.at, one, both ? other : null), "data-doc": point.at }, circle) : svg("g", { role: "img" }, circle);
    marks.push(withTip(mark, tip));
    nodes.push(mark);
  }
  const name = D.metrics[metric];
  nodes.push(svg("text", { x: (L + width - R) / 2, y: height - 6, class: "axis" }, both ? `${name} F1 of ${systemTitle(other)}` : "mentions in the key"));
  nodes.push(svg("text", { x: 12, y: (height - B + T) / 2, class: "axis", transform: `rotate(-90 12 ${(height - B + T) / 2})` }, `${name} F1 of ${systemTitle(one)}`));
  return roving(svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": "Documents by F1" }, ...nodes), marks);
}

const documentRows = () => [
  ["document", "tokens", "mentions", ...D.systems.flatMap((system) => D.metrics.map((metric) => `${system.name} ${metric}`))],
  ...D.documents.map((document) => [document.name, document.tokens, document.mentions, ...document.f1.flat()]),
];
const redrawDocuments = makeChart("chart-documents", "documents", drawDocuments, documentRows);
