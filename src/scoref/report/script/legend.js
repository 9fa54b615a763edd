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
