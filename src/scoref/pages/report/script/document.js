// Opening a document: one system, or two side by side; the address has the whole state.
const SIDES = ["", "only-key", "only-response"];
options($("system"), systemTitles(), 0);
options($("sides"), ["key and response", "key", "response"], 0);
$("with").replaceChildren(el("option", { value: "" }, "no other system"), ...systemTitles().map((name, at) => el("option", { value: at }, name)));
if (D.systems.length === 1) for (const id of ["system", "with"]) $(id).parentNode.hidden = true;

const documentValues = () => ({
  with: R.second ? R.second.system : null, error: R.error ? R.error.at : null, kind: [...R.kinds].join("."), type: R.type,
  show: $("sides").value === "0" ? null : $("sides").value, find: $("search").value, metric: R.metric === D.metric ? null : R.metric,
});
const documentPath = (system = R.system, entity = R.entity) => `doc/${R.document}/${system}` + (entity === null ? "" : `/${entity}`);
const noteDocument = () => rewrite(documentPath(), documentValues());

function addSecond(system) {
  const second = read(R.document, system), res = second.res.map((m) => ({ ...m, id: `q${m.id.slice(1)}` }));
  for (const row of R.rows) row.second = [];
  place(R.rows, res, "second");
  R.second = second;
}

function openDocument(at, system, entity, values) {
  const other = integer(values.with);
  const metric = integer(values.metric, D.metric);
  R = { ...read(at, system), second: null, chunks: [], entity: null, at: -1, error: null, hits: [], hit: -1, listed: PAGE };
  R.metric = metric >= 0 && metric < D.metrics.length ? metric : D.metric;
  R.kinds = new Set((values.kind || "").split(".").map((kind) => integer(kind)).filter((kind) => kind !== null && kind < D.kinds.length));
  R.type = integer(values.type);
  if (isSystem(other) && other !== system) addSecond(other);
  showView("reader");
  const d = D.documents[at], score = (one) => `${percent(d.f1[one][R.metric])}`;
  $("name").textContent = d.name;
  const facts = [plural(R.view.n, "token"), plural(d.mentions, "mention"), `${D.metrics[R.metric]} F1 ${score(system)}`];
  if (R.second) facts.push(`beside: ${score(other)}`);
  $("facts").textContent = facts.join(" · ");
  $("system").value = system;
  $("with").value = R.second ? R.second.system : "";
  $("sides").value = SIDES[integer(values.show, 0)] === undefined ? 0 : integer(values.show, 0);
  $("text").className = SIDES[$("sides").value];
  $("search").value = values.find || "";
  $("search").disabled = !R.words;
  $("entity").replaceChildren();
  $("back").href = backTo("documents");
  hovered = null;
  layText();
  showErrors();
  find();
  $("what-if").replaceChildren();
  $("what-if").hidden = true;
  offerEditor();
  scrollToState(entity, integer(values.error), integer(values.token));
}

function scrollToState(entity, error, token) {
  scrollTo(0, 0);
  if (entity !== null) {
    selectEntity(entity);
    const first = entityMentions()[0];
    if (first) { R.at = 0; goToMention(first); markCurrent(); }
  }
  if (error !== null && R.errors[error]) selectError(R.errors[error], true);
  else if (token !== null) goToToken(token);
  else if (R.hits.length && entity === null) nextHit(1);
  noteDocument();
}

on("system", "change", () => goTo(documentPath(Number($("system").value)), { ...documentValues(), error: null }));
on("with", "change", () => goTo(documentPath(), { ...documentValues(), with: $("with").value }));
on("sides", "change", () => { $("text").className = SIDES[$("sides").value] + (R.second ? " two" : ""); noteDocument(); });

const neighbours = Object.keys(D.views).map(Number).sort((a, b) => a - b);
function turn(by) {
  R.document = neighbours[(neighbours.indexOf(R.document) + by + neighbours.length) % neighbours.length];
  goTo(documentPath(R.system, null), { ...documentValues(), error: null, find: null });
}

// The what-if editor above the text of a document: edit the response, and every metric moves. Each
// system has its own edited documents. They stay as long as the page, and the page asks before it is
// left with edits that were not exported.
const annotations = D.systems.map(() => new Map());
addEventListener("beforeunload", (event) => {
  if (annotations.some((kept) => Scoref.edited(kept).some((one) => one.unsaved))) event.preventDefault();
});
const editorTitle = (edits) => "What if … edit this response" + (edits ? ` (${plural(edits, "edit")})` : "");

// The open document as the editor takes it.
function editable() {
  const sides = [R.key, R.res].map((mentions) => groupBy(mentions, (m) => m.number));
  const [key, response] = sides.map((side) => [...side.values()].map((entity) => entity.map((m) => m.span)));
  const [keyNames, responseNames] = sides.map((side) => [...side.keys()].map(entityLabel));
  const { id, name } = D.documents[R.document], [title, part] = id ?? [name, 0];
  return { name: title, part, words: R.words, length: R.view.n, sentences: R.rows.map((row) => row.start), key, response, keyNames, responseNames };
}

function offerEditor() {
  $("reader").classList.remove("editing");
  if (!D.totals || [...R.key, ...R.res].some((m) => !m.parts.length)) return;
  const { system, document } = R, given = editable(), kept = annotations[system];
  const title = () => editorTitle(kept.get(document)?.done.length);
  const place = el("div", { class: "wi-place", hidden: true });
  const toggle = button(title(), () => {
    const opens = place.hidden;
    if (opens && !place.childNodes.length) {
      // The counts of the other documents: those of all documents, without those of this one.
      const others = [D.totals[system], Scoref.negative(Scoref.countDocument(given.key, given.response))];
      Scoref.whatIf(place, { document: given, corpusCounts: D.documents.length > 1 ? others : null, annotations: kept, key: document });
    }
    place.hidden = !opens;
    toggle.setAttribute("aria-expanded", String(opens));
    toggle.textContent = opens ? "Back to reading" : title();
    $("reader").classList.toggle("editing", opens);
  }, { "aria-expanded": "false" });
  $("what-if").replaceChildren(toggle, place);
  $("what-if").hidden = false;
}
