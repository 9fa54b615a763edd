// A document as one system reads it: mentions of both sides, sentences, errors, words.
function decode(flat, width, parts) {
  const mentions = [];
  for (let at = 0, start = 0; at < flat.length; at += width) {
    start += flat[at];
    mentions.push({ s: start, e: start + flat[at + 1], rest: flat.slice(at + 2, at + width) });
  }
  mentions.forEach((m, at) => {
    const ends = (parts && parts[at]) || [m.s, m.e];
    m.parts = [];
    for (let end = 0; end < ends.length; end += 2) m.parts.push([ends[end], ends[end + 1]]);
  });
  return mentions;
}

function rowOf(rows, token) {
  let low = 0, high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rows[middle].start <= token) low = middle; else high = middle - 1;
  }
  return low;
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
  const key = decode(view.k, 4, view.p).map((m, at) => ({ ...m, number: m.rest[0], key: m.rest[0], type: m.rest[1], side: "key", id: `k${at}` }));
  const res = decode(view.r[system].m, 5, view.r[system].p).map((m, at) => {
    const partner = m.rest[1] ? key[m.rest[1] - 1] : null;
    return { ...m, number: m.rest[0], key: partner ? partner.number : 0, type: m.rest[2], side: "response", id: `r${at}`, other: partner };
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

function mentionText(reading, m, most = 60) {
  if (!reading.words) return m.s === m.e ? `token ${m.s}` : `tokens ${m.s}–${m.e}`;
  return shorten(m.parts.map(([first, last]) => reading.words.slice(first, last + 1).join(" ")).join(" … ") || "∅", most);
}
const spanKey = (m) => m.s * 1e7 + m.e;

// The mention that names an entity: its first that is not a pronoun.
const nameOf = (mentions) => mentions.find((m) => m.type !== 2) || mentions[0];
