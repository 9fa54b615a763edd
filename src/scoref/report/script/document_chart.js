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
