#include "cupel/cli/syntax.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include <CLI/CLI.hpp>

namespace cupel::cli {
namespace {

// A number that fills the whole of `text`.
template <class T>
std::optional<T> number(const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end) return {};
  return value;
}

std::string count_problem(const std::string& text) {
  const auto value = number<int>(text);
  return value && *value >= 1 ? "" : fmt::format("'{}' is not a whole number of 1 or more", text);
}

std::string positive_problem(const std::string& text, const char* what) {
  const auto value = number<double>(text);
  return value && std::isfinite(*value) && *value > 0
             ? ""
             : fmt::format("'{}' is not a number{} above 0", text, what);
}
std::string number_problem(const std::string& text) { return positive_problem(text, ""); }
std::string seconds_problem(const std::string& text) {
  return positive_problem(text, " of seconds");
}

// A variable that a shell finds unset arrives as nothing, and is not taken for an option left out.
std::string text_problem(const std::string& text) {
  if (text.empty()) return "is empty (''), as an unset variable of a shell is; give a value";
  if (text == "-")
    return "'-' stands for neither standard input nor standard output here; a file of that name is "
           "./-";
  return "";
}

CLI::Validator a_text() { return CLI::Validator(text_problem, ""); }

}  // namespace

Syntax& Syntax::grouped(CLI::Option* option) {
  if (!group_.empty()) option->group(group_);
  return *this;
}

Syntax& Syntax::group(const std::string& name) {
  group_ = name;
  return *this;
}

Syntax& Syntax::footer(const std::string& text) {
  app_.footer(text);
  return *this;
}

Syntax& Syntax::required(const std::string& name, std::string& target, const std::string& doc) {
  app_.add_option(name, target, doc)->required()->check(a_text())->type_name("");
  return *this;
}

Syntax& Syntax::required(const std::string& name, std::vector<std::string>& target,
                         const std::string& doc) {
  app_.add_option(name, target, doc)->required()->check(a_text())->type_name("");
  return *this;
}

Syntax& Syntax::optional(const std::string& name, std::string& target, const std::string& doc) {
  app_.add_option(name, target, doc)->check(a_text())->type_name("");
  return *this;
}

Syntax& Syntax::flag(const std::string& name, bool& target, const std::string& doc) {
  return grouped(app_.add_flag(name, target, doc));
}

Syntax& Syntax::flag_or_text(const std::string& name, std::string& target, const std::string& doc) {
  return grouped(app_.add_flag(name, target, doc));
}

Syntax& Syntax::text(const std::string& name, const std::string& type, std::string& target,
                     const std::string& doc) {
  return grouped(app_.add_option(name, target, doc)->check(a_text())->type_name(type));
}

Syntax& Syntax::required_text(const std::string& name, const std::string& type, std::string& target,
                              const std::string& doc) {
  return grouped(app_.add_option(name, target, doc)->required()->check(a_text())->type_name(type));
}

Syntax& Syntax::texts(const std::string& name, const std::string& type,
                      std::vector<std::string>& target, const std::string& doc) {
  return grouped(app_.add_option(name, target, doc)
                     ->allow_extra_args(false)
                     ->check(a_text())
                     ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                     ->type_name(type));
}

Syntax& Syntax::count(const std::string& name, int& target, const std::string& doc) {
  return grouped(
      app_.add_option(name, target, doc)->check(CLI::Validator(count_problem, ""))->type_name("N"));
}

Syntax& Syntax::number(const std::string& name, const std::string& type,
                       std::optional<double>& target, const std::string& doc) {
  return grouped(app_.add_option(name, target, doc)
                     ->check(CLI::Validator(number_problem, ""))
                     ->type_name(type));
}

Syntax& Syntax::seconds(const std::string& name, double& target, const std::string& doc) {
  return grouped(app_.add_option(name, target, doc)
                     ->check(CLI::Validator(seconds_problem, ""))
                     ->type_name("SECONDS"));
}

Syntax& Syntax::goes_with(const std::string& other, const std::vector<std::string>& names) {
  for (const std::string& name : names) app_.get_option(name)->needs(app_.get_option(other));
  return *this;
}

}  // namespace cupel::cli
