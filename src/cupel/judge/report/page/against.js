// Models against each other: the matrix of all pairs, letters, and mean ranks.

// What a cell of the matrix shows of row i and column j.
function duelCell(models, pairs, i, j, table, draws) {
  if (i === j) return h("td", {class: "self"});
  const place = pairAt(models.length, Math.min(i, j), Math.max(i, j)), sign = i < j ? 1 : -1;
  const difference = at(pairs, "difference", place);
  if (difference === null) return h("td", {class: "soft", title: `too few common ${draws}`}, "–");
  const [first, last] = i < j ? ["wins", "losses"] : ["losses", "wins"];
  const holm = at(pairs, "holm", place),
        score = `${at(pairs, first, place)}/${at(pairs, "ties", place)}/${at(pairs, last, place)}`;
  const better = sign * difference * (table.larger ? 1 : -1);
  const words = `${table.names[models[i]]} − ${table.names[models[j]]}: ${
      signed(
          sign * difference,
          2)}; wins/ties/losses over common ${draws} ${score}; p ${pText(holm)} (Wilcoxon, Holm)`;
  const told = holm !== null && holm <= 0.05;
  return h(
      "td", {class: told ? (better > 0 ? "ahead" : "behind") : null, title: words},
      h("span", {class: told ? "ours strong" : "ours"}, signed(sign * difference, 2)),
      h("small", {class: "line"}, score), h("small", {class: "line"}, `p ${pText(holm)}`));
}

function matrix(table, models, pairs, larger, draws) {
  const open = models.map((model, i) => [model, i])
                   .filter(
                       ([model]) => table.shownColumns.some(
                           (column) => passes(table, cellAt(table, model, column))));
  const about = {names: table.models, larger};
  if (open.length < 2)
    return h("p", {class: "soft"}, "Fewer than two models are left by the filters.");
  return h(
      "div", {class: "wide"},
      h("table", {class: "grid matrix", "aria-label": "all pairs of models"},
        h("thead", null,
          h("tr", null, h("th", {scope: "col"}, "row − column"),
            open.map(([model]) => h("th", {scope: "col"}, table.models[model])))),
        h("tbody", null,
          open.map(
              ([model, i]) =>
                  h("tr", null, h("th", {scope: "row"}, table.models[model]),
                    open.map(([, j]) => duelCell(models, pairs, i, j, about, draws)))))));
}

// Mean ranks on a line, best to the left; bars join what Nemenyi's test does not part.
function rankDiagram(table, ranks) {
  const labels =
      ranks.models.map((model, i) => `${table.models[model]} ${ranks.ranks[i].toFixed(2)}`);
  // Room for the longest name on either side; a letter is at most as wide as this.
  const margin = Math.max(170, 20 + 8 * Math.max(...labels.map((label) => label.length)));
  const n = ranks.models.length, width = 520 + 2 * margin, left = margin, right = width - margin,
        top = 62;
  const levels = [];
  const bars = ranks.groups.map(([first, last]) => {
    const level = levels.findIndex((end) => ranks.ranks[first] > end + 0.02 * n);
    const y = level < 0 ? levels.push(0) - 1 : level;
    levels[y] = ranks.ranks[last];
    return {first, last, y};
  });
  const x = linear(1, n, left, right), under = top + 18 + levels.length * 9;
  const half = Math.ceil(n / 2), height = under + half * 20 + 16;
  const marks = Array.from({length: n}, (ignored, i) => i + 1);
  return s(
      "svg",
      {viewBox: `0 0 ${width} ${height}`, role: "img", class: "ranks", "aria-label": "mean ranks"},
      s("line", {class: "axisline", x1: left, x2: right, y1: top, y2: top}),
      marks.map(
          (rank) =>
              s("g", null,
                s("line", {class: "axisline", x1: x(rank), x2: x(rank), y1: top - 5, y2: top}),
                s("text", {class: "tick", x: x(rank), y: top - 9, "text-anchor": "middle"}, rank))),
      s("line", {
        class: "critical",
        x1: left,
        x2: Math.min(right, x(1 + ranks.difference)),
        y1: 22,
        y2: 22
      }),
      s("text", {class: "tick", x: left, y: 14},
        `critical difference ${ranks.difference.toFixed(2)}` +
            (1 + ranks.difference > n ? ", wider than the axis" : "")),
      ranks.models.map((model, i) => {
        const isLeft = i < half, y = under + 12 + (isLeft ? i : n - 1 - i) * 20,
              at = x(ranks.ranks[i]);
        return s(
            "g", null,
            s("path", {class: "lead", d: `M${at},${top} V${y} H${isLeft ? left - 8 : right + 8}`}),
            s("text", {
              class: "name",
              x: isLeft ? left - 12 : right + 12,
              y: y + 4,
              "text-anchor": isLeft ? "end" : "start"
            },
              labels[i]));
      }),
      bars.map(({first, last, y}) => s("line", {
                 class: "join",
                 x1: x(ranks.ranks[first]) - 4,
                 x2: x(ranks.ranks[last]) + 4,
                 y1: top + 10 + y * 9,
                 y2: top + 10 + y * 9
               })));
}

