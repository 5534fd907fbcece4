// The table view: models by data sets, or one line a cell.

const markClass = (table, cell) => {
  const verdict = protocol().verdicts[at(table.cells, "verdict", cell)] || "";
  return "mark " + verdict.replace(/ /g, "-") + (at(table.cells, "gap", cell) < 0 ? " below" : "");
};

const standings = ["told", "level", "best"];
function standingClass(table, cell) {
  const standing = at(table.cells, "standing", cell);
  return standing === null ? "" : standings[standing];
}

function countText(table, cell) {
  return `${at(table.cells, "n", cell)} of ${at(table.cells, "asked", cell)}`;
}

// One sentence for those who hear the page or point at a cell.
function cellWords(table, cell) {
  const column = table.columns[columnOf(table, cell)], cells = table.cells;
  const parts = [
    `${table.models[rowOf(table, cell)]} on ${column.dataset}`,
    at(cells, "meanText", cell) || "no score", `${countText(table, cell)} runs`,
    at(cells, "troubleText", cell)
  ];
  if (at(cells, "publishedText", cell)) parts.push("published " + at(cells, "publishedText", cell));
  if (at(cells, "gapText", cell)) parts.push("gap " + at(cells, "gapText", cell));
  parts.push(protocol().verdicts[at(cells, "verdict", cell)]);
  const standing = at(cells, "standing", cell);
  if (standing !== null)
    parts.push(["different from the best", "cannot be told from the best", "best mean"][standing]);
  return parts.filter(Boolean).join("; ");
}

function gridCell(table, place, cell, lines) {
  if (!passes(table, cell)) return h("td", {class: "filtered"});
  const cells = table.cells, detailed = state.layout === "full";
  const incomplete = at(cells, "n", cell) < at(cells, "asked", cell);
  const key = `${place}.${cell}`;
  const mean = at(cells, "meanText", cell);
  return h(
      "td", {
        class: "cell " + standingClass(table, cell),
        tabindex: -1,
        "data-cell": key,
        title: cellWords(table, cell),
        onclick: () => set({cell: key})
      },
      h("span", {class: "ours"}, mean || (hasRuns(table, cell) ? "no score" : "–"),
        h("span", {class: markClass(table, cell), "aria-hidden": "true"},
          at(cells, "mark", cell) || "")),
      detailed &&
          [
            lines.published &&
                h("small", {class: "line"}, at(cells, "publishedText", cell) || "\u00a0"),
            lines.gap && h("small", {class: "line"}, at(cells, "gapText", cell) || "\u00a0"),
            hasRuns(table, cell) &&
                h("small", {class: "line" + (incomplete ? " trouble" : "")}, countText(table, cell))
          ],
      at(cells, "troubleText", cell) &&
          h("small", {class: "line trouble"}, at(cells, "troubleText", cell)));
}

// Which lines the cells of a row have below their means.
function linesOf(table, row, columns) {
  const any = (name) =>
      columns.some((column) => at(table.cells, name, cellAt(table, row, column)) !== null);
  return {published: any("publishedText"), gap: any("gapText"), runs: true};
}

const rowWords = (lines) =>
    Object.keys(lines)
        .filter((name) => lines[name])
        .map((word) => h("small", {class: "line", "aria-hidden": "true"}, word));

const sortKey = (place, what) => `${place}:${what}`;
function sortOf(place) {
  const match = /^(\d+):(.+?)(-?)$/.exec(state.sort);
  return match && Number(match[1]) === place ? {what: match[2], down: match[3] === "-"} : null;
}

// Whether what rows are sorted by goes up at first: names do, and scores of which smaller ones are
// better; other numbers go down.
function firstUp(table, what) {
  const column = table.columns[Number(what)];
  if (column) return !column.larger;
  return !listColumns.some(([key, , , number]) => key === what && number);
}

// First as firstUp() says, then the other way, then as the report has it.
function turnSort(place, what) {
  const now = sortOf(place), key = sortKey(place, what);
  set({sort: !now || now.what !== what ? key : now.down ? "" : key + "-"});
}

