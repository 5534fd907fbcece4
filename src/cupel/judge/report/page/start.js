// The frame of the page: controls, keys, and drawing anew whenever the state changes.

const page = {
  bar: null,
  main: null,
  panel: null,
  search: null,
  open: null  // the picker that is
};

// Checkboxes of names; all of them is no filter.
function picker(label, name, names) {
  const now = chosen(state[name]), isLeft = (one) => !now || now.has(one);
  const boxes = names.map(
      (one) =>
          h("label", null, h("input", {
              type: "checkbox",
              "data-pick": `${name} ${one}`,
              checked: isLeft(one),
              onchange: () => {
                const left = names.filter((other) => (other === one) !== isLeft(other));
                set({[name]: left.length === names.length ? "" : JSON.stringify(left)});
              }
            }),
            one));
  return h(
      "details", {
        class: "picker",
        "data-picker": name,
        open: page.open === name,
        ontoggle: (event) => {
          if (event.target.open)
            page.open = name;
          else if (page.open === name)
            page.open = null;
        }
      },
      h("summary", null, `${label} (${now ? now.size : names.length} of ${names.length})`),
      h("div", {class: "boxes"},
        h("button", {type: "button", class: "quiet", onclick: () => set({[name]: ""})}, "all"),
        h("button", {type: "button", class: "quiet", onclick: () => set({[name]: "[]"})}, "none"),
        boxes));
}

const union = (lists) => [...new Set(lists.flat())];

function controls() {
  const all = protocol().tables;
  return [
    data.protocols.length > 1 &&
        select(
            "protocol", state.protocol, data.protocols.map((one, i) => [i, one.name]),
            (value) => set({...initial, protocol: value, view: state.view})),
    all.length > 1 &&
        select(
            "table", state.table, [["all", "all tables"], ...all.map((one, i) => [i, one.heading])],
            (value) => set({table: value, cell: "", column: ""})),
    state.view !== "datasets" &&
        select("verdict", state.verdict, verdictFilters, (value) => set({verdict: value})),
    state.view === "table" &&
        select("shown as", state.layout, layouts, (value) => set({layout: value, sort: ""})),
    state.view !== "datasets" &&
        picker(
            "models", "models",
            union(tables().map(({table}) => table.shownModels.map((row) => table.models[row])))),
    picker(
        "data sets", "datasets",
        union(tables()
                  .filter(({table}) => table.kind !== "relative")
                  .map(
                      ({table}) =>
                          table.shownColumns.map((column) => table.columns[column].dataset)))),
    h("button", {
      type: "button",
      id: "csv",
      title: "the lines of cupel report --format csv that the filters leave",
      onclick: () =>
          download(protocol().name.replace(/[^\w-]+/g, "-") + ".csv", "text/csv", csvOnScreen())
    },
      "CSV"),
    JSON.stringify({...state, view: "", protocol: ""}) !==
            JSON.stringify({...initial, view: "", protocol: ""}) &&
        h("button", {
          type: "button",
          class: "quiet",
          onclick: () => set({...initial, view: state.view, protocol: state.protocol})
        },
          "reset"),
  ];
}

function tabs() {
  return h(
      "nav", {"aria-label": "views"},
      views.map(
          ([name, words]) =>
              h("button", {
                type: "button",
                class: "tab",
                "data-view": name,
                "aria-current": state.view === name ? "page" : null,
                onclick: () => set({view: name, cell: ""})
              },
                words)));
}

function help() {
  return h("details", {class: "help"}, h("summary", null, "Keys"), facts([
             ["/", "search"], ["1 to 5", "views"], ["arrows", "move between cells"],
             ["Enter", "what is behind a cell"], ["Escape", "close it"]
           ]));
}

