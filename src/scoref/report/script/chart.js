// What all charts share: scales, grids, tools, and marks that the keyboard can reach.
function niceStep(raw) {
  const power = 10 ** Math.floor(Math.log10(raw || 1));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw - 1e-12) || power;
}

function scale(low, high, from, to) {
  const place = (value) => from + ((value - low) / (high - low || 1)) * (to - from);
  place.ticks = (most) => {
    const step = niceStep((high - low) / most), found = [];
    for (let at = Math.ceil(low / step - 1e-9); at * step <= high + 1e-9; at++) found.push(at * step);
    return found;
  };
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
