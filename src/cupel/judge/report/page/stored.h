// What a page shows of a whole store.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "cupel/judge/report/page/page.h"
#include "cupel/lab/store/store.h"

namespace cupel {

// The results of every protocol of the store, in its newest version, the newest protocol first.
// Throws Error as load_results() does; DamagedFile if the store is damaged.
[[nodiscard]] std::vector<Results> all_results(const Store& store);

// What the store says of the data sets of these results (judge/audit/store_audit.h) and, where
// `data` names a folder that holds a data set of the catalog with the content that runs were made
// on, its facts and what an audit of it finds (data/audit/audit.h). One data set is in memory at a
// time. One that cannot be read is said to be so in a note; nothing is thrown for it.
[[nodiscard]] std::vector<CardAudit> dataset_audits(
    const Store& store, std::span<const Results> results,
    const std::optional<std::filesystem::path>& data = {});

}  // namespace cupel
