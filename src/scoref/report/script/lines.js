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
