#include "cupel/data/resolve/resolved_folder.h"

#include <memory>
#include <system_error>

#include "cupel/base/error.h"
#include "cupel/base/paths.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/formats/beside.h"
#include "cupel/data/formats/file.h"
#include "cupel/data/resolve/merged_names.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

void write_text(const fs::path& path, const std::string& text) {
  OutputFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace

void check_resolved_folder(const fs::path& folder) {
  const fs::path target = plain_path(folder);
  std::error_code ignored;
  if (fs::is_directory(target, ignored) ? !fs::is_empty(target, ignored) : is_there(target))
    fail("{}: holds something already; remove it, or give another folder", target.string());
  const Beside fits(target);
}

void write_resolved_folder(ResolvedFacts& resolved, const std::string& decisions,
                           const std::string& provenance, const fs::path& folder) {
  check_resolved_folder(folder);
  const Beside beside(plain_path(folder));
  fs::create_directory(beside.path());
  if (!resolved.merged.empty())
    write_text(beside.path() / "merged.csv", merged_csv(resolved.merged, resolved.facts));
  const bool have_authors = !resolved.authorships.paper.empty();
  const auto facts = std::make_shared<const TemporalFacts>(std::move(resolved.facts));
  const auto authorships =
      have_authors ? std::make_shared<const Authorships>(std::move(resolved.authorships))
                   : std::shared_ptr<const Authorships>();
  write_facts_tables(facts, authorships, beside.path());
  write_text(beside.path() / "decisions.csv", decisions);
  write_text(beside.path() / "provenance.json", provenance);
  beside.move();
}

}  // namespace cupel
