"use strict";
// The page of runs: learning curves, the comparison of two runs, the table of all runs.
(() => {
  const { element: el, svg, ticks, percent, points, byId: $ } = Scoref;
  const D = JSON.parse($("data").textContent);
  const F1 = 2;
  const title = (metric) => Scoref.METRIC_TITLES[metric] || metric;
  const f1 = (run, metric) => run.scores[metric][F1];

  Scoref.switchTheme();

  // ---------------------------------------------------------------- a learning curve
  // F1 by step, with an interval at each run, and a line per series.
  const W = 340, H = 210, L = 38, R = 14, T = 12, B = 30;

  // Marks distinguish series without colours.
  const markOf = (at, x, y) => {
    const shapes = [
      `M${x - 4},${y}a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z`, `M${x - 3.6},${y - 3.6}h7.2v7.2h-7.2z`, `M${x},${y - 4.8}l4.6,8.2h-9.2z`,
      `M${x},${y - 5}l5,5l-5,5l-5,-5z`, `M${x},${y + 4.8}l4.6,-8.2h-9.2z`,
    ];
    return svg("path", { d: shapes[at % shapes.length], class: "dot" });
  };
  const seriesClass = (at) => `series s${at % 8}`;

  // `series` are lists of { x, y, low, high, title, label }; `names` are the x values to write.
  const curve = (metricTitle, series, names) => {
    const points = series.flat().filter((point) => point.y !== null);
    const range = (values, pad) => {
      const low = Math.min(...values), high = Math.max(...values), more = (high - low) * pad || 0.01;
      return [low - more, high + more];
    };
    const xs = points.length ? range(points.map((point) => point.x), points.length > 1 ? 0.04 : 1) : [0, 1];
    const ends = points.length ? range(points.flatMap((point) => [point.low ?? point.y, point.high ?? point.y]), 0.06) : [0, 1];
    const ys = [Math.max(0, ends[0]), Math.min(1, ends[1])];
    const X = (value) => L + ((value - xs[0]) / (xs[1] - xs[0] || 1)) * (W - L - R);
    const Y = (value) => H - B - ((value - ys[0]) / (ys[1] - ys[0] || 1)) * (H - B - T);
    const marks = [];
    for (const tick of ticks(100 * ys[0], 100 * ys[1], 4)) {
      marks.push(svg("line", { x1: L, x2: W - R, y1: Y(tick / 100), y2: Y(tick / 100), class: "grid" }));
      marks.push(svg("text", { x: L - 6, y: Y(tick / 100) + 4, class: "tick", "text-anchor": "end" }, String(tick)));
    }
    for (const [value, name] of names ? spread(names, 6) : ticks(...xs, 4).filter((tick) => tick >= 0 && Number.isInteger(tick)).map((tick) => [tick, tick.toLocaleString("en")])) {
      marks.push(svg("text", { x: X(value), y: H - B + 17, class: "tick", "text-anchor": "middle" }, String(name).slice(0, 12)));
    }
    series.forEach((one, at) => {
      const known = one.filter((point) => point.y !== null);
      const path = known.map((point, place) => `${place ? "L" : "M"}${X(point.x).toFixed(1)},${Y(point.y).toFixed(1)}`).join("");
      const ranged = known.filter((point) => typeof point.low === "number");
      const band = [...ranged.map((point) => [point.x, point.high]), ...[...ranged].reverse().map((point) => [point.x, point.low])];
      const dots = known.map((point) => svg("g", { class: "point", tabindex: known.length > 60 ? null : 0, role: "img", "aria-label": point.label },
        svg("title", {}, point.label),
        ...(typeof point.low !== "number" ? [] : [svg("line", { x1: X(point.x), x2: X(point.x), y1: Y(point.low), y2: Y(point.high), class: "whisker" })]),
        markOf(at, X(point.x), Y(point.y))));
      marks.push(svg("g", { class: seriesClass(at) }, svg("polygon", { points: band.map(([x, y]) => `${X(x).toFixed(1)},${Y(y).toFixed(1)}`).join(" "), class: "band" }), svg("path", { d: path || "M0,0", class: "curve" }), ...dots));
    });
    return svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "group", "aria-label": `${metricTitle}: F1 of each run` }, ...marks);
  };

  // At most so many names, evenly spread.
  function spread(names, most) {
    const step = Math.ceil(names.length / most);
    return names.filter((_, at) => at % step === 0);
  }

  // ---------------------------------------------------------------- curves
  const seriesNames = [...new Set(D.runs.map((run) => run.series))];
  const hasSteps = D.runs.every((run) => run.step !== null);
  const place = (run) => (hasSteps ? run.step : D.runs.filter((other) => other.series === run.series).indexOf(run));

  function drawCurves() {
    const charts = [...D.metrics].reverse().map((metric) => {
      const series = seriesNames.map((name) => D.runs.filter((run) => run.series === name).map((run) => {
        const [low, high] = run.intervals[metric] || [null, null], y = f1(run, metric);
        const interval = low === null ? "" : ` [${percent(low)}, ${percent(high)}]`;
        return { x: place(run), y, low, high, label: `${run.title}: ${title(metric)} ${percent(y)}${interval}` };
      }).sort((one, other) => one.x - other.x));
      const longest = series.reduce((one, other) => (other.length > one.length ? other : one));
      const names = hasSteps ? null : longest.map((point) => [point.x, D.runs.find((run) => point.label.startsWith(`${run.title}:`)).name]);
      return el("figure", { "data-metric": metric }, el("figcaption", null, title(metric)), curve(title(metric), series, names));
    });
    const legend = seriesNames.length > 1 ? [el("ul", { class: "legend" }, seriesNames.map((name, at) => el("li", null, legendMark(at), name || "(no subfolder)")))] : [];
    $("charts").replaceChildren(...legend, el("div", { class: "grid-of-charts" }, charts));
  }

  const legendMark = (at) => svg("svg", { viewBox: "0 0 14 14", class: `legend-mark ${seriesClass(at)}`, "aria-hidden": "true" }, markOf(at, 7, 7));

  // ---------------------------------------------------------------- two runs
  // Pairs are listed as (0, 1), (0, 2), ..., (1, 2), ...
  function pairOf(metric, one, other) {
    const [low, high] = one < other ? [one, other] : [other, one], runs = D.runs.length;
    const at = low * runs - (low * (low + 1)) / 2 + (high - low - 1);
    const found = D.pairs[metric]?.[at];
    if (!found) return null;
    const [least, most, p] = found;
    return one < other ? [least, most, p] : [most === null ? null : -most, least === null ? null : -least, p];
  }

  function drawPair() {
    const one = Number($("run").value), other = Number($("with").value);
    history.replaceState(null, "", `#compare/${one}/${other}`);
    const rows = D.metrics.map((metric) => {
      const [a, b] = [f1(D.runs[one], metric), f1(D.runs[other], metric)];
      const found = one === other ? null : pairOf(metric, one, other);
      const difference = a === null || b === null ? null : a - b;
      const interval = found && found[0] !== null ? `${points(found[0])} to ${points(found[1])}` : "–";
      const p = found && found[2] !== null ? (found[2] < 0.0001 ? "< 0.0001" : found[2].toFixed(4)) : "–";
      return el("tr", null, el("th", { scope: "row" }, title(metric)), ...[percent(a), percent(b), points(difference), interval, p].map((text) => el("td", null, text)));
    });
    const heads = ["metric", D.runs[one].title, D.runs[other].title, "difference", `${D.confidence} interval`, "p"];
    $("pair").replaceChildren(el("table", { class: "numbers" }, el("caption", null, "F1 of two runs, and the difference in points"), el("thead", null, el("tr", null, heads.map((text) => el("th", { scope: "col" }, text)))), el("tbody", null, rows)));
  }

  // ---------------------------------------------------------------- all runs
  const order = { column: -1, up: false };
  function drawTable() {
    const best = Object.fromEntries(D.metrics.map((metric) => [metric, Math.max(...D.runs.map((run) => f1(run, metric) ?? -1))]));
    const isBest = (metric, value) => value === best[metric] && D.runs.some((run) => f1(run, metric) !== value);
    const places = D.runs.map((_, at) => at);
    if (order.column >= 0) places.sort((a, b) => (order.up ? 1 : -1) * ((f1(D.runs[a], D.metrics[order.column]) ?? -1) - (f1(D.runs[b], D.metrics[order.column]) ?? -1)));
    const heads = [el("th", { scope: "col" }, sorter("run", -1)), ...D.metrics.map((metric, at) => el("th", { scope: "col", "aria-sort": at === order.column ? (order.up ? "ascending" : "descending") : null }, sorter(title(metric), at)))];
    const rows = places.map((at) => el("tr", null, el("th", { scope: "row" }, D.runs[at].title), D.metrics.map((metric) => {
      const value = f1(D.runs[at], metric), [low, high] = D.runs[at].intervals[metric] || [null, null];
      const shown = isBest(metric, value) ? el("strong", null, percent(value)) : percent(value);
      return el("td", { title: low === null ? null : `${percent(low)} to ${percent(high)}` }, shown);
    })));
    $("table").replaceChildren(el("table", { class: "numbers" }, el("caption", null, "F1 of each run in percent; the highest is bold"), el("thead", null, el("tr", null, heads)), el("tbody", null, rows)));
  }

  function sorter(text, column) {
    const mark = column >= 0 && column === order.column ? (order.up ? " ↑" : " ↓") : "";
    return Scoref.button(text + mark, () => {
      order.up = column === order.column ? !order.up : false;
      order.column = column;
      drawTable();
    });
  }

  const csvRows = () => [
    ["run", "series", "step", "metric", "recall", "precision", "f1", "f1_low", "f1_high"],
    ...D.runs.flatMap((run) => D.metrics.map((metric) => [run.title, run.series, run.step, metric, ...run.scores[metric], ...(run.intervals[metric] || [])])),
  ];

  for (const id of ["run", "with"]) {
    Scoref.options($(id), D.runs.map((run) => run.title));
    Scoref.on(id, "change", drawPair);
  }
  const best = D.runs.reduce((at, run, other) => ((f1(run, D.metric) ?? -1) > (f1(D.runs[at], D.metric) ?? -1) ? other : at), 0);
  const last = D.runs.length - 1;
  const [, one, other] = /^#compare\/(\d+)\/(\d+)$/.exec(location.hash) || [];
  const known = (at, fallback) => (at !== undefined && Number(at) <= last ? Number(at) : fallback);
  $("run").value = known(one, best);
  $("with").value = known(other, best === last ? Math.max(0, last - 1) : last);
  Scoref.on("csv", "click", () => Scoref.saveCsv("runs", csvRows()));
  drawCurves();
  drawPair();
  drawTable();
  if (D.reload) setTimeout(() => location.reload(), 1000 * D.reload);
})();
