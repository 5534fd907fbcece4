#include "cupel/judge/report/page/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "cupel/base/embedded.h"
#include "cupel/base/hash.h"
#include "cupel/judge/report/page/data.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

// The files that end so, one after the other, in the order of their names.
std::string files_of_kind(std::string_view ending) {
  std::string out;
  for (const embedded::File& file : embedded::page())
    if (file.name.ends_with(ending)) out += file.content;
  return out;
}

int digit_of(char hex) { return hex <= '9' ? hex - '0' : hex - 'a' + 10; }

// What a content security policy calls a script or style: "sha256-" and base64.
std::string policy_hash(std::string_view content) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string hex = sha256(content);
  std::string out;
  unsigned bits = 0, held = 0;
  for (const char c : hex) {
    held = held << 4 | static_cast<unsigned>(digit_of(c));
    bits += 4;
    if (bits < 6) continue;
    bits -= 6;
    out += kDigits[held >> bits & 63];
  }
  // 256 bits are 42 digits and 4 bits.
  return "sha256-" + out + kDigits[held << 2 & 63] + "=";
}

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
  const std::string style = "/*<![CDATA[*/\n" + files_of_kind(".css") + "/*]]>*/";
  const std::string script =
      "//<![CDATA[\n(function () {\n\"use strict\";\n" + files_of_kind(".js") + "})();\n//]]>";
  const std::string policy = fmt::format(
      "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '{}'; script-src '{}'",
      policy_hash(style), policy_hash(script));
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
      report::xml_escaped(policy), report::xml_escaped(title_of(protocols)), style);
  html += "<noscript><pre>";
  std::string text = plain(protocols);
  // Line ends stay; a line holds no other character that does not show.
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    html += report::xml_escaped(std::string_view(text).substr(at, end - at)) + "\n";
    at = end + 1;
  }
  html += "</pre></noscript>\n";
  html += fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n",
                      page::block_of(protocols, audits));
  return html + fmt::format("<script>{}</script>\n</body>\n</html>\n", script);
}

}  // namespace cupel
