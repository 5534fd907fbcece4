// roman-empire against a slow and plain making of the same graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "cupel/data/build/recipe.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/graph/graph.h"
#include "data/build/made_text.h"

namespace cupel::test {
namespace {

struct Word {
  std::string form, upos, role;
  int head = 0;
};
using Sentence = std::vector<Word>;

constexpr const char* kVectors = "4 3\nw0 1 2 3\nw1 4 5 6\nW2 7 8 9\nw2 0 0 1\n";

std::string text_of(const std::vector<Sentence>& text) {
  std::string out;
  for (const Sentence& sentence : text) {
    for (std::size_t w = 0; w < sentence.size(); ++w) {
      const Word& word = sentence[w];
      if (w == 1) out += "2-3\tw1w2\t_\t_\t_\t_\t_\t_\t_\t_\n";
      out += fmt::format("{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_\n", w + 1, word.form, word.upos,
                         word.head, word.role);
      if (w == 2) out += "3.1\tghost\t_\t_\t_\t_\t_\t_\t_\t_\n";
    }
    out += "\n";
  }
  return out;
}

std::vector<Sentence> make_text(unsigned seed, int sentences) {
  std::mt19937 random(seed);
  std::vector<Sentence> text;
  for (int s = 0; s < sentences; ++s) {
    Sentence sentence(3 + random() % 12);
    for (std::size_t w = 0; w < sentence.size(); ++w) {
      Word& word = sentence[w];
      word.form = fmt::format("{}{}", random() % 4 ? 'w' : 'W', random() % 4);
      word.upos = random() % 6 ? "NOUN" : "PUNCT";
      // Falling frequencies.
      const unsigned role = std::min({random() % 8, random() % 8, random() % 8});
      word.role = fmt::format("r{}{}", role, random() % 3 ? "" : ":sub");
      do word.head = static_cast<int>(random() % (sentence.size() + 1));
      while (word.head == static_cast<int>(w) + 1);
    }
    text.push_back(sentence);
  }
  return text;
}

Built make(const Folder& folder, const std::string& text, const std::vector<std::string>& settings,
           const std::string& vectors = kVectors) {
  folder.write("text.conllu", text);
  folder.write_gz("words.vec.gz", vectors);
  const BuildRecipe& recipe = find_build_recipe("roman-empire");
  return build(recipe, find_inputs(recipe, {folder.root().string()}), settings);
}

std::set<std::pair<Index, Index>> edges_of(const Dataset& data) {
  std::set<std::pair<Index, Index>> out;
  for (Index i = 0; i < data.nodes(); ++i) {
    for (const Index j : data.adjacency.row_columns(i)) out.emplace(i, j);
  }
  return out;
}

TEST(RomanEmpire, EqualsAPlainMaking) {
  const Folder folder;
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const bool drop = seed & 1, strip = seed & 2, by_sentence = seed & 4;
    const auto text = make_text(seed, 60);
    const Built built = make(
        folder, text_of(text),
        {"roles=4", "splits=0", drop ? "punctuation=drop" : "punctuation=keep",
         strip ? "subtypes=drop" : "subtypes=keep", by_sentence ? "chain=sentence" : "chain=text"});
    const Dataset& data = *built.product.dataset;

    std::map<std::pair<std::size_t, int>, Index> node;  // of (sentence, word from 1)
    std::vector<std::pair<const Word*, std::size_t>> nodes;
    for (std::size_t s = 0; s < text.size(); ++s) {
      for (std::size_t w = 0; w < text[s].size(); ++w) {
        if (drop && text[s][w].upos == "PUNCT") continue;
        node[{s, static_cast<int>(w) + 1}] = static_cast<Index>(nodes.size());
        nodes.emplace_back(&text[s][w], s);
      }
    }
    ASSERT_EQ(static_cast<std::size_t>(data.nodes()), nodes.size());
    std::set<std::pair<Index, Index>> edges;
    for (Index i = 1; i < data.nodes(); ++i) {
      const bool same = nodes[static_cast<std::size_t>(i)].second ==
                        nodes[static_cast<std::size_t>(i) - 1].second;
      if (same || !by_sentence) edges.emplace(i - 1, i);
    }
    for (const auto& [place, i] : node) {
      const Word& word = *nodes[static_cast<std::size_t>(i)].first;
      const auto head = node.find({place.first, word.head});
      if (word.head > 0 && head != node.end()) edges.insert(std::minmax(i, head->second));
    }
    EXPECT_EQ(edges_of(data), edges);
    EXPECT_TRUE(data.adjacency.is_pattern());

    std::map<std::string, int> frequency;
    const auto role_of = [&](const Word& word) {
      return strip ? word.role.substr(0, word.role.find(':')) : word.role;
    };
    for (const auto& [word, sentence] : nodes) ++frequency[role_of(*word)];
    std::vector<std::pair<int, std::string>> ranked;
    for (const auto& [role, count] : frequency) ranked.emplace_back(-count, role);
    std::ranges::sort(ranked);
    ASSERT_EQ(data.class_names().size(), 5u);
    EXPECT_EQ(data.class_names()[4], "other");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string role = role_of(*nodes[i].first);
      const auto rank =
          std::ranges::find(ranked, role, &std::pair<int, std::string>::second) - ranked.begin();
      EXPECT_EQ(data.labels()[i], std::min<std::ptrdiff_t>(rank, 4)) << role;
    }

