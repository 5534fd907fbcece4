#include "cupel/api/store_page.h"

#include <exception>
#include <utility>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/judge/report/table.h"

namespace cupel {
namespace {

std::vector<Results> wanted(std::vector<Results> all, const StorePageRequest& request) {
  std::vector<Results> out;
  std::exception_ptr refused;
  for (Results& results : all) {
    try {
      out.push_back(narrowed(std::move(results), request.selection));
      if (request.delta) set_delta(out.back(), *request.delta);
    } catch (const Error&) {
      refused = std::current_exception();
    }
  }
  if (out.empty() && refused) std::rethrow_exception(refused);
  return out;
}

}  // namespace

std::string store_page(const StorePageRequest& request) {
  const std::filesystem::path path = store_of(request.read);
  const bool whole = path == request.read.what && request.read.protocol.empty();
  std::vector<Results> all;
  if (!whole) all.push_back(stored_results(request.read).results);
  const Store store(path, Store::Mode::kOpen);
  if (whole) all = all_results(store);
  const std::vector<Results> shown = wanted(std::move(all), request);
  return render_page(shown, dataset_audits(store, shown, request.data));
}

}  // namespace cupel
