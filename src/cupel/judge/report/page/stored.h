// What a page shows of a whole store.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "cupel/judge/report/page/page.h"
#include "cupel/lab/store/store.h"

namespace cupel {

inline constexpr std::uint64_t kAnySize = ~std::uint64_t{0};
// A data set whose files have less is read and audited in a few seconds.
inline constexpr std::uint64_t kQuickToAudit = std::uint64_t{6} << 20;

// Which data sets of the catalog are audited: those in `folder`, if there is one, whose files have
// at most `most_bytes` together.
struct AuditedData {
  std::optional<std::filesystem::path> folder;
  std::uint64_t most_bytes = kAnySize;
};

// The results of every protocol of the store, in its newest version, the newest protocol first.
// Throws Error as load_results() does; DamagedFile if the store is damaged.
[[nodiscard]] std::vector<Results> all_results(const Store& store);

// What the store says of the data sets of these results (judge/audit/store_audit.h) and, where
// `data` has a data set of the catalog with the content that runs were made on, its facts and what
// an audit of it finds (data/audit/audit.h). Nothing is fetched. One data set is in memory at a
// time. One that is too large or cannot be read is said to be so in a note; nothing is thrown for
// it.
[[nodiscard]] std::vector<CardAudit> dataset_audits(const Store& store,
                                                    std::span<const Results> results,
                                                    const AuditedData& data = {});

}  // namespace cupel
