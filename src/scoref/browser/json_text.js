"use strict";
// Strict JSON: a key may occur once, whole numbers stay apart from others, and every problem has
// its line. JSON.parse would take the last of two equal keys, and 3.0 for 3.
(() => {
  const Scoref = (globalThis.Scoref ??= {});
  const TOKEN = /[ \t\r\n]*(?:([{}[\],:])|"((?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"|(-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?)|(true|false|null))/y;
  const DEEPEST = 60;

  // What a reader refuses: where, what was found, what was expected, what to do.
  Scoref.FormatError = class extends Error {
    constructor(file, line, found, expected, hint) {
      super(`${file}${line ? `:${line}` : ""}: found ${found}, expected ${expected}`);
      Object.assign(this, { name: "FormatError", file, line, found, expected, hint });
    }
  };

  // A number with a fraction or an exponent, or one that is too large to be exact.
  Scoref.NOT_WHOLE = Symbol("not a whole number");

  // JSON's own blanks, not those of Unicode.
  Scoref.isBlankJson = (text) => /^[ \t\r\n]*$/.test(text);

  // Return the value that begins at a place of a text, and where it ends.
  Scoref.parseJson = (text, file, start = 0, firstLine = 1) => {
    let at = start;
    const refuse = (found, expected, hint = "is the file complete?") => {
      const line = firstLine + text.slice(start, at).split("\n").length - 1;
      throw new Scoref.FormatError(file, line, found, expected, hint);
    };
    const next = () => {
      TOKEN.lastIndex = at;
      const found = TOKEN.exec(text);
      if (!found) refuse(`\`${text.slice(at).trimStart().slice(0, 30) || "the end of the file"}\``, "JSON");
      at = TOKEN.lastIndex;
      return found;
    };
    const string = (raw) => {
      const value = JSON.parse(`"${raw}"`);
      if (!value.isWellFormed?.() && /[\ud800-\udfff]/u.test(value)) refuse("half a character", "complete characters in JSON strings", "write both halves, or the character itself");
      return value;
    };
    const value = (token, depth) => {
      const [all, mark, , number, fraction, exponent, word] = token;
      if (depth > DEEPEST) refuse("JSON nested too deeply", "documents, entities, mentions", "is this the right file?");
      if (number !== undefined) return fraction || exponent || !Number.isSafeInteger(Number(number)) ? Scoref.NOT_WHOLE : Number(number);
      if (word) return { true: true, false: false, null: null }[word];
      if (mark === "[") return list(depth);
      if (mark === "{") return object(depth);
      if (mark !== undefined) refuse(`\`${mark}\``, "a JSON value");
      return string(all.slice(all.indexOf('"') + 1, -1));
    };
    const list = (depth) => {
      const values = [];
      let token = next();
      if (token[1] === "]") return values;
      for (;;) {
        values.push(value(token, depth + 1));
        const mark = next()[1];
        if (mark === "]") return values;
        if (mark !== ",") refuse("a list without `,` between its values", "`,` or `]`");
        token = next();
      }
    };
    const object = (depth) => {
      const found = new Map();
      let token = next();
      if (token[1] === "}") return found;
      for (;;) {
        const raw = token[0].replace(/^[ \t\r\n]+/, "");
        if (!raw.startsWith('"')) refuse(`\`${raw.slice(0, 30)}\``, "a key in double quotes");
        const key = string(raw.slice(1, -1));
        if (found.has(key)) refuse(`the key ${JSON.stringify(key).slice(0, 80)} twice in one object`, "each key once", "rename or remove one of them");
        if (next()[1] !== ":") refuse(`the key ${JSON.stringify(key).slice(0, 80)} without a value`, "`:` and a value");
        found.set(key, value(next(), depth + 1));
        const mark = next()[1];
        if (mark === "}") return found;
        if (mark !== ",") refuse("an object without `,` between its values", "`,` or `}`");
        token = next();
      }
    };
    const parsed = value(next(), 0);
    return { value: parsed, end: at };
  };
})();
