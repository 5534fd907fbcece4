// Score against the time of a run, one plane a column.

// Cells that lie further behind all better ones than these lie apart: the axis leaves them out.
function outlying(cells, mean, larger) {
  const order = [...cells].sort((a, b) => (larger ? 1 : -1) * (mean(a) - mean(b)));
  const out = new Set(), best = mean(order[order.length - 1]);
  while (order.length >= 4 &&
         Math.abs(mean(order[1]) - mean(order[0])) > Math.abs(best - mean(order[1])))
    out.add(order.shift());
  return out;
}

function plane(table, place, column) {
  const width = 540, height = 390, left = 52, right = width - 14, top = 16, bottom = height - 44;
  const cells = table.shownModels.map((row) => cellAt(table, row, column))
                    .filter(
                        (cell) => passes(table, cell) && at(table.runs, "seconds", cell) > 0 &&
                            at(table.cells, "mean", cell) !== null);
  if (cells.length === 0) return null;
  const spread = (cell) => at(table.cells, "spread", cell) || 0,
        mean = (cell) => at(table.cells, "mean", cell);
  const seconds = (cell) => at(table.runs, "seconds", cell);
  const far = outlying(cells, mean, table.columns[column].larger);
  const [low, high] = widened(...extremes(cells.filter((cell) => !far.has(cell)).map(mean)), 0.1);
  const [least, most] = extremes(cells.map(seconds));
  const range = [least / 1.6, most * 1.9], y = linear(low, high, bottom, top);
  const x = (value) => linear(Math.log(range[0]), Math.log(range[1]), left, right)(Math.log(value));
  const inside = (value) => Math.min(bottom - 10, Math.max(top + 10, value));
  const points = cells.map((cell) => ({
                             cell,
                             x: x(seconds(cell)),
                             y: inside(y(mean(cell))),
                             name: table.models[rowOf(table, cell)] +
                                 (far.has(cell) ? ` ${mean(cell).toFixed(1)}, off the axis` : "")
                           }));
  const front = points.filter(({cell}) => at(table.runs, "pareto", cell)).sort((a, b) => a.x - b.x);
  const stairs =
      front.map((point, i) => i === 0 ? `M${point.x},${point.y}` : `H${point.x} V${point.y}`)
          .join(" ");
  return h(
      "figure", null, h("figcaption", null, table.columns[column].text),
      s("svg", {
        viewBox: `0 0 ${width} ${height}`,
        role: "group",
        "aria-label": `score against time on ${table.columns[column].dataset}`
      },
        xAxis(logTicks(...range), x, top, bottom), yAxis(ticks(low, high, 5), y, left, right),
        front.length > 1 && s("path", {class: "front", d: stairs}),
        points.map(
            ({cell, x: cx, y: cy}) =>
                [spread(cell) > 0 && !far.has(cell) && s("line", {
                   class: "whisker",
                   x1: cx,
                   x2: cx,
                   y1: inside(y(mean(cell) - spread(cell))),
                   y2: inside(y(mean(cell) + spread(cell)))
                 }),
                 s("circle", {
                   class: at(table.runs, "pareto", cell) ? "dot best" : "dot",
                   cx: cx,
                   cy: cy,
                   r: 5,
                   tabindex: 0,
                   role: "button",
                   "data-cell": `${place}.${cell}`,
                   onclick: () => set({cell: `${place}.${cell}`})
                 },
                   s("title", null,
                     `${cellWords(table, cell)}; ${secondsText(seconds(cell))} a run`))]),
        labels(points, width),
        axisWords(
            "core-seconds a run, logarithmic", table.columns[column].measure,
            {left, right, top, bottom}, height)));
}

function costView() {
  const sections = tables().filter(({table}) => table.kind === "scores").map(({table, place}) => {
    const planes = table.shownColumns.map((column) => plane(table, place, column)).filter(Boolean);
    return planes.length > 0 &&
        h("section", null, h("h2", null, table.heading), h("div", {class: "planes"}, planes));
  });
  if (!sections.some(Boolean))
    return h("p", {class: "soft"}, "No cell that the filters leave has scores and times.");
  return [
    sections,
    h("p", {class: "soft"},
      "Time is that of a run on one core, on the machines that made the store, as the mean over the runs of " +
          "a cell; searching settings is not in it. Line: models that no other beats in both. Whiskers: the spread that the table shows.")
  ];
}
