// amazon-ratings against a slow and plain making of the same graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "cupel/base/hash.h"
#include "cupel/data/build/recipe.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/graph/graph.h"
#include "data/build/made_text.h"

namespace cupel::test {
namespace {

constexpr const char* kVectors =
    "6 2\nred 1 0\nblue 0 1\ngreen 2 2\nRed 5 5\nMusic 0 9\nBooks 9 0\n";

struct Product {
  std::string asin, title, group;
  double rating = 0;
  std::vector<std::string> similar, categories;
  std::vector<int> stars;
  bool discontinued = false;
};

std::string text_of(const std::vector<Product>& products) {
  std::string out = fmt::format("# made\nTotal items: {}\n\n", products.size());
  for (std::size_t i = 0; i < products.size(); ++i) {
    const Product& p = products[i];
    out += fmt::format("Id:   {}\nASIN: {}\n", i, p.asin);
    if (p.discontinued) {
      out += "  discontinued product\n\n";
      continue;
    }
    out += fmt::format("  title: {}\n  group: {}\n  salesrank: 1\n  similar: {}", p.title, p.group,
                       p.similar.size());
    for (const std::string& asin : p.similar) out += "  " + asin;
    out += fmt::format("\n  categories: {}\n", p.categories.size());
    for (const std::string& category : p.categories) out += "   " + category + "\n";
    out += fmt::format("  reviews: total: {}  downloaded: {}  avg rating: {}\n", p.stars.size(),
                       p.stars.size(), p.rating);
    for (const int stars : p.stars)
      out +=
          fmt::format("    2000-7-28  cutomer: A2  rating: {}  votes:  1  helpful:   0\n", stars);
    out += "\n";
  }
  return out;
}

std::vector<Product> make_products(unsigned seed, int count, unsigned links) {
  std::mt19937 random(seed);
  const char* const kGroups[] = {"Book", "Music", "DVD", "Video", "Toy"};
  const char* const kWords[] = {"red", "Blue", "green", "unknown", "RED", "Red"};
  std::vector<Product> out;
  for (int i = 0; i < count; ++i) {
    Product p;
    p.asin = fmt::format("B{:09}", i);
    p.discontinued = random() % 12 == 0;
    p.group = kGroups[random() % 20 == 0 ? 4 : random() % 4];
    for (unsigned w = random() % 4; w > 0; --w)
      p.title += std::string(kWords[random() % 6]) + (w > 1 ? ": " : "");
    for (unsigned s = random() % 6; s > 0; --s)
      p.stars.push_back(1 + static_cast<int>(random() % 5));
    if (!p.stars.empty()) p.rating = 1 + 0.5 * (random() % 9);
    p.categories = {fmt::format("|{}[283155]|Deep red things[{}]", random() % 2 ? "Books" : "Music",
                                random() % 100)};
    for (unsigned l = random() % links; l > 0; --l) {
      // Some point to themselves, some outside the file.
      p.similar.push_back(fmt::format("B{:09}", random() % static_cast<unsigned>(count + 20)));
    }
    out.push_back(p);
  }
  return out;
}

// The nodes in the order of the file, by plain sets.
std::vector<std::size_t> expected_nodes(const std::vector<Product>& products, std::size_t core,
                                        std::set<std::pair<std::size_t, std::size_t>>& edges) {
  std::map<std::string, std::size_t> of_asin;
  std::set<std::size_t> left;
  for (std::size_t i = 0; i < products.size(); ++i) {
    const Product& p = products[i];
    of_asin[p.asin] = i;
    if (!p.discontinued && p.group != "Toy" && p.rating > 0) left.insert(i);
  }
  std::map<std::size_t, std::set<std::size_t>> joined;
  for (const std::size_t i : left) {
    for (const std::string& asin : products[i].similar) {
      const auto found = of_asin.find(asin);
      if (found == of_asin.end() || found->second == i || !left.contains(found->second)) continue;
      joined[i].insert(found->second);
      joined[found->second].insert(i);
    }
  }
  for (bool again = true; again;) {
    again = false;
    for (const std::size_t i : std::set<std::size_t>(left)) {
      if (joined[i].size() >= core) continue;
      for (const std::size_t j : joined[i]) joined[j].erase(i);
      joined.erase(i);
      left.erase(i);
      again = true;
    }
  }
  std::vector<std::size_t> best;
  while (!left.empty()) {
    std::set<std::size_t> component, next = {*left.begin()};
    while (!next.empty()) {
      const std::size_t i = *next.begin();
      next.erase(next.begin());
      if (!component.insert(i).second) continue;
      for (const std::size_t j : joined[i]) next.insert(j);
    }
    for (const std::size_t i : component) left.erase(i);
    if (component.size() > best.size()) best.assign(component.begin(), component.end());
  }
  for (std::size_t a = 0; a < best.size(); ++a) {
    for (std::size_t b = a + 1; b < best.size(); ++b) {
      if (joined[best[a]].contains(best[b])) edges.emplace(a, b);
    }
  }
  return best;
}

std::set<std::pair<std::size_t, std::size_t>> edges_of(const Dataset& data) {
  std::set<std::pair<std::size_t, std::size_t>> out;
  for (Index i = 0; i < data.nodes(); ++i) {
    for (const Index j : data.adjacency.row_columns(i)) out.emplace(i, j);
  }
  return out;
}

Built make(const Folder& folder, const std::string& products,
           const std::vector<std::string>& settings, const std::string& vectors = kVectors) {
  folder.write_gz("amazon-meta.txt.gz", products);
  folder.write("cc.en.2.vec", vectors);
  const BuildRecipe& recipe = find_build_recipe("Amazon_Ratings");
  return build(recipe, find_inputs(recipe, {folder.root().string()}), settings);
}

TEST(AmazonRatings, EqualsAPlainMaking) {
  const Folder folder;
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<Product> products = make_products(seed, 300, 3 + 3 * (seed % 3));
    const std::size_t core = 1 + seed % 3;
    const Built built = make(folder, text_of(products),
                             {fmt::format("core={}", core), "splits=0", "thresholds=1.5,3,4.5"});
    const Dataset& data = *built.product.dataset;
    std::set<std::pair<std::size_t, std::size_t>> edges;
    const auto nodes = expected_nodes(products, core, edges);
    ASSERT_EQ(static_cast<std::size_t>(data.nodes()), nodes.size());
    ASSERT_GT(nodes.size(), 20u);
    EXPECT_EQ(edges_of(data), edges);
    EXPECT_EQ(data.class_names(),
              (std::vector<std::string>{"below 1.5", "1.5 to 3", "3 to 4.5", "4.5 and more"}));
    const Matrix& x = std::get<Matrix>(data.features);
    ASSERT_EQ(x.cols, 2);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const Product& p = products[nodes[n]];
      const int expected = p.rating >= 4.5 ? 3 : p.rating >= 3 ? 2 : p.rating >= 1.5 ? 1 : 0;
      EXPECT_EQ(data.labels()[n], expected) << p.rating;
      double sum[2] = {0, 0};
      int known = 0;
      std::string title = p.title + ":";
      while (!title.empty()) {
        const std::string word = title.substr(0, title.find(':'));
        title.erase(0, title.find(':') + 1);
        const auto add = [&](double a, double b) { sum[0] += a, sum[1] += b, ++known; };
        if (contains(word, "RED")) add(1, 0);  // in lower case only
        if (contains(word, "red")) add(1, 0);
        if (contains(word, "Red")) add(5, 5);  // as written first
        if (contains(word, "Blue")) add(0, 1);
        if (contains(word, "green")) add(2, 2);
      }
      for (Index d = 0; d < 2; ++d)
        EXPECT_FLOAT_EQ(x(static_cast<Index>(n), d),
                        known ? static_cast<float>(sum[d] / known) : 0.0f);
    }
  }
}

