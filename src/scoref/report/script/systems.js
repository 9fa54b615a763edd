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
