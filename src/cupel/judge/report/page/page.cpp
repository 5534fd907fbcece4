#include "cupel/judge/report/page/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "cupel/judge/report/page/data.h"
#include "cupel/judge/report/page/document.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

// For readers without script: the plain text.
std::string plain(std::span<const Results> protocols) {
  std::string out;
  for (const Results& results : protocols)
    out += (out.empty() ? "" : "\n") + render(results, find_format("text"));
  return out;
}

std::string title_of(std::span<const Results> protocols) {
  std::vector<std::string> titles;
  for (const Results& results : protocols)
    titles.push_back(results.title.empty() ? results.protocol : results.title);
  return fmt::format("{}", fmt::join(titles, "; "));
}

}  // namespace

std::string render_page(std::span<const Results> protocols, std::span<const CardAudit> audits) {
  // In a page that is read as XML, what is in CDATA is no markup; in HTML the marks are comments.
  const std::string script = fmt::format(
      "//<![CDATA[\n(function () {{\n\"use strict\";\n{}}})();\n//]]>", page::files_of_kind(".js"));
  std::string html = page::document_head(title_of(protocols), page::style_of(), script);
  html += "<noscript><pre>";
  std::string text = plain(protocols);
  // Line ends stay; a line holds no other character that does not show.
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    html += report::xml_escaped(std::string_view(text).substr(at, end - at)) + "\n";
    at = end + 1;
  }
  html += "</pre></noscript>\n";
  html += "<script type=\"application/json\" id=\"data\">";
  const std::string end = fmt::format("</script>\n<script>{}</script>\n</body>\n</html>\n", script);
  const std::size_t taken = std::min(html.size() + end.size(), kPageLimit);
  return html + page::block_of(protocols, audits, kPageLimit - taken) + end;
}

}  // namespace cupel
