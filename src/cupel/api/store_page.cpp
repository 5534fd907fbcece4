#include "cupel/api/store_page.h"

#include <exception>
#include <utility>
#include <vector>

#include "cupel/api/load.h"
#include "cupel/base/error.h"
#include "cupel/judge/report/table.h"
#include "cupel/lab/results/load.h"

namespace cupel {
namespace {

std::vector<Results> wanted(std::vector<Results> all, const StorePageRequest& request) {
  std::vector<Results> out;
  std::exception_ptr refused;
  for (Results& results : all) {
    try {
      for (const ResultsSelection& part : request.parts)
        results = narrowed(std::move(results), part);
      if (request.delta) set_delta(results, *request.delta);
      out.push_back(std::move(results));
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
  const bool named = path != request.read.what || !request.read.protocol.empty();
  std::vector<Results> all;
  if (named && !request.protocol) all.push_back(stored_results(request.read).results);
  const Store store(path, Store::Mode::kOpen);
  if (request.protocol)
    all.push_back(load_results(store, *request.protocol));
  else if (!named)
    all = all_results(store);
  const std::vector<Results> shown = wanted(std::move(all), request);
  return render_page(shown, dataset_audits(store, shown, request.data));
}

AuditedData audited_data(const std::string& given) {
  if (!given.empty()) return {existing_data_folder(given)};
  try {
    return {existing_data_folder(""), kQuickToAudit};
  } catch (const Error&) {
    return {};  // without a home there are no data at hand
  }
}

}  // namespace cupel
