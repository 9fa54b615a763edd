"use strict";
// Sums that do not depend on the order of their values, to the same bits as in Python.
(() => {
  const Scoref = (globalThis.Scoref ??= {});

  // The sum with unlimited precision, rounded once: Python's math.fsum (Shewchuk 1997).
  Scoref.fsum = (values) => {
    const partials = [];
    for (let x of values) {
      let kept = 0;
      for (let y of partials) {
        if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
        const high = x + y, low = y - (high - x);
        if (low !== 0) partials[kept++] = low;
        x = high;
      }
      partials.length = kept;
      if (x !== 0) partials.push(x);
    }
    let at = partials.length - 1;
    if (at < 0) return 0;
    let total = partials[at], rest = 0;
    while (at > 0 && rest === 0) {
      const before = total, next = partials[--at];
      total = before + next;
      rest = next - (total - before);
    }
    // Half-way cases are rounded by the digits that follow.
    if (at > 0 && Math.sign(rest) === Math.sign(partials[at - 1]) && rest !== 0) {
      const rounded = total + 2 * rest;
      if (2 * rest === rounded - total) total = rounded;
    }
    return total;
  };

  const bits = new DataView(new ArrayBuffer(8));
  const exponentOf = (value) => {
    bits.setFloat64(0, value);
    return ((bits.getUint32(0) >>> 20) & 0x7ff) - 1022;
  };

  // The sum of values of 60 binary digits below the largest: exact_sum_by in arrays.py.
  Scoref.exactSum = (values) => {
    let largest = 0;
    for (const value of values) largest = Math.max(largest, Math.abs(value));
    if (largest === 0) return 0;
    // A number of this size has no digits below the upper half: adding it rounds.
    const coarse = 1.5 * 2 ** (exponentOf(largest) + 22), fine = coarse * 2 ** -30;
    let upper = 0, lower = 0;
    for (const value of values) {
      const high = (value + coarse) - coarse;
      upper += high;
      lower += ((value - high) + fine) - fine;
    }
    return upper + lower;
  };
})();
