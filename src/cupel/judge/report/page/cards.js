// What was printed, and cards of data sets.

function readingsView() {
  const parts =
      tables()
          .filter(({table}) => table.readings)
          .map(
              ({table}) =>
                  h("section", null, h("h2", null, table.heading), h("p", null, table.caption),
                    plainGrid(table.readings), h("p", {class: "soft"}, table.readings.note),
                    table.sentences.map((sentence) => h("p", {class: "soft"}, sentence))));
  return parts.length > 0 ? parts :
                            h("p", {class: "soft"},
                              "These tables have no model both as designed and as released: " +
                                  "no cell would have been another number.");
}

const counted = (value) => value === null ? "" : value.toLocaleString("en").replace(/,/g, "\u2009");

function datasetFacts(card) {
  if (!card.facts || card.facts.length === 0) return null;
  const prepared = card.facts.some(([, , value]) => value !== null);
  return h(
      "table", {class: "grid plain"},
      h("thead", null,
        h("tr", null, h("th", null, ""), h("th", null, "as stored"),
          prepared && h("th", null, "prepared"))),
      h("tbody", null,
        card.facts.map(
            ([name, raw, value]) =>
                h("tr", null, h("th", {scope: "row"}, name), h("td", null, counted(raw)),
                  prepared && h("td", null, counted(value))))));
}

function classBars(card) {
  const sizes = card.classSizes || [];
  if (sizes.length === 0) return null;
  const most = Math.max(...sizes), width = 240, step = Math.min(26, width / sizes.length);
  return s(
      "svg", {
        viewBox: `0 0 ${width} 64`,
        role: "img",
        class: "classes",
        "aria-label": `examples of ${sizes.length} classes`
      },
      sizes.map(
          (size, i) =>
              s("rect", {
                class: "column",
                x: i * step,
                width: Math.max(1, step - 2),
                y: 60 - size / most * 52,
                height: size / most * 52
              },
                s("title", null, `class ${i}: ${size}`))));
}

function findingsOf(card) {
  const findings = card.findings || [], name = /^[\w.-]+$/.test(card.name) ? card.name : "NAME";
  return [
    card.audited && findings.length === 0 && h("p", null, "The audit found nothing."),
    !card.audited &&
        h("p", {class: "soft"}, "The data were not audited when this page was made: ",
          h("code", null, `cupel audit ${name}`), " audits them."),
    findings.map(
        (finding) =>
            h("details", {class: "finding " + finding.severity},
              h("summary", null, h("span", {class: "severity"}, finding.severity), finding.title),
              h("p", null, finding.evidence),
              finding.advice && h("p", {class: "soft"}, finding.advice))),
    (card.notes || []).map((note) => h("p", {class: "soft"}, note))
  ];
}

function datasetCard(card) {
  return h(
      "article", {class: "card"}, h("h3", null, card.title || card.name),
      card.title && card.title !== card.name && h("p", {class: "soft"}, card.name),
      card.description && h("p", null, card.description),
      h("div", {class: "columns"}, datasetFacts(card), classBars(card)), facts([
        ["classes", card.facts ? null : card.classes || null], ["licence", card.licence],
        ["citation", card.citation], ["content", card.origin]
      ]),
      h("h4", null, "Audit"), findingsOf(card),
      h("details", null, h("summary", null, "What the runs were made on"),
        card.uses.map(
            (use) => facts([
              ["tables", use.tables.join(", ")], ["content", use.content],
              ["preparation", use.preparation.join(", ") || "as stored"], ["split", use.split]
            ]))));
}

function datasetsView() {
  const words = state.search.toLowerCase().split(/\s+/).filter(Boolean),
        picked = chosen(state.datasets);
  const cards = protocol().datasets.filter(
      (card) => (!picked || picked.has(card.name)) &&
          words.every((word) => `${card.name} ${card.title || ""}`.toLowerCase().includes(word)));
  return cards.length > 0 ? h("div", {class: "cards"}, cards.map(datasetCard)) :
                            h("p", {class: "soft"}, "No data set that the filters leave has runs.");
}
