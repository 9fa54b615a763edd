// An error as a small key and response in CoNLL columns, and the command that explains the difference.
const oneWord = (text) => String(text).replace(/\s+/g, "_") || "_";
const fileWord = (text) => oneWord(text).replace(/[^\w./-]/g, "_").slice(0, 80);

// Mentions of the entities that the error concerns, as far as they are in its sentences.
function caseMentions(e, mentions, tokens, concerned) {
  const spans = new Map();
  for (const m of mentions) {
    const [start, end] = m.parts[0] || [];
    if (start === undefined || !tokens.has(start) || !tokens.has(end) || !concerned(m)) continue;
    if (!spans.has(`${start} ${end}`)) spans.set(`${start} ${end}`, { start, end, entity: m.number > 0 ? m.number : 100000 - m.number });
  }
  return [...spans.values()];
}

function conll(name, rows, words, mentions) {
  const lines = [`#begin document (${name}); part 000`];
  for (const row of rows) {
    for (let token = row.start; token < row.end; token++) {
      const opened = mentions.filter((m) => m.start === token && m.end > token).sort((a, b) => b.end - a.end).map((m) => `(${m.entity}`);
      const single = mentions.filter((m) => m.start === token && m.end === token).map((m) => `(${m.entity})`);
      const closed = mentions.filter((m) => m.end === token && m.start < token).sort((a, b) => b.start - a.start).map((m) => `${m.entity})`);
      const cell = [...opened, ...single, ...closed].join("|") || "-";
      lines.push([name, 0, token - row.start, words ? oneWord(words[token]) : `t${token}`, cell].join("\t"));
    }
    lines.push("");
  }
  return [...lines, "#end document"].join("\n");
}

function testCase(system, one) {
  const reading = read(one.document, system), e = reading.errors[one.at];
  const involved = [...e.mentions, e.anchor, e.meant].filter(Boolean), both = involved.flatMap((m) => [m, m.other]).filter(Boolean);
  const rows = [...new Set(involved.flatMap((m) => [m.row, rowOf(reading.rows, m.e)]))].sort((a, b) => a - b).map((at) => reading.rows[at]);
  const tokens = new Set();
  for (const row of rows) for (let token = row.start; token < row.end; token++) tokens.add(token);
  const keys = new Set(both.filter((m) => m.side === "key").map((m) => m.number)), responses = new Set(both.filter((m) => m.side === "response").map((m) => m.number));
  const name = fileWord(D.documents[one.document].name);
  return {
    key: conll(name, rows, reading.words, caseMentions(e, reading.key, tokens, (m) => keys.has(m.number) || (m.other && responses.has(m.other.number)))),
    response: conll(name, rows, reading.words, caseMentions(e, reading.res, tokens, (m) => responses.has(m.number) || (m.other && keys.has(m.other.number)))),
    title: `${D.kinds[one.kind]} in ${fileWord(D.documents[one.document].name)}, sentence ${e.mentions[0].row + 1}`,
  };
}

// Commands that write both files and explain the metric; quoted here-documents keep every word as it is.
function testCommands(system, one) {
  const { key, response, title } = testCase(system, one);
  return [`# ${title}`, "cat > key.conll <<'END_OF_KEY'", key, "END_OF_KEY", "cat > response.conll <<'END_OF_RESPONSE'", response, "END_OF_RESPONSE",
    `scoref explain key.conll response.conll -m '${D.metrics[D.metric].replaceAll("'", "")}'`, ""].join("\n");
}
const copyTestCase = (system, one) => copyText(testCommands(system, one), "Test case copied: paste it into a shell");
