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