const goesUp = (table, sort) => firstUp(table, sort.what) !== sort.down;

// "ascending" or "descending"; null where another column orders the rows.
function sortedHow(table, place, what) {
  const now = sortOf(place);
  if (!now || now.what !== what) return null;
  return goesUp(table, now) ? "ascending" : "descending";
}

function sortButton(table, place, what, words) {
  const how = sortedHow(table, place, what);
  return h(
      "button", {
        type: "button",
        class: "sort",
        "data-sort": sortKey(place, what),
        onclick: () => turnSort(place, what)
      },
      words,
      h("span", {class: "arrow", "aria-hidden": "true"},
        how ? (how === "ascending" ? "▴" : "▾") : ""));
}

function sortHead(table, place, what, words, kind) {
  return h(
      "th", {scope: "col", class: kind || null, "aria-sort": sortedHow(table, place, what)},
      sortButton(table, place, what, words));
}

// Rows in order; what has no value comes last either way.
function sorted(list, value, up) {
  const sign = up ? 1 : -1;
  return list.map((item, i) => ({item, i, key: value(item)}))
      .sort((a, b) => {
        if (a.key === null || b.key === null)
          return (a.key === null) - (b.key === null) || a.i - b.i;
        const order = typeof a.key === "string" ? a.key.localeCompare(b.key) : a.key - b.key;
        return sign * order || a.i - b.i;
      })
      .map(({item}) => item);
}

function sortedRows(table, place, rows) {
  const sort = sortOf(place);
  if (!sort) return rows;
  const up = goesUp(table, sort);
  if (sort.what === "model") return sorted(rows, (row) => table.models[row], up);
  const column = Number(sort.what);
  if (!table.columns[column]) return rows;
  return sorted(rows, (row) => at(table.cells, "mean", cellAt(table, row, column)), up);
}

function grid(table, place) {
  const {rows, columns} = shown(table);
  if (rows.length === 0) return h("p", {class: "soft"}, "No cell is left by the filters.");
  return h(
      "div", {class: "wide"},
      h("table", {class: "grid", role: "grid", "aria-label": table.heading},
        h("thead", null,
          h("tr", null, sortHead(table, place, "model", "model"),
            columns.map(
                (column) => sortHead(table, place, String(column), table.columns[column].text)))),
        h("tbody", null,
          sortedRows(table, place, rows)
              .map(
                  (row) =>
                      h("tr", null,
                        h("th", {scope: "row"}, table.models[row],
                          state.layout === "full" && rowWords(linesOf(table, row, columns))),
                        columns.map(
                            (column) => gridCell(
                                table, place, cellAt(table, row, column),
                                linesOf(table, row, columns))))))));
}

// One line a cell: [key, head, text, number or text to sort by, class].
const listColumns = [
  ["model", "model", (t, c) => t.models[rowOf(t, c)]],
  ["dataset", "data set", (t, c) => t.columns[columnOf(t, c)].dataset],
  ["measure", "metric", (t, c) => t.columns[columnOf(t, c)].measure],
  ["mean", "ours", (t, c) => at(t.cells, "meanText", c), (t, c) => at(t.cells, "mean", c)],
  ["n", "runs", countText, (t, c) => at(t.cells, "n", c)],
  [
    "published", "published", (t, c) => at(t.cells, "publishedText", c),
    (t, c) => at(t.cells, "published", c)
  ],
  ["gap", "gap", (t, c) => at(t.cells, "gapText", c), (t, c) => at(t.cells, "gap", c)],
  [
    "delta", "smallest δ", (t, c) => at(t.cells, "deltaText", c),
    (t, c) => Number(at(t.cells, "deltaText", c)) || null
  ],
  [
    "seconds", "a run",
    (t, c) => at(t.runs, "seconds", c) === null ? null : secondsText(at(t.runs, "seconds", c)),
    (t, c) => at(t.runs, "seconds", c)
  ],
  [
    "trouble", "trouble", (t, c) => at(t.cells, "troubleText", c),
    (t, c) => at(t.cells, "failed", c) + at(t.cells, "diverged", c)
  ],
  ["verdict", "verdict", (t, c) => protocol().verdicts[at(t.cells, "verdict", c)]],
];

