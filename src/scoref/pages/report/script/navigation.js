// Search over all documents: their names, their entities, their words.
const MOST_FOUND = 60;
function searchDocuments(query) {
  return D.documents.map((document, at) => ({ document, at })).filter(({ document }) => document.name.toLowerCase().includes(query));
}

function searchEntities(query) {
  const found = [];
  for (const document of neighbours) {
    const reading = read(document, 0);
    for (const [number, mentions] of groupBy(reading.key, (m) => m.number)) {
      const hit = mentions.find((m) => m.type !== 2 && mentionText(reading, m, 1e6).toLowerCase().includes(query));
      if (hit) found.push({ document, number, text: mentionText(reading, nameOf(mentions), 60), hit: mentionText(reading, hit, 60), size: mentions.length });
    }
  }
  return found.sort((a, b) => b.size - a.size);
}

function searchWords(query) {
  const found = [];
  let total = 0;
  for (const document of neighbours) {
    const { w: words } = D.views[document], reading = read(document, 0);
    const hits = words ? findTokens(words, query, 5000) : [];
    total += hits.length;
    for (const [first, last] of hits.slice(0, Math.max(0, MOST_FOUND - found.length))) {
      const row = reading.rows[rowOf(reading.rows, first)];
      const from = Math.max(row.start, first - 12), to = Math.min(row.end, last + 13);
      found.push({ document, first, parts: [words.slice(from, first), words.slice(first, last + 1), words.slice(last + 1, to)].map((part) => part.join(" ")), cut: [from > row.start, to < row.end] });
    }
  }
  return { found, total };
}

function resultGroup(title, many, items) {
  const more = many > items.length ? el("p", { class: "soft" }, `and ${count(many - items.length)} more; add words to narrow the search`) : null;
  return el("section", null, el("h3", null, `${title} `, el("span", { class: "soft" }, count(many))), items.length ? el("ol", { class: "results" }, ...items) : el("p", { class: "soft" }, "Nothing found."), more);
}

function openSearch(values) {
  const query = (values.q || "").trim().toLowerCase(), q = values.q || "";
  showView("results");
  $("results-back").href = backTo("glance");
  if ($("query") !== document.activeElement) $("query").value = q;
  $("results-name").textContent = query ? `Search: ${q.trim()}` : "Search";
  $("results-status").textContent = D.text ? "" : "This file does not contain the words of the documents, so only names of documents are searched.";
  if (!query) { $("found").replaceChildren(el("p", { class: "empty" }, "Type words, the name of an entity, or the name of a document.")); return; }
  const documents = searchDocuments(query);
  const item = (address, title, about) => el("li", null, el("a", { href: address, class: "words" }, ...title), el("span", { class: "soft" }, ` ${about}`));
  const groups = [resultGroup("Documents", documents.length, documents.slice(0, MOST_FOUND).map(({ document, at }) => (opens(at)
    ? item(documentAddress(at, 0), [document.name], `${plural(document.mentions, "mention")} · ${D.metrics[D.metric]} F1 ${percent(document.f1[0][D.metric])}`)
    : el("li", null, document.name))))];
  if (D.text) {
    const entities = searchEntities(query), { found, total } = searchWords(query);
    groups.push(resultGroup("Entities", entities.length, entities.slice(0, MOST_FOUND).map((one) =>
      item(`#doc/${one.document}/0/${one.number}`, [one.text], `${plural(one.size, "mention")} · ${D.documents[one.document].name}` + (one.hit === one.text ? "" : ` · also “${one.hit}”`)))));
    groups.push(resultGroup("Words", total, found.map((one) =>
      item(writeAddress(`doc/${one.document}/0`, { find: q.trim(), token: one.first }), [one.cut[0] ? "… " : "", `${one.parts[0]} `, el("mark", null, one.parts[1]), ` ${one.parts[2]}`, one.cut[1] ? " …" : ""], D.documents[one.document].name))));
  }
  $("found").replaceChildren(...groups);
}

