// What of a store cannot be as it was kept, all of it.
#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/store/store_impl.h"

namespace cupel {
namespace {

std::string brief_id(const std::string& id) { return id.substr(0, 32); }

class Inspection {
 public:
  explicit Inspection(Store::Impl& store) : store_(store) {}

  std::vector<std::string> all() {
    const auto look = [&](auto&& part) {
      try {
        part();
      } catch (const Error& error) {
        out_.emplace_back(error.what());
      }
    };
    for (const auto& [id, identity] : families()) {
      look([&, &id = id, &identity = identity] { look_at_family(id, identity); });
    }
    look([&] { look_at_strays(); });
    look([&] { look_at_cells(); });
    look([&] { look_at_protocols(); });
    return std::move(out_);
  }

 private:
  std::vector<std::pair<std::string, std::string>> families() const {
    Statement rows(store_.db, "SELECT id, identity FROM families ORDER BY id");
    std::vector<std::pair<std::string, std::string>> out;
    while (rows.step()) out.emplace_back(rows.text(0), rows.text(1));
    return out;
  }

  void look_at_family(const std::string& id, const std::string& identity) {
    if (const std::string fault = family_fault(id, identity); !fault.empty())
      out_.push_back(fmt::format("family {}: {}", brief_id(id), fault));
    const auto note = [&](const Row& row) {
      if (const std::string fault = fault_of(id, identity, row); !fault.empty())
        out_.push_back(fmt::format("run {}: {}", brief_id(row.run.record.id), fault));
    };
    for (const Row& row : store_.rows_of(id)) note(row);
    for (const auto& [split, init] : store_.conflict_places(id)) {
      const std::vector<Row> sides = store_.sides_of(id, split, init);
      for (const Row& side : sides) note(side);
      if (sides.size() < 2)
        out_.push_back(fmt::format("run {}: it is in conflict with nothing",
                                   brief_id(sides.front().run.record.id)));
    }
  }

  // What belongs to nothing: a run that was taken out left it behind, or somebody put it there.
  void look_at_strays() {
    for (const char* table : {"runs", "conflicts"})
      stray(fmt::format("SELECT count(*) FROM {} t WHERE NOT EXISTS (SELECT 1 FROM families f "
                        "WHERE f.id = t.family)",
                        table),
            table, "of no family");
    for (const char* table : {"strata", "other_scores", "isolation", "seals"})
      stray(fmt::format("SELECT count(*) FROM {} t WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE "
                        "r.family = t.family AND r.split = t.split AND r.init = t.init)",
                        table),
            table, "of no run");
    stray(
        "SELECT count(*) FROM asked t WHERE NOT EXISTS (SELECT 1 FROM cells c WHERE c.at = "
        "t.cell)",
        "asked", "of no cell");
    stray(
        "SELECT count(*) FROM cell_seals t WHERE NOT EXISTS (SELECT 1 FROM cells c WHERE c.at = "
        "t.cell)",
        "cell_seals", "of no cell");
    stray(
        "SELECT count(*) FROM cells t WHERE NOT EXISTS (SELECT 1 FROM protocols p WHERE "
        "p.version = t.protocol) OR NOT EXISTS (SELECT 1 FROM families f WHERE f.id = t.family)",
        "cells", "of no protocol or no family");
  }

  void stray(const std::string& query, const char* table, const char* what) {
    Statement count(store_.db, query);
    count.step();
    if (count.integer(0) > 0)
      out_.push_back(fmt::format("table '{}' has {} rows {}", table, count.integer(0), what));
  }

  void look_at_cells() {
    Statement rows(
        store_.db,
        "SELECT table_id, dataset, model FROM cells WHERE NOT (typeof(first_split) = "
        "'integer' AND first_split BETWEEN 0 AND 2147483647 AND full_splits BETWEEN 0 "
        "AND 2147483647 AND full_inits BETWEEN 0 AND 2147483647 AND classes BETWEEN 0 "
        "AND 2147483647) OR EXISTS (SELECT 1 FROM asked WHERE cell = at AND NOT "
        "(splits BETWEEN 0 AND 2147483647 AND inits BETWEEN 0 AND 2147483647)) OR EXISTS "
        "(SELECT 1 FROM looks l WHERE l.protocol = cells.protocol AND l.table_id = "
        "cells.table_id AND l.dataset = cells.dataset AND l.model = cells.model AND NOT "
        "(l.splits BETWEEN 1 AND 2147483647 AND l.inits BETWEEN 1 AND 2147483647))");
    while (rows.step())
      out_.push_back(fmt::format("cell '{}' of '{}' in table '{}' counts what cannot be",
                                 rows.text(2).substr(0, 80), rows.text(1).substr(0, 80),
                                 rows.text(0).substr(0, 80)));
  }

  void look_at_seals(const std::string& version) {
    for (const std::string& fault : store_.cell_faults(version)) out_.push_back(fault);
  }

  void look_at_protocols() {
    Statement rows(store_.db, "SELECT name, version, text, published FROM protocols ORDER BY at");
    while (rows.step()) {
      const std::string name = rows.text(0), version = rows.text(1), published = rows.text(3);
      look_at_seals(version);
      try {
        const Protocol protocol =
            parse_protocol(name, name + ".toml", rows.text(2),
                           published.empty() ? std::nullopt : std::optional(published));
        if (protocol.version != version)
          out_.push_back(fmt::format("protocol '{}': version {} is not the hash of its text",
                                     name.substr(0, 80), version.substr(0, 12)));
        look_at_rows(protocol, version);
      } catch (const Error& error) {
        out_.push_back(fmt::format("protocol '{}': {}", name.substr(0, 80), error.what()));
      }
    }
  }

  // Cells stand in rows and tables of their protocol.
  void look_at_rows(const Protocol& protocol, const std::string& version) {
    Statement cells(store_.db, "SELECT DISTINCT table_id, model FROM cells WHERE protocol = ?");
    cells.bind(version);
    while (cells.step()) {
      const std::string table = cells.text(0), model = cells.text(1);
      const bool there = std::ranges::any_of(
          protocol.tables, [&](const TableSpec& spec) { return spec.id == table; });
      if (!there || protocol.find_model(model) == nullptr)
        out_.push_back(fmt::format("protocol '{}' has no row '{}' in a table '{}', as a cell says",
                                   protocol.name, model.substr(0, 80), table.substr(0, 80)));
    }
  }

  Store::Impl& store_;
  std::vector<std::string> out_;
};

}  // namespace

std::vector<std::string> Store::faults() const {
  const std::lock_guard lock(impl_->mutex);
  return Inspection(*impl_).all();
}

}  // namespace cupel
