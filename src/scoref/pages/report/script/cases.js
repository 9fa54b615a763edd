// The list of errors: filters on the left, cases on the right, one of them current.
const CASES = 20;
let L = null;  // the open list: its filter, what it found, and the current case

function openCases(values) {
  const filter = readFilter(values);
  L = { filter, shown: CASES, at: -1, ...filterCases(filter) };
  showView("cases");
  $("cases-back").href = backTo("errors");
  const [document, error] = (values.at || "").split(".").map((text) => integer(text));
  const at = L.found.findIndex((one) => one.document === document && one.at === error);
  if (at >= L.shown) L.shown = at + CASES;
  drawFilters();
  drawCases();
  if (at >= 0) chooseCase(at);
  else scrollTo(0, 0);
}

// A filter is a step that the back button undoes; typing is not.
const changeFilter = (change) => { Object.assign(L.filter, change); goTo("cases", filterValues(L.filter)); };

function drawFilters() {
  const { filter } = L;
  options($("case-system"), systemTitles(), filter.system);
  $("case-system").parentNode.hidden = D.systems.length === 1;
  $("case-sort").replaceChildren(...ORDERS.map(([name, title]) => el("option", { value: name, selected: name === filter.sort }, title)));
  if ($("case-find") !== document.activeElement) $("case-find").value = filter.find;
  $("case-find").parentNode.hidden = !D.text;
  $("case-kinds").replaceChildren(...kindChips(L.counts, filter.kinds, (kind) => {
    const kinds = new Set(filter.kinds);
    if (!kinds.delete(kind)) kinds.add(kind);
    changeFilter({ kinds });
    setTimeout(() => { const chip = $("case-kinds").querySelector(`[data-kind="${kind}"]`); if (chip) chip.focus(); });
  }));
  const types = { key: "type", by: "mention type", names: [...D.types, "unknown"], chosen: filter.type, set: (type) => changeFilter({ type }) };
  const slices = SLICES.filter((slice) => slice.shown).map((slice) => ({
    ...slice, chosen: filter.slices[slice.key], set: (value) => changeFilter({ slices: { ...filter.slices, [slice.key]: value } }) }));
  $("case-slices").replaceChildren(...[types, ...slices].map((one) => el("label", null, el("span", { class: "label" }, one.by),
    el("select", { id: `case-${one.key}`, onchange: (event) => one.set(integer(event.target.value)) }, el("option", { value: "" }, "all"),
      ...one.names.map((name, at) => el("option", { value: at, selected: at === one.chosen }, name))))));
  const chips = [];
  if (filter.entity !== null) chips.push(chip(`entity ${entityLabel(filter.entity)} ${entityTitle(filter)}`, () => changeFilter({ entity: null })));
  if (filter.document !== null) chips.push(chip(D.documents[filter.document].name, () => changeFilter({ document: null, entity: null })));
  $("case-filters").replaceChildren(...chips);
}
const chip = (text, remove) => button(`${text} ×`, remove, { "aria-label": `Remove the filter ${text}`, "aria-pressed": "true" });

function entityTitle(filter) {
  const reading = read(filter.document, filter.system);
  const mentions = [...reading.key, ...reading.res].filter((m) => m.number === filter.entity);
  return mentions.length ? `(${mentionText(reading, nameOf(mentions), 30)})` : "";
}

function drawCases() {
  const { found, filter } = L;
  const total = found.reduce((sum, one) => sum + (one.gain || 0), 0);
  $("cases-name").replaceChildren("Errors of ", signedSystem(filter.system));
  const omitted = D.documents.length - neighbours.length;
  $("case-status").textContent = `${plural(found.length, "error")}` + (found.length > 1 && total ? `; single repairs add up to ${worth(total)} points of ${D.metrics[D.metric]} F1` : "")
    + (omitted ? `. Errors of ${plural(omitted, "document")} without a text view are not listed.` : "");
  $("case-list").replaceChildren(...found.slice(0, L.shown).map((one, at) => drawCase(filter, one, at)));
  if (!found.length) $("case-list").replaceChildren(el("li", { class: "empty" }, "No error has all these properties. Remove a filter to see more."));
  $("case-more").hidden = found.length <= L.shown;
  for (const id of ["case-previous", "case-next", "case-csv"]) $(id).disabled = !found.length;
}

