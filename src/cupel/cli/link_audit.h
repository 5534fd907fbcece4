// `cupel audit DATASET --split ...`: splits of links, what carries messages, and negatives.
#pragma once

#include <string>
#include <vector>

#include "cupel/cli/findings.h"
#include "cupel/cli/syntax.h"
#include "cupel/data/dataset.h"

namespace cupel::cli {

struct LinkAuditArguments {
  std::string split;      // a scheme and its settings, or the path of a JSON file
  std::string negatives;  // a kind and its settings
  std::string prepare, hits;
  int members = 0;  // 0: one of a scheme without end, all of others
};

void add_link_audit(Syntax& syntax, LinkAuditArguments& arguments);

// Throws Error for arguments that go with --split and are given without it, and for what can be
// seen to be wrong before anything is read.
void check(const LinkAuditArguments& arguments);

// `stored`, whose content hash is `hash`, is prepared first: as its recipe says, unless arguments
// say otherwise. Throws Error if it has no such splits, or negatives cannot be drawn.
[[nodiscard]] AuditReport audit_links_of(const Dataset& stored, const std::string& name,
                                         const std::string& hash,
                                         const LinkAuditArguments& arguments);

}  // namespace cupel::cli
