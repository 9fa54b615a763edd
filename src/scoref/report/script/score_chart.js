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
