// A report as one page: a file that opens from disk, asks nothing of any network, and shows, sorts
// and filters in the reader's browser.
//
// The page holds one block of JSON (data.h) and a script that shows it. All that is judged or
// tested is computed here; the script computes no statistic. Names are inert: they stand in the
// block with no character that HTML, a script or a terminal would act on, and the script makes text
// of them, never markup. A content security policy names the hash of the one script that may run.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cupel/data/audit/finding.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/lab/results/results.h"

namespace cupel {

// What is known of a data set beside its results, for its card.
struct CardAudit {
  std::string content;            // hash of the data set's content
  bool of_data = false;           // the data were at hand and audited; else findings are of runs
  Facts facts;                    // of the data as stored, where they are at hand
  std::vector<Finding> findings;  // in the order in which they are shown
  std::vector<std::string> notes;
};

// What a page should have fewer bytes than: it is one file that is sent along and opened at once. A
// page that would have more holds means of splits instead of scores of runs, and if that does not
// do, it is larger, and who asks for it is told.
inline constexpr std::size_t kPageLimit = 1'000'000;

// The page of these protocols, ending with a newline; a pure function. Throws Error as make_report
// does. About 0.5 KB a cell and 5 bytes a run, of which it holds at most 60 000 (data.h), and fewer
// to stay below the limit.
[[nodiscard]] std::string render_page(std::span<const Results> protocols,
                                      std::span<const CardAudit> audits = {});

// How it begins.
inline constexpr const char* kStorePageBegin =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
    "<meta http-equiv=\"Content-Security-Policy\"";

}  // namespace cupel
