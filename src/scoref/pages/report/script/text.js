// Signs and lines of mentions: what is right or wrong is told by shape, which entity by number and colour.
const sign = (m) => entityLabel(m.number) + ({ missing: " –", extra: " +", span: " ~" }[m.status]
  || (m.status === "misplaced" && m.side === "response" ? `≠${m.key}` : ""));
const meaning = (m) => ({
  right: `entity ${entityLabel(m.number)}`,
  missing: `entity ${entityLabel(m.number)}; this mention is not in the response`,
  extra: `entity ${entityLabel(m.number)}; this mention is not in the key`,
  span: `entity ${entityLabel(m.number)}; the other side has different boundaries`,
  misplaced: m.side === "response" ? `entity ${entityLabel(m.number)} in the response, entity ${m.key} in the key` : `entity ${entityLabel(m.number)} in the key; in another entity in the response`,
})[m.status];

// Each mention has a line below its words, in its own lane; shorter mentions are nearer.
function lanes(mentions) {
  const taken = [];
  for (const m of [...mentions].sort((a, b) => (a.e - a.s) - (b.e - b.s) || a.s - b.s)) {
    let lane = 0;
    while ((taken[lane] || []).some((other) => other.s <= m.e && m.s <= other.e)) lane++;
    (taken[lane] = taken[lane] || []).push(m);
    m.lane = lane;
  }
  return taken.length;
}

function line(m, deepest) {
  const c = colour(m.number), low = (deepest - 1 - m.lane) * 5;
  const images = {
    right: [`linear-gradient(${c},${c})`],
    missing: [`repeating-linear-gradient(90deg,${c} 0 6px,transparent 6px 10px)`],
    extra: [`repeating-linear-gradient(90deg,${c} 0 2px,transparent 2px 5px)`],
    span: [`repeating-linear-gradient(90deg,${c} 0 9px,transparent 9px 12px,${c} 12px 14px,transparent 14px 17px)`],
    misplaced: [`linear-gradient(${c},${c})`, `linear-gradient(${c},${c})`],
  }[m.status];
  const sizes = m.status === "misplaced" ? ["100% 1px", "100% 1px"] : ["100% 3px"];
  const places = m.status === "misplaced" ? [low, low + 3] : [low];
  return { images, sizes, places: places.map((y) => `0 calc(100% - ${y}px)`) };
}

function drawLines(node, layers) {
  node.style.backgroundImage = layers.flatMap((l) => l.images).join(",");
  node.style.backgroundSize = layers.flatMap((l) => l.sizes).join(",");
  node.style.backgroundPosition = layers.flatMap((l) => l.places).join(",");
}

function makeTag(number, text, attributes) {
  const tag = el("span", { ...attributes, class: `${attributes.class} v${styleOf(number)}` }, text);
  tag.style.setProperty("--tint", colour(number));
  return tag;
}

// One side of a sentence. Words have even positions, and the spaces between them odd positions.
function drawSide(reading, row, side) {
  const mentions = row[side], p = el("p", { "data-side": side }), deepest = lanes(mentions);
  p.style.setProperty("--lanes", deepest);
  const cuts = new Set([2 * row.start, 2 * row.end - 1]);
  for (const m of mentions) {
    for (const [first, last] of m.parts.length ? m.parts : [[m.s, m.s]]) {
      if (last < row.start || first >= row.end) continue;
      cuts.add(Math.max(2 * first, 2 * row.start));
      cuts.add(Math.min(2 * last + 1, 2 * row.end - 1));
    }
  }
  const places = [...cuts].sort((a, b) => a - b);
  for (let at = 0; at + 1 < places.length; at++) p.append(drawSegment(reading, row, mentions, places[at], places[at + 1], deepest));
  return p;
}

