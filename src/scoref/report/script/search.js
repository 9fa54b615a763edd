// Search over all documents: their names, their entities, their words.
const MOST_FOUND = 60;
function searchDocuments(query) {
  return D.documents.map((document, at) => ({ document, at })).filter(({ document }) => document.name.toLowerCase().includes(query));
}

function searchEntities(query) {
  const found = [];
  for (const document of neighbours) {
    const reading = read(document, 0), entities = new Map();
    for (const m of reading.key) {
      if (!entities.has(m.number)) entities.set(m.number, []);
      entities.get(m.number).push(m);
    }
    for (const [number, mentions] of entities) {
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
