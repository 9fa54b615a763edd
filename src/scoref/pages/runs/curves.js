"use strict";
// A learning curve: F1 by step, with an interval at each run, and a line per series.
(() => {
  const { svg: draw, ticks } = Scoref;
  const W = 340, H = 210, L = 38, R = 14, T = 12, B = 30;

  // Marks distinguish series without colours.
  Scoref.mark = (at, x, y) => {
    const shapes = [
      `M${x - 4},${y}a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z`, `M${x - 3.6},${y - 3.6}h7.2v7.2h-7.2z`, `M${x},${y - 4.8}l4.6,8.2h-9.2z`,
      `M${x},${y - 5}l5,5l-5,5l-5,-5z`, `M${x},${y + 4.8}l4.6,-8.2h-9.2z`,
    ];
    return draw("path", { d: shapes[at % shapes.length], class: "dot" });
  };
  Scoref.seriesClass = (at) => `series s${at % 8}`;

  // `series` are lists of { x, y, low, high, title, label }; `names` are the x values to write.
  Scoref.curve = (title, series, names) => {
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
      marks.push(draw("line", { x1: L, x2: W - R, y1: Y(tick / 100), y2: Y(tick / 100), class: "grid" }));
      marks.push(draw("text", { x: L - 6, y: Y(tick / 100) + 4, class: "tick", "text-anchor": "end" }, String(tick)));
    }
    for (const [value, name] of names ? spread(names, 6) : ticks(...xs, 4).filter((tick) => tick >= 0 && Number.isInteger(tick)).map((tick) => [tick, tick.toLocaleString("en")])) {
      marks.push(draw("text", { x: X(value), y: H - B + 17, class: "tick", "text-anchor": "middle" }, String(name).slice(0, 12)));
    }
    series.forEach((one, at) => {
      const known = one.filter((point) => point.y !== null);
      const path = known.map((point, place) => `${place ? "L" : "M"}${X(point.x).toFixed(1)},${Y(point.y).toFixed(1)}`).join("");
      const ranged = known.filter((point) => typeof point.low === "number");
      const band = [...ranged.map((point) => [point.x, point.high]), ...[...ranged].reverse().map((point) => [point.x, point.low])];
      const dots = known.map((point) => draw("g", { class: "point", tabindex: known.length > 60 ? null : 0, role: "img", "aria-label": point.label },
        draw("title", {}, point.label),
        ...(typeof point.low !== "number" ? [] : [draw("line", { x1: X(point.x), x2: X(point.x), y1: Y(point.low), y2: Y(point.high), class: "whisker" })]),
        Scoref.mark(at, X(point.x), Y(point.y))));
      marks.push(draw("g", { class: Scoref.seriesClass(at) }, draw("polygon", { points: band.map(([x, y]) => `${X(x).toFixed(1)},${Y(y).toFixed(1)}`).join(" "), class: "band" }), draw("path", { d: path || "M0,0", class: "curve" }), ...dots));
    });
    return draw("svg", { viewBox: `0 0 ${W} ${H}`, role: "group", "aria-label": `${title}: F1 of each run` }, ...marks);
  };

  // At most so many names, evenly spread.
  function spread(names, most) {
    const step = Math.ceil(names.length / most);
    return names.filter((_, at) => at % step === 0);
  }
})();
