"use strict";
// The best one-to-one alignment of key and response entities, for CEAF: exact, as in Python.
(() => {
  const Scoref = (globalThis.Scoref ??= {});
  const NOBODY = -1;

  // Return the places of the edges of an alignment of the greatest total weight.
  // Edges are the lists row, column and weight; weights are positive.
  Scoref.bestAlignment = (row, column, weight) => {
    const chosen = [];
    let left = settle({ row, column, weight }, row.map((_, at) => at), chosen);
    for (const edges of components({ row, column }, left)) place({ row, column, weight }, edges, chosen);
    return chosen;
  };

  // Take edges that weigh at least as much as the best other edge of their row and the best other
  // edge of their column together: some best alignment has them. Repeat without their lines.
  function settle({ row, column, weight }, left, chosen) {
    while (left.length) {
      const ofRow = twoBest(left, row, weight), ofColumn = twoBest(left, column, weight);
      const rows = new Set(), columns = new Set();
      for (const at of left) {
        const [best, second] = ofRow.get(row[at]), [highest, next] = ofColumn.get(column[at]), w = weight[at];
        if (w !== best || w !== highest || rows.has(row[at]) || columns.has(column[at])) continue;
        // Exact, unlike a sum: a difference of floats is not rounded where it could matter.
        if (w - Math.max(second, next) < Math.min(second, next)) continue;
        rows.add(row[at]);
        columns.add(column[at]);
        chosen.push(at);
      }
      if (!rows.size) break;
      left = left.filter((at) => !rows.has(row[at]) && !columns.has(column[at]));
    }
    return left;
  }

  function twoBest(edges, line, weight) {
    const best = new Map();
    for (const at of edges) {
      const known = best.get(line[at]);
      if (!known) best.set(line[at], [weight[at], 0]);
      else if (weight[at] > known[0]) [known[0], known[1]] = [weight[at], known[0]];
      else if (weight[at] > known[1]) known[1] = weight[at];
    }
    return best;
  }

  // Return the edges of each connected component.
  function components({ row, column }, edges) {
    const parent = new Map();
    const root = (node) => {
      while (parent.get(node) !== node) {
        parent.set(node, parent.get(parent.get(node)));
        node = parent.get(node);
      }
      return node;
    };
    for (const at of edges) for (const node of [`r${row[at]}`, `c${column[at]}`]) if (!parent.has(node)) parent.set(node, node);
    for (const at of edges) parent.set(root(`r${row[at]}`), root(`c${column[at]}`));
    const found = new Map();
    for (const at of edges) {
      const name = root(`r${row[at]}`);
      if (!found.has(name)) found.set(name, []);
      found.get(name).push(at);
    }
    return found.values();
  }

  // Add the best edges of a component. Sums of weights must not be rounded, or the choice between
  // alignments that differ in the last digit would depend on the order of entities. Numbers of
  // mentions are integers; other weights become integers of unlimited size.
  function place({ row, column, weight }, edges, chosen) {
    const whole = edges.every((at) => Number.isInteger(weight[at]));
    const worth = (at) => (whole ? weight[at] : BigInt(Math.round(weight[at] * 2 ** 80)));
    const number = (line) => {
      const names = new Map();
      for (const at of edges) if (!names.has(line[at])) names.set(line[at], names.size);
      return names;
    };
    let lines = [row, column], names = lines.map(number);
    if (names[1].size < names[0].size) [lines, names] = [lines.reverse(), names.reverse()];
    const market = new Market(names[0].size, names[1].size, whole ? 0 : 0n);
    for (const at of edges) market.edges[names[0].get(lines[0][at])].push({ at, column: names[1].get(lines[1][at]), worth: worth(at) });
    for (let bidder = 0; bidder < names[0].size; bidder++) market.place(bidder);
    for (const edge of market.taken()) chosen.push(edge.at);
  }

  // A primal-dual method. Every row and every column has a price of at least zero, and no edge is
  // worth more than the prices of its ends together. A taken edge is worth exactly these prices.
  // Once every row and column without a partner has the price zero, nothing is better.
  class Market {
    constructor(rows, columns, zero) {
      this.edges = Array.from({ length: rows }, () => []);
      this.rowPrice = Array(rows).fill(zero);
      this.price = Array(columns).fill(zero);
      this.owner = Array(columns).fill(NOBODY);
      this.partner = Array(rows).fill(NOBODY);
    }

    // Place a row by the shortest path to a free column or to a row that gives up its place.
    // The length of an edge is what its ends cost more than it is worth.
    place(start) {
      const { edges, rowPrice, price, owner } = this;
      for (const { column, worth } of edges[start]) {
        const gain = worth - price[column];
        if (gain > rowPrice[start]) rowPrice[start] = gain;
      }
      const zero = price[0] - price[0];
      const distance = new Map(), from = new Map(), open = new Set(), settled = [];
      let length = zero, row = start, nearest = rowPrice[start], last = NOBODY;
      for (;;) {
        for (const { column, worth } of edges[row]) {
          const far = length + rowPrice[row] + price[column] - worth;
          if (far >= nearest || (distance.has(column) && far >= distance.get(column))) continue;
          distance.set(column, far);
          from.set(column, row);
          if (owner[column] === NOBODY) [nearest, last] = [far, column];
          else open.add(column);
        }
        let next = NOBODY;
        for (const column of open) if (next === NOBODY || distance.get(column) < distance.get(next)) next = column;
        if (next === NOBODY || distance.get(next) >= nearest) break;
        open.delete(next);
        length = distance.get(next);
        settled.push(next);
        row = owner[next];
        if (length + rowPrice[row] < nearest) [nearest, last] = [length + rowPrice[row], next];
      }
      rowPrice[start] -= nearest;
      for (const column of settled) {
        price[column] += nearest - distance.get(column);
        rowPrice[owner[column]] -= nearest - distance.get(column);
      }
      if (last !== NOBODY) this.move(from, last);
    }

    // Move each row of a path to its next column; the row that had the last column loses it.
    move(from, column) {
      if (this.owner[column] !== NOBODY) this.partner[this.owner[column]] = NOBODY;
      while (column !== NOBODY) {
        const row = from.get(column), before = this.partner[row];
        this.owner[column] = row;
        this.partner[row] = column;
        column = before;
      }
    }

    taken() {
      return this.edges.flatMap((edges, row) => edges.filter((edge) => edge.column === this.partner[row]));
    }
  }
})();
