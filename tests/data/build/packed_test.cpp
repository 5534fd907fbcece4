#include "cupel/data/build/packed.h"

#include <gtest/gtest.h>

#include "data/build/made_text.h"

namespace cupel::test {
namespace {

struct Values {
  std::int64_t number = 0;
  double real = 0;
  std::string text;
  std::vector<bool> flags;
  std::vector<std::int32_t> numbers;
  std::vector<std::string> texts;
  std::vector<std::vector<Index>> lists;
  Csr matrix;

  template <class Archive, class Self>
  static void visit(Archive& archive, Self& self) {
    archive(self.number), archive(self.real), archive(self.text), archive(self.flags);
    archive(self.numbers), archive(self.texts), archive(self.lists), archive(self.matrix);
  }
};

Values made() {
  Values out{-7, 0.1,          std::string("a\0b", 3), {true, false, true},
             {}, {"", "long"}, {{}, {3, -1}},          {}};
  out.numbers.assign(700'000, 5);  // more than a buffer holds
  out.numbers.back() = 6;
  out.matrix.rows = 2;
  out.matrix.cols = 3;
  out.matrix.row_ptr = {0, 1, 2};
  out.matrix.columns = {2, 0};
  out.matrix.values = {1.5f, -0.0f};
  return out;
}

std::string write(const std::filesystem::path& path) {
  Packer archive(path);
  const Values values = made();
  Values::visit(archive, values);
  archive.finish();
  return read_text_file(path);
}

std::string problem(const std::filesystem::path& path) {
  return complaint([&] {
    PackedReader archive(path);
    Values values;
    Values::visit(archive, values);
    archive.finish();
  });
}

TEST(Packed, GivesBackWhatItTook) {
  const Folder folder;
  (void)write(folder / "x");
  PackedReader archive(folder / "x");
  Values back;
  Values::visit(archive, back);
  archive.finish();
  const Values before = made();
  EXPECT_EQ(back.number, before.number);
  EXPECT_EQ(back.real, before.real);
  EXPECT_EQ(back.text, before.text);
  EXPECT_EQ(back.flags, before.flags);
  EXPECT_EQ(back.numbers, before.numbers);
  EXPECT_EQ(back.texts, before.texts);
  EXPECT_EQ(back.lists, before.lists);
  EXPECT_EQ(back.matrix.row_ptr, before.matrix.row_ptr);
  EXPECT_EQ(back.matrix.columns, before.matrix.columns);
  EXPECT_EQ(back.matrix.values, before.matrix.values);
}

TEST(Packed, ADamagedFileIsRefusedAndNeverBelieved) {
  const Folder folder;
  const std::string whole = write(folder / "x");
  EXPECT_EQ(problem(folder / "x"), "no error");
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{64}, std::size_t{100},
                                 whole.size() / 2, whole.size() - 1}) {
    folder.write("x", whole.substr(0, size));
    EXPECT_TRUE(contains(problem(folder / "x"), "is damaged; remove it")) << size;
  }
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{17}, std::size_t{40}, whole.size() / 2, whole.size() - 1}) {
    std::string bad = whole;
    bad[at] = static_cast<char>(bad[at] ^ 0x40);
    folder.write("x", bad);
    EXPECT_TRUE(contains(problem(folder / "x"), "is damaged")) << at;
  }
  folder.write("x", whole + "x");
  EXPECT_TRUE(contains(problem(folder / "x"), "is damaged"));
  std::string huge = whole;
  huge.replace(16, 8, 8, '\xff');  // the length of the text
  folder.write("x", huge);
  EXPECT_TRUE(contains(problem(folder / "x"), "is damaged"));
}

TEST(Packed, AListOfManyPartsIsReadItemByItem) {
  const Folder folder;
  const std::vector<std::pair<std::int64_t, std::string>> list = {{7, "a"}, {-1, ""}};
  const auto parts = [](auto& archive) {
    return [&archive](auto& item) { archive(item.first), archive(item.second); };
  };
  Packer packer(folder / "x");
  packer.each(list, parts(packer));
  packer.finish();
  const std::string whole = read_text_file(folder / "x");
  const auto read = [&] {
    std::vector<std::pair<std::int64_t, std::string>> back = {{1, "of before"}};
    PackedReader archive(folder / "x");
    archive.each(back, parts(archive));
    archive.finish();
    return back;
  };
  EXPECT_EQ(read(), list);
  for (const std::size_t byte : {std::size_t{0}, std::size_t{7}}) {
    std::string longer = whole;
    longer[byte] = 9;  // of the length
    folder.write("x", longer);
    EXPECT_TRUE(contains(complaint([&] { (void)read(); }), "is damaged")) << byte;
  }
}

}  // namespace
}  // namespace cupel::test
