"use strict";
// What if this link were right? An editor of a response in which every metric moves at once.
//
// Scoref.whatIf(element, { document, corpusCounts, annotations, key, onChange }): the document is as
// for Scoref.Annotation; corpusCounts are the counts of the other documents, if there are any;
// annotations is a Map in which the page keeps the annotation of each document under its key, so
// that edits stay when another document is opened; onChange gets { annotation, counts, scores }
// after each edit.
(() => {
  const Scoref = (globalThis.Scoref ??= {});
  const { element: el, button, plural } = Scoref;

  Scoref.whatIf = (host, options) => new WhatIf(host, options);

  // The annotations with edits, in the order of the documents.
  Scoref.edited = (annotations) => [...annotations].sort(([one], [other]) => one - other).map(([, annotation]) => annotation).filter((one) => one.done.length);

  class WhatIf {
    constructor(host, { document: given, corpusCounts = null, annotations = new Map(), key = 0, onChange = () => {} }) {
      if (!annotations.has(key)) annotations.set(key, new Scoref.Annotation(given));
      this.annotations = annotations;
      this.annotation = annotations.get(key);
      this.annotation.original ??= this.annotation.counts();
      this.others = corpusCounts;
      this.onChange = onChange;
      this.chosen = [];  // mentions, of either side
      this.range = null;  // or the first and last token of words that are no mention yet
      this.cursor = 0;
      this.hot = { words: new Set(), mentions: new Set(), cursor: 0 };  // what is marked
      this.build(host);
      this.byRow = { key: this.placeInRows(this.annotation.keyOf) };
      this.before = this.scores(this.annotation.original);
      this.refresh([]);
    }

    scores(counts, changes = []) {
      const corpus = this.others && Scoref.score(Scoref.addCounts([...this.others, ...changes, counts]));
      return { document: Scoref.score(counts), corpus };
    }

    // What the edits of other documents add to the counts of the corpus.
    otherChanges() {
      return Scoref.edited(this.annotations).filter((one) => one !== this.annotation)
        .flatMap((one) => [one.counts(), Scoref.negative(one.original)]);
    }

    // ------------------------------------------------------------ the parts of the editor
    build(host) {
      const { annotation } = this;
      this.cards = el("div", { class: "wi-scores" });
      this.tools = el("div", { class: "wi-tools" });
      this.entities = el("ol", { class: "wi-entities", "aria-label": "Entities of the response" });
      this.status = el("p", { class: "wi-status", role: "status", "aria-live": "polite" });
      this.bar = el("div", { class: "wi-bar", role: "toolbar", "aria-label": "Selected mentions" });
      this.text = el("div", { class: "wi-text", tabindex: 0, role: "group", "aria-label": "Text: arrow keys move over words, Shift selects words, Enter selects the mention, Delete removes it" });
      const starts = annotation.sentences;
      this.rows = starts.map((start, at) => ({ start, end: starts[at + 1] ?? annotation.length, filled: false }));
      for (const [at, row] of this.rows.entries()) Object.assign(row, { at, node: this.text.appendChild(el("div", { class: "wi-row", "data-row": at })) });
      const list = el("details", { class: "wi-side" }, el("summary", null, "Entities"), el("p", { class: "wi-hint" }, "Drop a mention on an entity, or an entity on another one to merge them."), this.entities);
      list.open = matchMedia("(min-width: 62rem)").matches;
      const head = el("div", { class: "wi-row wi-head" }, el("span", null, "Key"), el("span", null, "Response (click, drag or use the keyboard to edit)"));
      this.root = el("section", { class: "wi", "aria-label": "What if" }, this.tools, this.cards, this.status, el("div", { class: "wi-desk" }, el("div", null, head, this.text), list), this.bar);
      host.replaceChildren(this.root);
      this.watch();
      this.listen();
    }

    // Sentences get their words when they come into view: long documents open at once.
    watch() {
      const watcher = new IntersectionObserver((entries) => {
        for (const entry of entries) if (entry.isIntersecting) this.fill(this.rows[entry.target.dataset.row]);
      }, { rootMargin: "900px 0px" });
      for (const row of this.rows) watcher.observe(row.node);
      addEventListener("beforeprint", () => this.rows.forEach((row) => this.fill(row)));
    }

    listen() {
      const { root, text } = this;
      root.addEventListener("keydown", (event) => this.undoByKey(event));
      root.addEventListener("keydown", (event) => event.stopPropagation());  // the page has keys of its own
      text.addEventListener("keydown", (event) => this.typed(event));
      text.addEventListener("click", (event) => this.clicked(event));
      text.addEventListener("mouseup", () => this.selectWords());
      root.addEventListener("dragstart", (event) => {
        const { m, e } = event.target.dataset || {};
        this.dragged = m ? this.together(m) : e ? this.annotation.entities().get(Number(e)) : null;
        if (this.dragged) event.dataTransfer.setData("text/plain", m || e);
      });
      root.addEventListener("dragover", (event) => { if (this.dragged && this.target(event) !== null) event.preventDefault(); });
      root.addEventListener("drop", (event) => {
        const target = this.target(event);
        if (!this.dragged || target === null) return;
        event.preventDefault();
        this.edit(() => this.annotation.assign(this.dragged, target), this.dragged);
        this.dragged = null;
      });
    }

    together(mention) {
      return this.chosen.includes(mention) ? this.chosen.filter((one) => this.annotation.entityOf.has(one)) : [mention];
    }

    // The response entity under a pointer, or null.
    target(event) {
      const item = event.target.closest?.("[data-e]"), chip = event.target.closest?.(".wi-chip[data-side=response]");
      if (item) return Number(item.dataset.e);
      return chip ? this.annotation.entityOf.get(chip.dataset.m) ?? null : null;
    }

    // ------------------------------------------------------------ drawing
    // The mentions in each row; a mention can reach over several.
    placeInRows(mentions) {
      const found = this.rows.map(() => []);
      for (const mention of mentions.keys()) {
        const [start, end] = Scoref.span(mention);
        for (let at = this.rowOf(start); at < found.length && this.rows[at].start <= end; at++) found[at].push(mention);
      }
      return found;
    }

    rowOf(token) {
      return Scoref.rowOf(this.rows, token);
    }

    fill(row) {
      if (row.filled) return;
      row.filled = true;
      const sentence = (side) => Scoref.markedSentence(this.annotation, side, this.byRow[side][row.at], row.start, row.end);
      row.node.replaceChildren(sentence("key"), sentence("response"));
      this.mark(row.node);
    }

    // Show the scores, and the rows of the mentions that changed.
    refresh(changed) {
      const counts = this.annotation.counts();
      this.now = this.scores(counts, this.otherChanges());
      this.cards.replaceChildren(Scoref.scoreCards(this.now, this.before));
      this.byRow.response = this.placeInRows(this.annotation.entityOf);
      for (const at of new Set(changed.flatMap((mention) => {
        const [first, last] = Scoref.span(mention).map((token) => this.rowOf(token));
        return Array.from({ length: last - first + 1 }, (_, step) => first + step);
      }))) {
        const row = this.rows[at], wasFilled = row.filled;
        row.filled = false;
        if (wasFilled) this.fill(row);
      }
      this.drawTools();
      this.drawEntities();
      this.choose(this.chosen);
      this.onChange({ annotation: this.annotation, counts, scores: this.now });
    }

    drawTools() {
      const { done, undone } = this.annotation;
      const step = (name, stack) => button(name, () => this.edit(() => this.annotation[name.toLowerCase()]()), { disabled: !stack.length, "data-do": name.toLowerCase() });
      const choice = el("select", { "aria-label": "What to export" }, Scoref.EXPORTS.map(({ title }, at) => el("option", { value: at }, title)));
      this.tools.replaceChildren(
        step("Undo", done), step("Redo", undone),
        el("span", { class: "wi-hint" }, done.length ? plural(done.length, "edit") : "no edits yet"),
        el("span", { class: "wi-gap" }), choice, button("Export", () => this.export([this.annotation], Scoref.EXPORTS[choice.value]), { "data-do": "export" }),
        this.exportAll(choice));
    }

    // A button that exports every edited document, if another one has edits.
    exportAll(choice) {
      const edited = Scoref.edited(this.annotations);
      if (!edited.some((one) => one !== this.annotation)) return "";
      return button(`Export ${plural(edited.length, "edited document")}`, () => this.export(edited, Scoref.EXPORTS[choice.value]), { "data-do": "export-all" });
    }

    export(annotations, { suffix, write }) {
      const [first, ...others] = annotations, name = others.length ? "edited" : first.name.replace(/[^\w.-]+/g, "_") || "document";
      try {
        const text = write(annotations.map((one) => ({ ...one, entities: one.response() })));
        Scoref.download(`${name}.${suffix}`, text);
        for (const one of annotations) one.unsaved = false;
        const mentions = annotations.reduce((sum, one) => sum + one.entityOf.size, 0);
        this.say(`exported ${plural(mentions, "mention")} of ${plural(annotations.length, "document")}`);
      } catch (error) {
        this.say(`not exported: ${error.message}`);
      }
    }

    drawEntities() {
      const { annotation } = this;
      const items = [...annotation.entities()].map(([entity, mentions]) => el("li", null,
        button([Scoref.chip(annotation.names[entity]), ` ${Scoref.mentionText(annotation, mentions[0], 28)} `, el("small", null, String(mentions.length))],
          () => this.choose(mentions), { "data-e": entity, draggable: "true", title: `select the ${plural(mentions.length, "mention")} of entity ${annotation.names[entity]}` })));
      this.entities.replaceChildren(...items);
    }

    mark(node) {
      const { words, mentions } = this.hot;
      for (const word of node.querySelectorAll("[data-i]")) {
        const token = Number(word.dataset.i);
        word.classList.toggle("wi-hot", words.has(token));
        word.classList.toggle("wi-cursor", token === this.cursor && word.closest("[data-side]").dataset.side === "response");
      }
      for (const one of node.querySelectorAll("[data-m]")) one.classList.toggle("wi-hot", mentions.has(one.dataset.m));
    }

    // Mark what is chosen, only in the rows that have it or had it.
    markChosen() {
      const words = new Set(), before = this.hot;
      for (const mention of this.chosen) for (const [first, last] of Scoref.parts(mention)) for (let at = first; at <= last; at++) words.add(at);
      if (this.range) for (let at = this.range[0]; at <= this.range[1]; at++) words.add(at);
      this.hot = { words, mentions: new Set(this.chosen), cursor: this.cursor };
      const rows = new Set([...words, ...before.words, this.cursor, before.cursor].map((token) => this.rowOf(token)));
      for (const at of rows) if (this.rows[at].filled) this.mark(this.rows[at].node);
    }

    // ------------------------------------------------------------ choosing
    choose(mentions, range = null) {
      this.chosen = mentions;
      this.range = range;
      this.markChosen();
      this.drawBar();
    }

    clicked(event) {
      const chip = event.target.closest("[data-m]"), word = event.target.closest("[data-i]");
      if (chip) {
        const mention = chip.dataset.m, more = event.shiftKey || event.ctrlKey || event.metaKey;
        this.cursor = Scoref.span(mention)[0];
        this.choose(more ? [...this.chosen.filter((one) => one !== mention), ...(this.chosen.includes(mention) ? [] : [mention])] : [mention]);
      } else if (word && !String(getSelection())) {
        const token = Number(word.dataset.i), from = this.cursor;
        if (event.shiftKey) return this.chooseWords(Math.min(from, token), Math.max(from, token));
        this.cursor = token;
        this.chooseAt(token, word.closest("[data-side]").dataset.side);
      } else if (!word) this.choose([]);
    }

    // The innermost mention around a word; if it is chosen already, the next one around it.
    chooseAt(token, side = "response") {
      const mentions = [...(side === "key" ? this.annotation.keyOf : this.annotation.entityOf).keys()];
      const around = mentions.filter((mention) => Scoref.parts(mention).some(([first, last]) => first <= token && token <= last));
      const length = (mention) => Scoref.span(mention)[1] - Scoref.span(mention)[0];
      around.sort((one, other) => length(one) - length(other));
      if (!around.length) return this.chooseWords(token, token);
      this.choose([around[(around.indexOf(this.chosen[0]) + 1) % around.length]]);
    }

    chooseWords(first, last) {
      const mention = `${first}-${last}`;
      if (this.annotation.entityOf.has(mention)) this.choose([mention]);
      else this.choose([], [first, last]);
    }

    // Words that the user has marked with the pointer.
    selectWords() {
      const marked = getSelection();
      if (!marked || marked.isCollapsed || !marked.rangeCount) return;
      const words = [...this.text.querySelectorAll("[data-side=response] [data-i]")].filter((word) => marked.containsNode(word, true)).map((word) => Number(word.dataset.i));
      if (!words.length) return;
      marked.removeAllRanges();
      this.cursor = words[0];
      this.chooseWords(words[0], words[words.length - 1]);
    }

    typed(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const last = this.annotation.length - 1;
      if (step && event.shiftKey) {
        const [low, high] = this.range ?? (this.chosen.length === 1 ? Scoref.span(this.chosen[0]) : [this.cursor, this.cursor]);
        this.chooseWords(Math.max(0, low + Math.min(step, 0)), Math.min(last, high + Math.max(step, 0)));
      } else if (step) {
        this.goTo(Math.max(0, Math.min(last, this.cursor + step)));
      } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
        const next = this.rows[this.rowOf(this.cursor) + (event.key === "ArrowDown" ? 1 : -1)];
        if (next) this.goTo(next.start);
      } else if (event.key === "Enter" || event.key === " ") this.chooseAt(this.cursor);
      else if (event.key === "Delete" || event.key === "Backspace") this.remove();
      else if (event.key === "Escape") this.choose([]);
      else return;
      event.preventDefault();
    }

    goTo(token) {
      this.cursor = token;
      const row = this.rows[this.rowOf(token)];
      this.fill(row);
      this.choose([]);
      row.node.querySelector(`[data-side=response] [data-i="${token}"]`)?.scrollIntoView({ block: "nearest" });
    }

    undoByKey(event) {
      const key = event.key.toLowerCase();
      if (!(event.ctrlKey || event.metaKey) || !["z", "y"].includes(key)) return;
      event.preventDefault();
      const again = key === "y" || event.shiftKey;
      this.edit(() => (again ? this.annotation.redo() : this.annotation.undo()));
    }
  }

  Scoref.WhatIf = WhatIf;
  Scoref.EXPORTS = [
    { title: "Response as CoNLL", suffix: "response.conll", write: (documents) => Scoref.writeConll(documents) },
    { title: "Response as JSON lines", suffix: "response.jsonl", write: (documents) => Scoref.writeJsonLines(documents) },
    { title: "Adjudicated key as CoNLL", suffix: "key.conll", write: (documents) => Scoref.writeConll(documents) },
    { title: "Adjudicated key as JSON lines", suffix: "key.jsonl", write: (documents) => Scoref.writeJsonLines(documents) },
  ];
})();
