// Along the text: a line per system, by the part of the text that was read, and by distance.
const CURVES = {
  prefix: {
    axis: "part of each text that was read, in percent", sizes: "tokens",
    place: (data, at) => `${shareTick(data.places[at] / 100)} %`,
    tip: (data, at) => `the first ${shareTick(data.places[at] / 100)} %: ${plural(data.sizes[at], "token")}`,
  },
  distance: {
    axis: "tokens to the closest antecedent, and links of the key", sizes: "key links",
    place: (data, at) => (data.ends[at] === null ? `${count(data.places[at])}+` : `${count(data.places[at])}–${count(data.ends[at])}`),
    tip: (data, at) => `${CURVES.distance.place(data, at)} tokens: ${plural(data.sizes[at], "link")} in the key`,
  },
};
const CURVE_LOW = 1, CURVE_HIGH = 2;

// The parts of a line or of a band between places without a value.
function unbroken(scores, field) {
  const parts = [[]];
  scores.forEach((score, at) => { if (score[field] === null) parts.push([]); else parts[parts.length - 1].push(at); });
  return parts.filter((part) => part.length > 1);
}

// The letters of systems at the ends of their lines, one below the other.
function endLetters(ends) {
  let last = -Infinity;
  return ends.sort((a, b) => a.y - b.y).map(({ at, x, y }) => {
    last = Math.max(y, last + 12);
    return svg("text", { x: x + 10, y: last + 4, class: "letter" }, D.systems[at].letter);
  });
}

function drawCurve(name, width) {
  const data = D.curves[name], kind = CURVES[name], many = data.places.length, alone = D.systems.length === 1;
  const height = Math.round(Math.min(Math.max(260, width * 0.62), 380)), L = 44, T = 12, R = alone ? 14 : 26, B = name === "prefix" ? 46 : 62;
  const isWide = (width - R - L) / many >= 80;
  const values = data.scores.flat().flatMap((score) => (alone ? score : score.slice(0, 1))).filter((value) => value !== null);
  if (!values.length) return null;
  const Y = scale(...rangeOf(values, true), height - B, T), nodes = [], marks = [], ends = [];
  const read = name === "prefix" ? scale(0, 100, L, width - R) : null, step = (width - R - L) / many;
  const x = (at) => (read ? read(data.places[at]) : L + step * (at + 0.5));
  for (const tick of Y.ticks(5)) {
    nodes.push(svg("line", { x1: L, x2: width - R, y1: Y(tick), y2: Y(tick), class: "grid" }));
    nodes.push(svg("text", { x: L - 8, y: Y(tick) + 4, class: "tick end" }, shareTick(tick)));
  }
  if (read) for (const tick of read.ticks(5)) nodes.push(svg("text", { x: read(tick), y: height - B + 18, class: "tick" }, shareTick(tick / 100)));
  else data.places.forEach((place, at) => {
    nodes.push(svg("text", { x: x(at), y: height - B + 18, class: "tick" }, isWide ? kind.place(data, at) : `${count(place)}+`));
    nodes.push(svg("text", { x: x(at), y: height - B + 33, class: "tick side" }, count(data.sizes[at])));
  });
  nodes.push(svg("text", { x: (L + width - R) / 2, y: height - 6, class: "axis" }, kind.axis));
  data.scores.forEach((scores, at) => {
    const hue = `s${D.systems[at].hue}`, place = (point, field) => `${x(point).toFixed(1)},${Y(scores[point][field]).toFixed(1)}`;
    if (alone) for (const part of unbroken(scores, CURVE_LOW)) {
      const outline = [...part.map((point) => place(point, CURVE_LOW)), ...part.reverse().map((point) => place(point, CURVE_HIGH))];
      nodes.push(svg("polygon", { points: outline.join(" "), class: `${hue} band` }));
    }
    for (const part of unbroken(scores, 0)) nodes.push(svg("polyline", { points: part.map((point) => place(point, 0)).join(" "), class: `${hue} curve` }));
    scores.forEach(([f1, low, high], point) => {
      if (f1 === null) return;
      const lines = [systemTitle(at), `F1 ${percent(f1)}`, kind.tip(data, point)];
      if (low !== null) lines.splice(2, 0, `95 % interval ${percent(low)} to ${percent(high)}`);
      const target = svg("rect", { x: x(point) - 8, y: Y(f1) - 8, width: 16, height: 16, class: "target" });
      const mark = svg("g", { class: `${hue} point`, role: "img" }, target, systemDot(at, x(point), Y(f1), many > 12 ? 8 : 11));
      marks.push(withTip(mark, lines));
      nodes.push(mark);
    });
    const last = scores.findLastIndex((score) => score[0] !== null);
    if (!alone && last >= 0) ends.push({ at, x: x(last), y: Y(scores[last][0]) });
  });
  nodes.push(...endLetters(ends));
  const title = $(`chart-${name}-title`).textContent;
  return roving(svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": title }, ...nodes), marks);
}

const curveRows = (name) => [
  ["system", "start", "end", CURVES[name].sizes, "f1", "low", "high"],
  ...D.systems.flatMap((system, at) => D.curves[name].scores[at].map((score, point) =>
    [system.name, D.curves[name].places[point], D.curves[name].ends[point], D.curves[name].sizes[point], ...score])),
];
if (D.curves) for (const name of Object.keys(CURVES)) makeChart(`chart-${name}`, name, (width) => drawCurve(name, width), () => curveRows(name));
