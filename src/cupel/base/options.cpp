#include "cupel/base/options.h"

#include <algorithm>
#include <stdexcept>

#include "cupel/base/error.h"

namespace cupel {
namespace {

const char* type_name(const OptionValue& value) {
  static constexpr const char* kNames[] = {"true or false", "a whole number", "a number", "a text"};
  return kNames[value.index()];
}

OptionValue checked(const std::string& where, const OptionSpec& spec, OptionValue value) {
  if (std::holds_alternative<double>(spec.fallback) && std::holds_alternative<std::int64_t>(value))
    value = static_cast<double>(std::get<std::int64_t>(value));
  if (value.index() != spec.fallback.index())
    fail("{}: '{}' must be {}, not {} ({})", where, spec.name, type_name(spec.fallback),
         to_text(value), type_name(value));
  if (const auto* text = std::get_if<std::string>(&value);
      text != nullptr && !spec.choices.empty()) {
    if (std::find(spec.choices.begin(), spec.choices.end(), *text) == spec.choices.end())
      fail("{}: '{}' cannot be '{}'; it is one of {}", where, spec.name, *text,
           fmt::join(spec.choices, ", "));
  }
  if (spec.min < spec.max) {
    const double number = std::holds_alternative<double>(value)
                              ? std::get<double>(value)
                              : static_cast<double>(std::get<std::int64_t>(value));
    if (!(number >= spec.min && number <= spec.max))
      fail("{}: '{}' is {}, outside [{}, {}]", where, spec.name, number, spec.min, spec.max);
  }
  return value;
}

template <class T>
const T& get(const std::map<std::string, OptionValue>& values, const std::string& name) {
  const auto found = values.find(name);
  if (found == values.end() || !std::holds_alternative<T>(found->second))
    throw std::logic_error("setting '" + name + "' was not declared with this type");
  return std::get<T>(found->second);
}

}  // namespace

Options::Options(const std::string& where, const std::vector<OptionSpec>& specs,
                 const std::map<std::string, OptionValue>& given) {
  std::vector<std::string> known;
  for (const OptionSpec& spec : specs) {
    known.push_back(spec.name);
    const auto found = given.find(spec.name);
    values_[spec.name] = found == given.end() ? spec.fallback : checked(where, spec, found->second);
  }
  for (const auto& [name, value] : given) {
    if (values_.contains(name)) continue;
    const std::string near = nearest_name(name, known);
    if (!near.empty()) fail("{}: no setting is called '{}'; did you mean '{}'?", where, name, near);
    fail("{}: no setting is called '{}'; known are: {}", where, name, fmt::join(known, ", "));
  }
}

bool Options::flag(const std::string& name) const { return get<bool>(values_, name); }
std::int64_t Options::integer(const std::string& name) const {
  return get<std::int64_t>(values_, name);
}
double Options::real(const std::string& name) const { return get<double>(values_, name); }
const std::string& Options::text(const std::string& name) const {
  return get<std::string>(values_, name);
}

std::string to_text(const OptionValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

}  // namespace cupel
