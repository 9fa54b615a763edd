// A document as one system reads it: mentions of both sides, sentences, errors, words.
// Mentions are texts such as "12-14", each followed by its numbers (text_views.py).
function decode(flat, width, side) {
  const mentions = [];
  for (let at = 0; at < flat.length; at += width) {
    const [span, number, ...rest] = flat.slice(at, at + width), [s, e] = Scoref.span(span);
    mentions.push({ span, s, e, parts: Scoref.parts(span), number, rest, side, id: `${side[0]}${at / width}` });
  }
  return mentions;
}

// Rows are sentences, or stretches of 24 tokens where sentences are unknown.
function makeRows(view) {
  const starts = [];
  if (view.s) view.s.reduce((sum, step) => (starts.push(sum + step), sum + step), 0);
  else for (let at = 0; at < view.n; at += 24) starts.push(at);
  return starts.map((start, at) => ({ start, end: at + 1 < starts.length ? starts[at + 1] : view.n, key: [], response: [], second: [] }));
}

function place(rows, mentions, side) {
  for (const m of mentions) {
    m.row = rowOf(rows, m.s);
    for (let row = m.row; row < rows.length && rows[row].start <= m.e; row++) rows[row][side].push(m);
  }
}

function readMentions(view, system) {
  const key = decode(view.k, 3, "key").map((m) => ({ ...m, key: m.number, type: m.rest[0] }));
  const res = decode(view.r[system].m, 4, "response").map((m) => {
    const [place, type] = m.rest, other = place ? key[place - 1] : null;
    return { ...m, key: other ? other.number : 0, type, other };
  });
  for (const m of res) {
    m.status = !m.other ? "extra" : m.key === m.number ? "right" : "misplaced";
    if (m.other) m.other.other = m;
  }
  for (const m of key) m.status = m.other ? m.other.status : "missing";
  return { key, res };
}

function readErrors(view, system, key, res) {
  const own = view.r[system], at = (place) => (place === null || place === undefined ? null : place < 0 ? key[-1 - place] : res[place]);
  const errors = own.e.map((e, number) => ({
    at: number, kind: e[0], type: e[1] < 0 ? D.types.length : e[1], gain: own.g[number], classes: own.c[number],
    anchor: at(e[2]), meant: at(e[3]), mentions: e.slice(4).map(at),
  }));
  for (const error of errors) if (error.meant) error.meant.status = error.mentions[0].status = "span";
  return errors;
}

const readings = new Map();  // by document and system, the last few
function read(document, system) {
  const name = `${document}/${system}`;
  if (!readings.has(name)) {
    const view = D.views[document], { key, res } = readMentions(view, system);
    const errors = readErrors(view, system, key, res), rows = makeRows(view);
    place(rows, key, "key");
    place(rows, res, "response");
    if (readings.size > 2000) readings.clear();
    readings.set(name, { document, system, view, key, res, rows, errors, words: view.w || null });
  }
  return readings.get(name);
}

const mentionText = (reading, m, most) => Scoref.mentionText(reading, m.span, most);

// The mention that names an entity: its first that is not a pronoun.
const nameOf = (mentions) => mentions.find((m) => m.type !== 2) || mentions[0];

// Errors of all documents: what is listed, filtered and sorted before any text is read.
const caseLists = new Map();  // by system
function casesOf(system) {
  if (!caseLists.has(system)) {
    const found = [];
    for (const document of neighbours) {
      const own = D.views[document].r[system];
      own.e.forEach((e, at) => found.push({ document, at, kind: e[0], type: e[1] < 0 ? D.types.length : e[1], size: e.length - 4, gain: own.g[at], classes: own.c[at] }));
    }
    caseLists.set(system, found);
  }
  return caseLists.get(system);
}
const errorOf = (system, one) => read(one.document, system).errors[one.at];

// Slices by their short names in the address, and the class of a case in each.
const SLICES = D.slices.map((slice, at) => ({
  ...slice,
  classOf: slice.of === "mention" ? (one) => one.classes[at] : (one) => D.documents[one.document].c[at - D.slices.filter((s) => s.of === "mention").length],
}));

const ORDERS = [["cost", "what costs most first"], ["text", "in the order of the text"], ["size", "most mentions first"]];
function readFilter(values) {
  const system = integer(values.s, 0), document = integer(values.doc), within = (at, size) => (at !== null && at >= 0 && at < size ? at : null);
  const filter = { system: isSystem(system) ? system : 0, kinds: new Set(), find: values.find || "", slices: {} };
  for (const kind of (values.kind || "").split(".")) if (within(integer(kind), D.kinds.length) !== null) filter.kinds.add(Number(kind));
  filter.type = within(integer(values.type), D.types.length + 1);
  filter.document = document !== null && opens(document) ? document : null;
  filter.entity = filter.document === null ? null : integer(values.entity);
  filter.sort = ORDERS.some(([name]) => name === values.sort) ? values.sort : "cost";
  for (const slice of SLICES) filter.slices[slice.key] = within(integer(values[slice.key]), slice.names.length);
  return filter;
}
const filterValues = (filter, at) => ({
  s: filter.system, kind: [...filter.kinds].join("."), type: filter.type, doc: filter.document, entity: filter.entity, find: filter.find,
  sort: filter.sort === "cost" ? null : filter.sort, ...filter.slices, at: at ? `${at.document}.${at.at}` : null,
});

// All filters but that of kinds, so that the chips can show how many of each kind there are.
function caseTests(filter) {
  const tests = [], wanted = filter.find.trim().toLowerCase();
  if (filter.type !== null) tests.push((one) => one.type === filter.type);
  if (filter.document !== null) tests.push((one) => one.document === filter.document);
  for (const slice of SLICES) {
    const chosen = filter.slices[slice.key];
    if (chosen !== null) tests.push((one) => slice.classOf(one) === chosen);
  }
  if (filter.entity !== null) tests.push((one) => concerns(errorOf(filter.system, one), filter.entity));
  if (wanted) tests.push((one) => caseText(filter.system, one).includes(wanted));
  return tests;
}

function caseText(system, one) {
  const reading = read(one.document, system), e = reading.errors[one.at];
  const texts = [...e.mentions, e.anchor, e.meant].filter(Boolean).map((m) => mentionText(reading, m, 1e6));
  return `${texts.join(" ")} ${D.documents[one.document].name}`.toLowerCase();
}

function filterCases(filter) {
  const tests = caseTests(filter), some = casesOf(filter.system).filter((one) => tests.every((test) => test(one)));
  const counts = D.kinds.map((_, kind) => some.filter((one) => one.kind === kind).length);
  const found = filter.kinds.size ? some.filter((one) => filter.kinds.has(one.kind)) : some;
  const inOrder = (a, b) => a.document - b.document || a.at - b.at;
  const cost = (one) => (one.gain === null ? -1e12 : one.gain);
  const by = { cost: (a, b) => cost(b) - cost(a) || inOrder(a, b), size: (a, b) => b.size - a.size || inOrder(a, b), text: inOrder };
  return { found: [...found].sort(by[filter.sort]), counts };
}
