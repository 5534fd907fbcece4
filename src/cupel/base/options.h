// Named, typed settings with documentation: the configuration of models and schemes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace cupel {

using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

// Declares one setting. The type of `fallback` is the setting's type.
struct OptionSpec {
  std::string name = {};
  OptionValue fallback = false;
  std::string doc = {};                   // one sentence
  double min = 0, max = 0;                // numbers: inclusive range, used if min < max
  std::vector<std::string> choices = {};  // strings: the allowed values, if not empty
  // Declared after results without it were kept. Its fallback is what those were made with, and
  // does not enter an identity, so that they keep theirs.
  bool later = false;
};

// Settings checked against their declaration. Immutable value.
class Options {
 public:
  Options() = default;
  // Fills what `given` leaves out with fallbacks; whole numbers are taken where reals are declared.
  // Throws Error naming `where`, the unknown key (with the nearest known), the wrong type or the
  // value out of range.
  Options(const std::string& where, const std::vector<OptionSpec>& specs,
          const std::map<std::string, OptionValue>& given);

  // Each requires a declared setting of that type; anything else is a bug (std::logic_error).
  bool flag(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;
  const std::string& text(const std::string& name) const;

  // Every setting by name, defaults included.
  const std::map<std::string, OptionValue>& all() const { return values_; }
  // What enters a run's identity: all of them but later ones (OptionSpec) at their fallback.
  std::map<std::string, OptionValue> identity() const;

 private:
  std::map<std::string, OptionValue> values_;
  std::vector<std::string> unsaid_;  // later settings at their fallback
};

// Reads "name=value" texts as the types of their declarations. Throws Error as Options does, or if
// one is no such text, cannot be read, or is given twice.
[[nodiscard]] Options parse_options(const std::string& where, const std::vector<OptionSpec>& specs,
                                    const std::vector<std::string>& given);

[[nodiscard]] std::string to_text(const OptionValue& value);

}  // namespace cupel