function ranksPart(table) {
  const ranks = table.against.ranks;
  if (!ranks) return null;
  return [
    h("h3", null, "Mean ranks"), h("div", {class: "wide"}, rankDiagram(table, ranks)),
    h("p", {class: "soft"},
      ranks.test + ". Models under one bar are not parted by Nemenyi's test at 5 %."),
    h("p", {class: "caveat"},
      "To be read with care: mean ranks of two models depend on which others are in the table, so that a third can " +
          "make them differ or not (Benavoli, Corani and Mangili, JMLR 2016); a rank forgets how large a difference is; a bar shows no equality. " +
          "The pairs of the matrix above depend on the two alone, but for the correction.")
  ];
}

function lettersPart(table) {
  const columns = table.against.columns.filter((one) => one.letters.some(Boolean));
  if (columns.length === 0) return null;
  return h(
      "details", null, h("summary", null, "Letters: who was not found different"),
      h("p", {class: "soft"}, table.against.lettersText),
      h("div", {class: "wide"},
        h("table", {class: "grid plain"},
          h("thead", null,
            h("tr", null, h("th", null, "model"),
              columns.map((one) => h("th", {scope: "col"}, table.columns[one.column].text)))),
          h("tbody", null,
            table.shownModels.map(
                (model) =>
                    h("tr", null, h("th", {scope: "row"}, table.models[model]),
                      columns.map(
                          (one) =>
                              h("td", null, one.letters[one.models.indexOf(model)] || "–"))))))));
}

function againstView() {
  const sections =
      tables()
          .filter(({table}) => table.against.columns && table.against.columns.length > 0)
          .map(({table}) => {
            const {columns, across} = table.against;
            const options =
                columns.map((one) => [String(one.column), table.columns[one.column].text]);
            if (across) options.unshift(["all", `all ${across.datasets} data sets`]);
            const key =
                options.some(([value]) => value === state.column) ? state.column : options[0][0];
            const one = columns.find((column) => String(column.column) === key);
            return h(
                "section", null, h("h2", null, table.heading),
                select("compared on", key, options, (value) => set({column: value})),
                one ?
                    [
                      matrix(
                          table, one.models, one.pairs, table.columns[one.column].larger, "splits"),
                      h("p", {class: "soft"},
                        "Each cell: mean difference over the splits that both have; wins/ties/losses, split by split; p of Wilcoxon's " +
                            "signed-rank test, corrected by Holm for all pairs of this column. Shaded: p ≤ 0.05. It speaks of this data set, not of others like it.")
                    ] :
                    [
                      matrix(table, across.models, across.pairs, across.larger, "data sets"),
                      h("p", {class: "soft"},
                        "Each cell: mean difference of the means, every data set with equal weight; wins/ties/losses, data set by data set; " +
                            "p of Wilcoxon's signed-rank test over data sets, corrected by Holm. Shaded: p ≤ 0.05, which fewer than six data sets cannot reach.")
                    ],
                ranksPart(table), lettersPart(table));
          });
  return sections.length > 0 ?
      sections :
      h("p", {class: "soft"}, "No two models of these tables have scores on the same data set.");
}
