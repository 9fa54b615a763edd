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

// Other parts of the page can show something above the text of each document that is opened.
const documentListeners = [];
const onDocument = (listener) => documentListeners.push(listener);

function describeDocument() {
  const plain = (m) => ({ start: m.s, end: m.e, parts: m.parts.map((part) => [...part]), entity: m.number, type: m.type });
  return {
    index: R.document, name: D.documents[R.document].name, system: R.system, systemName: systemName(R.system), metric: D.metrics[R.metric],
    tokens: R.view.n, words: R.words, sentences: R.rows.map((row) => row.start), key: R.key.map(plain), response: R.res.map(plain),
    label: entityLabel, text: (m) => mentionText(R, { s: m.start, e: m.end, parts: m.parts }), select: selectEntity, redraw: redrawResponse,
  };
}

// Draws other mentions as the response, such as an edited one.
function redrawResponse(mentions) {
  const keys = new Map(R.key.map((m) => [spanKey(m), m]));
  for (const m of R.key) { m.other = null; m.status = "missing"; }
  R.res = mentions.map((m, at) => {
    const partner = keys.get(m.start * 1e7 + m.end) || null;
    const status = !partner ? "extra" : partner.number === m.entity ? "right" : "misplaced";
    return { s: m.start, e: m.end, parts: m.parts || [[m.start, m.end]], number: m.entity, key: partner ? partner.number : 0, type: m.type, side: "response", id: `r${at}`, other: partner, status };
  });
  for (const m of R.res) if (m.other) { m.other.other = m; m.other.status = m.status; }
  for (const row of R.rows) row.response = [];
  place(R.rows, R.res, "response");
  R.errors = []; R.error = null;
  readings.delete(`${R.document}/${R.system}`);
  for (const chunk of R.chunks) if (chunk.full) { chunk.full = false; fillChunk(chunk); }
  showErrors();
  if (R.entity !== null) showEntity();
}

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
  for (const listener of documentListeners) listener($("what-if"), describeDocument());
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
