#include "cupel/api/given_split.h"

#include "cupel/api/protocol_json.h"
#include "cupel/api/published_counts.h"
#include "cupel/base/error.h"
#include "cupel/data/facts/columns_of.h"
#include "cupel/lab/protocol/section.h"
#include "cupel/lab/protocol/write_toml.h"
#include "cupel/learn/task_kind.h"

namespace cupel {
namespace {

// What of a split by time is not about where it is cut.
constexpr const char* kStays[] = {"count", "first", "holdout", "seed"};

void cut_anew(toml::table& section, const char* key, const std::string& cuts) {
  toml::table out{{"scheme", "time"}, {key, cuts}};
  if (section["scheme"].value<std::string>() == "time") {
    for (const char* name : kStays)
      if (const toml::node* value = section.get(name)) out.insert(name, *value);
  }
  out.is_inline(section.is_inline());
  section = std::move(out);
}

}  // namespace

Protocol with_split(const Protocol& protocol, const std::string& split, const std::string& option) {
  if (split.empty()) return protocol;
  const TaskKind& task = *find_task_kind(protocol.task);
  if (task.unit != Unit::kFact)
    fail(
        "{}: cuts facts over time, and protocol '{}' is about {}; leave it out, or say {}s for a "
        "number of splits",
        option, protocol.name, task.words, option);
  const std::string cuts = cuts_text(split);
  const bool shares = is_of_shares(cuts);
  if (shares) (void)parse_quantiles(cuts, option + ":");
  const char* key = shares ? "quantiles" : "cuts";
  toml::table file = toml_of(protocol.name, protocol.text);
  file.erase("published");
  if (!file.contains("split")) file.insert("split", toml::table());
  cut_anew(*file["split"].as_table(), key, cuts);
  if (toml::array* tables = file["table"].as_array())
    tables->for_each([&](toml::table& table) {
      if (toml::table* own = table["split"].as_table()) cut_anew(*own, key, cuts);
    });
  return with_text(protocol, write_toml(file));
}

}  // namespace cupel
