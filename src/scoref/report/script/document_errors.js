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
