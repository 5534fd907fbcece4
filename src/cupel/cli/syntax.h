// What a command takes, declared in terms that need no header of the argument parser.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cupel::cli {

// Declares the arguments of one command. Targets are filled before the command's action is called
// and must live until then. Options belong to the group named last; docs may have line breaks.
// Texts that are empty or '-' are refused, as usage errors are.
class Syntax {
 public:
  explicit Syntax(CLI::App& app) : app_(app) {}

  Syntax& group(const std::string& name);
  // The text under the options in the help, ending with a newline.
  Syntax& footer(const std::string& text);

  // Arguments without dashes, in their order.
  Syntax& required(const std::string& name, std::string& target, const std::string& doc);
  Syntax& required(const std::string& name, std::vector<std::string>& target,
                   const std::string& doc);
  Syntax& optional(const std::string& name, std::string& target, const std::string& doc);

  Syntax& flag(const std::string& name, bool& target, const std::string& doc);
  // A flag that may carry a value, as --fix or --fix=ID. Without one the target is "true".
  Syntax& flag_or_text(const std::string& name, std::string& target, const std::string& doc);
  // `type` stands for the value in the help: "FILE".
  Syntax& text(const std::string& name, const std::string& type, std::string& target,
               const std::string& doc);
  Syntax& required_text(const std::string& name, const std::string& type, std::string& target,
                        const std::string& doc);
  // May be given several times.
  Syntax& texts(const std::string& name, const std::string& type, std::vector<std::string>& target,
                const std::string& doc);
  // A whole number of 1 or more.
  Syntax& count(const std::string& name, int& target, const std::string& doc);
  // A number above 0; `type` as above.
  Syntax& number(const std::string& name, const std::string& type, std::optional<double>& target,
                 const std::string& doc);
  Syntax& seconds(const std::string& name, double& target, const std::string& doc);
  // Declared options that do nothing without another one, and are refused without it.
  Syntax& goes_with(const std::string& other, const std::vector<std::string>& names);

 private:
  Syntax& grouped(CLI::Option* option);

  CLI::App& app_;
  std::string group_;
};

}  // namespace cupel::cli
