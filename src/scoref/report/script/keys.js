// Everything by keyboard. Keys do nothing while a control has the focus, except Escape.
const documentKeys = {
  n: () => stepError(1), p: () => stepError(-1), j: () => step(1), k: () => step(-1), "]": () => turn(1), "[": () => turn(-1),
  s: () => goTo(documentPath((R.system + 1) % D.systems.length), { ...documentValues(), error: null }),
  f: () => $("search").focus(), t: () => { if (R.error) copyTestCase(R.system, { ...R.error, document: R.document }); },
  Escape: () => { if (R.entity !== null) selectEntity(null); else location.hash = $("back").getAttribute("href"); },
};
const caseKeys = {
  n: () => stepCase(1), p: () => stepCase(-1), j: () => stepCase(1), k: () => stepCase(-1), Enter: openCase, f: () => $("case-find").focus(),
  s: () => changeFilter({ system: (L.filter.system + 1) % D.systems.length, entity: null }),
  t: () => { if (L.at >= 0) copyTestCase(L.filter.system, L.found[L.at]); },
  Escape: () => { location.hash = $("cases-back").getAttribute("href"); },
};
const resultKeys = { Escape: () => { location.hash = $("results-back").getAttribute("href"); } };
const everywhere = { "/": () => $("query").focus(), "?": () => $("keys").showModal(), c: copyLink };

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open || event.defaultPrevented) return;
  const busy = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.target.isContentEditable;
  if (busy) { if (event.key === "Escape") event.target.blur(); return; }
  if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
  const own = shownView === "reader" ? documentKeys : shownView === "cases" ? caseKeys : shownView === "results" ? resultKeys : {};
  const action = own[event.key] || everywhere[event.key];
  if (action) { event.preventDefault(); action(); }
});
on("help", "click", () => $("keys").showModal());
