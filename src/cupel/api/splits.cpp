#include "cupel/api/splits.h"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>

#include "cupel/base/hash.h"
#include "cupel/base/paths.h"
#include "cupel/data/split/link_split.h"
#include "cupel/lab/protocol/parse.h"

namespace cupel {
namespace {

SplitScheme counted_scheme(const SplitScheme& scheme, const Dataset& dataset) {
  SplitScheme out = resolved_scheme(scheme, dataset);
  if (const std::optional<int> size = family_size(out, dataset)) {
    if (*size == 0) fail("{}: it has no {} splits; choose another scheme", dataset.name, out.kind);
    // All there are, where no number is given.
    const std::int64_t end = std::int64_t{out.first} + std::max(1, out.count);
    if (end > *size)
      fail(
          "{}: there are {} '{}' splits, and number {} was asked for, counted from 0; lower "
          "'count' or 'first'",
          dataset.name, *size, out.kind, end - 1);
    if (out.count == 0) out.count = *size - out.first;
  }
  return out;
}

}  // namespace

SplitScheme read_split_scheme(const std::string& where, const std::string& kind,
                              const std::map<std::string, OptionValue>& settings) {
  toml::table section;
  section.insert("scheme", kind);
  for (const auto& [name, value] : settings)
    std::visit([&, &key = name](const auto& v) { section.insert(key, v); }, value);
  return read_split(Section(where, "split", section), current_folder());
}

OptionValue option_value_of(const std::string& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  if (const auto [at, problem] = std::from_chars(text.data(), end, number);
      problem == std::errc() && at == end)
    return number;
  if (text == "true" || text == "false") return text == "true";
  return text;
}

std::string split_hash(const Split& split) {
  Hasher hasher;
  for (const std::vector<Index>* part : split.parts()) hasher.array(std::span<const Index>(*part));
  return hasher.hex();
}

SplitFamily::SplitFamily(const Dataset& dataset, const SplitScheme& scheme)
    : dataset_(dataset),
      scheme_(counted_scheme(scheme, dataset)),
      unit_(split_unit(scheme_, dataset)) {
  if (unit_ == Unit::kPair) links_ = links_of(dataset, scheme_);
}

Split SplitFamily::member(int index) const {
  return links_ ? make_split(dataset_, *links_, scheme_, index)
                : make_split(dataset_, scheme_, index);
}

}  // namespace cupel