const isNumber = (key) => !["model", "dataset", "measure", "trouble", "verdict"].includes(key);

function list(table, place) {
  const cells = [];
  for (let cell = 0; cell < table.models.length * table.columns.length; ++cell)
    if (hasRuns(table, cell) && passes(table, cell)) cells.push(cell);
  if (cells.length === 0) return h("p", {class: "soft"}, "No cell is left by the filters.");
  const used = listColumns.filter(([, , text]) => cells.some((cell) => text(table, cell)));
  const sort = sortOf(place), by = sort && used.find(([key]) => key === sort.what);
  const value = by && (by[3] || by[2]);
  const order = by ? sorted(cells, (cell) => value(table, cell), goesUp(table, sort)) : cells;
  return h(
      "div", {class: "wide"},
      h("table", {class: "grid list", role: "grid", "aria-label": table.heading},
        h("thead", null,
          h("tr", null,
            used.map(
                ([key, head]) =>
                    sortHead(table, place, key, head, isNumber(key) ? null : "words")))),
        h("tbody", null,
          order.map(
              (cell) =>
                  h("tr", {
                    class: "cell " + standingClass(table, cell),
                    tabindex: -1,
                    "data-cell": `${place}.${cell}`,
                    onclick: () => set({cell: `${place}.${cell}`})
                  },
                    used.map(
                        ([key, , text]) =>
                            h("td", {class: isNumber(key) ? null : "words"},
                              key === "verdict" &&
                                  h("span", {class: markClass(table, cell), "aria-hidden": "true"},
                                    at(table.cells, "mark", cell)),
                              text(table, cell))))))));
}

function plainGrid(grid) {
  return h(
      "div", {class: "wide"},
      h("table", {class: "grid plain"},
        h("thead", null, h("tr", null, grid.head.map((name) => h("th", {scope: "col"}, name)))),
        h("tbody", null,
          grid.rows.map(
              (row) => row.section ?
                  h("tr", {class: "section"},
                    h("th", {colspan: grid.head.length, scope: "rowgroup"}, row.cells[0])) :
                  h("tr", null,
                    row.cells.map(
                        (cell, i) => i === 0 ?
                            h("th", {scope: "row"}, cell) :
                            h("td", {class: grid.head[i] === "printed" ? "printed" : null},
                              cell)))))));
}

function legendOf(table) {
  const has = (standing) => (table.cells.standing || []).includes(standing);
  return h(
      "ul", {class: "legend"},
      has(2) && h("li", null, h("span", {class: "swatch best"}), "best mean of its column"),
      has(1) &&
          h("li", null, h("span", {class: "swatch level"}),
            "cannot be told from the best (paired t test over common splits; below " +
                `${protocol().fewestDraws} draws nothing is concluded)`),
      table.legend.map(
          (line) =>
              h("li", null,
                h("span", {
                  class: "mark " + protocol().verdicts[line.verdict].replace(/ /g, "-") +
                      (line.below ? " below" : "")
                },
                  line.mark),
                line.text)));
}

function tableView() {
  return tables().map(
      ({table, place}) => h(
          "section", null, h("h2", null, table.heading), h("p", null, table.caption),
          table.shownColumns.length > 0 &&
              [state.layout === "list" ? list(table, place) : grid(table, place), legendOf(table)],
          table.sentences.length > 0 &&
              h("details", {class: "notes", open: tables().length === 1},
                h("summary", null, "How it was judged, and what is not here"),
                table.sentences.map((sentence) => h("p", null, sentence))),
          table.grids.map(
              (one) =>
                  h("details", null, h("summary", null, one.title), plainGrid(one),
                    h("p", {class: "soft"}, one.note)))));
}
