"use strict";
(() => {
  const D = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const COLOURS = 6, BIG = 20000, PAGE = 100;

  // Elements are created from text, never from HTML, so nothing in the data can become code.
  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : value);
    }
    for (const child of children) if (child !== null && child !== undefined) node.append(child);
    return node;
  }
  const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
  const svg = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
  const plural = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  const percent = (value) => (value === null ? "–" : (100 * value).toFixed(2));
  const letters = (number) => {
    let name = "";
    for (; number > 0; number = Math.floor((number - 1) / 26)) name = String.fromCharCode(97 + ((number - 1) % 26)) + name;
    return name;
  };
  const entityLabel = (number) => (number >= 0 ? String(number) : letters(-number));
  const colour = (number) => `var(--e${number > 0 ? 1 + ((number - 1) % COLOURS) : 0})`;
  const options = (select, names, chosen) => {
    select.replaceChildren(...names.map((name, at) => el("option", { value: at, selected: at === chosen }, name)));
  };

  // ---------------------------------------------------------------- light and dark
  const dark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const labelTheme = () => { $("theme").textContent = dark() ? "Light" : "Dark"; };
  $("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    labelTheme();
  });
  labelTheme();

  // ---------------------------------------------------------------- documents: scatter and list
  const LENGTH = D.systems.length;  // the option after the systems: document length
  const linked = (at) => Object.hasOwn(D.views, at);
  const address = (at) => `#doc/${at}`;

  function axisValue(document, which, metric) {
    return which === LENGTH ? document.mentions : document.f1[which][metric];
  }

  function drawScatter() {
    const metric = Number($("by").value), one = Number($("one").value), other = Number($("other").value);
    const W = 540, H = 430, L = 56, B = 48, T = 12, R = 16;
    const known = D.documents
      .map((document, at) => ({ at, x: axisValue(document, other, metric), y: axisValue(document, one, metric), name: document.name }))
      .filter((point) => point.x !== null && point.y !== null);
    const range = (values, share) => {
      let low = Math.min(...values), high = Math.max(...values);
      const pad = Math.max((high - low) * 0.08, share ? 0.02 : 1);
      low -= pad; high += pad;
      return share ? [Math.max(0, low), Math.min(1, high)] : [Math.max(0, low), high];
    };
    const fallback = known.length ? null : [0, 1];
    const both = other !== LENGTH;
    const ys = fallback || range(known.map((p) => p.y).concat(both ? known.map((p) => p.x) : []), true);
    const xs = fallback || (both ? ys : range(known.map((p) => p.x), false));
    const X = (v) => L + ((v - xs[0]) / (xs[1] - xs[0] || 1)) * (W - L - R);
    const Y = (v) => H - B - ((v - ys[0]) / (ys[1] - ys[0] || 1)) * (H - B - T);
    const marks = [];
    for (const [ends, vertical] of [[xs, false], [ys, true]]) {
      const share = vertical || both;
      const step = niceStep((ends[1] - ends[0]) / 5);
      for (let tick = Math.ceil(ends[0] / step) * step; tick <= ends[1] + 1e-9; tick += step) {
        const label = share ? String(Math.round(1000 * tick) / 10) : String(Math.round(tick));
        if (vertical) {
          marks.push(svg("line", { x1: L, x2: W - R, y1: Y(tick), y2: Y(tick), class: "grid" }));
          marks.push(svg("text", { x: L - 24, y: Y(tick) + 4, class: "tick" }, label));
        } else {
          marks.push(svg("line", { x1: X(tick), x2: X(tick), y1: T, y2: H - B, class: "grid" }));
          marks.push(svg("text", { x: X(tick), y: H - B + 18, class: "tick" }, label));
        }
      }
    }
    if (both) marks.push(svg("line", { x1: X(xs[0]), y1: Y(xs[0]), x2: X(xs[1]), y2: Y(xs[1]), class: "same" }));
    for (const point of known) {
      const title = `${point.name}: ${percent(point.y)}` + (both ? ` versus ${percent(point.x)}` : `, ${plural(point.x, "mention")}`);
      const circle = svg("circle", { cx: X(point.x).toFixed(1), cy: Y(point.y).toFixed(1), r: 5, class: linked(point.at) ? "point" : "point closed" }, svg("title", null, title));
      marks.push(linked(point.at)
        ? svg("a", { href: address(point.at) + "/" + (one === LENGTH ? 0 : one), "aria-label": title, "data-doc": point.at, tabindex: D.documents.length > 200 ? -1 : 0 }, circle)
        : circle);
    }
    const metricName = D.metrics[metric];
    const xLabel = both ? `${metricName} F1 of ${D.systems[other]}` : "mentions in the key";
    marks.push(svg("text", { x: (L + W - R) / 2, y: H - 8, class: "axis", "text-anchor": "middle" }, xLabel));
    marks.push(svg("text", { x: 14, y: (H - B + T) / 2, class: "axis", "text-anchor": "middle", transform: `rotate(-90 14 ${(H - B + T) / 2})` }, `${metricName} F1 of ${D.systems[one]}`));
    $("scatter").replaceChildren(svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "group", "aria-label": "Documents by F1" }, ...marks));
  }

  function niceStep(raw) {
    const power = 10 ** Math.floor(Math.log10(raw || 1));
    return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw) || power;
  }

  const list = { shown: PAGE, order: 3, up: true };
  function drawList() {
    const wanted = $("find").value.trim().toLowerCase();
    const metric = Number($("by").value), one = Number($("one").value);
    const sum = (counts) => counts.reduce((a, b) => a + b, 0);
    const columns = [
      ["document", (d) => d.name], ["mentions", (d) => d.mentions], ["errors", (d) => sum(d.errors[one])],
      ...D.systems.map((name, at) => [name, (d) => d.f1[at][metric]]),
    ];
    const value = columns[list.order][1];
    const found = D.documents.map((d, at) => [d, at]).filter(([d]) => !wanted || d.name.toLowerCase().includes(wanted));
    found.sort(([a], [b]) => {
      const [x, y] = [value(a), value(b)];
      const order = x === y ? 0 : x === null ? 1 : y === null ? -1 : x < y ? -1 : 1;
      return list.up ? order : -order;
    });
    const head = columns.map(([title], at) => el("th", { scope: "col", "aria-sort": at === list.order ? (list.up ? "ascending" : "descending") : null },
      el("button", { type: "button", "aria-pressed": String(at === list.order), onclick: () => {
        list.up = at === list.order ? !list.up : at === 0 || at >= 3;
        list.order = at;
        drawList();
      } }, title + (at === list.order ? (list.up ? " ↑" : " ↓") : ""))));
    const rows = found.slice(0, list.shown).map(([d, at]) => el("tr", null,
      el("th", { scope: "row" }, linked(at) ? el("a", { href: address(at) }, d.name) : d.name),
      el("td", null, d.mentions.toLocaleString("en")),
      el("td", null, sum(d.errors[one]).toLocaleString("en")),
      ...D.systems.map((_, s) => el("td", null, percent(d.f1[s][metric])))));
    const more = found.length > list.shown
      ? el("button", { type: "button", onclick: () => { list.shown += 10 * PAGE; drawList(); } }, `Show more of ${plural(found.length, "document")}`) : null;
    $("list").replaceChildren(el("table", { class: "numbers" }, el("caption", null, `Documents: ${D.metrics[metric]} F1 of each system, errors of ${D.systems[one]}`), el("thead", null, el("tr", null, ...head)), el("tbody", null, ...rows)), ...(more ? [more] : []));
    $("many").textContent = wanted ? `${found.length.toLocaleString("en")} of ${D.documents.length.toLocaleString("en")}` : "";
  }

  options($("by"), D.metrics, D.metric);
  options($("one"), D.systems, 0);
  options($("other"), [...D.systems, "length"], D.systems.length > 1 ? 1 : LENGTH);
  for (const id of ["by", "one", "other"]) $(id).addEventListener("change", () => { drawScatter(); drawList(); });
  $("find").addEventListener("input", drawList);
  drawScatter();
  drawList();

  // ---------------------------------------------------------------- the text of a document
  let R = null;  // the document that is open
  const decode = (flat, width, parts) => {
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
  };
  const spanKey = (m) => m.s * 1e7 + m.e;

  function read(document, system) {
    const view = D.views[document];
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
    const starts = [];
    if (view.s) view.s.reduce((sum, step) => (starts.push(sum + step), sum + step), 0);
    else for (let at = 0; at < view.n; at += 24) starts.push(at);
    const rows = starts.map((start, at) => ({ start, end: at + 1 < starts.length ? starts[at + 1] : view.n, key: [], response: [] }));
    for (const m of [...key, ...res]) {
      let row = rowOf(rows, m.s);
      m.row = row;
      for (; row < rows.length && rows[row].start <= m.e; row++) rows[row][m.side].push(m);
    }
    const errors = view.r[system].e.map((e, at) => ({
      at, kind: e[0], type: e[1],
      anchor: e[2] === null ? null : e[2] < 0 ? key[-1 - e[2]] : res[e[2]],
      meant: e[3] === null ? null : key[-1 - e[3]],
      mentions: e.slice(4).map((place) => (place < 0 ? key[-1 - place] : res[place])),
    }));
    for (const error of errors) if (error.meant) error.meant.status = error.mentions[0].status = "span";
    return { document, system, view, key, res, rows, errors, words: view.w || null, chunks: [], entity: null, at: -1, error: -1, kinds: new Set(), hits: [], hit: -1, listed: PAGE };
  }

  function rowOf(rows, token) {
    let low = 0, high = rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (rows[middle].start <= token) low = middle; else high = middle - 1;
    }
    return low;
  }

  const mentionText = (m, most = 60) => {
    if (!R.words) return m.s === m.e ? `token ${m.s}` : `tokens ${m.s}–${m.e}`;
    const text = m.parts.map(([first, last]) => R.words.slice(first, last + 1).join(" ")).join(" … ") || "∅";
    return text.length > most ? text.slice(0, most - 1) + "…" : text;
  };
  const sign = (m) => entityLabel(m.number) + (m.status === "missing" ? " –" : m.status === "extra" ? " +" : m.status === "span" ? " ~" : m.status === "misplaced" && m.side === "response" ? `≠${m.key}` : "");
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
    const tag = el("span", attributes, text);
    tag.style.setProperty("--tint", colour(number));
    return tag;
  }

  function sideOf(row, side) {
    const mentions = row[side];
    const p = el("p", { "data-side": side });
    const deepest = lanes(mentions);
    p.style.setProperty("--lanes", deepest);
    // Words have even positions, and the spaces between them odd positions.
    const cuts = new Set([2 * row.start, 2 * row.end - 1]);
    for (const m of mentions) {
      for (const [first, last] of m.parts.length ? m.parts : [[m.s, m.s]]) {
        if (last < row.start || first >= row.end) continue;
        cuts.add(Math.max(2 * first, 2 * row.start));
        cuts.add(Math.min(2 * last + 1, 2 * row.end - 1));
      }
    }
    const places = [...cuts].sort((a, b) => a - b);
    for (let at = 0; at + 1 < places.length; at++) {
      const [low, high] = [places[at], places[at + 1]];
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
        const word = el("span", { class: R.words ? "w" : "w veil", "data-i": token }, R.words ? R.words[token] : "");
        if (!R.words) word.style.width = `${1.1 + ((token * 7) % 5) * 0.35}em`;
        (place === low && signs.childNodes.length ? signs : seg).append(word);
      }
      p.append(seg);
    }
    return p;
  }

  function fillChunk(chunk) {
    if (chunk.full) return;
    chunk.full = true;
    chunk.node.replaceChildren(...chunk.rows.map((at) => {
      const row = R.rows[at];
      return el("div", { class: "row", "data-row": at }, el("span", { class: "no" }, String(at + 1)), sideOf(row, "key"), sideOf(row, "response"));
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

  function layText() {
    watcher.disconnect();
    const head = el("div", { class: "row head" }, el("span", null, ""), el("span", null, "Key"), el("span", null, `Response: ${D.systems[R.system]}`));
    const nodes = [head];
    let rows = [], tokens = 0;
    const close = () => {
      if (!rows.length) return;
      const at = R.chunks.length;
      const node = el("div", { class: "chunk", "data-chunk": at });
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
    R.chunks.slice(0, 3).forEach(fillChunk);
    R.chunks.forEach((chunk) => watcher.observe(chunk.node));
  }

  // ---------------------------------------------------------------- following entities
  let hovered = null;
  const paint = (number, on) => {
    if (number === null) return;
    for (const node of $("text").querySelectorAll(`[data-e~="${number}"]`)) node.classList.toggle("hot", on);
  };
  function mark(node) {
    if (R.entity !== null) for (const one of node.querySelectorAll(`[data-e~="${R.entity}"]`)) one.classList.add("hot");
    if (R.hits.length) markHits(node);
  }
  function numberAt(target) {
    const tag = target.closest(".tag");
    if (tag) return Number(tag.dataset.e);
    const seg = target.closest(".seg.in");
    return seg ? Number(seg.dataset.e.split(" ").pop()) : null;
  }
  function highlight(number) {
    if (R && hovered !== R.entity) paint(hovered, false);
    hovered = number;
    paint(number, true);
  }
  $("text").addEventListener("mouseover", (event) => {
    const number = numberAt(event.target);
    if (number === hovered) return;
    highlight(number);
  });
  $("text").addEventListener("mouseleave", () => highlight(null));
  $("text").addEventListener("click", (event) => {
    if (String(getSelection())) return;
    const number = numberAt(event.target);
    if (number === null) return;
    const tag = event.target.closest(".tag");
    const ids = tag ? [tag.dataset.m] : event.target.closest(".seg.in").dataset.ms.split(" ");
    select(number, ids.pop());
  });

  // The mentions of the selected entity on both sides; of equal spans, only that of the key.
  function entityMentions() {
    const spans = new Map();
    for (const m of [...R.key, ...R.res]) if (m.number === R.entity && !spans.has(spanKey(m))) spans.set(spanKey(m), m);
    return [...spans.values()].sort((a, b) => a.s - b.s || a.e - b.e);
  }

  function select(number, id) {
    paint(R.entity, false);
    R.entity = number;
    R.at = -1;
    if (number === null) { $("entity").replaceChildren(); remember(); return; }
    paint(number, true);
    const chosen = id && [...R.key, ...R.res].find((m) => m.id === id);
    R.at = chosen ? entityMentions().findIndex((m) => spanKey(m) === spanKey(chosen)) : -1;
    showEntity();
    remember();
  }

  function showEntity() {
    const number = R.entity;
    const key = R.key.filter((m) => m.number === number);
    const extra = R.res.filter((m) => m.number === number && m.key !== number && m.status !== "span");
    const title = (key.length ? key : extra).find((m) => m.type !== 2) || key[0] || extra[0];
    if (!title) { $("entity").replaceChildren(); return; }
    const found = key.filter((m) => m.status === "right" || (m.status === "span" && m.number === number)).length;
    const tag = makeTag(number, entityLabel(number), { class: "tag" });
    const facts = key.length
      ? `${found} of ${plural(key.length, "mention")} found` + (extra.length ? `, ${extra.length} that ${extra.length === 1 ? "does" : "do"} not belong` : "")
      : `response entity without a counterpart in the key, ${plural(extra.length, "mention")}`;
    const place = { right: "found", missing: "missing", misplaced: null, extra: "extra", span: "different boundaries" };
    const item = (m) => {
      const where = place[m.status] || (m.side === "key" ? `in ${entityLabel(m.other.number)}` : `belongs in ${m.key}`);
      return el("li", null, el("button", { type: "button", "data-go": m.id, onclick: () => { R.at = entityMentions().indexOf(m); go(m); current(); } }, el("span", { class: "words" }, mentionText(m)), el("i", null, where)));
    };
    $("entity").replaceChildren(
      el("h3", null, tag, mentionText(title)), el("p", { class: "soft" }, facts),
      el("ul", { class: "mentions" }, ...key.slice(0, 500).map(item), ...extra.slice(0, 500).map(item)),
      el("div", { class: "go" },
        el("button", { type: "button", onclick: () => step(-1) }, "← previous"), el("button", { type: "button", onclick: () => step(1) }, "next →"),
        el("button", { type: "button", onclick: () => select(null) }, "Clear")));
    current();
  }

  function current() {
    const mentions = entityMentions();
    for (const button of $("entity").querySelectorAll("[data-go]")) {
      const on = R.at >= 0 && mentions[R.at] && mentions[R.at].id === button.dataset.go;
      button.setAttribute("aria-current", String(Boolean(on)));
    }
  }

  function step(by) {
    const mentions = entityMentions();
    if (!mentions.length) return;
    R.at = R.at < 0 ? (by > 0 ? 0 : mentions.length - 1) : (R.at + by + mentions.length) % mentions.length;
    go(mentions[R.at]);
    current();
  }

  function go(m) {
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

  // ---------------------------------------------------------------- errors of the document
  const wanted = () => R.errors.filter((e) => (!R.kinds.size || R.kinds.has(e.kind)) && ($("type").value === "" || e.type === Number($("type").value)));

  function showErrors() {
    const counts = D.kinds.map((_, kind) => R.errors.filter((e) => e.kind === kind).length);
    $("kinds").replaceChildren(...D.kinds.map((title, kind) => counts[kind] ? el("button", { type: "button", "data-kind": kind, "aria-pressed": String(R.kinds.has(kind)), onclick: () => {
      if (!R.kinds.delete(kind)) R.kinds.add(kind);
      R.error = -1;
      showErrors();
      $("kinds").querySelector(`[data-kind="${kind}"]`).focus();
    } }, `${title} ${counts[kind]}`) : null).filter(Boolean));
    const errors = wanted();
    $("count").textContent = errors.length === R.errors.length ? String(errors.length) : `${errors.length} of ${R.errors.length}`;
    $("wrong").replaceChildren(...errors.slice(0, R.listed).map((e, at) => el("li", null, el("button", { type: "button", "aria-current": String(at === R.error), onclick: () => goError(at) },
      el("b", null, D.kinds[e.kind]), el("span", { class: "words" }, e.mentions.map((m) => mentionText(m, 40)).join(", ")), explain(e)))));
    $("more").hidden = errors.length <= R.listed;
  }

  function explain(e) {
    const part = e.meant ? ` should be “${mentionText(e.meant, 60)}”` : e.anchor ? `${[1, 2, 3].includes(e.kind) ? " not with" : " belongs with"} “${mentionText(e.anchor, 40)}”` : "";
    return part ? el("span", { class: "soft" }, part) : null;
  }

  function goError(at) {
    const errors = wanted();
    if (!errors.length) return;
    R.error = (at + errors.length) % errors.length;
    if (R.error >= R.listed) { R.listed = R.error + PAGE; showErrors(); }
    [...$("wrong").querySelectorAll("button")].forEach((button, place) => {
      button.setAttribute("aria-current", String(place === R.error));
      if (place === R.error) button.scrollIntoView({ block: "nearest" });
    });
    const e = errors[R.error];
    e.mentions.slice(1).forEach(flash);
    go(e.mentions[0]);
  }
  $("more").addEventListener("click", () => { R.listed += 5 * PAGE; showErrors(); });
  $("type").addEventListener("change", () => { R.error = -1; showErrors(); });
  $("type").replaceChildren(el("option", { value: "" }, "all"), ...D.types.map((name, at) => el("option", { value: at }, name + "s")));

  // ---------------------------------------------------------------- search
  function search() {
    for (const node of $("text").querySelectorAll(".hit")) node.classList.remove("hit");
    R.hits = []; R.hit = -1;
    const query = $("search").value.trim().toLowerCase();
    if (query && R.words) {
      const starts = [];
      let text = "";
      for (const word of R.words) { starts.push(text.length); text += word.toLowerCase() + " "; }
      let token = 0;
      for (let at = text.indexOf(query); at >= 0 && R.hits.length < 5000; at = text.indexOf(query, at + query.length)) {
        while (token + 1 < starts.length && starts[token + 1] <= at) token++;
        let last = token;
        while (last + 1 < starts.length && starts[last + 1] < at + query.length) last++;
        R.hits.push([token, last]);
      }
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
  function nextHit(by) {
    if (!R.hits.length) return;
    R.hit = (R.hit + by + R.hits.length) % R.hits.length;
    const token = R.hits[R.hit][0];
    const chunk = R.rows[rowOf(R.rows, token)].chunk;
    fillChunk(chunk);
    chunk.node.querySelector(`[data-i="${token}"]`).scrollIntoView({ block: "center" });
    $("hits").textContent = `${R.hit + 1} of ${R.hits.length}`;
  }
  $("search").addEventListener("input", search);
  $("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); nextHit(event.shiftKey ? -1 : 1); }
  });

  // ---------------------------------------------------------------- opening and closing
  options($("system"), D.systems, 0);
  options($("sides"), ["key and response", "key", "response"], 0);
  $("system").addEventListener("change", () => open(R.document, Number($("system").value), R.entity));
  $("sides").addEventListener("change", () => {
    $("text").className = ["", "only-key", "only-response"][$("sides").value];
  });
  const remember = () => history.replaceState(null, "", `#doc/${R.document}/${R.system}` + (R.entity === null ? "" : `/${R.entity}`));

  function open(at, system, entity) {
    const kinds = R ? R.kinds : new Set();
    R = read(at, system);
    R.kinds = kinds;
    const d = D.documents[at];
    $("overview").hidden = true;
    $("reader").hidden = false;
    $("name").textContent = d.name;
    const metric = D.metrics[D.metric];
    $("facts").textContent = `${plural(R.view.n, "token")} · ${plural(d.mentions, "mention")} · ${metric} ${percent(d.f1[system][D.metric])}`;
    $("system").value = system;
    hovered = null;
    layText();
    showErrors();
    search();
    $("search").disabled = !R.words;
    $("entity").replaceChildren();
    if (entity !== null && entity !== undefined) {
      select(entity);
      const first = entityMentions()[0];
      if (first) { R.at = 0; go(first); current(); return; }
    }
    scrollTo(0, 0);
    remember();
  }

  function close(section) {
    watcher.disconnect();
    R = null;
    $("reader").hidden = true;
    $("overview").hidden = false;
    if (section && $(section)) $(section).scrollIntoView();
  }

  function route() {
    const parts = /^#doc\/(\d+)(?:\/(\d+))?(?:\/(-?\d+))?$/.exec(location.hash);
    if (parts && linked(Number(parts[1])) && Number(parts[2] || 0) < D.systems.length) {
      const [at, system] = [Number(parts[1]), Number(parts[2] || 0)];
      const entity = parts[3] === undefined ? null : Number(parts[3]);
      open(at, system, entity);
      $("name").focus({ preventScroll: true });
    } else if (R || !$("reader").hidden) {
      close(location.hash.slice(1));
    }
  }
  addEventListener("hashchange", route);

  const neighbours = Object.keys(D.views).map(Number).sort((a, b) => a - b);
  function turn(by) {
    const at = neighbours[(neighbours.indexOf(R.document) + by + neighbours.length) % neighbours.length];
    open(at, R.system, null);
  }
  addEventListener("keydown", (event) => {
    if (!R || event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "Escape") {
      if (typing) event.target.blur();
      else if (R.entity !== null) select(null);
      else location.hash = "#documents";
      return;
    }
    if (typing) return;
    const actions = {
      n: () => goError(R.error + 1), p: () => goError(R.error < 0 ? -1 : R.error - 1),
      j: () => step(1), k: () => step(-1), "]": () => turn(1), "[": () => turn(-1),
      s: () => open(R.document, (R.system + 1) % D.systems.length, R.entity),
      "/": () => $("search").focus(), "?": () => $("keys").showModal(),
    };
    if (actions[event.key]) { event.preventDefault(); actions[event.key](); }
  });
  $("help").addEventListener("click", () => $("keys").showModal());
  addEventListener("beforeprint", () => { if (R && R.view.n <= 3 * BIG) R.chunks.forEach(fillChunk); });

  // ---------------------------------------------------------------- legend of the signs
  const example = (status, side, number, key, text, what) => {
    const m = { s: 0, e: 0, lane: 0, number, key, status, side };
    const seg = el("span", { class: "seg" }, makeTag(number, sign(m), { class: `tag ${status}` }), text);
    seg.style.setProperty("--lanes", 1);
    drawLines(seg, [line(m, 1)]);
    return el("li", null, seg, ` ${what}`);
  };
  $("signs").replaceChildren(
    example("right", "key", 1, 1, "ferry", "correct"), example("misplaced", "response", 2, 1, "it", "in 2, belongs in 1"),
    example("missing", "key", 1, 1, "boat", "not in the response"), example("extra", "response", -1, 0, "time", "not in the key (a letter: no such entity in the key)"),
    example("span", "response", 1, 1, "boat", "different boundaries"));
  route();
})();
