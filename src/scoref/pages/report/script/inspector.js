// Following an entity: its mentions light up on both sides, and a card lists them.
let hovered = null;
const paint = (number, lit) => {
  if (number === null) return;
  for (const node of $("text").querySelectorAll(`[data-e~="${number}"]`)) node.classList.toggle("hot", lit);
};
function numberAt(target) {
  const tag = target.closest(".tag");
  if (tag) return Number(tag.dataset.e);
  const seg = target.closest(".seg.in");
  return seg ? Number(seg.dataset.e.split(" ").pop()) : null;
}
function highlight(number) {
  if (R && hovered !== R.entity) paint(hovered, false);
  hovered = number;
  paint(number, true);
}
on("text", "mouseover", (event) => {
  const number = numberAt(event.target);
  if (number !== hovered) highlight(number);
});
on("text", "mouseleave", () => highlight(null));
on("text", "click", (event) => {
  if (String(getSelection())) return;
  const number = numberAt(event.target);
  if (number === null) return;
  const tag = event.target.closest(".tag");
  const ids = tag ? [tag.dataset.m] : event.target.closest(".seg.in").dataset.ms.split(" ");
  selectEntity(number, ids.pop());
});

// The mentions of the selected entity on both sides; of equal spans, only that of the key.
function entityMentions() {
  const spans = new Map();
  for (const m of [...R.key, ...R.res]) if (m.number === R.entity && !spans.has(m.span)) spans.set(m.span, m);
  return [...spans.values()].sort((a, b) => a.s - b.s || a.e - b.e);
}

function selectEntity(number, id) {
  paint(R.entity, false);
  R.entity = number;
  R.at = -1;
  if (number === null) { $("entity").replaceChildren(); noteDocument(); return; }
  paint(number, true);
  const chosen = id && [...R.key, ...R.res].find((m) => m.id === id);
  R.at = chosen ? entityMentions().findIndex((m) => m.span === chosen.span) : -1;
  showEntity();
  noteDocument();
}

const concerns = (error, number) => [...error.mentions, error.anchor, error.meant].some((m) => m && (m.number === number || m.key === number));

function entityFacts(number, key, extra) {
  const found = key.filter((m) => m.status === "right" || (m.status === "span" && m.number === number)).length;
  if (!key.length) return `response entity without a counterpart in the key, ${plural(extra.length, "mention")}`;
  const foreign = extra.length ? `; ${extra.length} ${extra.length === 1 ? "mention does" : "mentions do"} not belong` : "";
  return `${found} of ${plural(key.length, "mention")} found${foreign}`;
}

function showEntity() {
  const number = R.entity, key = R.key.filter((m) => m.number === number);
  const extra = R.res.filter((m) => m.number === number && m.key !== number && m.status !== "span");
  const title = nameOf(key.length ? key : extra);
  if (!title) { $("entity").replaceChildren(); return; }
  const place = { right: "found", missing: "missing", misplaced: null, extra: "extra", span: "different boundaries" };
  const item = (m) => {
    const where = place[m.status] || (m.side === "key" ? `in ${entityLabel(m.other.number)}` : `belongs in ${m.key}`);
    const go = () => { R.at = entityMentions().indexOf(m); goToMention(m); markCurrent(); };
    return el("li", null, el("button", { type: "button", "data-go": m.id, onclick: go }, el("span", { class: "words" }, mentionText(R, m)), el("i", null, where)));
  };
  const wrong = R.errors.filter((error) => concerns(error, number)).length;
  const errors = wrong ? el("a", { href: writeAddress("cases", { s: R.system, doc: R.document, entity: number }) }, plural(wrong, "error")) : "no errors";
  $("entity").replaceChildren(
    el("h3", null, makeTag(number, entityLabel(number), { class: "tag" }), mentionText(R, title)),
    el("p", { class: "soft" }, `${entityFacts(number, key, extra)}; `, errors),
    el("ul", { class: "mentions" }, ...key.slice(0, 500).map(item), ...extra.slice(0, 500).map(item)),
    el("div", { class: "go" }, button("← previous", () => step(-1)), button("next →", () => step(1)), button("Clear", () => selectEntity(null))));
  markCurrent();
}

