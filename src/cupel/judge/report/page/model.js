// The data of the page, and what of it is on screen.

const data = JSON.parse(document.getElementById("data").textContent);

const views = [
  ["table", "Table"], ["against", "Against each other"], ["cost", "Cost"],
  ["readings", "What was printed"], ["datasets", "Data sets"]
];

const layouts =
    [["full", "table, in full"], ["short", "table, in short"], ["list", "one line a cell"]];

// What the reader chose. Everything but `cell` outlives a change of view; all of it is in the
// address, so that a view can be cited.
const initial = {
  protocol: "0",
  table: "all",
  view: "table",
  search: "",
  verdict: "any",
  models: "",
  datasets: "",
  layout: "full",
  sort: "",
  column: "",
  cell: "",
  other: ""
};
const state = {...initial};

const protocol = () => data.protocols[Number(state.protocol)] || data.protocols[0];

// The tables that are shown, with their places.
function tables() {
  const all = protocol().tables.map((table, place) => ({table, place}));
  return state.table === "all" ? all : all.filter(({place}) => String(place) === state.table);
}

// An entry of a list that is left out where all its entries are unknown.
function at(lists, name, place) {
  const list = lists[name];
  return list === undefined ? null : list[place];
}

const cellAt = (table, row, column) => row * table.columns.length + column;
const rowOf = (table, cell) => Math.floor(cell / table.columns.length);
const columnOf = (table, cell) => cell % table.columns.length;
const hasRuns = (table, cell) => at(table.cells, "n", cell) > 0 || troubled(table, cell);
const troubled = (table, cell) => Boolean(
    at(table.cells, "failed", cell) || at(table.cells, "diverged", cell) ||
    at(table.cells, "conflicts", cell));

// Places in lists of pairs (0, 1), (0, 2), ... (1, 2), ... of n.
const pairAt = (n, i, j) => i * n - i * (i + 1) / 2 + (j - i - 1);

const verdictFilters = [
  ["any", "any verdict"], ["equivalent", "equivalent"], ["different", "different"],
  ["undecided", "cannot tell"], ["best", "best, or not told from it"],
  ["trouble", "failed, diverged or in conflict"], ["incomplete", "runs missing"]
];

function passesVerdict(table, cell) {
  const verdict = protocol().verdicts[at(table.cells, "verdict", cell)];
  switch (state.verdict) {
    case "any":
      return true;
    case "best":
      return at(table.cells, "standing", cell) > 0;
    case "trouble":
      return troubled(table, cell);
    case "incomplete":
      return at(table.cells, "n", cell) < at(table.cells, "asked", cell);
    default:
      return verdict === state.verdict;
  }
}

// Names are kept in the address one by one, so that none needs a separator of its own.
const chosen = (list) => list === "" ? null : new Set(JSON.parse(list));

// Whether the filters leave a cell. Every word of the search is in the name of its model, data set
// or metric.
function passes(table, cell) {
  const model = table.models[rowOf(table, cell)];
  const column = table.columns[columnOf(table, cell)];
  const models = chosen(state.models), datasets = chosen(state.datasets);
  if (models && !models.has(model)) return false;
  if (datasets && table.kind !== "relative" && !datasets.has(column.dataset)) return false;
  const names = [model, column.dataset, column.measure].join("\n").toLowerCase();
  const words = state.search.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => names.includes(word)) && passesVerdict(table, cell);
}

// Rows and columns that have runs and a cell that the filters leave.
function shown(table) {
  const open = (row, column) => passes(table, cellAt(table, row, column));
  return {
    rows: table.shownModels.filter((row) => table.shownColumns.some((column) => open(row, column))),
    columns:
        table.shownColumns.filter((column) => table.shownModels.some((row) => open(row, column))),
  };
}

// The lines of `cupel report --format csv`. Each is stored as how much of it is as in the one
// before.
function csvLines() {
  const csv = protocol().csv;
  let before = "";
  return csv.rests.map((rest, i) => before = before.slice(0, csv.shared[i]) + rest);
}

// Those that the filters leave, in their order. Without filters it is the same to the byte.
function csvOnScreen() {
  const csv = protocol().csv, places = new Set(tables().map(({place}) => place));
  return csv.header +
      csvLines()
          .filter((line, i) => {
            const table = protocol().tables[csv.tables[i]],
                  cells = table.models.length * table.columns.length;
            return places.has(csv.tables[i]) &&
                (csv.cells[i] >= cells || passes(table, csv.cells[i]));
          })
          .join("");
}

function isWellFormed(address) {
  try {
    decodeURIComponent(address);
    return true;
  } catch (error) {
    return false;
  }
}

function readAddress() {
  const fields = new URLSearchParams(location.hash.slice(1));
  for (const name of Object.keys(initial))
    state[name] = fields.has(name) ? fields.get(name) : initial[name];
  // An address may say anything.
  for (const [name, list] of [["view", views], ["verdict", verdictFilters], ["layout", layouts]])
    if (!list.some(([word]) => word === state[name])) state[name] = initial[name];
  // Bytes that are no text have become U+FFFD, which names may have too.
  if (state.search.includes("\ufffd") && !isWellFormed(location.hash)) state.search = "";
  if (!data.protocols[Number(state.protocol)]) state.protocol = initial.protocol;
  if (tables().length === 0) state.table = initial.table;
  for (const name of ["models", "datasets"]) {
    try {
      if (state[name] !== "" && !Array.isArray(JSON.parse(state[name]))) state[name] = "";
    } catch (error) {
      state[name] = "";
    }
  }
}

function writeAddress() {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(state))
    if (value !== initial[name]) fields.set(name, value);
  history.replaceState(null, "", "#" + fields.toString());
}