TEST(AmazonRatings, SettingsDoWhatTheySay) {
  const Folder folder;
  std::vector<Product> products;
  for (int i = 0; i < 40; ++i) {  // a ring whose links are listed on one side only
    Product p;
    p.asin = fmt::format("A{}", i);
    p.title = i % 2 ? "Red" : "none";
    p.group = i < 20 ? "Book" : "Toy";
    p.rating = i % 2 ? 5 : 2;
    p.stars = {i % 2 ? 1 : 5};
    p.similar = {fmt::format("A{}", (i + 1) % 40)};
    p.categories = {"|Books[1]|Red[5]", "|Music[2]"};
    products.push_back(p);
  }
  const std::string text = text_of(products);
  const std::vector<std::string> common = {"thresholds=3", "groups=Book,Toy"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), common.begin(), common.end());
    return *make(folder, text, more).product.dataset;
  };
  const Dataset ring = with({"core=2"});
  EXPECT_EQ(ring.nodes(), 40);
  EXPECT_EQ(ring.adjacency.entries(), 40);
  EXPECT_EQ(ring.labels()[1], 1);
  EXPECT_EQ(ring.stored_splits.size(), 10u);
  EXPECT_EQ(with({"core=2", "rating=reviews"}).labels()[1], 0);
  EXPECT_EQ(with({"core=2", "splits=3"}).stored_splits.size(), 3u);
  EXPECT_NE(with({"core=2", "seed=1"}).stored_splits[0].train, ring.stored_splits[0].train);
  const auto first = [](const Dataset& data) {
    const Matrix& x = std::get<Matrix>(data.features);
    return std::pair{x(1, 0), x(1, 1)};
  };
  EXPECT_EQ(first(ring), std::pair(5.0f, 5.0f));
  EXPECT_EQ(first(with({"core=2", "case=lower"})), std::pair(1.0f, 0.0f));
  EXPECT_EQ(first(with({"core=2", "text=categories", "case=as-written"})),
            std::pair(static_cast<float>(14.0 / 3), static_cast<float>(14.0 / 3)));
  EXPECT_EQ(first(with({"core=2", "text=both", "case=as-written"})), std::pair(4.75f, 4.75f));
  const Dataset path = *make(folder, text, {"core=0", "thresholds=3"}).product.dataset;
  EXPECT_EQ(path.nodes(), 20);
  EXPECT_EQ(path.adjacency.entries(), 19);
  const auto message = [&](const std::vector<std::string>& settings) {
    return complaint([&] { (void)make(folder, text, settings); });
  };
  EXPECT_TRUE(
      contains(message({"thresholds=3"}), "the 5-core has no product; lower the setting core"));
  EXPECT_TRUE(contains(message({"core=1"}), "no product has a rating of the class '3.25 to 3.75'"));
  EXPECT_TRUE(contains(message({"thresholds=3,2"}), "thresholds = '3,2' must be rising numbers"));
  EXPECT_TRUE(contains(message({"thresholds="}), "thresholds = '' must be"));
  EXPECT_TRUE(contains(message({"text=subtitle"}), "'text' cannot be 'subtitle'; it is one of"));
  EXPECT_TRUE(contains(message({"cores=5"}), "did you mean 'core'?"));
  EXPECT_TRUE(contains(message({"core=many"}), "core = 'many' is not a whole number"));
  EXPECT_TRUE(contains(message({"core"}), "'core' is not a setting; write name=value"));
  EXPECT_TRUE(contains(message({"core=1", "core=2"}), "'core' is given twice"));
}

