"use strict";
// Counts and scores of the eight default metrics, as in Python but for the last digits of a double.
//
// An entity is a list of mentions, and a mention is any value that a Map can find. A document has
// a key and a response, which are lists of entities; no mention is in two entities of one side.
(() => {
  const Scoref = (globalThis.Scoref ??= {});

  Scoref.METRICS = ["mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll"];
  Scoref.CONLL_PARTS = ["muc", "b3", "ceafe"];

  // How many mentions each key entity shares with each response entity; entities of no mention
  // do not exist.
  Scoref.table = (key, response) => {
    key = key.filter((entity) => entity.length);
    response = response.filter((entity) => entity.length);
    const entityOf = new Map();
    response.forEach((entity, at) => entity.forEach((mention) => entityOf.set(mention, at)));
    const cells = [];
    key.forEach((entity, row) => {
      const shared = new Map();
      for (const mention of entity) {
        const column = entityOf.get(mention);
        if (column !== undefined) shared.set(column, (shared.get(column) || 0) + 1);
      }
      for (const [column, count] of shared) cells.push({ row, column, count, k: entity.length, r: response[column].length });
    });
    return { key: key.map((entity) => entity.length), response: response.map((entity) => entity.length), cells };
  };

  // An alignment of the greatest total weight: places of edges, of which no two share a row or a
  // column. Edges are the lists row, column and weight; weights are positive. Rows are placed one by
  // one on the shortest augmenting path. Every row and column has a price of at least zero, an edge
  // weighs at most the prices of its ends together, and a taken edge weighs exactly that.
  Scoref.bestAlignment = (row, column, weight) => {
    const rowPrice = new Map(), price = new Map(column.map((name) => [name, 0])), owner = new Map(), taken = new Map();
    const edges = Scoref.groupBy(row.keys(), (at) => row[at]);
    for (const start of edges.keys()) {
      rowPrice.set(start, edges.get(start).reduce((most, at) => Math.max(most, weight[at] - price.get(column[at])), 0));
      const distance = new Map(), by = new Map(), open = new Set(), settled = new Set();
      // The path ends at a free column, or at a row that gives up its place since its price is zero.
      let length = 0, here = start, nearest = rowPrice.get(start), last = null;
      for (;;) {
        for (const at of edges.get(here)) {
          const to = column[at], far = length + rowPrice.get(here) + price.get(to) - weight[at];
          if (settled.has(to) || far >= nearest || far >= (distance.get(to) ?? Infinity)) continue;
          distance.set(to, far);
          by.set(to, at);
          if (owner.has(to)) open.add(to);
          else [nearest, last] = [far, to];
        }
        let next = null;
        for (const to of open) if (next === null || distance.get(to) < distance.get(next)) next = to;
        if (next === null || distance.get(next) >= nearest) break;
        open.delete(next);
        settled.add(next);
        length = distance.get(next);
        here = owner.get(next);
        if (length + rowPrice.get(here) < nearest) [nearest, last] = [length + rowPrice.get(here), next];
      }
      rowPrice.set(start, rowPrice.get(start) - nearest);
      for (const to of settled) {
        price.set(to, price.get(to) + nearest - distance.get(to));
        rowPrice.set(owner.get(to), rowPrice.get(owner.get(to)) - nearest + distance.get(to));
      }
      // Each row of the path moves to its next column; the row that had the last column loses it.
      if (last !== null && owner.has(last)) taken.delete(owner.get(last));
      while (last !== null) {
        const at = by.get(last), before = taken.get(row[at]);
        owner.set(last, row[at]);
        taken.set(row[at], at);
        last = before === undefined ? null : column[before];
      }
    }
    return [...taken.values()];
  };

  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const links = (size) => (size * (size - 1)) / 2;
  const dice = ({ count, k, r }) => (2 * count) / (k + r);

  // The alignment of entities that CEAF scores: places in the cells of a table.
  Scoref.ceafCells = (table, worth) => {
    const lines = ["row", "column"].map((name) => table.cells.map((cell) => cell[name]));
    return Scoref.bestAlignment(...lines, table.cells.map(worth));
  };
  Scoref.WORTH = { ceafm: (cell) => cell.count, ceafe: dice };

  const bestTotal = (table, worth) => sum(Scoref.ceafCells(table, worth).map((at) => worth(table.cells[at])));

  function resolution(cell, size) {
    if (cell.k === 1 && cell.r === 1) return 1;
    return links(cell.count) / Math.max(links(size), 1);
  }

  function blancCounts({ key, response, cells }) {
    const kept = (name, size) => {
      const found = Array(size).fill(0);
      for (const cell of cells) found[cell[name]] += cell.count;
      return sum(found.map(links));
    };
    const ck = sum(key.map(links)), cr = sum(response.map(links)), cc = sum(cells.map((cell) => links(cell.count)));
    const inOne = kept("row", key.length) + kept("column", response.length);
    const shared = sum(cells.map((cell) => cell.count));
    return [ck, cr, cc, links(sum(key)) - ck, links(sum(response)) - cr, links(shared) - (inOne - cc)];
  }

  // What each metric counts in a document: the columns of Python's counts files.
  Scoref.count = (table) => {
    const { key, response, cells } = table;
    const of = (value) => cells.map(value);
    const mentions = [sum(key), sum(response)], entities = [key.length, response.length];
    const ratio = (recall, [inKey, inResponse], precision = recall) => [recall, inKey, precision, inResponse];
    const counts = {
      mentions: ratio(sum(of((cell) => cell.count)), mentions),
      muc: ratio(sum(of((cell) => cell.count - 1)), [mentions[0] - entities[0], mentions[1] - entities[1]]),
      b3: ratio(
        sum(of((cell) => cell.count ** 2 / cell.k)), mentions,
        sum(of((cell) => cell.count ** 2 / cell.r)),
      ),
      ceafm: ratio(bestTotal(table, Scoref.WORTH.ceafm), mentions),
      ceafe: ratio(bestTotal(table, Scoref.WORTH.ceafe), entities),
      blanc: blancCounts(table),
      lea: ratio(
        sum(of((cell) => cell.k * resolution(cell, cell.k))), mentions,
        sum(of((cell) => cell.r * resolution(cell, cell.r))),
      ),
    };
    counts.conll = Scoref.CONLL_PARTS.flatMap((name) => counts[name]);
    return counts;
  };

  // The counts of a corpus: each column summed over the documents.
  Scoref.addCounts = ([first, ...others]) => Object.fromEntries(Scoref.METRICS.map((name) =>
    [name, first[name].map((value, at) => others.reduce((total, counts) => total + counts[name][at], value))]));

  // Counts that take others away from a sum.
  Scoref.negative = (counts) => Object.fromEntries(Object.entries(counts).map(([name, columns]) => [name, columns.map((value) => -value)]));

  const divide = (numerator, denominator) => (denominator === 0 ? NaN : numerator / denominator);
  const orZero = (value) => (Number.isNaN(value) ? 0 : value);

  function harmonic(recall, precision) {
    if (Number.isNaN(recall) && Number.isNaN(precision)) return NaN;
    const product = orZero(recall) * orZero(precision), total = orZero(recall) + orZero(precision);
    return (2 * product) / (total === 0 ? 1 : total);
  }

  function ratioScores([found, inKey, right, inResponse]) {
    const recall = divide(found, inKey), precision = divide(right, inResponse);
    return [recall, precision, harmonic(recall, precision)];
  }

  function blancScores([ck, cr, cc, nk, nr, nn]) {
    const kind = (common, inKey, inResponse) =>
      [divide(common, inKey), divide(common, inResponse), divide(2 * common, inKey + inResponse)].map(orZero);
    const coreferent = kind(cc, ck, cr), other = kind(nn, nk, nr);
    const both = coreferent.map((value, at) => 0.5 * value + 0.5 * other[at]);
    const scores = ck === 0 ? other : nk === 0 ? coreferent : both;
    const noKey = ck === 0 && nk === 0, noResponse = cr === 0 && nr === 0;
    return [noKey, noResponse, noKey && noResponse].map((undefined_, at) => (undefined_ ? NaN : scores[at]));
  }

  // Recall, precision and F1 of counts, by metric; 0/0 is 0, and what does not exist is null.
  Scoref.score = (counts) => {
    const scores = {};
    for (const [name, columns] of Object.entries(counts)) {
      if (name !== "conll") scores[name] = (name === "blanc" ? blancScores(columns) : ratioScores(columns)).map(orZero);
    }
    scores.conll = [null, null, sum(Scoref.CONLL_PARTS.map((name) => scores[name][2])) / 3];
    return scores;
  };

  Scoref.countDocument = (key, response) => Scoref.count(Scoref.table(key, response));
})();