    const std::map<std::string, std::vector<float>> vectors = {
        {"w0", {1, 2, 3}}, {"W0", {1, 2, 3}}, {"w1", {4, 5, 6}}, {"W1", {4, 5, 6}},
        {"W2", {7, 8, 9}}, {"w2", {0, 0, 1}}, {"w3", {0, 0, 0}}, {"W3", {0, 0, 0}}};
    const Matrix& x = std::get<Matrix>(data.features);
    std::int64_t zero = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string& form = nodes[i].first->form;
      const float* row = x.row(static_cast<Index>(i));
      EXPECT_EQ(std::vector<float>(row, row + 3), vectors.at(form)) << form;
      zero += form == "w3" || form == "W3";
    }
    const auto json = nlohmann::json::parse(built.provenance);
    EXPECT_EQ(json["counts"]["nodes whose features are zero for want of a vector"], zero);
    EXPECT_EQ(json["counts"]["different words without vector"], 2);
    EXPECT_EQ(json["counts"]["multiword tokens passed over"], 60);
    EXPECT_EQ(json["counts"]["empty nodes passed over"], 60);
  }
}

TEST(RomanEmpire, IsWrittenWithSplits) {
  const Folder folder;
  const Built built = make(folder, text_of(make_text(1, 400)), {"roles=4"});
  EXPECT_EQ(built.product.dataset->stored_splits.size(), 10u);
  EXPECT_EQ(connected_components(built.product.dataset->adjacency).sizes.size(), 1u);
  const auto out = folder.root() / "out.npz";
  write_built(built, out);
  const Dataset read = read_dataset(out);
  EXPECT_EQ(content_hash(read), content_hash(*built.product.dataset));
  EXPECT_EQ(read.stored_splits[9].valid, built.product.dataset->stored_splits[9].valid);
}

TEST(RomanEmpire, Complaints) {
  const Folder folder;
  const std::string text = text_of(make_text(1, 3));
  const auto message = [&](const std::string& conllu, const std::string& vectors,
                           const std::vector<std::string>& settings = {"splits=0"}) {
    return complaint([&] { (void)make(folder, conllu, settings, vectors); });
  };
  EXPECT_TRUE(contains(message("", kVectors), "text.conllu: has no word"));
  EXPECT_TRUE(
      contains(message(text, "1 1\nzzz 1\n"), "words.vec.gz: has a vector for none of the"));
  EXPECT_TRUE(contains(message(text, kVectors, {"roles=3"}), "too few for one in the"));
  EXPECT_TRUE(contains(message(text.substr(0, text.size() / 2), kVectors), "line "));
}

