#include "cupel/lab/protocol/row_toml.h"

#include <toml++/toml.h>

#include <cassert>
#include <variant>

#include "cupel/lab/protocol/write_toml.h"

namespace cupel {
namespace {

void put(toml::table& out, const std::string& key, const OptionValue& value) {
  std::visit([&](const auto& one) { out.insert_or_assign(key, one); }, value);
}

toml::array texts(const auto& values) {
  toml::array out;
  for (const auto& value : values) out.push_back(std::string(value));
  return out;
}

toml::table train_table(const RuleChange& train) {
  toml::table out;
  for (const auto& [field, value] : train.fields) put(out, field->name, value);
  if (train.timeout_seconds) out.insert("timeout_seconds", *train.timeout_seconds);
  return out;
}

void put_program(toml::table& out, const ExternalCommand& program) {
  const ExternalCommand usual;
  const auto unless_usual = [&](const char* key, const auto& value, const auto& usual_value) {
    if (value != usual_value) out.insert(key, value);
  };
  unless_usual("timeout_seconds", program.timeout_seconds, usual.timeout_seconds);
  if (!program.function.empty()) {
    out.insert("function", program.function);
    unless_usual("memory_mb", program.memory_mb, std::int64_t{0});
    return;
  }
  out.insert("command", texts(program.command));
  unless_usual("memory_mb", program.memory_mb, usual.memory_mb);
  unless_usual("isolation", program.isolation, usual.isolation);
  unless_usual("network", program.network, usual.network);
  unless_usual("worker", program.worker, usual.worker);
  if (!program.inputs.empty()) out.insert("inputs", texts(program.inputs));
  if (!program.packages.empty()) out.insert("packages", texts(program.packages));
  if (!program.readable.empty()) out.insert("readable", texts(program.readable));
}

toml::table case_table(const RowCase& special) {
  assert(special.choices.empty());
  toml::table out;
  out.insert("datasets", texts(special.datasets));
  for (const auto& [name, value] : special.settings) put(out, name, value);
  if (!special.train.empty()) out.insert("train", train_table(special.train));
  return out;
}

}  // namespace

std::string row_toml(const ModelRow& row) {
  assert(row.choices.empty());
  const ModelRow usual;
  toml::table out;
  if (row.external) {
    put_program(out, *row.external);
  } else if (row.model != row.name) {
    out.insert("model", row.model);
  }
  if (row.choose_by != usual.choose_by) out.insert("choose_by", row.choose_by);
  if (row.select_inits != usual.select_inits) out.insert("select_inits", row.select_inits);
  if (!row.reading_of.empty()) out.insert("reading_of", row.reading_of);
  for (const auto& [name, value] : row.settings) put(out, name, value);
  if (!row.train.empty()) out.insert("train", train_table(row.train));
  if (!row.cases.empty()) {
    toml::array cases;
    for (const RowCase& special : row.cases) cases.push_back(case_table(special));
    out.insert("on", std::move(cases));
  }
  const toml::table models{{"models", toml::table{{row.name, std::move(out)}}}};
  const std::string text = write_toml(models);
  return text.substr(text.find('['));  // a blank line stands before each head
}

}  // namespace cupel
