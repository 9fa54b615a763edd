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
  ...slice, key: slice.by.startsWith("document length") ? "length" : slice.by.split(" ")[0],
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
