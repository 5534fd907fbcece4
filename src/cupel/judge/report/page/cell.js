// What is behind a cell: a panel beside the table.

function facts(pairs) {
  return h(
      "dl", null,
      pairs.filter(([, value]) => value !== null && value !== "" && value !== undefined)
          .map(([name, value]) => [h("dt", null, name), h("dd", null, value)]));
}

const splitPlaces = (table, cell) => at(table.runs, "splitPlaces", cell) ||
    (at(table.runs, "splitMeans", cell) || []).map((mean, i) => i);

function bytesText(bytes) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let unit = 0;
  while (bytes >= 1000 && unit < units.length - 1) {
    bytes /= 1000;
    unit += 1;
  }
  return `${Number(bytes.toPrecision(3))} ${units[unit]}`;
}

function judgement(table, cell) {
  const cells = table.cells, low = at(cells, "low", cell);
  const standing = at(cells, "standing", cell);
  return facts([
    ["ours", at(cells, "meanText", cell) || "no score"],
    [
      "runs",
      countText(table, cell) +
          (at(cells, "splits", cell) ? `, ${at(cells, "splits", cell)} independent draws` : "")
    ],
    ["trouble", at(cells, "troubleText", cell)],
    [
      "without isolation",
      at(cells, "notIsolated", cell) &&
          `${
              at(cells, "notIsolated",
                 cell)} runs of a program that nothing kept from the test labels`
    ],
    [
      "95 % interval",
      low === null ? null : `${low.toFixed(2)} to ${at(cells, "high", cell).toFixed(2)}`
    ],
    [
      "in its column",
      standing === null ?
          null :
          ["different from the best", "cannot be told from the best", "best mean"][standing]
    ],
    [
      "published",
      at(cells, "publishedText", cell) &&
          at(cells, "publishedText", cell) +
              (at(cells, "publishedN", cell) ? ` (runs: ${at(cells, "publishedN", cell)})` : "")
    ],
    ["gap", at(cells, "gapText", cell)],
    ["smallest δ", at(cells, "deltaText", cell)],
    ["look", at(cells, "lookText", cell)],
    [
      "verdict",
      [
        protocol().verdicts[at(cells, "verdict", cell)],
        at(cells, "p", cell) && ` (${at(cells, "p", cell)}, corrected)`
      ]
    ],
    ["rests on", at(cells, "basis", cell)],
    [
      "to decide",
      at(cells, "toDecide", cell) &&
          `about ${at(cells, "toDecide", cell)} more runs, if the gap stays`
    ],
  ]);
}

function distribution(table, cell) {
  const means = at(table.runs, "splitMeans", cell);
  if (!means) return null;
  const scores = at(table.runs, "scores", cell);
  const values = scores ? scores.flat().map((score) => score / 100) : means;
  // Without a mean in the units of scores (a rank) there is no line to draw.
  const own = table.kind === "ranks" ? null : at(table.cells, "mean", cell);
  const published = table.kind === "ranks" ? null : at(table.cells, "published", cell);
  const every = at(table.cells, "n", cell) === values.length;
  return [
    h("h3", null, "Distribution"),
    histogram(
        values, at(table.runs, "box", cell), own, published,
        `Test scores of ${values.length} ${every ? "runs" : "splits"}`),
    h("p", {class: "soft"},
      every ? `${values.length} runs` :
              `means of ${values.length} splits; all runs: cupel report --format csv --runs`,
      ". Box: quartiles of all runs, from the lowest to the highest; line: mean",
      published === null ? "." : "; diamond: published mean.")
  ];
}

// The pair of two rows in the comparison of a column; `turned` where the first is its second.
function pairOf(table, column, row, other) {
  const comparison = (table.against.columns || []).find((one) => one.column === column);
  if (!comparison) return null;
  const i = comparison.models.indexOf(row), j = comparison.models.indexOf(other);
  if (i < 0 || j < 0) return null;
  return {
    pairs: comparison.pairs,
    place: pairAt(comparison.models.length, Math.min(i, j), Math.max(i, j)),
    turned: i > j
  };
}

const signed = (value, decimals) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(decimals);
const pText = (p) => p === null ? "–" : p < 0.001 ? "< 0.001" : p.toFixed(3);