// A part of the file may lack a group of the whole one, but what no product is of was misspelt.
TEST(AmazonRatings, GroupsAreThoseOfProducts) {
  const Folder folder;
  std::vector<Product> products = make_products(2, 300, 9);
  const auto message = [&](const std::string& groups) {
    return complaint([&] {
      (void)make(folder, text_of(products),
                 {"core=2", "splits=0", "thresholds=3", "groups=" + groups});
    });
  };
  EXPECT_EQ(message("Book,Toy"), "no error");
  EXPECT_TRUE(
      contains(message("Book,Music,Bok"),
               "no product is of the group 'Bok' of the setting groups; did you mean 'Book'?"));
  EXPECT_TRUE(contains(message("Bok"), "no product is of the group 'Bok'"));
  EXPECT_TRUE(contains(message("Sports"), "there are: Book, DVD, Music, Toy, Video"));
  std::erase_if(products, [](const Product& product) { return product.group == "Video"; });
  EXPECT_EQ(message("Book,Music,DVD,Video"), "no error");
  EXPECT_TRUE(contains(message("Video"), "no product is of the group 'Video'"));
}

TEST(AmazonRatings, ProvenanceTellsWhatWasDone) {
  const Folder folder;
  std::vector<Product> products = make_products(2, 300, 9);
  products[0].asin = products[1].asin;  // a repeat
  products[1].discontinued = false;
  products[0].title = "Caf\xe9 red";
  const Built built = make(folder, replaced(text_of(products), "items: 300", "items: 548552"),
                           {"core=2", "splits=2", "thresholds=3"});
  const auto json = nlohmann::json::parse(built.provenance);
  EXPECT_EQ(json["recipe"], "amazon-ratings");
  ASSERT_EQ(json["inputs"].size(), 2u);
  EXPECT_EQ(json["inputs"][0]["file"], "amazon-meta.txt.gz");
  EXPECT_EQ(json["inputs"][0]["sha256"], sha256_file(folder.root() / "amazon-meta.txt.gz"));
  EXPECT_EQ(json["inputs"][1]["sha256"], sha256(kVectors));
  EXPECT_EQ(json["settings"]["core"], 2);
  EXPECT_EQ(json["settings"]["case"], "either");
  EXPECT_EQ(json["counts"]["products read"], 300);
  EXPECT_EQ(json["counts"]["products that the file announces and does not have"], 548252);
  EXPECT_EQ(json["counts"]["repeated products left out"], 1);
  const auto discontinued = std::ranges::count(products, true, &Product::discontinued);
  EXPECT_EQ(json["counts"]["discontinued products left out"], discontinued);
  EXPECT_EQ(json["facts"]["nodes"], built.product.dataset->nodes());
  EXPECT_EQ(json["content_hash"], content_hash(*built.product.dataset));
  EXPECT_GT(json["unstated_by_the_paper"].size(), 5u);
  std::int64_t nodes = 0;
  for (const auto& one : json["classes"]) nodes += one["nodes"].get<std::int64_t>();
  EXPECT_EQ(nodes, built.product.dataset->nodes());

  const auto out = folder.root() / "made.npz";
  write_built(built, out);
  EXPECT_EQ(content_hash(read_dataset(out)), content_hash(*built.product.dataset));
  EXPECT_TRUE(std::filesystem::exists(folder.root() / "made.npz.provenance.json"));
  // Bytes depend on inputs and settings alone.
  const std::string hash = sha256_file(out);
  write_built(make(folder, replaced(text_of(products), "items: 300", "items: 548552"),
                   {"core=2", "splits=2", "thresholds=3"}),
              out);
  EXPECT_EQ(sha256_file(out), hash);
}

TEST(AmazonRatings, VectorsOfAnotherLanguageAreRefused) {
  const Folder folder;
  EXPECT_TRUE(contains(complaint([&] {
                         (void)make(folder, text_of(make_products(2, 300, 9)),
                                    {"core=2", "splits=0", "thresholds=3"}, "1 2\nrouge 1 2\n");
                       }),
                       "has a vector for no word of any product"));
}

}  // namespace
}  // namespace cupel::test
