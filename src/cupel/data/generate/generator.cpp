#include "cupel/data/generate/generator.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/data/formats/beside.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/gnn_benchmark.h"
#include "cupel/data/formats/heterophilous_writer.h"
#include "cupel/data/formats/tu_writer.h"

namespace cupel {

#include "generator_registry.inc"

const std::vector<const Generator*>& generators() {
  static const std::vector<const Generator*> all = generator_registry();
  return all;
}

GeneratorCall parse_generator_call(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  GeneratorCall call;
  for (const Generator* generator : generators()) {
    if (same_name(generator->name, name)) call.generator = generator;
  }
  if (!call.generator) return call;
  std::vector<std::string> given;
  std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    given.push_back(rest.substr(0, comma));
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
  }
  call.settings = parse_options(text, call.generator->settings, given);
  return call;
}

std::string GeneratorCall::canonical_name() const {
  std::string name = generator->name;
  char separator = ':';
  for (const auto& [key, value] : settings.all()) {
    const auto spec = std::find_if(generator->settings.begin(), generator->settings.end(),
                                   [&key = key](const OptionSpec& s) { return s.name == key; });
    if (value == spec->fallback) continue;
    name += fmt::format("{}{}={}", separator, key, to_text(value));
    separator = ',';
  }
  if (generator->name_is_taken && separator == ':') {
    name += fmt::format(":seed={}", settings.integer("seed"));
  }
  return name;
}

GeneratorCall known_generator(const std::string& name, const std::vector<std::string>& settings) {
  std::string text = name;
  for (const std::string& setting : settings)
    text += (text.find(':') == std::string::npos ? ":" : ",") + setting;
  GeneratorCall call = parse_generator_call(text);
  if (call.generator != nullptr) return call;
  std::vector<std::string> known;
  for (const Generator* generator : generators()) known.push_back(generator->name);
  fail("there is no generator '{}'{}", name, near_or_all(name, known));
}

Dataset generate(const GeneratorCall& call) {
  Dataset dataset = call.generator->generate(call.settings);
  dataset.name = call.canonical_name();
  return dataset;
}

void write_generated(const Dataset& dataset, const std::filesystem::path& path) {
  if (!dataset.graphs) {
    if (std::holds_alternative<Matrix>(dataset.features) && !dataset.stored_splits.empty())
      return write_heterophilous_npz(dataset, path);
    if (feature_count(dataset.features) == 0) return write_gnn_benchmark_folder(dataset, path);
    return write_gnn_benchmark_npz(dataset, path);
  }
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return write_tu_dataset(dataset, path);
  const Beside beside(path);
  write_tu_dataset(dataset, beside.path());
  beside.move();
}

}  // namespace cupel