function drawSegment(reading, row, mentions, low, high, deepest) {
  const over = mentions.filter((m) => m.parts.some(([first, last]) => 2 * first <= low && high - 1 <= 2 * last));
  const zeros = mentions.filter((m) => !m.parts.length && Math.max(2 * m.s, 2 * row.start) === low);
  over.sort((a, b) => (b.e - b.s) - (a.e - a.s));
  const seg = el("span", { class: over.length ? "seg in" : "seg", "data-e": over.map((m) => m.number).join(" ") || null, "data-ms": over.map((m) => m.id).join(" ") || null });
  if (over.length) drawLines(seg, over.map((m) => line(m, deepest)));
  // No line break between a sign and the first word.
  const signs = el("span", { class: "nb" });
  const starts = (m) => m.parts.findIndex(([first]) => Math.max(2 * first, 2 * row.start) === low);
  for (const m of [...over.filter((m) => starts(m) >= 0), ...zeros]) {
    const prefix = !m.parts.length ? "∅ " : starts(m) > 0 ? "…" : "";
    signs.append(makeTag(m.number, prefix + sign(m), { class: `tag ${m.status}`, "data-e": m.number, "data-m": m.id, title: meaning(m) }));
  }
  if (signs.childNodes.length) seg.append(signs);
  for (let place = low; place < high; place++) {
    if (place % 2) { seg.append(" "); continue; }
    const token = place / 2;
    const word = el("span", { class: reading.words ? "w" : "w veil", "data-i": token }, reading.words ? reading.words[token] : "");
    if (!reading.words) word.style.width = `${1.1 + ((token * 7) % 5) * 0.35}em`;
    (place === low && signs.childNodes.length ? signs : seg).append(word);
  }
  return seg;
}

// The legend of the signs, drawn as the text is drawn.
function signExample(status, side, number, key, text, what) {
  const m = { s: 0, e: 0, lane: 0, number, key, status, side };
  const seg = el("span", { class: "seg" }, makeTag(number, sign(m), { class: `tag ${status}` }), text);
  seg.style.setProperty("--lanes", 1);
  drawLines(seg, [line(m, 1)]);
  return el("li", null, seg, ` ${what}`);
}
$("signs").replaceChildren(
  signExample("right", "key", 1, 1, "ferry", "correct"), signExample("misplaced", "response", 2, 1, "it", "in 2, belongs in 1"),
  signExample("missing", "key", 1, 1, "boat", "not in the response"), signExample("extra", "response", -1, 0, "time", "not in the key (a letter: no such entity in the key)"),
  signExample("span", "response", 1, 1, "boat", "different boundaries"));
if (matchMedia("(max-width: 62rem)").matches) for (const id of ["legend", "errors-here", "case-classes"]) $(id).open = false;

// The text of the open document. Only the sentences near the window exist.
let R = null;  // the open document: what read() returns, and the state of the view
const BIG = 20000, PAGE = 100;

function fillChunk(chunk) {
  if (chunk.full) return;
  chunk.full = true;
  chunk.node.replaceChildren(...chunk.rows.map((at) => {
    const row = R.rows[at], sides = ["key", "response", ...(R.second ? ["second"] : [])];
    return el("div", { class: "row", "data-row": at }, el("span", { class: "no" }, String(at + 1)), ...sides.map((side) => drawSide(R, row, side)));
  }));
  chunk.node.style.minHeight = "";
  mark(chunk.node);
}

function emptyChunk(chunk) {
  if (!chunk.full || R.view.n < BIG) return;
  chunk.node.style.minHeight = `${chunk.node.offsetHeight}px`;
  chunk.node.replaceChildren();
  chunk.full = false;
}

const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const chunk = R && R.chunks[entry.target.dataset.chunk];
    if (!chunk || chunk.node !== entry.target) continue;
    if (entry.isIntersecting) fillChunk(chunk); else emptyChunk(chunk);
  }
}, { rootMargin: "1500px 0px" });

function textHead() {
  const second = R.second ? [el("span", null, signedSystem(R.second.system))] : [];
  return el("div", { class: "row head" }, el("span", null, ""), el("span", null, "Key"), el("span", null, "Response: ", signedSystem(R.system)), ...second);
}

function layText() {
  watcher.disconnect();
  const nodes = [textHead()];
  R.chunks = [];
  let rows = [], tokens = 0;
  const close = () => {
    if (!rows.length) return;
    const node = el("div", { class: "chunk", "data-chunk": R.chunks.length });
    node.style.minHeight = `${Math.max(rows.length * 44, Math.round(tokens / 9) * 36)}px`;
    const chunk = { node, rows, full: false };
    for (const row of rows) R.rows[row].chunk = chunk;
    R.chunks.push(chunk);
    nodes.push(node);
    rows = []; tokens = 0;
  };
  R.rows.forEach((row, at) => {
    rows.push(at);
    tokens += row.end - row.start;
    if (tokens >= 150) close();
  });
  close();
  $("text").replaceChildren(...nodes);
  $("text").classList.toggle("two", Boolean(R.second));
  R.chunks.slice(0, 3).forEach(fillChunk);
  R.chunks.forEach((chunk) => watcher.observe(chunk.node));
}

