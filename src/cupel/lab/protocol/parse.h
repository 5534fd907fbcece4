// The parts of a protocol's parser, one per section of the file. Each throws Error with file, line
// and section.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/protocol/section.h"

namespace cupel {

// Bounds of whole numbers and of times in a protocol.
inline constexpr std::int64_t kMostNumber = 1'000'000'000;
inline constexpr double kMostSeconds = 86'400.0 * 365;

// parse_models.cpp
void read_train(Section section, Protocol& out);
void read_models(Section section, Protocol& out, const std::filesystem::path& folder);
// The settings that a key of choices is about: "layers", or "beta, delta". Throws Error at `where`.
[[nodiscard]] std::vector<std::string> setting_names(const std::string& where,
                                                     const std::string& key);

// parse_split.cpp
// Files that a section names lie in `folder`.
[[nodiscard]] SplitScheme read_split(Section section, const std::filesystem::path& folder);

// parse_tables.cpp
[[nodiscard]] StrataSpec read_strata(Section section, const std::string& name,
                                     const std::filesystem::path& folder);
// The name of a metric of a kind of task, as runs have it.
[[nodiscard]] std::optional<std::string> read_metric(Section& section, const char* key,
                                                     const std::string& task);
// Settings of a kind of task, as the table of its name in `section` gives them; each is checked.
// Messages call that table `name`. A kind without settings has none: the key is unknown there.
[[nodiscard]] Settings read_task_settings(Section& section, const std::string& name,
                                          const std::string& task);
// Reads what is above the table from `protocol`.
[[nodiscard]] TableSpec read_table(Section section, const Protocol& protocol,
                                   const std::filesystem::path& folder);

// parse.cpp
// Rewrites the names of a published value in the protocol's spelling. Returns why it has no place
// there, "is for table ...", or nothing.
[[nodiscard]] std::string place_value(PublishedValue& value, const Protocol& protocol);

// parse_tune.cpp
[[nodiscard]] TuneSpec read_tune(Section section, const Protocol& protocol);

void no_repeats(const std::string& where, const char* key, const std::vector<std::string>& list);

}  // namespace cupel
