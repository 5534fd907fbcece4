#include "cupel/data/resolve/resolved_folder.h"

#include <memory>
#include <system_error>

#include "cupel/base/write_file.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/formats/beside.h"
#include "cupel/data/resolve/merged_names.h"

namespace cupel {

namespace fs = std::filesystem;

void check_resolved_folder(const fs::path& folder) { const Beside fits(new_folder(folder)); }

void write_resolved_folder(ResolvedFacts& resolved, const std::string& decisions,
                           const std::string& provenance, const fs::path& folder) {
  const Beside beside(new_folder(folder));
  fs::create_directory(beside.path());
  if (!resolved.merged.empty())
    write_file(beside.path() / "merged.csv", merged_csv(resolved.merged, resolved.facts));
  const bool have_authors = !resolved.authorships.paper.empty();
  const auto facts = std::make_shared<const TemporalFacts>(std::move(resolved.facts));
  const auto authorships =
      have_authors ? std::make_shared<const Authorships>(std::move(resolved.authorships))
                   : std::shared_ptr<const Authorships>();
  write_facts_tables(facts, authorships, beside.path());
  write_file(beside.path() / "decisions.csv", decisions);
  write_file(beside.path() / "provenance.json", provenance);
  beside.move();
}

}  // namespace cupel