function pairWords(table, column, row, other) {
  const pair = pairOf(table, column, row, other);
  const difference = pair && at(pair.pairs, "difference", pair.place);
  if (!pair || difference === null) return "Too few common splits to compare them.";
  const sign = pair.turned ? -1 : 1;
  const [first, last] = pair.turned ? ["losses", "wins"] : ["wins", "losses"];
  const ends = [
    sign * at(pair.pairs, "low", pair.place), sign * at(pair.pairs, "high", pair.place)
  ].sort((a, b) => a - b);
  const outcome = protocol().verdicts[at(pair.pairs, "outcome", pair.place)];
  const splits =
      ["wins", "ties", "losses"].reduce((sum, name) => sum + at(pair.pairs, name, pair.place), 0);
  const unsaid = splits < protocol().fewestDraws ?
      `, as below ${protocol().fewestDraws} draws nothing is concluded` :
      "";
  return `Difference ${signed(sign * difference, 2)}, 90 % interval ${signed(ends[0], 2)} to ${
             signed(ends[1], 2)}: ` +
      `${outcome === "undecided" ? "cannot tell" + unsaid : outcome} (paired t test, corrected p ${
             pText(at(pair.pairs, "t", pair.place))}). ` +
      `Better on ${at(pair.pairs, first, pair.place)} splits, equal on ${
             at(pair.pairs, "ties", pair.place)}, worse on ` +
      `${at(pair.pairs, last, pair.place)} (Wilcoxon's test, Holm's correction: p ${
             pText(at(pair.pairs, "holm", pair.place))}).`;
}

function scatter(table, cell) {
  const means = at(table.runs, "splitMeans", cell), column = columnOf(table, cell),
        row = rowOf(table, cell);
  const others =
      table.models.map((name, i) => i)
          .filter((i) => i !== row && at(table.runs, "splitMeans", cellAt(table, i, column)));
  if (!means || others.length === 0) return null;
  const place =
      others.includes(Number(state.other)) && state.other !== "" ? Number(state.other) : others[0];
  const rival = cellAt(table, place, column);
  const theirs = new Map(
      splitPlaces(table, rival).map((split, i) => [split, at(table.runs, "splitMeans", rival)[i]]));
  const points =
      splitPlaces(table, cell)
          .map((split, i) => [theirs.get(split), means[i], split])
          .filter(([x]) => x !== undefined)
          .map(
              ([x, y, split]) => [x, y, `split ${split}: ${y.toFixed(2)} against ${x.toFixed(2)}`]);
  return [
    h("h3", null, "Split by split"),
    select(
        "against", place, others.map((i) => [i, table.models[i]]), (value) => set({other: value})),
    points.length === 0 ?
        h("p", {class: "soft"}, "They have no split in common.") :
        [
          paired(points, table.models[place], table.models[row]),
          table.kind === "scores" && h("p", {class: "soft"}, pairWords(table, column, row, place))
        ]
  ];
}

function cost(table, cell) {
  const epochs = at(table.runs, "epochs", cell), seconds = at(table.runs, "seconds", cell);
  if (seconds === null && !epochs) return null;
  const memory = at(table.runs, "memory", cell), total = at(table.runs, "total", cell);
  return [
    h("h3", null, "Epochs and cost"), facts([
      ["epochs", epochs && `median ${epochs[2]}, from ${epochs[0]} to ${epochs[4]}`],
      ["a run", seconds === null ? null : `${secondsText(seconds)} of one core, on average`],
      ["all runs", total ? secondsText(total) : null],
      ["memory", memory === null ? null : `${bytesText(memory)} at most`]
    ])
  ];
}

