"use strict";
// The formula of each metric with the numbers of a document.
(() => {
  const Scoref = (globalThis.Scoref ??= {});
  const MOST = 12;
  const links = (size) => (size * (size - 1)) / 2;
  const short = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(4));

  // A sum of terms, of which a long one shows the first terms only; the total is that of the counts.
  const sum = (terms) => {
    if (!terms.length) return "0";
    const shown = terms.slice(0, MOST).join(" + ");
    return terms.length > MOST ? `${shown} + … (${terms.length - MOST} more)` : shown;
  };
  const inBrackets = (text) => (/[+/·]/.test(text) ? `(${text})` : text);
  const ratio = (terms, total, size, score) => {
    const text = sum(terms), simple = text === short(total);
    return `${inBrackets(text)} / ${size}${simple ? "" : ` = ${short(total)} / ${size}`} = ${size === 0 ? "0 (0/0)" : Scoref.percent(score) + " %"}`;
  };
  const nonzero = (cells) => cells.filter((cell) => cell.count > 1);

  // Return { idea, lines: [name, formula] } for a metric of a document.
  const WORKED = {
    mentions: ({ counts, scores }) => ({
      idea: "How many mentions both sides have, whatever their entities.",
      lines: sides("mentions", counts, scores, [short(counts.mentions[0])], [short(counts.mentions[0])]),
    }),
    muc: ({ table, counts, scores }) => {
      const kept = nonzero(table.cells).map((cell) => `(${cell.count} − 1)`);
      return { idea: "An entity of n mentions needs n − 1 links. n mentions that are together on both sides keep n − 1 of them.", lines: sides("muc", counts, scores, kept, kept) };
    },
    b3: ({ table, counts, scores }) => ({
      idea: "n mentions that K and R share each find n of their companions: n²/|K| for recall, n²/|R| for precision.",
      lines: sides("b3", counts, scores, table.cells.map((cell) => `${cell.count}²/${cell.k}`), table.cells.map((cell) => `${cell.count}²/${cell.r}`)),
    }),
    ceafm: (given) => ceaf("ceafm", given, "Each entity is aligned with at most one of the other side. An aligned pair is worth the mentions that it shares.", (cell) => String(cell.count)),
    ceafe: (given) => ceaf("ceafe", given, "As CEAFm, but an aligned pair is worth 2n / (|K| + |R|), and entities are counted in place of mentions.", (cell) => `2·${cell.count}/(${cell.k} + ${cell.r})`),
    blanc: ({ counts, scores }) => {
      const [ck, cr, cc, nk, nr, nn] = counts.blanc;
      const average = (one, other, index) => {
        if (ck === 0 && nk === 0 && index === 0) return "0 (the key has no links)";
        const text = ck === 0 ? other : nk === 0 ? one : `(${one} + ${other}) / 2`;
        return `${text} = ${Scoref.percent(scores.blanc[index])} %`;
      };
      return {
        idea: "Pairs of mentions that are together (coreference links), and pairs that are apart, with the same weight. A kind of link that the key lacks is ignored.",
        lines: [
          ["links", `together: ${ck} in the key, ${cr} in the response, ${cc} in both; apart: ${nk}, ${nr}, ${nn}`],
          ["recall", average(`${cc}/${ck}`, `${nn}/${nk}`, 0)],
          ["precision", average(`${cc}/${cr}`, `${nn}/${nr}`, 1)],
          ["F1", average(`2·${cc}/(${ck} + ${cr})`, `2·${nn}/(${nk} + ${nr})`, 2)],
        ],
      };
    },
    lea: ({ table, counts, scores }) => {
      const term = (size) => (cell) => (cell.k === 1 && cell.r === 1 ? "1·1" : `${size(cell)}·${links(cell.count)}/${links(size(cell))}`);
      const cells = table.cells.filter((cell) => cell.count > 1 || (cell.k === 1 && cell.r === 1));
      return {
        idea: "The share of an entity's links that the other side has, weighted by the size of the entity. A singleton has one link, to itself.",
        lines: sides("lea", counts, scores, cells.map(term((cell) => cell.k)), cells.map(term((cell) => cell.r))),
      };
    },
    conll: ({ scores }) => ({
      idea: "The mean F1 of MUC, B³ and CEAFe.",
      lines: [["F1", `(${Scoref.CONLL_PARTS.map((name) => Scoref.percent(scores[name][2])).join(" + ")}) / 3 = ${Scoref.percent(scores.conll[2])} %`]],
    }),
  };

  function sides(name, counts, scores, recall, precision) {
    const [found, inKey, right, inResponse] = counts[name], [r, p, f] = scores[name];
    return [
      ["recall", ratio(recall, found, inKey, r)],
      ["precision", ratio(precision, right, inResponse, p)],
      ["F1", `2 · ${Scoref.percent(r)} · ${Scoref.percent(p)} / (${Scoref.percent(r)} + ${Scoref.percent(p)}) = ${Scoref.percent(f)} %`],
    ];
  }

  function ceaf(name, { table, counts, scores, names }, idea, worth) {
    const pairs = Scoref.ceafCells(table, Scoref.WORTH[name]).sort((a, b) => a - b).map((at) => table.cells[at]);
    const shown = pairs.slice(0, MOST).map((cell) => `K${names.key[cell.row]}–R${names.response[cell.column]}`).join(", ");
    const more = pairs.length > MOST ? ` and ${pairs.length - MOST} more` : "";
    const terms = pairs.map(worth);
    return { idea, lines: [["alignment", pairs.length ? shown + more : "no pair shares a mention"], ...sides(name, counts, scores, terms, terms)] };
  }

  // `names` has the name of each entity, as the page shows it.
  Scoref.worked = (key, response, names) => {
    const table = Scoref.table(key, response), counts = Scoref.count(table), scores = Scoref.score(counts);
    return Scoref.METRICS.map((name) => ({ name, ...WORKED[name]({ table, counts, scores, names }) }));
  };
})();