// Draws what the state says. The cell that had the focus has it again.
function draw() {
  const focus = document.activeElement;
  const had = focus &&
      ["data-cell", "data-sort", "data-view", "data-pick", "id", "aria-label"]
          .map((name) => [name, focus.getAttribute(name)])
          .find(([, value]) => value);
  document.title = protocol().title;
  replace(
      page.head, h("h1", null, protocol().title),
      h("p", {class: "soft"}, `Protocol ${protocol().name}.`));
  replace(page.tabs, tabs());
  replace(page.bar, controls());
  if (page.search.value !== state.search) page.search.value = state.search;
  const view = {
    table: tableView,
    against: againstView,
    cost: costView,
    readings: readingsView,
    datasets: datasetsView
  }[state.view];
  replace(page.main, view());
  replace(page.panel, cellPanel());
  document.body.classList.toggle("open", Boolean(openCell()));
  const first = page.main.querySelector("[data-cell]");
  if (first) first.setAttribute("tabindex", 0);
  const current = state.cell && page.main.querySelector(`[data-cell="${CSS.escape(state.cell)}"]`);
  if (current) current.classList.add("current");
  if (had) {
    const again = page.main.querySelector(`[${had[0]}="${CSS.escape(had[1])}"]`) ||
        document.querySelector(`[${had[0]}="${CSS.escape(had[1])}"]`);
    if (again) again.focus({preventScroll: true});
  }
}

function set(changes) {
  const opened = changes.cell && changes.cell !== state.cell;
  Object.assign(state, changes);
  writeAddress();
  draw();
  const panel = page.panel.querySelector(".panel");
  if (opened && panel) panel.focus({preventScroll: true});
}

function close() {
  const from = state.cell;
  set({cell: "", other: ""});
  const cell = page.main.querySelector(`[data-cell="${CSS.escape(from)}"]`);
  if (cell) focusCell(cell);
}

function focusCell(cell) {
  for (const other of page.main.querySelectorAll('[data-cell][tabindex="0"]'))
    other.setAttribute("tabindex", -1);
  cell.setAttribute("tabindex", 0);
  cell.focus();
}

// From a cell of a table to the next one in a direction.
function move(cell, key) {
  const row = cell.closest("tr");
  if (!row) return false;
  const isRow = cell === row, step = key === "ArrowUp" || key === "ArrowLeft" ? -1 : 1;
  if (key === "ArrowLeft" || key === "ArrowRight") {
    let next = cell;
    do next = step < 0 ? next.previousElementSibling : next.nextElementSibling;
    while (next && !next.hasAttribute("data-cell"));
    if (isRow || !next) return false;
    focusCell(next);
    return true;
  }
  const index = isRow ? -1 : [...row.children].indexOf(cell);
  for (let next = row;;) {
    next = step < 0 ? next.previousElementSibling : next.nextElementSibling;
    if (!next) return false;
    const target = isRow ? next : next.children[index];
    if (!target || !target.hasAttribute("data-cell")) continue;
    focusCell(target);
    return true;
  }
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  const cell = event.target.closest && event.target.closest("[data-cell]");
  if (event.key === "Escape" && state.cell)
    close();
  else if (event.key === "Escape" && page.open) {
    page.open = null;
    draw();
  } else if (event.key === "Escape" && typing)
    event.target.blur();
  else if (typing)
    return;
  else if (event.key === "/")
    page.search.focus();
  else if (/^[1-5]$/.test(event.key))
    set({view: views[Number(event.key) - 1][0], cell: ""});
  else if (cell && (event.key === "Enter" || event.key === " "))
    set({cell: cell.getAttribute("data-cell")});
  else if (!(cell && event.key.startsWith("Arrow") && move(cell, event.key)))
    return;
  event.preventDefault();
}

function start() {
  page.head = h("div", null);
  page.tabs = h("div", {class: "tabs"});
  page.search = h("input", {
    type: "search",
    id: "search",
    placeholder: "search models and data sets",
    "aria-label": "search",
    oninput: () => set({search: page.search.value})
  });
  page.bar = h("div", {class: "bar"});
  page.main = h("main", null);
  page.panel = h("div", null);
  document.body.append(
      h("header", null, page.head, page.tabs, h("div", {class: "controls"}, page.search, page.bar)),
      page.main, h("footer", null, help()), page.panel);
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", () => {
    readAddress();
    draw();
  });
  if (data.protocols.length === 0) return;
  readAddress();
  draw();
}

document.addEventListener("DOMContentLoaded", start);