function choice(table, cell) {
  const one = at(table.cells, "choice", cell);
  if (!one) return null;
  const best =
      Math.max(...one.configurations.map(([, , , score]) => score === null ? -Infinity : score));
  return h(
      "details", null,
      h("summary", null, `Chosen from ${one.configurations.length} configurations`),
      h("p", {class: "soft"},
        `By ${one.by.replace(/-/g, " ")}: ${one.chosen || "none yet"}. Compared on ${
            one.compared} runs each; the protocol has ${one.grid}.`),
      h("table", {class: "grid plain"},
        h("thead", null,
          h("tr", null, ["configuration", "runs", "score"].map((name) => h("th", null, name)))),
        h("tbody", null,
          one.configurations.map(
              ([name, runs, complete, score]) =>
                  h("tr", null, h("th", {scope: "row"}, name),
                    h("td", null, complete ? runs : `${runs}, not all`),
                    h("td", {class: score === best ? "best" : null},
                      score === null ? "–" : score.toFixed(4)))))));
}

// A leaf of an identity as JSON writes it, which shows every character; objects in lines.
function identityRows(name, value) {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return [
      h("dt", null, name),
      h("dd", null,
        typeof value === "string" ? JSON.stringify(value).slice(1, -1) : JSON.stringify(value))
    ];
  return Object.entries(value).map(
      ([key, inner]) => typeof inner === "object" && inner !== null && !Array.isArray(inner) ?
          [h("dt", null, `${name}.${key}`), h("dd", null, JSON.stringify(inner))] :
          identityRows(`${name}.${key}`, inner));
}

function identity(table, cell) {
  const families = at(table.runs, "identities", cell);
  if (!families) return null;
  return [
    h("h3", null, "Identity"),
    h("p", {class: "soft"}, "Everything that the results depend on, but split and initialisation."),
    families.map(
        ([parts, family, runs], i) =>
            h("details", {open: i === 0}, h("summary", null, `${family} (${runs} runs)`),
              h("dl", {class: "identity"},
                parts.map(
                    (part) => identityRows(
                        data.identities[part][0], JSON.parse(data.identities[part][1]))))))
  ];
}

function repeat(table, cell) {
  const command = at(table.runs, "command", cell);
  if (!command) return null;
  const content = at(table.runs, "contentByPath", cell), name = at(table.runs, "function", cell);
  const isCall = name !== null || protocol().ofProgram;
  return [
    h("h3", null, "To repeat it"), isCall && h("p", {class: "soft"}, "In Python:"),
    h("pre", {class: "command"}, command), copyButton(command),
    name !== null &&
        h("p", {class: "soft"}, "FUNCTION stands for the function that @cupel.model made of ",
          h("code", null, name),
          ". No store keeps code; the identity below tells which version of it ran."),
    isCall && protocol().ofProgram &&
        h("p", {class: "soft"},
          "PROTOCOL stands for the dict that the protocol was given as; it was no file."),
    content !== null &&
        h("p", {class: "soft"},
          "PATH stands for the data set, which was given by its path or as a graph in memory. No " +
              `store keeps either; the hash of its content is ${content || "not known"}.`),
    h("p", {class: "soft"}, "Its first run in full: ",
      h("code", null, `cupel show ${at(table.runs, "firstRun", cell)} --store FILE`))
  ];
}

function failures(table, cell) {
  const list = at(table.runs, "failures", cell);
  return list && [
    h("h3", null, "What went wrong"),
    h("ul", {class: "failures"},
      list.map(([message, runs]) => h("li", null, `${runs} × `, h("code", null, message))))
  ];
}

function openCell() {
  const match = /^(\d+)\.(\d+)$/.exec(state.cell);
  const table = match && protocol().tables[Number(match[1])];
  const cell = match && Number(match[2]);
  return table && cell < table.models.length * table.columns.length ? {table, cell} : null;
}

function cellPanel() {
  const open = openCell();
  if (!open) return null;
  const {table, cell} = open, column = table.columns[columnOf(table, cell)];
  return h(
      "aside",
      {class: "panel", role: "dialog", "aria-label": "What is behind the cell", tabindex: -1},
      h("button", {
        type: "button",
        class: "close",
        "aria-label": "close",
        onclick: () => set({cell: "", other: ""})
      },
        "×"),
      h("h2", null, `${table.models[rowOf(table, cell)]} on ${column.dataset}`),
      h("p", {class: "soft"}, `${table.heading}; ${column.measure}`), judgement(table, cell),
      failures(table, cell), distribution(table, cell), scatter(table, cell), cost(table, cell),
      choice(table, cell), repeat(table, cell), identity(table, cell));
}
