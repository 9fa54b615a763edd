// The matrix: documents by systems, coloured by F1. Only the rows near the window exist.
const ROW = 32, SPARE = 12;
const matrix = { rows: [], first: -1, at: 0, column: 0 };
const errorsOf = (document, system) => document.errors[system].reduce((sum, many) => sum + many, 0);

// What a column shows, how it is sorted, and whether its cells are links.
function matrixColumns() {
  const { metric, one } = overview, other = rival();
  const columns = [{ name: "document", value: (d) => d.name, text: (d) => d.name, up: true }];
  columns.push({ name: "mentions", value: (d) => d.mentions, text: (d) => count(d.mentions), up: false });
  columns.push({ name: "errors", value: (d) => errorsOf(d, one), text: (d) => count(errorsOf(d, one)), up: false, title: `errors of ${systemTitle(one)}` });
  if (other !== null) {
    const change = (d) => (d.f1[one][metric] === null || d.f1[other][metric] === null ? null : d.f1[one][metric] - d.f1[other][metric]);
    const name = `${D.systems[one].letter} − ${D.systems[other].letter}`;
    columns.push({ name, value: change, text: (d) => points(change(d)), up: true, change: true, title: `F1 of ${systemTitle(one)} minus F1 of ${systemTitle(other)}, in points` });
  }
  D.systems.forEach((system, at) => {
    const value = (d) => d.f1[at][metric];
    columns.push({ name: system.name, value, text: (d) => percent(value(d)), up: true, system: at, title: `${D.metrics[metric]} F1 of ${system.name}` });
  });
  return columns;
}

// Without a choice, the largest regressions come first; without a second system, the lowest scores.
function sortedBy(columns) {
  const chosen = columns.findIndex((column) => column.name === overview.sort);
  if (chosen >= 0) return [chosen, overview.up];
  const change = columns.findIndex((column) => column.change);
  return [change >= 0 ? change : columns.length - D.systems.length, true];
}

function drawMatrix() {
  if (!$("matrix")) return;
  const columns = matrixColumns(), [order, up] = sortedBy(columns), wanted = overview.find.trim().toLowerCase();
  const value = columns[order].value;
  matrix.columns = columns;
  matrix.rows = D.documents.map((document, at) => [document, at]).filter(([document]) => !wanted || document.name.toLowerCase().includes(wanted));
  matrix.rows.sort(([a], [b]) => {
    const [x, y] = [value(a), value(b)];
    if (x === y) return 0;
    if (x === null || y === null) return x === null ? 1 : -1;
    return (x < y ? -1 : 1) * (up ? 1 : -1);
  });
  const known = D.documents.flatMap((document) => document.f1.map((f1) => f1[overview.metric])).filter((f1) => f1 !== null);
  matrix.range = known.reduce(([low, high], f1) => [Math.min(low, f1), Math.max(high, f1)], [1, 0]);
  const head = columns.map((column, at) => matrixHead(column, at === order, up));
  const body = el("tbody");
  const caption = `Documents by systems: ${D.metrics[overview.metric]} F1`;
  const table = el("table", { class: "numbers", "aria-rowcount": matrix.rows.length + 1 },
    el("caption", null, caption), el("thead", null, el("tr", null, ...head)), body);
  $("matrix").replaceChildren(table);
  if (!matrix.rows.length) $("matrix").append(el("p", { class: "empty" }, "No document has this name."));
  Object.assign(matrix, { body, first: -1, at: 0, column: 0 });
  $("matrix").scrollTop = 0;
  fillMatrix();
  $("many").textContent = wanted ? `${count(matrix.rows.length)} of ${count(D.documents.length)}` : plural(D.documents.length, "document");
}

