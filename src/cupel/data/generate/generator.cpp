#include "cupel/data/generate/generator.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "cupel/base/error.h"

namespace cupel {

#define CUPEL_ENTRY(stem) extern const Generator generator_##stem;
#include "generator_registry.inc"
#undef CUPEL_ENTRY

namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

template <class T>
T parse_number(const std::string& where, const std::string& key, const std::string& text,
               const char* kind) {
  T number{};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end) {
    fail("{}: {} = '{}' is not {}", where, key, text, kind);
  }
  return number;
}

// Reads the text of one setting as the type that its declaration has.
OptionValue parse_value(const std::string& where, const std::vector<OptionSpec>& specs,
                        const std::string& key, const std::string& text) {
  const auto spec =
      std::find_if(specs.begin(), specs.end(), [&](const OptionSpec& s) { return s.name == key; });
  if (spec == specs.end()) return text;  // Options names it and the nearest known one
  if (std::holds_alternative<bool>(spec->fallback)) {
    if (text != "true" && text != "false") {
      fail("{}: {} = '{}' is not true or false", where, key, text);
    }
    return text == "true";
  }
  if (std::holds_alternative<std::int64_t>(spec->fallback)) {
    return parse_number<std::int64_t>(where, key, text, "a whole number");
  }
  if (std::holds_alternative<double>(spec->fallback)) {
    return parse_number<double>(where, key, text, "a number");
  }
  return text;
}

}  // namespace

const std::vector<const Generator*>& generators() {
  static const std::vector<const Generator*> all = {
#define CUPEL_ENTRY(stem) &generator_##stem,
#include "generator_registry.inc"
#undef CUPEL_ENTRY
  };
  return all;
}

GeneratorCall parse_generator_call(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = lower(text.substr(0, colon));
  GeneratorCall call;
  for (const Generator* generator : generators()) {
    if (generator->name == name) call.generator = generator;
  }
  if (!call.generator) return call;
  std::map<std::string, OptionValue> given;
  std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string item = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0) {
      fail("{}: '{}' is not a setting; write {}:key=value,key=value", text, item, name);
    }
    const std::string key = item.substr(0, equals);
    OptionValue value = parse_value(text, call.generator->settings, key, item.substr(equals + 1));
    if (!given.emplace(key, std::move(value)).second) fail("{}: '{}' is given twice", text, key);
  }
  call.settings = Options(text, call.generator->settings, given);
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

Dataset generate(const GeneratorCall& call) {
  Dataset dataset = call.generator->generate(call.settings);
  dataset.name = call.canonical_name();
  return dataset;
}

}  // namespace cupel
