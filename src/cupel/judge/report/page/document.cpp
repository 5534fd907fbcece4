#include "cupel/judge/report/page/document.h"

#include <fmt/format.h>

#include "cupel/base/embedded.h"
#include "cupel/base/hash.h"
#include "cupel/judge/report/print.h"

namespace cupel::page {
namespace {

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

}  // namespace

std::string files_of_kind(std::string_view ending) {
  std::string out;
  for (const embedded::File& file : embedded::page())
    if (file.name.ends_with(ending)) out += file.content;
  return out;
}

std::string style_of(std::string_view more) {
  return fmt::format("/*<![CDATA[*/\n{}{}/*]]>*/", files_of_kind(".css"), more);
}

std::string document_head(std::string_view title, std::string_view style, std::string_view script,
                          std::string_view remark) {
  std::string policy =
      fmt::format("default-src 'none'; base-uri 'none'; form-action 'none'; style-src '{}'",
                  policy_hash(style));
  if (!script.empty()) policy += fmt::format("; script-src '{}'", policy_hash(script));
  return fmt::format(
      "<!DOCTYPE html>\n{}<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
      remark.empty() ? "" : fmt::format("<!-- {} -->\n", remark), report::xml_escaped(policy),
      report::xml_escaped(title), style);
}

}  // namespace cupel::page
