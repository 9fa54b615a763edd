// The what-if editor above the text of a document: edit the response, and every metric moves. Each
// system has its own edited documents. They stay as long as the page, and the page asks before it is
// left with edits that were not exported.
const annotations = D.systems.map(() => new Map());
addEventListener("beforeunload", (event) => {
  if (annotations.some((kept) => Scoref.edited(kept).some((one) => one.unsaved))) event.preventDefault();
});
const editorTitle = (edits) => "What if … edit this response" + (edits ? ` (${plural(edits, "edit")})` : "");

function entitiesOf(mentions) {
  const found = new Map();
  for (const { entity, parts } of mentions) {
    if (!found.has(entity)) found.set(entity, []);
    found.get(entity).push(parts.map(([first, last]) => `${first}-${last}`).join(","));
  }
  return found;
}

// The counts of the other documents: those of all documents, without those of this one.
function otherCounts(doc, key, response) {
  return [...D.totals[doc.system], Scoref.negative(Scoref.countDocument(key, response))];
}

onDocument((root, doc) => {
  $("reader").classList.remove("editing");
  if (!D.totals || [...doc.key, ...doc.response].some((m) => !m.parts.length)) return;
  const sides = [doc.key, doc.response].map(entitiesOf);
  const [key, response] = sides.map((side) => [...side.values()]);
  const [keyNames, responseNames] = sides.map((side) => [...side.keys()].map(doc.label));
  const kept = annotations[doc.system], title = () => editorTitle(kept.get(doc.index)?.done.length);
  const place = el("div", { class: "wi-place", hidden: true });
  const toggle = el("button", { type: "button", "aria-expanded": "false", onclick: () => {
    const opens = place.hidden;
    if (opens && !place.childNodes.length) {
      Scoref.whatIf(place, {
        document: { name: D.documents[doc.index].id?.[0] ?? doc.name, part: D.documents[doc.index].id?.[1] ?? 0, words: doc.words, length: doc.tokens, sentences: doc.sentences, key, response, keyNames, responseNames },
        corpusCounts: D.documents.length > 1 ? otherCounts(doc, key, response) : null,
        annotations: kept, key: doc.index,
      });
    }
    place.hidden = !opens;
    toggle.setAttribute("aria-expanded", String(opens));
    toggle.textContent = opens ? "Back to reading" : title();
    $("reader").classList.toggle("editing", opens);
  } }, title());
  root.replaceChildren(toggle, place);
  root.hidden = false;
});