function matrixHead(column, chosen, up) {
  const name = column.system === undefined || D.systems.length === 1 ? column.name : badge(column.system);
  const arrow = chosen ? el("span", { "aria-hidden": "true" }, up ? " ↑" : " ↓") : null;
  const sort = () => {
    overview.up = chosen ? !up : column.up;
    overview.sort = column.name;
    drawMatrix();
    noteOverview();
  };
  const inside = el("button", { type: "button", onclick: sort, title: column.title, "aria-label": `sort by ${column.title || column.name}` }, name, arrow);
  return el("th", { scope: "col", "aria-sort": chosen ? (up ? "ascending" : "descending") : null }, inside);
}

function fillMatrix() {
  const box = $("matrix"), first = Math.max(0, Math.floor(box.scrollTop / ROW) - SPARE);
  if (first === matrix.first) return;
  matrix.first = first;
  const shown = matrix.rows.slice(first, first + Math.ceil(box.clientHeight / ROW) + 2 * SPARE);
  const spacer = (rows) => {
    const row = el("tr", { "aria-hidden": "true", class: "spacer" }, el("td", { colspan: matrix.columns.length }));
    row.firstChild.style.height = `${rows * ROW}px`;
    return row;
  };
  const after = matrix.rows.length - first - shown.length;
  matrix.body.replaceChildren(...(first ? [spacer(first)] : []), ...shown.map(([document, at], place) => matrixRow(document, at, first + place)), ...(after ? [spacer(after)] : []));
}

function matrixRow(document, at, place) {
  const cells = matrix.columns.map((column, number) => {
    const focus = { "data-column": number, tabindex: place === matrix.at && number === matrix.column ? 0 : -1 };
    const text = column.text(document);
    const system = column.system === undefined ? overview.one : column.system;
    const target = opens(at) ? documentAddress(at, system, column.system === undefined || system === overview.one ? rival() : overview.one) : null;
    const link = target ? el("a", { href: target, ...focus }, text) : el("span", focus, text);
    if (!number) return el("th", { scope: "row", title: document.name }, link);
    return el("td", { class: heat(column, document) }, link);
  });
  return el("tr", { "data-place": place, "aria-rowindex": place + 2 }, ...cells);
}

function heat(column, document) {
  const value = column.value(document);
  if (value === null) return null;
  if (column.change) return `heat h${Math.min(9, Math.round(Math.abs(value) * 40))}${value < 0 ? " loss" : ""}`;
  if (column.system === undefined) return null;
  const [low, high] = matrix.range;
  return `heat h${Math.round((9 * (value - low)) / (high - low || 1))}`;
}

on("matrix", "scroll", () => { if (matrix.body) fillMatrix(); });
on("matrix", "keydown", (event) => {
  const move = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], PageDown: [10, 0], PageUp: [-10, 0], Home: [-1e9, 0], End: [1e9, 0] }[event.key];
  const row = event.target.closest("tr[data-place]");
  if (!move || !row) return;
  event.preventDefault();
  matrix.at = Math.min(Math.max(0, Number(row.dataset.place) + move[0]), matrix.rows.length - 1);
  matrix.column = Math.min(Math.max(0, Number(event.target.dataset.column) + move[1]), matrix.columns.length - 1);
  const box = $("matrix"), top = matrix.at * ROW, head = box.querySelector("thead").offsetHeight;
  if (top < box.scrollTop) box.scrollTop = top;
  if (top + ROW + head > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW + head - box.clientHeight;
  matrix.first = -1;
  fillMatrix();
  const cell = box.querySelector(`tr[data-place="${matrix.at}"] [data-column="${matrix.column}"]`);
  if (cell) cell.focus({ preventScroll: true });
});

