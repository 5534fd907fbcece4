#include "cupel/data/wiki/xml_window.h"

#include <algorithm>

#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

// Looked at together, and small enough to be in the nearest caches when it is read.
constexpr std::size_t kChecked = std::size_t{1} << 15;

}  // namespace

bool XmlWindow::more() {
  const std::ptrdiff_t had = checked_ - at_;
  while (checked_ - at_ == had) {
    if (faulty_) {
      const std::string_view wrong(
          checked_, std::min<std::size_t>(4, static_cast<std::size_t>(end_ - checked_)));
      xml_problem(offset() + static_cast<std::uint64_t>(had),
                  "{} {}; correct the file, or get it again", in_quotes(wrong),
                  first_fault(wrong).what);
    }
    if (!ended_) check();
    if (checked_ - at_ == had && !faulty_ && !fetch()) return false;
  }
  return true;
}

// More bytes of the source behind end_; false at its end.
bool XmlWindow::fetch() {
  const auto left = static_cast<std::size_t>(end_ - at_);
  const auto seen = static_cast<std::size_t>(checked_ - at_);
  if (ended_) return false;
  if (left > 0 && !owned_) {
    kept_.assign(at_, left);
    at_ = kept_.data();
  } else if (left > 0 && at_ > kept_.data() + kept_.size() / 2) {
    kept_.erase(0, static_cast<std::size_t>(at_ - kept_.data()));
    at_ = kept_.data();
  }
  owned_ = left > 0;
  std::string_view block;
  if (!source_.next(block)) {
    ended_ = true;
    faulty_ = left > seen;  // the start of a character
    if (owned_) {
      checked_ = at_ + seen;
      end_ = at_ + left;
    } else {
      at_ = checked_ = end_ = "";
    }
    return faulty_;
  }
  came_ += block.size();
  if (owned_) {
    const auto from = static_cast<std::size_t>(at_ - kept_.data());
    kept_ += block;
    at_ = kept_.data() + from;
    end_ = kept_.data() + kept_.size();
  } else {
    at_ = block.data();
    end_ = at_ + block.size();
  }
  checked_ = at_ + seen;
  return true;
}

// Moves checked_ on, as far as bytes are whole characters.
void XmlWindow::check() {
  const auto left = static_cast<std::size_t>(end_ - checked_);
  const std::string_view next(checked_, std::min(left, kChecked));
  const std::string_view whole = next.substr(0, whole_characters(next));
  if (are_xml_characters(whole)) {
    checked_ += whole.size();
  } else {
    checked_ += first_fault(whole).at;
    faulty_ = true;
  }
}

}  // namespace cupel