function markCurrent() {
  const mentions = entityMentions();
  for (const node of $("entity").querySelectorAll("[data-go]")) {
    const current = R.at >= 0 && mentions[R.at] && mentions[R.at].id === node.dataset.go;
    node.setAttribute("aria-current", String(Boolean(current)));
  }
}

function step(by) {
  const mentions = entityMentions();
  if (!mentions.length) return;
  R.at = R.at < 0 ? (by > 0 ? 0 : mentions.length - 1) : (R.at + by + mentions.length) % mentions.length;
  goToMention(mentions[R.at]);
  markCurrent();
}

// The errors of the open document: filtered by kind and type, one of them selected and marked.
const NOT_WITH = [1, 2, 3];  // conflated entities, extra mention, extra entity
const errorsHere = () => R.errors.filter((e) => (!R.kinds.size || R.kinds.has(e.kind)) && (R.type === null || e.type === R.type));

// What is wrong, in words: the mention that was meant, or the one that it belongs or does not belong with.
function explain(reading, e) {
  if (e.meant) return ` should be “${mentionText(reading, e.meant, 60)}”`;
  return e.anchor ? `${NOT_WITH.includes(e.kind) ? " not with" : " belongs with"} “${mentionText(reading, e.anchor, 40)}”` : "";
}
const errorWords = (reading, e) => shorten(e.mentions.slice(0, 8).map((m) => mentionText(reading, m, 40)).join(", "), 120);

function kindChips(counts, chosen, toggle) {
  return D.kinds.map((title, kind) => (counts[kind] ? button(`${title} ${count(counts[kind])}`, () => toggle(kind), { "data-kind": kind, "aria-pressed": String(chosen.has(kind)) }) : null)).filter(Boolean);
}

function showErrors() {
  const counts = D.kinds.map((_, kind) => R.errors.filter((e) => e.kind === kind).length);
  $("kinds").replaceChildren(...kindChips(counts, R.kinds, (kind) => {
    if (!R.kinds.delete(kind)) R.kinds.add(kind);
    R.error = null;
    showErrors();
    noteDocument();
    $("kinds").querySelector(`[data-kind="${kind}"]`).focus();
  }));
  const errors = errorsHere();
  $("count").textContent = errors.length === R.errors.length ? String(errors.length) : `${errors.length} of ${R.errors.length}`;
  $("wrong").replaceChildren(...errors.slice(0, R.listed).map((e) => el("li", null,
    el("button", { type: "button", "data-error": e.at, "aria-current": String(e === R.error), onclick: () => selectError(e) },
      el("b", null, D.kinds[e.kind], el("span", null, worth(e.gain))), el("span", { class: "words" }, errorWords(R, e)), el("span", { class: "soft" }, explain(R, e))))));
  if (!errors.length) $("wrong").replaceChildren(el("li", { class: "empty" }, R.errors.length ? "No error of these kinds." : "No errors in this document."));
  $("more").hidden = errors.length <= R.listed;
  $("type").value = R.type === null ? "" : R.type;
}

function selectError(error, quiet = false) {
  R.error = error;
  const place = errorsHere().indexOf(error);
  if (place >= R.listed) { R.listed = place + PAGE; showErrors(); }
  for (const node of $("wrong").querySelectorAll("button")) {
    const current = Number(node.dataset.error) === error.at;
    node.setAttribute("aria-current", String(current));
    if (current && !quiet) node.scrollIntoView({ block: "nearest" });
  }
  const [first, ...rest] = error.mentions;
  goToMention(first);
  rest.forEach((m) => { if (R.rows[m.row].chunk.full) flash(m); });
  for (const chunk of R.chunks) if (chunk.full) markError(chunk.node);
  noteDocument();
}

function stepError(by) {
  const errors = errorsHere();
  if (!errors.length) return;
  const at = R.error ? errors.indexOf(R.error) : -1;
  selectError(errors[at < 0 ? (by > 0 ? 0 : errors.length - 1) : (at + by + errors.length) % errors.length]);
}
on("more", "click", () => { R.listed += 5 * PAGE; showErrors(); });
on("type", "change", () => { R.type = integer($("type").value); R.error = null; showErrors(); noteDocument(); });
$("type").replaceChildren(el("option", { value: "" }, "all"), ...D.types.map((name, at) => el("option", { value: at }, name + "s")));
