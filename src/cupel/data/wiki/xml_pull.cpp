#include "cupel/data/wiki/xml_pull.h"

#include <cstring>
#include <utility>

#include "cupel/base/byte_order_mark.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/wiki/xml_text.h"

namespace cupel {
namespace {

constexpr std::size_t kLongestTag = std::size_t{64} << 10;

}  // namespace

XmlPull::Event XmlPull::next() {
  window_.take(tag_);
  tag_ = 0;
  if (!begun_) begin_document();
  if (empty_) {
    empty_ = false;
    pop();
    return Event::kEnd;
  }
  while (to_markup()) {
    while (window_.bytes().size() < 2) more_or_cut_off();
    const char second = window_.begin()[1];
    if (second == '/') {
      end_tag();
      return Event::kEnd;
    }
    if (second == '?') {
      instruction();
    } else if (begins_name(second)) {
      start_tag();
      return Event::kStart;
    } else if (second != '!') {
      xml_problem(offset(), "'<' begins no tag; write it as '&lt;'");
    } else if (begins_with("<!--")) {
      comment();
    } else if (begins_with("<![CDATA[")) {
      cdata();
    } else if (begins_with("<!DOCTYPE")) {
      xml_problem(offset(),
                  "there is a document type, which could define what expands without end; "
                  "remove <!DOCTYPE ...>");
    } else {
      xml_problem(offset(), "'<!' begins neither a comment nor CDATA; write '<' as '&lt;'");
    }
  }
  if (!starts_.empty()) cut_off();
  if (!root_) xml_problem(offset(), "there is no element; this is no XML document");
  return Event::kDone;
}

void XmlPull::begin_document() {
  begun_ = true;
  if (begins_with(kByteOrderMark)) window_.take(kByteOrderMark.size());
  while (window_.bytes().size() < 6 && window_.more()) continue;
  const std::string_view bytes = window_.bytes();
  if (!bytes.starts_with("<?xml") || bytes.size() < 6 || !is_xml_space(bytes[5])) return;
  const std::string_view tag = whole_tag();
  read_declaration(tag);
  window_.take(std::exchange(tag_, 0));
}

// To the next '<'; false if there is none to the end of the source.
bool XmlPull::to_markup() {
  while (true) {
    const char *at = window_.begin(), *const end = window_.end();
    if (into_ == nullptr) {
      while (at < end && is_xml_space(*at)) ++at;
      window_.take_to(at);
    }
    if (at < end && *at == '<') return true;
    const auto left = static_cast<std::size_t>(end - at);
    const auto* found = static_cast<const char*>(std::memchr(at, '<', left));
    take_text({at, found ? static_cast<std::size_t>(found - at) : left}, found != nullptr);
    if (found != nullptr) return true;
    if (!window_.more()) {
      if (!window_.bytes().empty()) take_text(window_.bytes(), true);
      return false;
    }
  }
}

void XmlPull::take_text(std::string_view run, bool whole) {
  if (run.empty()) return;
  if (starts_.empty()) {
    xml_problem(offset(), "{} stands outside of all elements; {}", in_quotes(run),
                root_ ? "remove what follows the document" : "this is no XML document");
  }
  TextBuffer& into = into_ ? *into_ : unused_;
  window_.take(append_text(run, whole, offset(), into));
  if (into.full()) xml_problem(from_, "{}", into.refusal());
  unused_.clear();
}

void XmlPull::cut_off() {
  const std::uint64_t end = offset() + window_.bytes().size();
  if (starts_.empty()) xml_problem(end, "ends within a tag; it is cut off, get it again");
  xml_problem(end, "ends within the element {}; it is cut off, get it again",
              in_quotes(innermost()));
}

bool XmlPull::begins_with(std::string_view markup) {
  while (window_.bytes().size() < markup.size() && markup.starts_with(window_.bytes())) {
    if (window_.more()) continue;
    if (!window_.bytes().empty()) cut_off();
    return false;
  }
  return window_.bytes().starts_with(markup);
}

// From '<' to '>'. What is in quotes does not end a tag.
std::string_view XmlPull::whole_tag() {
  char quote = 0;
  for (std::size_t at = 1;;) {
    const std::string_view bytes = window_.bytes();
    for (; at < bytes.size(); ++at) {
      const char c = bytes[at];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '>') {
        tag_ = at + 1;
        return bytes.substr(0, at + 1);
      } else if (c == '<') {
        xml_problem(offset() + at, "'<' stands in the tag {}, which has no end; end it by '>'",
                    in_quotes(bytes.substr(0, at)));
      } else if (c == '"' || c == '\'') {
        quote = c;
      }
      if (at == kLongestTag) {
        xml_problem(offset(), "the tag {} has more than {} KiB; this is no MediaWiki export",
                    in_quotes(bytes.substr(0, at)), kLongestTag >> 10);
      }
    }
    more_or_cut_off();
  }
}

void XmlPull::pop() {
  names_.resize(starts_.back());
  starts_.pop_back();
}

void XmlPull::end_tag() {
  // Nearly always "</", the name, ">".
  if (!starts_.empty()) {
    const std::size_t size = innermost().size();
    const std::string_view bytes = window_.bytes();
    if (bytes.size() > size + 2 && bytes[size + 2] == '>' && bytes.substr(2, size) == innermost()) {
      tag_ = size + 3;
      pop();
      return;
    }
  }
  const std::string_view tag = whole_tag();
  std::string_view name = tag.substr(2, tag.size() - 3);
  while (!name.empty() && is_xml_space(name.back())) name.remove_suffix(1);
  if (starts_.empty())
    xml_problem(offset(), "the end of {} ends nothing; remove it", in_quotes(name));
  if (name != innermost()) {
    xml_problem(offset(),
                "the end of {} stands where {} has to end; correct it, or get the file again",
                in_quotes(name), in_quotes(innermost()));
  }
  pop();
}

void XmlPull::skip() {
  TextBuffer* const before = std::exchange(into_, nullptr);
  for (const int outside = depth() - 1; depth() > outside;) next();
  into_ = before;
}

void XmlPull::read_text(TextBuffer& into) {
  into_ = &into;
  from_ = offset();
  while (next() == Event::kStart) skip();
  into_ = nullptr;
}

}  // namespace cupel
