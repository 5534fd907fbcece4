// A page for a browser, of results alone: page/page.h says what it holds, and api/store_page.h
// makes that of a store.
#include "cupel/judge/report/page/page.h"
#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

std::string render_html(const Report&, const Results& results) {
  return render_page({&results, 1});
}

}  // namespace

extern const Format format_html;
const Format format_html = {"html", "html", "a page that sorts, filters and compares", render_html};

}  // namespace cupel
