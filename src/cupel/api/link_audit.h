// An audit of splits of links, of what carries messages, and of negatives.
#pragma once

#include <string>
#include <vector>

#include "cupel/data/audit/audit_report.h"
#include "cupel/data/dataset.h"

namespace cupel {

struct LinkAuditRequest {
  std::string split;      // a scheme and its settings, or the path of a JSON file
  std::string negatives;  // a kind and its settings
  std::string prepare, hits;
  int members = 0;  // 0: one of a scheme without end, all of others
};

// Throws Error for what goes with a split and is given without one, and for what can be
// seen to be wrong before anything is read.
void check(const LinkAuditRequest& request);

// `stored`, whose content hash is `hash`, is prepared first: as its recipe says, unless the request
// says otherwise. Throws Error if it has no such splits, or negatives cannot be drawn.
[[nodiscard]] AuditReport audit_links_of(const Dataset& stored, const std::string& name,
                                         const std::string& hash, const LinkAuditRequest& request);

}  // namespace cupel