let typing = 0;
on("query", "input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    const values = { q: $("query").value };
    if (readAddress().path === "search") { rewrite("search", values); openSearch(values); } else goTo("search", values);
  }, 150);
});
on("query", "keydown", (event) => {
  const first = $("found").querySelector("a");
  if ((event.key === "ArrowDown" || event.key === "Enter") && first && !$("results").hidden) { event.preventDefault(); first.focus(); }
});
on("found", "keydown", (event) => {
  const links = [...$("found").querySelectorAll("a")], at = links.indexOf(event.target), by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (at < 0 || !by) return;
  event.preventDefault();
  (links[at + by] || $("query")).focus();
});

// Everything by keyboard. Keys do nothing while a control has the focus, except Escape.
const documentKeys = {
  n: () => stepError(1), p: () => stepError(-1), j: () => step(1), k: () => step(-1), "]": () => turn(1), "[": () => turn(-1),
  s: () => goTo(documentPath((R.system + 1) % D.systems.length), { ...documentValues(), error: null }),
  f: () => $("search").focus(), t: () => { if (R.error) copyTestCase(R.system, { ...R.error, document: R.document }); },
  Escape: () => { if (R.entity !== null) selectEntity(null); else location.hash = $("back").getAttribute("href"); },
};
const caseKeys = {
  n: () => stepCase(1), p: () => stepCase(-1), j: () => stepCase(1), k: () => stepCase(-1), Enter: openCase, f: () => $("case-find").focus(),
  s: () => changeFilter({ system: (L.filter.system + 1) % D.systems.length, entity: null }),
  t: () => { if (L.at >= 0) copyTestCase(L.filter.system, L.found[L.at]); },
  Escape: () => { location.hash = $("cases-back").getAttribute("href"); },
};
const resultKeys = { Escape: () => { location.hash = $("results-back").getAttribute("href"); } };
const everywhere = { "/": () => $("query").focus(), "?": () => $("keys").showModal(), c: copyLink };

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open || event.defaultPrevented) return;
  const busy = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.target.isContentEditable;
  if (busy) { if (event.key === "Escape") event.target.blur(); return; }
  if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
  const own = shownView === "reader" ? documentKeys : shownView === "cases" ? caseKeys : shownView === "results" ? resultKeys : {};
  const action = own[event.key] || everywhere[event.key];
  if (action) { event.preventDefault(); action(); }
});
on("help", "click", () => $("keys").showModal());

// From the address to the view. Views that are left close; the way back leads to where the reader was.
const VIEWS = ["overview", "reader", "cases", "results"];
let shownView = "overview", lastOverview = "", lastList = "";

function showView(name) {
  for (const view of VIEWS) $(view).hidden = view !== name;
  if (name !== "reader" && R) { watcher.disconnect(); R = null; }
  if (name !== "cases") L = null;
  document.body.dataset.view = shownView = name;
  hideTip();
}

// The list of errors or of results that led here, or else the report.
function backTo(section) {
  if (shownView === "reader" && lastList) return lastList;
  return lastOverview || `#${section}`;
}

function route() {
  const { path, values } = readAddress(), parts = /^doc\/(\d+)(?:\/(\d+))?(?:\/(-?\d+))?$/.exec(path);
  const [, at, system = "0", entity] = parts || [];
  if (parts && opens(Number(at)) && isSystem(Number(system))) {
    openDocument(Number(at), Number(system), integer(entity), values);
    $("name").focus({ preventScroll: true });
  } else if (path === "cases" && neighbours.length) {
    openCases(values);
    lastList = location.hash;
    if (L.at < 0) $("cases-name").focus({ preventScroll: true });
  } else if (path === "search") {
    openSearch(values);
    lastList = location.hash;
  } else {
    const from = shownView;
    lastList = "";
    lastOverview = location.hash || "#glance";
    showView("overview");
    if (path === "documents") readOverview(values);
    if (path === "documents" || from !== "overview") drawOverview();
    if ($(path) && path !== "overview") $(path).scrollIntoView();
  }
}
addEventListener("hashchange", route);

// Links within the page. In a frame of a notebook the browser would resolve them against the notebook.
addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const target = link.getAttribute("href");
  if (location.hash === target) route();
  else location.hash = target;
});
drawOverview();
route();
