#include "cupel/lab/plan/program.h"

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/lab/plan/model_function.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// Of what is not there one that no file has.
ProgramFile::Stamp stamp_of(const fs::path& path) {
  std::error_code ignored;
  return {fs::last_write_time(path, ignored), fs::file_size(path, ignored)};
}

}  // namespace

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
  for (const std::string& name : row.external->inputs) {
    std::error_code ignored;
    const fs::path path = row.external->folder / name;
    if (!fs::is_regular_file(path, ignored))
      fail("{}: 'inputs' names {}, which is no file", row.where, path.string());
  }
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

std::vector<ProgramFile> program_files(const ExternalCommand& program) {
  std::vector<ProgramFile> out;
  for (const auto* names : {&program.command, &program.inputs}) {
    for (const std::string& name : *names) {
      std::error_code ignored;
      const fs::path path = program.folder / name;
      if (!fs::is_regular_file(path, ignored)) continue;
      // The stamp first: what is written meanwhile is seen to have changed.
      const ProgramFile::Stamp stamp = stamp_of(path);
      out.push_back({name, path, stamp, sha256_file(path)});
    }
  }
  return out;
}

const ProgramFile* changed_file(const std::vector<ProgramFile>& files) {
  for (const ProgramFile& file : files) {
    try {
      if (stamp_of(file.path) != file.stamp && sha256_file(file.path) != file.hash) return &file;
    } catch (const Error&) {
      return &file;
    }
  }
  return nullptr;
}

std::map<std::string, std::string> program_identity(
    const ExternalCommand& program, const std::vector<ProgramFile>& files,
    const std::map<std::string, std::string>& packages) {
  std::map<std::string, std::string> out;
  nlohmann::json command = program.command;
  out["command"] = command.dump(-1, ' ', true);
  out["memory_mb"] = std::to_string(program.memory_mb);
  out["timeout_seconds"] = fmt::format("{}", program.timeout_seconds);
  // Only where it says something: programs without it keep their ids.
  if (program.network) out["network"] = "true";
  if (program.worker) out["worker"] = "true";
  for (const ProgramFile& file : files) out["file:" + file.name] = file.hash;
  for (const auto& [name, version] : packages) out["package:" + name] = version;
  return out;
}

}  // namespace cupel
