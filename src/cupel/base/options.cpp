#include "cupel/base/options.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "cupel/base/error.h"
#include "cupel/base/names.h"

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

template <class T>
T parse_number(const std::string& where, const std::string& key, const std::string& text,
               const char* kind) {
  T number{};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc::result_out_of_range)
    fail("{}: {} = '{}' is out of the range of numbers", where, key, text);
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

Options::Options(const std::string& where, const std::vector<OptionSpec>& specs,
                 const std::map<std::string, OptionValue>& given) {
  std::vector<std::string> known;
  for (const OptionSpec& spec : specs) {
    known.push_back(spec.name);
    const auto found = given.find(spec.name);
    values_[spec.name] = found == given.end() ? spec.fallback : checked(where, spec, found->second);
    if (spec.later && values_[spec.name] == spec.fallback) unsaid_.push_back(spec.name);
  }
  for (const auto& [name, value] : given) {
    if (values_.contains(name)) continue;
    fail("{}: no setting is called '{}'{}", where, name, near_or_all(name, known));
  }
}

std::map<std::string, OptionValue> Options::identity() const {
  std::map<std::string, OptionValue> out = values_;
  for (const std::string& name : unsaid_) out.erase(name);
  return out;
}

bool Options::flag(const std::string& name) const { return get<bool>(values_, name); }
std::int64_t Options::integer(const std::string& name) const {
  return get<std::int64_t>(values_, name);
}
double Options::real(const std::string& name) const { return get<double>(values_, name); }
const std::string& Options::text(const std::string& name) const {
  return get<std::string>(values_, name);
}

Options parse_options(const std::string& where, const std::vector<OptionSpec>& specs,
                      const std::vector<std::string>& given) {
  std::map<std::string, OptionValue> values;
  for (const std::string& item : given) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0) {
      fail("{}: '{}' is not a setting; write name=value", where, item);
    }
    const std::string key = item.substr(0, equals);
    OptionValue value = parse_value(where, specs, key, item.substr(equals + 1));
    if (!values.emplace(key, std::move(value)).second) fail("{}: '{}' is given twice", where, key);
  }
  return Options(where, specs, values);
}

std::string to_text(const OptionValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

}  // namespace cupel