// What is marked in the text: the selected entity, the selected error, the words that were found.
function mark(node) {
  if (R.entity !== null) for (const one of node.querySelectorAll(`[data-e~="${R.entity}"]`)) one.classList.add("hot");
  if (R.hits.length) markHits(node);
  if (R.error) markError(node);
}
const segmentsOf = (node, m) => node.querySelectorAll(`[data-ms~="${m.id}"], [data-m="${m.id}"]`);
function markError(node) {
  for (const one of node.querySelectorAll(".chosen, .anchor")) one.classList.remove("chosen", "anchor");
  if (!R.error) return;
  const also = [R.error.anchor, R.error.meant].filter(Boolean);
  for (const m of R.error.mentions) for (const seg of segmentsOf(node, m)) seg.classList.add("chosen");
  for (const m of R.error.mentions) if (m.other) for (const seg of segmentsOf(node, m.other)) seg.classList.add("chosen");
  for (const m of also) for (const seg of segmentsOf(node, m)) if (!seg.classList.contains("chosen")) seg.classList.add("anchor");
}

function goToMention(m) {
  fillChunk(R.rows[m.row].chunk);
  const [first] = flash(m);
  if (first) first.scrollIntoView({ block: "center" });
}

function flash(m) {
  const segs = R.rows[m.row].chunk.node.querySelectorAll(`[data-ms~="${m.id}"]`);
  for (const seg of segs) {
    seg.classList.remove("flash");
    void seg.offsetWidth;  // restart the animation
    seg.classList.add("flash");
  }
  return segs;
}
addEventListener("beforeprint", () => { if (R && R.view.n <= 3 * BIG) R.chunks.forEach(fillChunk); });

// Finding words in the open document.
function findTokens(words, query, most) {
  const starts = [], hits = [];
  let text = "", token = 0;
  for (const word of words) { starts.push(text.length); text += word.toLowerCase() + " "; }
  for (let at = text.indexOf(query); at >= 0 && hits.length < most; at = text.indexOf(query, at + query.length)) {
    while (token + 1 < starts.length && starts[token + 1] <= at) token++;
    let last = token;
    while (last + 1 < starts.length && starts[last + 1] < at + query.length) last++;
    hits.push([token, last]);
  }
  return hits;
}

function find() {
  for (const node of $("text").querySelectorAll(".hit")) node.classList.remove("hit");
  R.hits = []; R.hit = -1;
  const query = $("search").value.trim().toLowerCase();
  if (query && R.words) {
    R.hits = findTokens(R.words, query, 5000);
    for (const chunk of R.chunks) if (chunk.full) markHits(chunk.node);
  }
  $("hits").textContent = !query ? "" : R.words ? `${R.hits.length} found` : "this file does not contain the words";
}
function markHits(node) {
  if (!R.found || R.found.hits !== R.hits) {
    const tokens = new Set();
    for (const [first, last] of R.hits) for (let t = first; t <= last; t++) tokens.add(t);
    R.found = { hits: R.hits, tokens };
  }
  for (const word of node.querySelectorAll(".w")) if (R.found.tokens.has(Number(word.dataset.i))) word.classList.add("hit");
}
function goToToken(token) {
  const chunk = R.rows[rowOf(R.rows, token)].chunk;
  fillChunk(chunk);
  const word = chunk.node.querySelector(`[data-i="${token}"]`);
  if (word) word.scrollIntoView({ block: "center" });
}
function nextHit(by) {
  if (!R.hits.length) return;
  R.hit = (R.hit + by + R.hits.length) % R.hits.length;
  goToToken(R.hits[R.hit][0]);
  $("hits").textContent = `${R.hit + 1} of ${R.hits.length}`;
}
on("search", "input", () => { find(); noteDocument(); });
on("search", "keydown", (event) => {
  if (event.key === "Enter") { event.preventDefault(); nextHit(event.shiftKey ? -1 : 1); }
});
