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
