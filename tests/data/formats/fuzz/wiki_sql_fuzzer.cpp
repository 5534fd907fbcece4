// Tables of a wiki's dump: the first byte says which, and the size of the blocks it comes in. In
// blocks of one byte the same is read, or refused with the same words.
#include <string>

#include "cupel/data/wiki/tables.h"
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {
namespace {

class Blocks final : public ByteSource {
 public:
  Blocks(std::string_view text, std::size_t size) : text_(text), size_(size) {}
  bool next(std::string_view& block) override {
    if (text_.empty()) return false;
    block_ = text_.substr(0, size_);
    text_.remove_prefix(block_.size());
    block = block_;
    return true;
  }
  const std::string& name() const override { return name_; }

 private:
  std::string_view text_;
  std::size_t size_;
  std::string name_ = folder().filename().string(), block_;
};

std::string shown(const PageRow& row) {
  return fmt::format("{} {} {} {}", row.id, row.name_space, row.title,
                     static_cast<int>(row.redirect));
}
std::string shown(const RedirectRow& row) {
  return fmt::format("{} {} {} {}", row.from, row.name_space, row.title, row.interwiki);
}
std::string shown(const PageLinkRow& row) {
  return fmt::format("{} {} {} {} {}", row.from, row.from_space.value_or(99), row.target_id,
                     row.name_space, row.title);
}
std::string shown(const CategoryLinkRow& row) {
  return fmt::format("{} {} {} {}", row.from, row.target_id, row.title, static_cast<int>(row.type));
}
std::string shown(const LinkTargetRow& row) {
  return fmt::format("{} {} {}", row.id, row.name_space, row.title);
}

// The rows, then what is wrong with the next one.
template <class Reader, class Row, class... More>
std::string read(std::string_view text, std::size_t block, More... more) {
  std::string out;
  try {
    Blocks source(text, block);
    Reader reader(source, more...);
    for (Row row; reader.next(row);) out += shown(row) + '\n';
    out += fmt::format("{}", reader.titles_not_utf8());
  } catch (const Error& error) {
    refuse_or([&] { throw; });
    out += error.what();
  }
  return out;
}

template <class Reader, class Row, class... More>
void compare(std::string_view text, std::size_t block, More... more) {
  demand(read<Reader, Row>(text, block, more...) == read<Reader, Row>(text, 1, more...),
         "blocks of any size give the same");
}

}  // namespace

void fuzz_one(std::string_view input) {
  if (input.empty()) return;
  const auto choice = static_cast<unsigned char>(input[0]);
  const std::size_t block = choice / 8 == 0 ? input.size() : choice / 8;
  const std::string_view text = input.substr(1);
  switch (choice % 8) {
    case 0:
      return compare<RedirectReader, RedirectRow>(text, block);
    case 1:
      return compare<PageLinkReader, PageLinkRow>(text, block);
    case 2:
      return compare<CategoryLinkReader, CategoryLinkRow>(text, block);
    case 3:
      return compare<LinkTargetReader, LinkTargetRow>(text, block);
    case 4:
      return compare<PageReader, PageRow>(text, block, RedirectFlag::kFifth);
    default:
      return compare<PageReader, PageRow>(text, block, RedirectFlag::kNamed);
  }
}

}  // namespace cupel::fuzz
