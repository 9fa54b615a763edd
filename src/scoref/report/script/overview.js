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
  const item = (row) => el("li", null, el("span", { class: "cost" }, signedPoints(row.to - row.from)),
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
