"use strict";
// Counts and scores of the eight default metrics, to the same bits as in Python.
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

  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const links = (size) => (size * (size - 1)) / 2;
  const dice = ({ count, k, r }) => (2 * count) / (k + r);

  // The alignment of entities that CEAF scores: places in the cells of a table.
  Scoref.ceafCells = (table, worth) => {
    const lines = ["row", "column"].map((name) => table.cells.map((cell) => cell[name]));
    return Scoref.bestAlignment(...lines, table.cells.map(worth));
  };
  Scoref.WORTH = { ceafm: (cell) => cell.count, ceafe: dice };

  const bestTotal = (table, worth) => Scoref.exactSum(Scoref.ceafCells(table, worth).map((at) => worth(table.cells[at])));

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
        Scoref.exactSum(of((cell) => cell.count ** 2 / cell.k)), mentions,
        Scoref.exactSum(of((cell) => cell.count ** 2 / cell.r)),
      ),
      ceafm: ratio(bestTotal(table, Scoref.WORTH.ceafm), mentions),
      ceafe: ratio(bestTotal(table, Scoref.WORTH.ceafe), entities),
      blanc: blancCounts(table),
      lea: ratio(
        Scoref.exactSum(of((cell) => cell.k * resolution(cell, cell.k))), mentions,
        Scoref.exactSum(of((cell) => cell.r * resolution(cell, cell.r))),
      ),
    };
    counts.conll = Scoref.CONLL_PARTS.flatMap((name) => counts[name]);
    return counts;
  };

  // The counts of a corpus: each column summed over the documents, and rounded once.
  Scoref.addCounts = (documents) => Object.fromEntries(Scoref.METRICS.map((name) => {
    const columns = name === "blanc" ? 6 : name === "conll" ? 12 : 4;
    return [name, Array.from({ length: columns }, (_, at) => Scoref.fsum(documents.map((counts) => counts[name][at])))];
  }));

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