// A folder may hold a link to a file of its own, and folders the same file.
TEST(BuildInputs, AFileOfFoldersIsTakenOnce) {
  const Folder folder, other;
  BuildRecipe recipe = find_build_recipe("roman-empire");
  recipe.inputs.resize(1);
  const BuildInput& input = recipe.inputs.front();
  ASSERT_EQ(input.name, "text");
  const auto one = folder.write("a.conllu", ""), two = folder.write("b.conllu", "");
  std::filesystem::create_symlink("a.conllu", folder.root() / "c.conllu");
  std::filesystem::create_symlink(two, other.root() / "d.conllu");
  const std::vector<std::string> folders = {folder.root().string(), other.root().string()};
  recipe.inputs.front().several = true;
  EXPECT_EQ(find_inputs(recipe, folders), (BuildPaths{{"text", {one, two}}}));
  // What is named twice is told.
  const std::string link = (folder.root() / "c.conllu").string();
  EXPECT_TRUE(contains(complaint([&] {
                         (void)find_inputs(recipe, {one.string(), link});
                       }),
                       "c.conllu is given twice as its input 'text'"));
  // And a link makes no second file of a single one.
  recipe.inputs.front().several = false;
  std::filesystem::remove(two);
  EXPECT_EQ(find_inputs(recipe, {folder.root().string()}), (BuildPaths{{"text", {one}}}));
}

TEST(BuildInputs, AreToldApart) {
  const Folder folder;
  const auto text = folder.write("a.conllu", ""), vectors = folder.write("v.vec.gz", "");
  const BuildRecipe& recipe = find_build_recipe("roman-empire");
  const auto find = [&](const std::vector<std::string>& given) {
    return find_inputs(recipe, given);
  };
  const BuildPaths both = {{"text", {text}}, {"vectors", {vectors}}};
  EXPECT_EQ(find({folder.root().string()}), both);
  EXPECT_EQ(find({vectors.string(), text.string()}), both);
  EXPECT_EQ(find({"text=" + text.string(), folder.root().string()}), both);
  EXPECT_EQ(find({"text=odd name", vectors.string()}).at("text").front(), "odd name");
  const auto message = [&](const std::vector<std::string>& given) {
    return complaint([&] { (void)find(given); });
  };
  EXPECT_TRUE(contains(message({}), "its input text (the parsed text, CoNLL-U; *.conllu"));
  EXPECT_TRUE(contains(message({text.string()}), "its input vectors ("));
  EXPECT_TRUE(contains(message({"x.txt"}), "'x.txt' has none of the names"));
  folder.write("w.vec", "");
  EXPECT_TRUE(contains(message({folder.root().string()}),
                       "could be its input 'vectors'; give --from vectors=FILE"));
  EXPECT_EQ(find({folder.root().string(), vectors.string()}), both);
  EXPECT_TRUE(contains(message({text.string(), text.string()}), "could be its input 'text'"));
  EXPECT_TRUE(contains(complaint([] { (void)find_build_recipe("roman-empires"); }),
                       "did you mean 'roman-empire'?"));
}

TEST(Builders, SayWhatTheyAre) {
  std::set<std::string> names;
  for (const BuildRecipe* recipe : build_recipes()) {
    names.insert(recipe->name);
    EXPECT_FALSE(recipe->title.empty() || recipe->description.empty() || recipe->citation.empty());
    EXPECT_FALSE(recipe->unstated.empty());
    const auto has = [&](const std::string& name) {
      return std::ranges::count(recipe->settings, name, &OptionSpec::name) == 1;
    };
    EXPECT_TRUE(recipe->makes_folder || (has("splits") && has("seed"))) << recipe->name;
    for (const OptionSpec& spec : recipe->settings) EXPECT_FALSE(spec.doc.empty()) << spec.name;
    EXPECT_NO_THROW((void)parse_options(recipe->name, recipe->settings, {}));
  }
  EXPECT_TRUE(names.contains("amazon-ratings") && names.contains("roman-empire"));
}

}  // namespace
}  // namespace cupel::test
