#include "cupel/data/formats/conllu.h"

#include <gtest/gtest.h>

#include "data/build/made_text.h"

namespace cupel::test {
namespace {

// The example of the format's own description, with an empty node and a comment.
constexpr const char* kText =
    "# sent_id = 1\n"
    "# text = vamos al mar\n"
    "1\tvamos\tir\tVERB\t_\t_\t0\troot\t_\t_\n"
    "2-3\tal\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2\ta\ta\tADP\t_\t_\t4\tcase\t_\t_\n"
    "3\tel\tel\tDET\t_\t_\t4\tdet\t_\t_\n"
    "3.1\tnada\tnada\tNOUN\t_\t_\t_\t_\t1:obj\t_\n"
    "4\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\tSpaceAfter=No\n"
    "\n"
    "# only a comment\n"
    "\n"
    "1\tS\xc3\xad\ts\xc3\xad\tINTJ\t_\t_\t0\troot:x\t_\t_\n"
    "\n";

struct Read {
  std::vector<std::vector<ConlluWord>> sentences;
  std::int64_t multiword = 0, empty_nodes = 0, empty_sentences = 0, count = 0;
};

Read read(const std::filesystem::path& path) {
  LineReader lines(path);
  ConlluReader reader(lines);
  Read out;
  while (reader.next()) out.sentences.push_back(reader.words());
  out.multiword = reader.multiword_tokens();
  out.empty_nodes = reader.empty_nodes();
  out.empty_sentences = reader.empty_sentences();
  out.count = reader.sentences();
  return out;
}

TEST(Conllu, ReadsSyntacticWords) {
  const Folder folder;
  std::string windows;
  for (const char c : std::string(kText))
    windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const std::string no_end = std::string(kText, std::string(kText).size() - 2);
  for (const auto& path : {folder.write("a.conllu", kText), folder.write_gz("b", kText),
                           folder.write("c", windows), folder.write("d", no_end)}) {
    const Read read_ = read(path);
    ASSERT_EQ(read_.sentences.size(), 2u);
    const auto& first = read_.sentences[0];
    ASSERT_EQ(first.size(), 4u);
    EXPECT_EQ(first[1].form, "a");
    EXPECT_EQ(first[1].upos, "ADP");
    EXPECT_EQ(first[1].deprel, "case");
    EXPECT_EQ(first[1].head, 4);
    EXPECT_EQ(first[0].head, 0);
    EXPECT_EQ(first[3].line, 8u);
    EXPECT_EQ(read_.sentences[1][0].form, "S\xc3\xad");
    EXPECT_EQ(read_.sentences[1][0].deprel, "root:x");
    EXPECT_EQ(read_.count, 2);
    EXPECT_EQ(read_.multiword, 1);
    EXPECT_EQ(read_.empty_nodes, 1);
    EXPECT_EQ(read_.empty_sentences, 1);
  }
  EXPECT_TRUE(read(folder.write("e", "\n\n# nothing\n\n")).sentences.empty());
}

TEST(Conllu, ComplaintsNameTheLine) {
  const Folder folder;
  const auto complaint_of = [&](const std::string& text) {
    return complaint([&] { (void)read(folder.write("a", text)); });
  };
  const std::string good = kText;
  const std::pair<std::string, const char*> cases[] = {
      {replaced(good, "vamos\tir\t", "vamos\t"),
       "line 3: has 9 columns between tabs where CoNLL-U has 10"},
      {replaced(good, "\t_\t_\n2-3", "\t_\t_\t_\n2-3"), "line 3: has 11 columns"},
      {replaced(good, "1\tvamos\tir\tVERB\t_\t_\t0", "1 vamos ir VERB _ _ 0"),
       "line 3: has 4 columns"},
      {replaced(good, "2\ta\t", "3\ta\t"), "line 5: has the word number '3' where 2 is next"},
      {replaced(good, "2\ta\t", "x\ta\t"), "line 5: has the word number 'x'"},
      {replaced(good, "2\ta\t", "99999999999\ta\t"), "line 5: has the word number '99999999999'"},
      {replaced(good, "2-3\t", "3-4\t"),
       "line 4: multiword token '3-4' does not start at the next word, 2"},
      {replaced(good, "2-3\t", "2-1\t"), "line 4: multiword token '2-1'"},
      {replaced(good, "3.1\t", "2.1\t"), "line 7: empty node '2.1' does not follow word 3"},
      {replaced(good, "\t4\tcase", "\t5\tcase"),
       "line 5: HEAD (column 7) is 5 in a sentence of 4 words"},
      {replaced(good, "\t4\tcase", "\t2\tcase"), "line 5: word 2 is its own HEAD"},
      {replaced(good, "\t4\tcase", "\t_\tcase"), "line 5: HEAD (column 7) is '_'"},
      {replaced(good, "\t4\tcase", "\t-1\tcase"), "line 5: HEAD (column 7) is '-1'"},
      {replaced(good, "\tcase\t", "\t_\t"),
       "line 5: DEPREL (column 8) of 'a' is '_'; the text must be parsed"},
      {replaced(good, "2\ta\ta", "2\t\ta"), "line 5: FORM (column 2) is empty"},
      {replaced(good, "S\xc3\xad", "S\xed"), "line 12: is not UTF-8"},
      {replaced(good, "\n\n# only", "\n# only"), "no error"},
      {replaced(good, "\n\n1\tS", "\n1\tS"), "no error"},
      {replaced(replaced(good, "\n\n# only", "\n# only"), "\n\n1\tS", "\n1\tS"),
       "line 10: has the word number '1' where 5 is next; a blank line ends a sentence"},
      {good.substr(0, good.find("\t4\tcase") + 3), "line 5: has 8 columns"}};
  for (const auto& [text, part] : cases)
    EXPECT_TRUE(contains(complaint_of(text), part)) << part << "\n" << complaint_of(text);
}

}  // namespace
}  // namespace cupel::test