function showMoreCases() {
  const from = L.shown;
  L.shown += CASES;
  $("case-list").append(...L.found.slice(from, L.shown).map((one, at) => drawCase(L.filter, one, from + at)));
  $("case-more").hidden = L.found.length <= L.shown;
}

function chooseCase(at, clicked = false) {
  if (at < 0 || at >= L.found.length) return;
  while (at >= L.shown) showMoreCases();
  L.at = at;
  for (const node of $("case-list").children) node.setAttribute("aria-current", String(Number(node.dataset.place) === at));
  rewrite("cases", filterValues(L.filter, L.found[at]));
  lastList = location.hash;
  if (clicked) return;
  const node = $("case-list").children[at];
  node.scrollIntoView({ block: at ? "center" : "nearest" });
  node.focus({ preventScroll: true });
}
const stepCase = (by) => chooseCase(L.at < 0 ? 0 : Math.min(Math.max(0, L.at + by), L.found.length - 1));
function openCase() {
  if (!L || L.at < 0) return;
  const one = L.found[L.at];
  location.hash = caseAddress(L.filter.system, one, errorOf(L.filter.system, one));
}

function saveCases() {
  const { filter } = L, rows = L.found.map((one) => {
    const reading = read(one.document, filter.system), e = reading.errors[one.at];
    return [D.documents[one.document].name, e.mentions[0].row + 1, D.kinds[one.kind], D.types[one.type] || "unknown", errorWords(reading, e), explain(reading, e).trim(), one.gain === null ? null : one.gain / 1e6];
  });
  saveCsv(`errors ${systemName(filter.system)}`, [["document", "sentence", "kind", "type", "mentions", "what", "gain"], ...rows]);
}
on("case-system", "change", () => changeFilter({ system: Number($("case-system").value), entity: null }));
on("case-sort", "change", () => changeFilter({ sort: $("case-sort").value }));
on("case-form", "submit", (event) => event.preventDefault());
on("case-find", "input", () => {
  L.filter.find = $("case-find").value;
  Object.assign(L, { shown: CASES, at: -1, ...filterCases(L.filter) });
  rewrite("cases", filterValues(L.filter));
  drawFilters();
  drawCases();
});
on("case-more", "click", showMoreCases);
on("case-previous", "click", () => stepCase(-1));
on("case-next", "click", () => stepCase(1));
on("case-link", "click", copyLink);
on("case-csv", "click", saveCases);
new IntersectionObserver((entries) => { if (L && entries.some((entry) => entry.isIntersecting) && !$("case-more").hidden) showMoreCases(); }, { rootMargin: "800px 0px" }).observe($("case-more"));

// One error in its context: the sentences of its mentions, with the annotation of key and response.
function contextRows(e) {
  const mentions = [e.anchor, e.meant, ...e.mentions.slice(0, 3)].filter(Boolean);
  return [...new Set(mentions.map((m) => m.row))].sort((a, b) => a - b).slice(0, 4);
}

function drawContext(reading, e) {
  const rows = contextRows(e), nodes = [];
  rows.forEach((at, number) => {
    if (number && at > rows[number - 1] + 1) nodes.push(el("div", { class: "gap", "aria-label": "sentences left out" }, "⋯"));
    const row = reading.rows[at];
    nodes.push(el("div", { class: "row", "data-row": at }, el("span", { class: "no" }, String(at + 1)), drawSide(reading, row, "key"), drawSide(reading, row, "response")));
  });
  const box = el("div", { class: "context", lang: "" }, ...nodes);
  const chosen = e.mentions.flatMap((m) => [m, m.other]).filter(Boolean), also = [e.anchor, e.meant].filter(Boolean);
  for (const m of chosen) for (const seg of segmentsOf(box, m)) seg.classList.add("chosen");
  for (const m of also) for (const seg of segmentsOf(box, m)) if (!seg.classList.contains("chosen")) seg.classList.add("anchor");
  return box;
}

function caseAddress(system, one, e) {
  const entity = (e.anchor || e.meant || e.mentions[0]).number;
  return writeAddress(`doc/${one.document}/${system}/${entity}`, { error: one.at });
}

