"use strict";
// The actions of the what-if editor on the selected mentions or words.
(() => {
  const Scoref = globalThis.Scoref;
  const { element: el, button, plural } = Scoref;
  const NEW = "new";

  Object.assign(Scoref.WhatIf.prototype, {
    // Change the annotation, show the effect, and say it.
    edit(change, chosen = this.chosen) {
      const before = this.now.document.conll[2];
      const edit = change();
      if (!edit) return;
      this.annotation.unsaved = true;
      this.chosen = chosen.filter((mention) => this.annotation.entityOf.has(mention) || this.annotation.keyOf.has(mention));
      const hadFocus = this.root.contains(document.activeElement);
      this.refresh(edit.map((one) => one.mention));
      if (hadFocus && !this.root.contains(document.activeElement)) this.text.focus({ preventScroll: true });
      this.say(`${plural(edit.length, "mention")} changed; CoNLL F1 of the document: ${Scoref.points(this.now.document.conll[2] - before)}`);
    },

    say(text) {
      this.status.textContent = text;
    },

    inResponse() {
      return this.chosen.filter((mention) => this.annotation.entityOf.has(mention));
    },

    // What an action applies to: the selected mentions of the response, key mentions that it
    // lacks, or words.
    subjects() {
      return this.range ? [`${this.range[0]}-${this.range[1]}`] : this.chosen;
    },

    moveTo(entity) {
      const subjects = this.subjects();
      this.edit(() => this.annotation.assign(subjects, entity === NEW ? this.annotation.newEntity() : Number(entity)), subjects);
    },

    mergeInto(entity) {
      const entities = new Set(this.inResponse().map((mention) => this.annotation.entityOf.get(mention)));
      const all = [...this.annotation.entityOf.keys()].filter((mention) => entities.has(this.annotation.entityOf.get(mention)));
      this.edit(() => this.annotation.assign(all, entity === NEW ? this.annotation.newEntity() : Number(entity)));
    },

    // From the first selected mention on, the rest of its entity becomes an entity of its own.
    splitHere() {
      const [first] = this.inResponse(), entity = this.annotation.entityOf.get(first);
      const mentions = this.annotation.entities().get(entity);
      const rest = mentions.slice(mentions.indexOf(first));
      this.edit(() => this.annotation.assign(rest, this.annotation.newEntity()), rest);
    },

    remove() {
      const mentions = this.inResponse();
      if (mentions.length) this.edit(() => this.annotation.assign(mentions, null));
    },

    followKey() {
      const mentions = this.chosen;
      this.edit(() => this.annotation.followKey(mentions));
    },

    chooseEntity() {
      const entities = new Set(this.inResponse().map((mention) => this.annotation.entityOf.get(mention)));
      this.choose([...this.annotation.entityOf.keys()].filter((mention) => entities.has(this.annotation.entityOf.get(mention))));
    },

    entityOptions() {
      const { annotation } = this;
      return [el("option", { value: NEW }, "a new entity"), ...[...annotation.entities()].map(([entity, mentions]) =>
        el("option", { value: entity }, `${annotation.names[entity]} · ${Scoref.mentionText(annotation, mentions[0], 30)} (${mentions.length})`))];
    },

    drawBar() {
      const { annotation, chosen, range } = this;
      const subjects = this.subjects(), inResponse = this.inResponse();
      this.bar.hidden = !subjects.length;
      if (!subjects.length) return this.bar.replaceChildren();
      const which = subjects.length === 1 ? Scoref.mentionText(annotation, subjects[0], 40) : plural(subjects.length, "mention");
      const where = range || (chosen.length && !inResponse.length) ? "not in the response"
        : subjects.length === 1 ? `entity ${annotation.names[annotation.entityOf.get(subjects[0])]}` : "selected";
      const select = el("select", { "aria-label": "Entity" }, this.entityOptions());
      const entity = annotation.entityOf.get(inResponse[0]);
      if (entity !== undefined) select.value = String(entity);
      const whole = inResponse.length ? annotation.entities().get(entity) : [];
      const parts = [
        el("span", { class: "wi-which" }, el("b", null, which), ` ${where}`), select,
        button(inResponse.length ? "Move" : "Add", () => this.moveTo(select.value), { "data-do": "move" }),
        inResponse.length ? button("Merge entities", () => this.mergeInto(select.value), { "data-do": "merge", title: "put all mentions of the entity into the chosen one" }) : null,
        inResponse.length ? button("Split off", () => this.moveTo(NEW), { "data-do": "split", disabled: whole.length === inResponse.length, title: "the selected mentions become a new entity" }) : null,
        inResponse.length === 1 && whole.length > 1 ? button("Split here", () => this.splitHere(), { "data-do": "split-here", disabled: whole[0] === inResponse[0], title: "this mention and the later ones of its entity become a new entity" }) : null,
        range ? null : button("As in the key", () => this.followKey(), { "data-do": "key", title: "put it where the key has it" }),
        inResponse.length ? button("Whole entity", () => this.chooseEntity(), { "data-do": "whole" }) : null,
        inResponse.length ? button("Remove", () => this.remove(), { "data-do": "remove" }) : null,
        button("Close", () => { this.choose([]); this.text.focus(); }, { "data-do": "close" }),
      ];
      this.bar.replaceChildren(...parts.filter((part) => part !== null));
    },
  });
})();