// The controls of the documents, the largest regressions, and a single document.
function drawMoved() {
  if (!$("moved")) return;
  const { metric, one } = overview, other = rival();
  if (other === null) { $("moved").replaceChildren(el("p", { class: "empty" }, "Choose two systems to see which documents differ most.")); return; }
  const moved = D.documents
    .map((document, at) => ({ at, name: document.name, from: document.f1[other][metric], to: document.f1[one][metric] }))
    .filter((row) => row.from !== null && row.to !== null)
    .sort((a, b) => (a.to - a.from) - (b.to - b.from));
  const worse = moved.filter((row) => row.to < row.from), better = moved.filter((row) => row.to > row.from);
  const item = (row) => el("li", null, el("span", { class: "cost" }, points(row.to - row.from)),
    opens(row.at) ? el("a", { href: documentAddress(row.at, one, other) }, row.name) : el("span", null, row.name),
    el("span", { class: "soft" }, `${percent(row.from)} to ${percent(row.to)}`));
  $("moved").replaceChildren(
    el("h3", null, "From ", signedSystem(other), " to ", signedSystem(one)),
    el("p", { class: "soft" }, `${plural(worse.length, "document")} lower, ${plural(better.length, "document")} higher in ${D.metrics[metric]} F1. ${worse.length ? "The largest regressions:" : "No document scores lower. The smallest gains:"}`),
    el("ol", { class: "expensive" }, ...(worse.length ? worse : better).slice(0, 7).map(item)));
}

function drawAlone() {
  if (!$("alone")) return;
  const document = D.documents[0];
  const rows = D.systems.map((_, at) => el("li", null, signedSystem(at),
    el("strong", null, percent(document.f1[at][D.metric])),
    opens(0) ? el("a", { href: writeAddress("cases", { s: at }) }, plural(errorsOf(document, at), "error")) : plural(errorsOf(document, at), "error"),
    opens(0) ? el("a", { href: documentAddress(0, at) }, "open the text") : null));
  const facts = [document.tokens === null ? null : plural(document.tokens, "token"), plural(document.mentions, "mention")].filter(Boolean);
  $("alone").replaceChildren(el("div", { class: "card" }, el("h3", null, document.name), el("p", { class: "soft" }, `${facts.join(", ")}; ${D.metrics[D.metric]} F1`), el("ul", { class: "plain rows" }, ...rows)));
}

function drawOverview() {
  for (const [id, name] of [["by", "metric"], ["one", "one"], ["other", "other"], ["find", "find"]]) if ($(id)) $(id).value = overview[name];
  redrawDocuments();
  drawMatrix();
  drawMoved();
  drawAlone();
}

// The state of the documents is in the address, so that a link shows the same order and filter.
function overviewValues() {
  const values = { metric: overview.metric, y: overview.one, x: overview.other, find: overview.find, sort: overview.sort, up: overview.sort === null ? null : Number(overview.up) };
  const usual = { metric: D.metric, y: 0, x: D.systems.length > 1 ? 1 : LENGTH };
  for (const name of Object.keys(usual)) if (values[name] === usual[name]) values[name] = null;
  return values;
}
const noteOverview = () => { rewrite("documents", overviewValues()); lastOverview = location.hash; };

function readOverview(values) {
  const within = (text, size, otherwise) => { const at = integer(text); return at !== null && at >= 0 && at < size ? at : otherwise; };
  overview.metric = within(values.metric, D.metrics.length, D.metric);
  overview.one = within(values.y, D.systems.length, 0);
  overview.other = within(values.x, LENGTH + 1, D.systems.length > 1 ? 1 : LENGTH);
  overview.find = values.find || "";
  overview.sort = values.sort || null;
  overview.up = values.up !== "0";
}

if ($("by")) {
  options($("by"), D.metrics, overview.metric);
  options($("one"), systemTitles(), overview.one);
  options($("other"), [...systemTitles(), "length"], overview.other);
  if (D.systems.length === 1) for (const id of ["one", "other"]) $(id).parentNode.hidden = true;
  const choose = (id, name) => on(id, "change", () => { overview[name] = Number($(id).value); overview.sort = null; drawOverview(); noteOverview(); });
  choose("by", "metric"); choose("one", "one"); choose("other", "other");
  on("find", "input", () => { overview.find = $("find").value; drawMatrix(); noteOverview(); });
  document.querySelector(".matrix .tools").append(button("CSV", () => saveCsv("documents", documentRows()), { "aria-label": "Save the matrix as CSV" }));
}
