"use strict";
// Read CoNLL columns by the rules of the manual. What is doubtful is refused, never guessed.
(() => {
  const Scoref = (globalThis.Scoref ??= {});
  // Blanks are ASCII: a no-break space is part of a word or of a cell.
  const BEGIN = /^#[ \t]*begin[ \t]+document\b[ \t]*(.*?)[ \t]*$/, END = /^#[ \t]*end[ \t]+document\b/;
  const trimEnd = (text) => text.replace(/[ \t]+$/, "");
  const NAMES = [/^\(([^();\s]*)\)(?:; part (\d{1,9}))?$/, /^([^();\s]+)$/];
  const CHUNK = /(\()?([^()|*\s]+)(\))?/y, ODD = /[\p{Z}\p{C}]/u;
  const MARKS = new Set(["-", "_", "*"]);
  const BY_SENTENCE = 12;  // from so many columns on, sentences can differ: each predicate adds one
  const CLASSES = new Set(("person per norp fac facility org organization gpe loc location product event work_of_art law language"
    + " date time percent money quantity ordinal cardinal number num misc other").split(" "));
  const CELL = "`-`, or brackets with entity ids such as `(5`, `5)` and `(5)|(7`";

  Scoref.readConll = (text, file) => new Reader(text, file).read();

  class Reader {
    constructor(text, file) {
      Object.assign(this, { file, lines: text.split("\n"), documents: [], here: null, number: 0, marks: new Map(), ids: new Map() });
    }

    refuse(found, expected, hint = "check the program that wrote the file", line = this.number) {
      throw new Scoref.FormatError(this.file, line, found, expected, hint);
    }

    read() {
      for (const line of this.lines) {
        this.number++;
        this.readLine(line.replace(/\r$/, ""));
      }
      this.number = 0;
      if (this.here) this.close();
      if (!this.documents.length) this.refuse("no `#begin document` line", "documents that start with `#begin document (name); part 000`", "is this a CoNLL file?");
      this.checkEnds();
      this.checkSigns();
      this.checkNames();
      return this.documents.map(({ name, part, words, sentences, entities, tokens }) => ({
        name, part, id: part ? `${name}_${part}` : name, sentences: sentences.length ? sentences : [0], length: tokens,
        words: this.wordColumn(words), entities: [...entities.values()],
      }));
    }

    readLine(line) {
      if (line.includes("\r")) this.refuse("a carriage return inside a line", "lines of text");
      const begin = BEGIN.exec(line);
      if (begin) this.open(begin[1]);
      else if (END.test(line)) this.end();
      else if (!trimEnd(line)) this.newSentence = true;
      else if (line.startsWith("#")) this.checkComment(line);
      else this.readToken(line);
    }

    open(heading) {
      if (this.here) this.close();
      const name = NAMES.map((pattern) => pattern.exec(heading)).find(Boolean);
      if (!name) this.refuse(`the heading \`${heading.slice(0, 60)}\``, "`#begin document (name); part 000`");
      this.here = { name: name[1], part: Number(name[2] || 0), line: this.number, tokens: 0, words: [], sentences: [], entities: new Map(), open: new Map(), columns: null };
      this.documents.push(this.here);
      this.newSentence = true;
    }

    end() {
      if (this.here) this.here.hasEnd = true;
      this.close();
    }

    close() {
      const here = this.here;
      this.here = null;
      if (!here) return;
      for (const [id, starts] of here.open) {
        if (starts.length) this.refuse(`\`(${id}\``, `a later \`${id})\` in document ${here.name}`, "close the bracket on the last token of the mention", starts[0].line);
      }
    }

    // A comment that could be a token is refused.
    checkComment(line) {
      const pieces = trimEnd(line).split(/[ \t]+/), last = pieces[pieces.length - 1];
      if (line.includes("\t") || (pieces.length > 1 && (MARKS.has(last) || /[()]/.test(last)))) {
        this.refuse("a line with `#` that could be a token or a comment", "a comment without a cell at its end", "score this file with the command `scoref score`");
      }
    }

    readToken(line) {
      const { here } = this;
      if (!here) this.refuse("a token outside a document", "`#begin document (name); part 000` first");
      if (/\t[ \t]*$/.test(line)) this.refuse("a line that ends in a tab", "a cell at the end of the line", "write `-` for no mention");
      const content = trimEnd(line), isTabbed = content.includes("\t");
      const cells = isTabbed ? content.split("\t") : content.replace(/^ +/, "").split(/ +/);
      const isFirst = this.newSentence || !here.columns;
      const before = here.columns;
      if (before && (before.isTabbed !== isTabbed || (before.width !== cells.length && !(isFirst && Math.min(before.width, cells.length) >= BY_SENTENCE)))) {
        this.refuse(`a line of ${Scoref.plural(cells.length, "column")} ${isTabbed ? "with" : "without"} tabs`, `${before.width} ${before.isTabbed ? "with" : "without"} tabs as in line ${before.line}`, "add the cell that is missing, or remove the cell that is too many");
      }
      here.columns = { width: cells.length, isTabbed, line: this.number };
      if (isFirst) here.sentences.push(here.tokens);
      here.words.push(cells.slice(0, -1));
      this.newSentence = false;
      this.readCell(cells[cells.length - 1].replace(/^ +| +$/g, ""));
      here.tokens++;
    }

    // The brackets of a token: mentions of one token, openings, ids inside a mention, closings.
    readCell(cell) {
      if (MARKS.has(cell)) {
        if (!this.marks.has(cell)) this.marks.set(cell, this.number);
        return;
      }
      const { here } = this, chunks = this.chunks(cell);
      const of = (opens, closes) => chunks.filter((one) => one.opens === opens && one.closes === closes).map((one) => one.id);
      for (const id of of(true, true)) this.addMention(id, here.tokens);
      for (const id of of(true, false)) here.open.set(id, [...(here.open.get(id) || []), { token: here.tokens, line: this.number }]);
      for (const id of of(false, false)) if (!here.open.get(id)?.length) this.refuse(`the cell \`${cell.slice(0, 40)}\``, CELL);
      for (const id of of(false, true)) {
        const start = here.open.get(id)?.pop();
        if (!start) this.refuse(`\`${id})\``, `an earlier \`(${id}\` in document ${here.name}`, `write \`(${id}\` on the first token of the mention, or remove \`${id})\``);
        this.addMention(id, start.token);
      }
    }

    chunks(cell) {
      const found = [];
      const refuse = () => this.refuse(`the cell \`${cell.slice(0, 40)}\``, CELL, "the entities must be in the last column, without blanks");
      for (let at = 0; at < cell.length;) {
        CHUNK.lastIndex = at;
        const chunk = CHUNK.exec(cell);
        if (!chunk || ODD.test(chunk[2]) || /\d\+\d/.test(chunk[2])) refuse();
        found.push({ opens: Boolean(chunk[1]), closes: Boolean(chunk[3]), id: chunk[2] });
        at = CHUNK.lastIndex;
        if (cell[at] === "|") {
          if (++at === cell.length) refuse();
        } else if (at < cell.length && !(chunk[3] || cell[at] === "(")) refuse();
      }
      if (!found.length) refuse();
      for (const { id } of found) if (!this.ids.has(id)) this.ids.set(id, this.number);
      return found;
    }

    addMention(id, start) {
      const { entities, tokens } = this.here;
      if (!entities.has(id)) entities.set(id, []);
      entities.get(id).push(`${start}-${tokens}`);
    }

    // A document may lack its end only where all do: else the file was cut.
    checkEnds() {
      const cut = this.documents.find((one) => !one.hasEnd);
      if (cut && this.documents.some((one) => one.hasEnd)) {
        this.refuse(`document ${cut.name} without \`#end document\``, "an end as the other documents have", "is the file complete?", cut.line);
      }
    }

    // Refuse files whose last column is another one.
    checkSigns() {
      if (this.marks.size > 1) {
        const [[usual, line], [other, at]] = [...this.marks];
        this.refuse(`\`${other}\` for no mention`, `\`${usual}\` as in line ${line}`, "write no mention in one way", at);
      }
      const ids = [...this.ids.keys()], numbers = ids.filter((id) => /^[0-9]+$/.test(id));
      if (numbers.length && numbers.length < ids.length) {
        const odd = ids.find((id) => !/^[0-9]+$/.test(id));
        this.refuse(`the entity id \`${odd}\``, `a whole number, such as \`${numbers[0]}\` in line ${this.ids.get(numbers[0])}`, "write all ids as numbers, or none", this.ids.get(odd));
      }
      if (ids.length && !ids.some((id) => /\p{Nd}/u.test(id)) && (this.marks.has("*") || ids.every((id) => CLASSES.has(id.toLowerCase())))) {
        this.refuse(`the id \`${ids[0]}\` and no id with a digit`, "entity ids such as `5` in the last column", "this looks like a column of named entities", this.ids.get(ids[0]));
      }
    }

    checkNames() {
      const known = new Map(), unnamed = this.documents.filter((one) => !one.name);
      if (unnamed.length && unnamed.length < this.documents.length) this.refuse("documents with and without a name", "a name for each document", "name all documents", unnamed[0].line);
      unnamed.forEach((one, at) => { one.name = `#${at + 1}`; });
      for (const one of this.documents) {
        const id = `${one.name} ${one.part}`;
        if (known.has(id)) this.refuse(`a second document ${one.name}`, `a name that is not in line ${known.get(id)}`, "rename one of them", one.line);
        known.set(id, one.line);
      }
    }

    // The words are in the column after the one that counts the tokens of a sentence.
    wordColumn(rows) {
      if (!rows.length) return [];
      const counts = (column) => {
        let expected = Number(rows[0][column]);
        if (expected !== 0 && expected !== 1) return false;
        const first = expected;
        return rows.every((cells) => {
          const number = Number(cells[column]);
          const fits = number === expected || number === first;
          expected = number + 1;
          return fits;
        });
      };
      // The third column comes before the second, which has the part of the document.
      const column = [2, 0, 1].find((at) => rows[0].length > at + 1 && counts(at));
      return column === undefined ? null : rows.map((cells) => cells[column + 1] ?? "_");
    }
  }
})();
