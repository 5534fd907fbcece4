#include "cupel/api/kept_results.h"

#include <utility>

#include "cupel/api/stored_results.h"
#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/judge/report/frames.h"
#include "cupel/judge/report/table.h"

namespace cupel {
namespace {

std::string hash_of(const Results& results) {
  Hasher hasher;
  hasher.field(csv_text(cells_frame(make_report(results))));
  hasher.field(csv_text(runs_and_groups_frame(results)));
  return hasher.hex();
}

}  // namespace

KeptResults kept_results(const Results& results, const StorePageRequest& page) {
  return {.store = page.read.what,
          .protocol =
              page.protocol ? page.protocol->name + "@" + page.protocol->version : results.protocol,
          .alone = page.protocol.has_value(),
          .parts = page.parts,
          .delta = page.delta,
          .hash = hash_of(results)};
}

ReadAgain read_again(const KeptResults& kept) {
  StorePageRequest page;
  page.read = {.command = "results", .what = kept.store, .store = {}, .protocol = kept.protocol};
  StoredResults found = stored_results(page.read);
  page.read = {.command = {}, .what = kept.store, .store = {}, .protocol = {}};
  page.parts = kept.parts;
  page.delta = kept.delta;
  if (kept.alone) page.protocol = std::move(found.protocol);
  for (const ResultsSelection& part : kept.parts)
    found.results = narrowed(std::move(found.results), part);
  if (kept.delta) set_delta(found.results, *kept.delta);
  if (hash_of(found.results) != kept.hash)
    fail(
        "{}: has other runs of '{}' now than when these results were pickled; pickle tables "
        "(.table(), .runs()), which hold what they say, or read the store anew by cupel.results",
        kept.store, found.results.protocol);
  return {std::move(found.results), std::move(page)};
}

}  // namespace cupel
