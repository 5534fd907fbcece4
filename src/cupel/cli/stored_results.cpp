#include "cupel/cli/stored_results.h"

namespace cupel::cli {

void add_stored_results(Syntax& syntax, StoredResultsRequest& arguments) {
  syntax.required("STORE|PROTOCOL", arguments.what,
                  "The file of a store, or a protocol (its store is\nPROTOCOL.sqlite)");
  syntax.text("--store", "FILE", arguments.store, "The store, where PROTOCOL is given");
  syntax.text("--protocol", "NAME", arguments.protocol,
              "Which protocol of STORE, or an older version of it,\nNAME@VERSION (default: the "
              "last run)");
}

}  // namespace cupel::cli
