// The block of JSON of a page, part by part.
//
// Texts are those of the readable formats, so that a page says what they say. Numbers are for
// sorting and drawing, and have six significant digits; the lines of CSV have all of them. What is
// not known is null, and a list whose entries all are is left out. Cells are columns of numbers, by
// place in ReportTable::cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/judge/report/page/page.h"
#include "cupel/judge/report/table.h"

namespace cupel::page {

using Json = nlohmann::ordered_json;

// Six significant digits; null if absent.
[[nodiscard]] Json number(const std::optional<double>& value);
// One line in which nothing steers, turns or hides: printable().
[[nodiscard]] Json text(const std::string& value);
[[nodiscard]] Json texts(const std::vector<std::string>& values);

// Lists by name, of the same length; those in which all is null are left out.
class Lists {
 public:
  void add(const std::string& name, Json value);
  [[nodiscard]] Json json() const;

 private:
  std::vector<std::pair<std::string, Json>> lists_;
};

// Parts of identities, each once: a page has a thousand cells with the same training rule.
class Identities {
 public:
  // Places of the members of a family's identity (canonical JSON). Empty for a text that is none.
  std::vector<std::size_t> add(const std::string& family);
  [[nodiscard]] Json json() const { return parts_; }  // [[name, value as JSON in text], ...]

 private:
  std::map<std::string, std::size_t> place_;
  Json parts_ = Json::array();
};

// A page holds the scores of runs of cells with at most so many runs; of others, those of splits.
// The largest number, up to `most`, such that a page has at most `budget` scores.
inline constexpr std::int64_t kScoreBudget = 60'000;
[[nodiscard]] std::int64_t largest_listed(std::span<const Results> protocols,
                                          std::int64_t budget = kScoreBudget);

// The cells of a table as the readable formats show them, and what only the page shows: whether a
// cell can be told from the best of its column.
[[nodiscard]] Json cells_json(const ReportTable& table);
// What is behind the cells of a table with runs of its own or of its source: scores by split,
// quartiles, epochs, cost, failures, identity, what repeats it. `source`: the table of results with
// the runs; null of a derived table that has no runs cell by cell.
[[nodiscard]] Json runs_json(const Results& results, const ReportTable& table,
                             const TableResults* source, Identities& identities,
                             std::int64_t listed);
// Models against each other: by data set, over data sets, mean ranks.
[[nodiscard]] Json models_json(const ReportTable& table, const TableResults* source);
// Cards of the data sets of a protocol.
[[nodiscard]] Json datasets_json(const Results& results, std::span<const CardAudit> audits);
// A protocol with its tables, and the lines of its CSV.
[[nodiscard]] Json protocol_json(const Results& results, Identities& identities,
                                 std::int64_t listed, std::span<const CardAudit> audits);

// Of a data set that was added by its path, which no store keeps: the hash of its content. None
// where its name says what it is.
[[nodiscard]] std::optional<std::string> content_by_path(const CellResults& cell);
// What does the runs of a cell again: a command for a shell of POSIX; or, of functions and of
// protocols that a program said, which no command reaches, a call of Python. PATH stands in it for
// such a data set, FUNCTION for the function, PROTOCOL for the dict that the protocol was.
[[nodiscard]] std::string command_of(const Results& results, const std::string& table,
                                     const CellResults& cell);

// All of it, as text that may stand in an element of HTML. Of a text with `most_bytes` or more, the
// scores of runs are left out, those of the cells with the most runs first, until it has fewer or
// there are none.
[[nodiscard]] std::string block_of(std::span<const Results> protocols,
                                   std::span<const CardAudit> audits, std::size_t most_bytes);

}  // namespace cupel::page
