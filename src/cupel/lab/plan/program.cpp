#include "cupel/lab/plan/program.h"

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/lab/plan/model_function.h"

namespace cupel {

ResolvedModel resolve_external(const ModelRow& row) {
  ResolvedModel out;
  out.name = "external";
  std::vector<OptionSpec> specs;
  for (const auto& [name, value] : row.settings) {
    OptionSpec spec;
    spec.name = name;
    spec.fallback = value;
    specs.push_back(spec);
  }
  out.settings = Options(row.where, specs, row.settings);
  return out;
}

ResolvedModel resolve_function(const ModelRow& row, const ModelFunction& function) {
  return {"external", nullptr, Options(row.where, function.settings, row.settings),
          function.deterministic};
}

std::map<std::string, std::string> function_identity(const ExternalCommand& program,
                                                     const ModelFunction& function) {
  std::map<std::string, std::string> out = function.identity;
  out["timeout_seconds"] = fmt::format("{}", program.timeout_seconds);
  return out;
}

std::map<std::string, std::string> program_identity(const ExternalCommand& program) {
  std::map<std::string, std::string> out;
  nlohmann::json command = program.command;
  out["command"] = command.dump(-1, ' ', true);
  out["memory_mb"] = std::to_string(program.memory_mb);
  out["timeout_seconds"] = fmt::format("{}", program.timeout_seconds);
  // Only where it says something: programs without it keep their ids.
  if (program.network) out["network"] = "true";
  if (program.worker) out["worker"] = "true";
  for (const std::string& argument : program.command) {
    std::error_code ignored;
    const auto path = program.folder / argument;
    if (std::filesystem::is_regular_file(path, ignored))
      out["file:" + argument] = sha256_file(path);
  }
  return out;
}

}  // namespace cupel
