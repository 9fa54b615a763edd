"use strict";
// What every page needs: elements, numbers as texts, colours of entities, files to save, the theme.
(() => {
  const Scoref = (globalThis.Scoref ??= {});

  // Elements are created from text, never from HTML, so nothing in the data can become code.
  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
  }
  const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
  Scoref.element = el;
  Scoref.svg = (name, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
  // A button in a form would submit it without its type.
  Scoref.button = (text, onclick, attributes) => el("button", { type: "button", onclick, ...attributes }, text);
  Scoref.byId = (id) => document.getElementById(id);
  Scoref.on = (id, event, action) => Scoref.byId(id)?.addEventListener(event, action);
  Scoref.options = (select, names, chosen) => select.replaceChildren(...names.map((name, at) => el("option", { value: at, selected: at === chosen }, name)));

  // ---------------------------------------------------------------- numbers and names as texts
  Scoref.thousands = (number) => number.toLocaleString("en");
  Scoref.plural = (number, noun) => `${Scoref.thousands(number)} ${noun}${number === 1 ? "" : "s"}`;
  const isKnown = (value) => value !== null && value !== undefined && !Number.isNaN(value);
  Scoref.percent = (score) => (isKnown(score) ? (100 * score).toFixed(2) : "–");
  // A difference in points with its sign, unless it rounds to nothing.
  Scoref.points = (difference, digits = 2) => {
    if (!isKnown(difference)) return "–";
    const text = Math.abs(100 * difference).toFixed(digits);
    return Number(text) === 0 ? text : (difference > 0 ? "+" : "−") + text;
  };
  Scoref.shorten = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
  Scoref.letters = (number) => {
    let name = "";
    for (; number > 0; number = Math.floor((number - 1) / 26)) name = String.fromCharCode(97 + ((number - 1) % 26)) + name;
    return name;
  };
  Scoref.METRIC_TITLES = { mentions: "Mentions", muc: "MUC", b3: "B³", ceafm: "CEAFm", ceafe: "CEAFe", blanc: "BLANC", lea: "LEA", conll: "CoNLL" };

  // Twelve colours: entities 1 and 13 have the same. An entity with a letter is grey.
  Scoref.HUES = 12;
  Scoref.colour = (number) => `var(--e${number > 0 ? 1 + ((number - 1) % Scoref.HUES) : 0})`;

  // Items in lists by what a function says of each, in the order of their first items.
  Scoref.groupBy = (items, of) => {
    const groups = new Map();
    for (const item of items) {
      const name = of(item);
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(item);
    }
    return groups;
  };

  // The row of a token, where rows have a `start` and are in the order of the text.
  Scoref.rowOf = (rows, token) => {
    let low = 0, high = rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (rows[middle].start <= token) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  // At most about so many round numbers within a range: multiples of 1, 2 or 5 times a power of ten.
  Scoref.ticks = (low, high, most) => {
    const raw = (high - low) / most, power = 10 ** Math.floor(Math.log10(raw || 1)), found = [];
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw - 1e-12) || power;
    for (let at = Math.ceil(low / step - 1e-9); at * step <= high + 1e-9; at++) found.push(Number((at * step).toPrecision(12)));
    return found;
  };

  // ---------------------------------------------------------------- files
  // The page makes the file itself; nothing is requested.
  Scoref.download = (name, content, type = "text/plain") => {
    const address = URL.createObjectURL(new Blob([content], { type }));
    el("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  };
  // A cell that a spreadsheet would read as a formula is a text.
  function csvCell(value) {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    const text = /^[=+@\t\r]|^-(?![\d.]+$)/.test(value) ? `'${value}` : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }
  Scoref.saveCsv = (name, rows) => Scoref.download(`${name}.csv`, rows.map((row) => row.map(csvCell).join(",")).join("\r\n") + "\r\n", "text/csv");

  // ---------------------------------------------------------------- light and dark
  // As the operating system prefers, until the button `theme` is pressed.
  Scoref.switchTheme = () => {
    const root = document.documentElement, toggle = Scoref.byId("theme");
    const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
    const label = () => { toggle.textContent = isDark() ? "Light" : "Dark"; };
    toggle.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      label();
    });
    label();
  };
})();
