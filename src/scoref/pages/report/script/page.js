// What all views share: the data, systems, entities, addresses, tips, copying.
const { element: el, svg, button, byId: $, on, options, thousands: count, plural, percent, points, shorten, colour, saveCsv, groupBy, rowOf } = Scoref;
const D = JSON.parse($("data").textContent);
Scoref.switchTheme();

// What the repair of one error is worth: small in a large corpus, so with as many digits as it takes.
function worth(millionths) {
  if (millionths === null || millionths === undefined) return "–";
  const size = Math.abs(millionths) / 1e4;
  return points(millionths / 1e6, size >= 0.1 || size === 0 ? 2 : size >= 0.01 ? 3 : 4);
}

const entityLabel = (number) => (number >= 0 ? String(number) : Scoref.letters(-number));
// Three styles of signs: entities 1 and 13 have the same colour, but not the same sign.
const STYLES = 3;
const styleOf = (number) => (number > 0 ? Math.floor((number - 1) / Scoref.HUES) % STYLES : 0);

// The identity of a system: a mark of its own shape and colour, and a letter.
const systemPath = (at) => svg("path", { d: D.marks[D.systems[at].mark], "fill-rule": "evenodd" });
const systemMark = (at) =>
  svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true", class: `mark s${D.systems[at].hue}` }, systemPath(at));
const badge = (at) => el("span", { class: "badge" }, systemMark(at), el("b", null, D.systems[at].letter));
const systemName = (at) => D.systems[at].name;
// One system needs no letter.
const systemTitle = (at) => (D.systems.length > 1 ? `${D.systems[at].letter} ${systemName(at)}` : systemName(at));
const signedSystem = (at) =>
  el("span", { class: "system" }, D.systems.length > 1 ? badge(at) : null, el("span", { class: "name" }, systemName(at)));
const systemTitles = () => D.systems.map((_, at) => systemTitle(at));
const isSystem = (at) => Number.isInteger(at) && at >= 0 && at < D.systems.length;

// The whole state of the page is its address: #path?name=value&name=value
function readAddress(hash = location.hash) {
  const [path, query = ""] = hash.replace(/^#/, "").split("?");
  const values = {};
  for (const [name, value] of new URLSearchParams(query)) values[name] = value;
  return { path, values };
}

function writeAddress(path, values = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "") query.set(name, value);
  }
  const written = String(query);
  return `#${path}` + (written ? `?${written}` : "");
}

// A step that the back button can undo, and a change that it need not undo.
const goTo = (path, values) => { location.hash = writeAddress(path, values); };
function rewrite(path, values) {
  try {
    history.replaceState(null, "", writeAddress(path, values));
  } catch {
    // A frame of a notebook has no address of its own.
  }
}
const integer = (text, otherwise = null) => (/^-?\d+$/.test(text || "") ? Number(text) : otherwise);

// One tooltip for all charts: for the pointer and for the keyboard.
function showTip(node, lines) {
  const tip = $("tip"), box = node.getBoundingClientRect();
  tip.replaceChildren(...lines.map((line, at) => el(at ? "span" : "b", null, line)));
  tip.hidden = false;
  const width = tip.offsetWidth, height = tip.offsetHeight;
  const left = Math.min(Math.max(8, box.left + box.width / 2 - width / 2), document.documentElement.clientWidth - width - 8);
  const above = box.top - height - 8;
  tip.style.left = `${left}px`;
  tip.style.top = `${above < 8 ? box.bottom + 8 : above}px`;
}
const hideTip = () => { $("tip").hidden = true; };

function withTip(node, lines) {
  node.setAttribute("aria-label", lines.join(", "));
  for (const event of ["mouseenter", "focus"]) node.addEventListener(event, () => showTip(node, lines));
  for (const event of ["mouseleave", "blur"]) node.addEventListener(event, hideTip);
  return node;
}
addEventListener("scroll", hideTip, { passive: true });
addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });

// Copying, with a short confirmation that screen readers announce too.
function toast(text) {
  const node = $("toast");
  node.textContent = text;
  node.classList.add("on");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => node.classList.remove("on"), 2500);
}

function copyOldWay(text) {
  const area = el("textarea", { readonly: true, class: "hidden" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

function copyText(text, said) {
  const failed = () => toast(copyOldWay(text) ? said : "The browser does not allow copying");
  if (!navigator.clipboard) { failed(); return; }
  navigator.clipboard.writeText(text).then(() => toast(said), failed);
}
const copyLink = () => copyText(location.href, "Link copied");
on("copy-signature", "click", () => copyText($("signature").textContent, "Signature copied"));
on("copy-link", "click", copyLink);
