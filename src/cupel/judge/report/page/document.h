// What pages have in common: a document that may do nothing but what stands in it.
#pragma once

#include <string>
#include <string_view>

namespace cupel::page {

// From "<!DOCTYPE html>" to "<body>", with a content security policy that allows this style and, if
// there is one, this script, and nothing of any network. `remark`, if any, is a comment in the
// second line; it must have no "--".
[[nodiscard]] std::string document_head(std::string_view title, std::string_view style,
                                        std::string_view script, std::string_view remark = "");

// The embedded files that end so, one after the other, in the order of their names.
[[nodiscard]] std::string files_of_kind(std::string_view ending);

// For a <style>, with `more` behind what all pages have. In a page that is read as XML, what is in
// CDATA is no markup; in HTML the marks are comments.
[[nodiscard]] std::string style_of(std::string_view more = "");

}  // namespace cupel::page
