"use strict";
// The playground: input from examples, from the keyboard or from files; scores, formulas, what if.
(() => {
  const { element: el, byId: $ } = Scoref;
  const { examples } = JSON.parse($("data").textContent);
  const SIDES = ["key", "response"];
  const files = { key: null, response: null };  // { name, bytes } of a file that takes the place of the text
  let documents = [], counts = [];
  const annotations = new Map();  // edits stay when another document is opened

  Scoref.switchTheme();

  // ---------------------------------------------------------------- input
  function takeExample() {
    const example = examples[$("example").value];
    if (!example) return;
    $("about").textContent = example.about;
    for (const side of SIDES) {
      dropFile(side);
      $(`${side}-text`).value = example[side];
    }
    read();
  }

  function dropFile(side) {
    files[side] = null;
    $(`${side}-file`).value = "";
    $(`${side}-said`).replaceChildren();
    $(`${side}-text`).hidden = false;
  }

  async function takeFile(side, file) {
    files[side] = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
    own();
    $(`${side}-text`).hidden = true;
    $(`${side}-said`).replaceChildren(el("b", null, file.name), " ", Scoref.button("Type instead", () => { dropFile(side); read(); }));
    read();
  }

  const own = () => {
    $("example").value = "";
    $("about").textContent = "";
  };

  // Read both sides. With a problem, say it, and leave what was shown before.
  function read() {
    $("problem").hidden = true;
    try {
      if (Boolean(files.key) !== Boolean(files.response)) {
        say(`now drop a file for the ${files.key ? "response" : "key"}`);
        return;
      }
      documents = files.key ? readFiles() : [Scoref.namedDocument("document", ...SIDES.map((side) => Scoref.parseEntities($(`${side}-text`).value, side)))];
    } catch (error) {
      if (!(error instanceof Scoref.FormatError)) throw error;
      say(error.message, error.hint);
      return;
    }
    annotations.clear();
    counts = documents.map((one) => Scoref.countDocument(one.key, one.response));
    $("documents").hidden = documents.length < 2;
    Scoref.options($("document"), documents.map((one) => one.name));
    show();
  }

  function readFiles() {
    const sides = SIDES.map((side) => Scoref.readFile(files[side].bytes, files[side].name, side === "response"));
    return Scoref.pairDocuments(...sides);
  }

  function say(message, hint) {
    $("problem").replaceChildren(message, ...(hint ? [el("span", { class: "soft" }, ` (${hint})`)] : []));
    $("problem").hidden = false;
  }

  // ---------------------------------------------------------------- scores and formulas
  function show() {
    const at = Number($("document").value) || 0;
    Scoref.whatIf($("whatif"), {
      document: documents[at],
      corpusCounts: documents.length > 1 ? counts.filter((_, other) => other !== at) : null,
      annotations, key: at,
      onChange: ({ annotation }) => {
        if (!files.response && annotation.done.length + annotation.undone.length) writeResponse(annotation);
        work(annotation);
      },
    });
  }

  // What was typed follows the edits.
  function writeResponse(annotation) {
    $("response-text").value = annotation.response().map((entity) => entity.map((mention) => Scoref.mentionText(annotation, mention, Infinity)).join(" ")).join("\n");
  }

  function work(annotation) {
    const response = annotation.response();
    const names = { key: annotation.keyNames, response: [...annotation.entities().keys()].map((entity) => annotation.names[entity]) };
    $("tables").replaceChildren(entityTable("K", annotation, annotation.key, names.key), entityTable("R", annotation, response, names.response));
    $("worked").replaceChildren(...Scoref.worked(annotation.key, response, names).map(({ name, idea, lines }) => el("section", { class: "metric", "data-metric": name },
      el("h3", null, Scoref.METRIC_TITLES[name]), el("p", { class: "soft" }, idea),
      el("dl", null, lines.flatMap(([title, formula]) => [el("dt", null, title), el("dd", null, formula)])))));
  }

  const MOST_ROWS = 30, MOST_MENTIONS = 20;
  function entityTable(letter, annotation, entities, names) {
    const rows = entities.slice(0, MOST_ROWS).map((mentions, at) => el("tr", null,
      el("th", { scope: "row" }, `${letter}${names[at]}`), el("td", null, String(mentions.length)),
      el("td", null, mentions.slice(0, MOST_MENTIONS).map((mention) => Scoref.mentionText(annotation, mention, 30)).join(" · ") + (mentions.length > MOST_MENTIONS ? " …" : ""))));
    const more = entities.length > MOST_ROWS ? [el("p", { class: "soft" }, `and ${entities.length - MOST_ROWS} more`)] : [];
    return el("div", null, el("table", null,
      el("caption", null, letter === "K" ? "Entities of the key" : "Entities of the response"),
      el("thead", null, el("tr", null, ["entity", "size", "mentions"].map((title) => el("th", { scope: "col" }, title)))), el("tbody", null, rows)), more);
  }

  // ---------------------------------------------------------------- events
  $("example").append(el("option", { value: "" }, "your own"), ...examples.map(({ title }, at) => el("option", { value: at }, title)));
  $("example").value = "0";
  Scoref.on("example", "change", takeExample);
  Scoref.on("document", "change", show);
  for (const side of SIDES) {
    $(`${side}-text`).addEventListener("input", () => { own(); read(); });
    $(`${side}-file`).addEventListener("change", (event) => { if (event.target.files[0]) takeFile(side, event.target.files[0]); });
  }
  for (const box of document.querySelectorAll(".drop")) {
    box.addEventListener("dragover", (event) => { event.preventDefault(); box.classList.add("over"); });
    box.addEventListener("dragleave", () => box.classList.remove("over"));
    box.addEventListener("drop", (event) => {
      event.preventDefault();
      box.classList.remove("over");
      if (event.dataTransfer.files[0]) takeFile(box.dataset.side, event.dataTransfer.files[0]);
    });
  }
  takeExample();
})();
