"use strict";
// Read CoNLL columns by the rules of the manual. What is doubtful or rare is refused, never guessed.
(() => {
  const Scoref = (globalThis.Scoref ??= {});
  // Blanks are ASCII: a no-break space is part of a word or of a cell.
  const BEGIN = /^#[ \t]*begin[ \t]+document\b[ \t]*(.*?)[ \t]*$/, END = /^#[ \t]*end[ \t]+document\b/;
  const NAMES = [/^\(([^();\s]+)\)(?:; part (\d{1,9}))?$/, /^([^();\s]+)$/];
  const BRACKET = /^(\()?([\w.:-]*[0-9])(\))?$/, NO_MENTION = /^[-_*]$/;
  const BY_SENTENCE = 12;  // from so many columns on, sentences can differ: each predicate adds one

  Scoref.readConll = (text, file) => new Reader(text, file).read();

  class Reader {
    constructor(text, file) {
      Object.assign(this, { file, lines: text.split("\n"), documents: [], here: null, number: 0, mark: null, id: null });
    }

    refuse(found, expected, hint = "check the program that wrote the file", line = this.number) {
      throw new Scoref.FormatError(this.file, line, found, expected, hint);
    }

    read() {
      for (const line of this.lines) {
        this.number++;
        this.readLine(line.replace(/\r$/, ""));
      }
      this.refuseOpen();
      return this.documents.map(({ name, part, line, words, sentences, entities }) => ({
        name, part, line, id: part ? `${name}_${part}` : name, sentences: sentences.length ? sentences : [0], length: words.length,
        words: wordColumn(words), entities: [...entities.values()],
      }));
    }

    readLine(line) {
      if (line.includes("\r")) this.refuse("a carriage return inside a line", "lines of text");
      const begin = BEGIN.exec(line);
      if (begin) this.open(begin[1]);
      else if (END.test(line)) this.end();
      else if (/^[ \t]*$/.test(line)) this.newSentence = true;
      else if (line.startsWith("#")) this.refuse("a line with `#` that could be a token or a comment", "`#begin document`, `#end document` or a token", "score this file with the command `scoref score`");
      else this.readToken(line);
    }

    open(heading) {
      this.refuseOpen();
      const found = NAMES.map((pattern) => pattern.exec(heading)).find(Boolean);
      if (!found) this.refuse(`the heading \`${heading.slice(0, 60)}\``, "`#begin document (name); part 000`");
      this.here = { name: found[1], part: Number(found[2] || 0), line: this.number, words: [], sentences: [], entities: new Map(), open: new Map(), columns: null };
      this.documents.push(this.here);
      this.newSentence = true;
    }

    refuseOpen() {
      if (this.here) this.refuse(`document ${this.here.name} without \`#end document\``, "an end of each document", "is the file complete?", this.here.line);
    }

    end() {
      const { here } = this;
      if (!here) this.refuse("`#end document`", "an earlier `#begin document`");
      for (const [id, starts] of here.open) {
        if (starts.length) this.refuse(`\`(${id}\``, `a later \`${id})\` in document ${here.name}`, "close the bracket on the last token of the mention", starts[0].line);
      }
      this.here = null;
    }

    readToken(line) {
      const { here } = this;
      if (!here) this.refuse("a token outside a document", "`#begin document (name); part 000` first");
      if (/\t[ \t]*$/.test(line)) this.refuse("a line that ends in a tab", "a cell at the end of the line", "write `-` for no mention");
      const content = line.replace(/ +$/, ""), isTabbed = content.includes("\t");
      const cells = isTabbed ? content.split("\t") : content.replace(/^ +/, "").split(/ +/);
      const before = here.columns, isFirst = this.newSentence || !before;
      const differs = before && before.width !== cells.length && !(isFirst && Math.min(before.width, cells.length) >= BY_SENTENCE);
      if (before && (before.isTabbed !== isTabbed || differs)) {
        this.refuse(`a line of ${Scoref.plural(cells.length, "column")} ${isTabbed ? "with" : "without"} tabs`, `${before.width} ${before.isTabbed ? "with" : "without"} tabs as in line ${before.line}`, "add the cell that is missing, or remove the cell that is too many");
      }
      here.columns = { width: cells.length, isTabbed, line: this.number };
      if (isFirst) here.sentences.push(here.words.length);
      this.newSentence = false;
      this.readCell(cells[cells.length - 1].replace(/^ +| +$/g, ""));
      here.words.push(cells.slice(0, -1));
    }

    // The brackets of a token: mentions of one token, then openings, then closings.
    readCell(cell) {
      if (NO_MENTION.test(cell)) {
        this.mark ??= { cell, line: this.number };
        if (cell !== this.mark.cell) this.refuse(`\`${cell}\` for no mention`, `\`${this.mark.cell}\` as in line ${this.mark.line}`, "write no mention in one way");
        return;
      }
      const { here } = this, token = here.words.length;
      const brackets = cell.split("|").map((part) => BRACKET.exec(part));
      if (!brackets.every((one) => one && (one[1] || one[3]))) {
        this.refuse(`the cell \`${cell.slice(0, 40)}\``, "`-`, or brackets with entity ids such as `(5`, `5)` and `(5)|(7`", "the entities must be in the last column, and their ids must end in a digit");
      }
      const isNumber = (id) => /^[0-9]+$/.test(id), first = (this.id ??= brackets[0][2]), other = brackets.find(([, , id]) => isNumber(id) !== isNumber(first));
      if (other) this.refuse(`the entity id \`${other[2]}\``, `an id of the kind of \`${first}\``, "write all ids as numbers, or none");
      for (const [, opens, id, closes] of brackets) {
        if (opens && closes) this.addMention(id, token);
        else if (opens) here.open.set(id, [...(here.open.get(id) || []), { token, line: this.number }]);
      }
      for (const [, opens, id] of brackets.filter(([, opens]) => !opens)) {
        const start = here.open.get(id)?.pop();
        if (!start) this.refuse(`\`${id})\``, `an earlier \`(${id}\` in document ${here.name}`, `write \`(${id}\` on the first token of the mention, or remove \`${id})\``);
        this.addMention(id, start.token);
      }
    }

    addMention(id, start) {
      const { entities, words } = this.here;
      if (!entities.has(id)) entities.set(id, []);
      entities.get(id).push(`${start}-${words.length}`);
    }
  }

  // The words are in the column after the one that counts the tokens of a sentence.
  function wordColumn(rows) {
    if (!rows.length) return [];
    const counts = (column) => {
      const first = Number(rows[0][column]);
      let expected = first;
      return (first === 0 || first === 1) && rows.every((cells) => {
        const number = Number(cells[column]), fits = number === expected || number === first;
        expected = number + 1;
        return fits;
      });
    };
    // The third column comes before the second, which has the part of the document.
    const column = [2, 0, 1].find((at) => rows[0].length > at + 1 && counts(at));
    return column === undefined ? null : rows.map((cells) => cells[column + 1] ?? "_");
  }
})();
