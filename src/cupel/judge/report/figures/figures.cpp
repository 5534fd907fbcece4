#include "cupel/judge/report/figures/figures.h"

#include <algorithm>
#include <set>

#include "cupel/data/formats/beside.h"
#include "cupel/data/formats/file.h"
#include "cupel/judge/report/build.h"
#include "cupel/judge/report/plain_key.h"
#include "cupel/judge/report/print.h"

namespace cupel {
namespace {

void write_whole(const std::filesystem::path& path, const std::string& content) {
  OutputFile out(path);
  out.write(content.data(), content.size());
  out.commit();
}

}  // namespace

std::vector<BoxPanel> box_panels(const Results& results, const TableResults& table) {
  if (table.kind != "scores") return {};
  const ReportTable report = report::scores_table(results, table);
  const report::View view = report::view_of(report);
  std::vector<BoxPanel> panels;
  for (const std::size_t c : view.columns) {
    const Column& column = report.columns[c];
    BoxPanel panel{report::column_text(report, column),
                   report::measure_words(column.measure),
                   {},
                   report::scale_of(column.measure)};
    bool any = false;
    for (const std::size_t r : view.rows) {
      BoxRow row{report::row_text(report, r), {}, report.cell(r, c).published_mean};
      if (const CellResults* cell = report::find_cell(table, column, report.models[r])) {
        for (const auto& [split, scores] : report::scores_of(*cell)) {
          row.scores.insert(row.scores.end(), scores.begin(), scores.end());
        }
      }
      any = any || !row.scores.empty();
      panel.rows.push_back(std::move(row));
    }
    if (any) panels.push_back(std::move(panel));
  }
  const bool mixed = std::any_of(panels.begin(), panels.end(), [&](const BoxPanel& panel) {
    return panel.metric != panels.front().metric;
  });
  if (mixed) {
    for (BoxPanel& panel : panels) panel.metric = "score";
  }
  return panels;
}

std::vector<Figure> make_figures(const Results& results) {
  std::vector<Figure> figures;
  std::set<std::string> stems;
  const auto add = [&](std::string stem, std::span<const BoxPanel> panels, Outliers shown) {
    // Table "2-images", and data set "images" of table "2".
    while (!stems.insert(stem).second) stem += "-again";
    figures.push_back({stem + ".svg", box_svg(panels, shown)});
    figures.push_back({stem + ".vl.json", box_vega(panels, shown)});
  };
  for (const TableResults& table : results.tables) {
    const std::vector<BoxPanel> panels = box_panels(results, table);
    if (panels.empty()) continue;
    const std::string stem = "boxes-" + table.id;
    add(report::plain_key(stem), panels, Outliers::kHidden);
    for (const BoxPanel& panel : panels) {
      add(report::plain_key(stem + "-" + panel.dataset), {&panel, 1}, Outliers::kShown);
    }
  }
  return figures;
}

std::vector<std::filesystem::path> write_figures(const Results& results,
                                                 const std::filesystem::path& folder) {
  const NeededFolder needed(folder);
  std::vector<std::filesystem::path> paths;
  for (const Figure& figure : make_figures(results)) {
    paths.push_back(folder / figure.name);
    write_whole(paths.back(), figure.content);
  }
  return paths;
}

}  // namespace cupel
