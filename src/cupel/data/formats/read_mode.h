// What a reader asks of the data set it reads.
#pragma once

namespace cupel {

enum class ReadMode {
  kForUse,    // everything a run relies on holds, else Error
  kForAudit,  // stored splits may overlap or have empty parts, there may be no feature: an audit
              // says what is wrong. Ids are in range and numbers finite all the same.
};

}  // namespace cupel