function drawCase(filter, one, place) {
  const reading = read(one.document, filter.system), e = reading.errors[one.at];
  const price = el("span", { class: "worth", title: `gain in ${D.metrics[D.metric]} F1, in points, if only this error is repaired` }, worth(one.gain));
  const title = el("p", { class: "case-title" }, el("b", null, D.kinds[one.kind]), " ", el("span", { class: "words" }, errorWords(reading, e)), el("span", { class: "soft" }, explain(reading, e)));
  const about = el("p", { class: "soft case-about" }, el("span", { class: "where" }, D.documents[one.document].name), ` · sentence ${e.mentions[0].row + 1}` + (one.size > 1 ? ` · ${plural(one.size, "mention")}` : ""));
  const actions = el("span", { class: "tools" },
    el("a", { href: caseAddress(filter.system, one, e), class: "as-button" }, "Open in the text"),
    button("Copy link", () => { chooseCase(place); copyLink(); }), button("Copy as test case", () => copyTestCase(filter.system, one)));
  const node = el("li", { class: "case", "data-place": place, tabindex: -1 }, el("div", { class: "case-head" }, price, el("div", null, title, about), actions), drawContext(reading, e));
  node.addEventListener("click", () => chooseCase(place, true));
  return node;
}

// ---------------------------------------------------------------- test cases
// An error as a small key and response in CoNLL columns, and the command that explains the difference.
const fileWord = (text) => String(text).replace(/[^\w./-]/g, "_").slice(0, 80) || "_";

// The sentences of an error with the mentions of the entities that it concerns, in CoNLL columns.
function conllOf(name, reading, rows, mentions) {
  const tokens = rows.flatMap((row) => Array.from({ length: row.end - row.start }, (_, at) => row.start + at));
  const place = new Map(tokens.map((token, at) => [token, at])), entities = new Map(), seen = new Set();
  for (const m of mentions) {
    const [start, end] = (m.parts[0] || []).map((token) => place.get(token)), span = `${start}-${end}`;
    if (start === undefined || end === undefined || seen.has(span)) continue;
    seen.add(span);
    const id = m.number > 0 ? m.number : 100000 - m.number;
    entities.set(id, [...(entities.get(id) || []), span]);
  }
  const words = tokens.map((token) => (reading.words ? reading.words[token] : `t${token}`));
  return Scoref.writeConll([{ name, words, sentences: rows.map((row) => place.get(row.start)), entities: [...entities.values()], ids: [...entities.keys()] }]);
}

function testCase(system, one) {
  const reading = read(one.document, system), e = reading.errors[one.at];
  const involved = [...e.mentions, e.anchor, e.meant].filter(Boolean), both = involved.flatMap((m) => [m, m.other]).filter(Boolean);
  const rows = [...new Set(involved.flatMap((m) => [m.row, rowOf(reading.rows, m.e)]))].sort((a, b) => a - b).map((at) => reading.rows[at]);
  const numbers = (side) => new Set(both.filter((m) => m.side === side).map((m) => m.number));
  const keys = numbers("key"), responses = numbers("response"), name = fileWord(D.documents[one.document].name);
  return {
    key: conllOf(name, reading, rows, reading.key.filter((m) => keys.has(m.number) || (m.other && responses.has(m.other.number)))),
    response: conllOf(name, reading, rows, reading.res.filter((m) => responses.has(m.number) || (m.other && keys.has(m.other.number)))),
    title: `${D.kinds[one.kind]} in ${name}, sentence ${e.mentions[0].row + 1}`,
  };
}

// Commands that write both files and explain the metric; quoted here-documents keep every word as it is.
function testCommands(system, one) {
  const { key, response, title } = testCase(system, one);
  return [`# ${title}`, "cat > key.conll <<'END_OF_KEY'", key + "END_OF_KEY", "cat > response.conll <<'END_OF_RESPONSE'", response + "END_OF_RESPONSE",
    `scoref explain key.conll response.conll -m '${D.metrics[D.metric].replaceAll("'", "")}'`, ""].join("\n");
}
function copyTestCase(system, one) {
  try {
    copyText(testCommands(system, one), "Test case copied: paste it into a shell");
  } catch (error) {
    toast(`Not copied: ${error.message}`);
  }
}
