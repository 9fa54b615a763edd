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
