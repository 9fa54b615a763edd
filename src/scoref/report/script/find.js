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
