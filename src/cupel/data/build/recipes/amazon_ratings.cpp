// Products and what is bought with them, made the way amazon-ratings was.
//
// Source: Platonov, Kuznedelev, Diskin, Babenko, Prokhorenkova, "A critical look at the evaluation
// of GNNs under heterophily", ICLR 2023, section 4, from SNAP's product metadata (Leskovec and
// Krevl 2014). Nodes are products, edges join products bought together, the class is the mean
// rating in five steps, the features are the mean vector of the words of the description; of the
// 5-core the largest component is kept.
//
// The products are read twice, first for the graph and then for the words of those that are left.
// Memory: every ASIN and every co-purchase link; of what is left its words, their vectors and the
// features. Files are streamed.
#include <algorithm>
#include <charconv>

#include "cupel/base/error.h"
#include "cupel/base/random.h"
#include "cupel/data/build/amazon_ratings/products.h"
#include "cupel/data/build/recipe.h"
#include "cupel/data/build/words.h"
#include "cupel/data/formats/snap_amazon.h"
#include "cupel/data/split/stratified.h"

namespace cupel {
namespace {

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(separator, from), text.size());
    parts.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

std::vector<double> read_thresholds(const std::string& text) {
  std::vector<double> out;
  for (const std::string& part : split_at(text, ',')) {
    double value = 0;
    const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (problem != std::errc() || end != part.data() + part.size() || !(value > 1 && value <= 5) ||
        (!out.empty() && value <= out.back())) {
      fail(
          "amazon-ratings: thresholds = '{}' must be rising numbers above 1 and up to 5, as in "
          "1.5,2.5,3.5,4.5",
          text);
    }
    out.push_back(value);
  }
  return out;
}

void set_classes(const Options& settings, const amazon_ratings::Products& products,
                 Dataset& dataset) {
  const std::vector<double> thresholds = read_thresholds(settings.text("thresholds"));
  for (std::size_t c = 0; c <= thresholds.size(); ++c) {
    dataset.class_names().push_back(
        c == 0                   ? fmt::format("below {}", thresholds[0])
        : c == thresholds.size() ? fmt::format("{} and more", thresholds.back())
                                 : fmt::format("{} to {}", thresholds[c - 1], thresholds[c]));
  }
  std::vector<std::int64_t> sizes(dataset.class_names().size(), 0);
  for (const double rating : products.rating) {
    const auto c = std::ranges::upper_bound(thresholds, rating) - thresholds.begin();
    dataset.labels().push_back(static_cast<Index>(c));
    ++sizes[static_cast<std::size_t>(c)];
  }
  const auto empty = std::ranges::find(sizes, 0);
  if (empty == sizes.end()) return;
  fail("amazon-ratings: no product has a rating of the class '{}'; change the setting thresholds",
       dataset.class_names()[static_cast<std::size_t>(empty - sizes.begin())]);
}

// The words of a category, "|Books[283155]|Subjects[1000]", are those of its names.
std::string without_numbers(const std::string& category) {
  std::string out;
  bool inside = false;
  for (const char c : category) {
    if (c == '[') inside = true;
    if (!inside) out += c;
    if (c == ']') inside = false;
  }
  return out;
}

// The second reading: the words of each product that is left, as numbers in the vocabulary.
struct Words {
  std::vector<std::string> spelling;  // per word of the vocabulary
  std::vector<std::size_t> start = {0};
  std::vector<Index> ids;  // those of product p are [start[p], start[p + 1])
};

Words read_words(BuildContext& context, const amazon_ratings::Products& products) {
  const std::string& source = context.settings().text("text");
  LineReader lines(context.path("products"), context.progress("products again"));
  AmazonReader reader(lines);
  AmazonProduct product;
  Words out;
  WordIds vocabulary;
  std::int64_t latin1 = 0;
  while (reader.next(product)) {
    const std::size_t next = out.start.size() - 1;
    if (next == products.record.size() || products.record[next] != reader.products() - 1) continue;
    bool any_latin1 = false;
    const auto add = [&](const std::string& bytes) {
      bool was_latin1 = false;
      const std::string text = to_utf8(bytes, was_latin1);
      any_latin1 |= was_latin1;
      for (const std::string_view word : words_of(text)) {
        const Index id = add_word(vocabulary, word);
        if (static_cast<std::size_t>(id) == out.spelling.size()) out.spelling.emplace_back(word);
        out.ids.push_back(id);
      }
    };
    if (source != "categories") add(product.title);
    if (source != "title") {
      for (const std::string& category : product.categories) add(without_numbers(category));
    }
    out.start.push_back(out.ids.size());
    latin1 += any_latin1;
  }
  context.read_whole("products", lines);
  context.count("products whose text is not UTF-8 and was read as Latin-1", latin1);
  return out;
}

Matrix features(BuildContext& context, const Words& words) {
  const VectorsOfWords found = read_vectors_of(context, words.spelling);
  const Index dimension = found.vectors.dimension;
  Matrix out(static_cast<Index>(words.start.size() - 1), dimension);
  std::int64_t unknown = 0, zero = 0;
  std::vector<double> sum(static_cast<std::size_t>(dimension));
  for (Index p = 0; p < out.rows; ++p) {
    std::ranges::fill(sum, 0.0);
    std::int64_t known = 0;
    const auto row = static_cast<std::size_t>(p);
    for (std::size_t at = words.start[row]; at < words.start[row + 1]; ++at) {
      const float* vector = found.of[static_cast<std::size_t>(words.ids[at])];
      if (!vector) {
        ++unknown;
        continue;
      }
      ++known;
      for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += vector[d];
    }
    zero += known == 0;
    for (std::size_t d = 0; known > 0 && d < sum.size(); ++d)
      out(p, static_cast<Index>(d)) = static_cast<float>(sum[d] / static_cast<double>(known));
  }
  if (zero == out.rows) {
    fail("{}: has a vector for no word of any product; are they of one language?", found.file);
  }
  context.count("words in the texts", static_cast<std::int64_t>(words.ids.size()));
  context.count("words without vector, left out of the mean", unknown);
  context.count("products without any vector, whose features are zero", zero);
  return out;
}

// Each edge once, from the smaller node.
Csr upper_half(const Csr& graph) {
  Csr out;
  out.rows = out.cols = graph.rows;
  for (Index i = 0; i < graph.rows; ++i) {
    for (const Index j : graph.row_columns(i)) {
      if (j > i) out.columns.push_back(j);
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

BuildProduct make(BuildContext& context) {
  const Options& settings = context.settings();
  (void)read_thresholds(settings.text("thresholds"));  // before an hour of reading
  amazon_ratings::Products products =
      amazon_ratings::read_products(context, split_at(settings.text("groups"), ','));
  Dataset dataset;
  dataset.adjacency = upper_half(amazon_ratings::cut_to_core(context, products));
  set_classes(settings, products, dataset);
  dataset.stored_splits = stored_stratified_splits(
      dataset, static_cast<int>(settings.integer("splits")),
      stream_key(fmt::format("build/amazon-ratings/{}/splits", settings.integer("seed"))),
      context.name());
  dataset.features = features(context, read_words(context, products));
  return {.dataset = std::move(dataset)};
}

}  // namespace

extern const BuildRecipe build_recipe_amazon_ratings;
const BuildRecipe build_recipe_amazon_ratings = {
    "amazon-ratings",
    "Products bought together",
    "The co-purchase graph of Amazon's products, made the way amazon-ratings was: the largest "
    "component of the 5-core; classes are steps of the mean rating, features mean word vectors. "
    "Undirected, each edge stored once.",
    "O. Platonov, D. Kuznedelev, M. Diskin, A. Babenko, L. Prokhorenkova: A critical look at the "
    "evaluation of GNNs under heterophily: are we really making progress? ICLR 2023. Data: J. "
    "Leskovec, A. Krevl: SNAP Datasets, 2014.",
    {{"products", "SNAP's product metadata", {"*amazon-meta.txt", "*amazon-meta.txt.gz"}},
     {"vectors", "word vectors, fastText's text format", {"*.vec", "*.vec.gz"}}},
    {{"groups",
      fmt::format("{}", fmt::join(amazon_ratings::kUsualGroups, ",")),
      "groups of products that are nodes",
      0,
      0,
      {}},
     {"core",
      std::int64_t{5},
      "neighbours that every product keeps; 0: no core is taken",
      0,
      1'000'000,
      {}},
     {"rating",
      std::string("average"),
      "what classes are steps of. average: the file's average; reviews: the mean of the reviews "
      "it lists",
      0,
      0,
      {"average", "reviews"}},
     {"thresholds",
      std::string("3.25,3.75,4.25,4.75"),
      "ratings at which the next class begins",
      0,
      0,
      {}},
     {"text",
      std::string("title"),
      "what describes a product. title: its title; categories: the names of its categories; both: "
      "the two of them",
      0,
      0,
      {"title", "categories", "both"}},
     case_setting(),
     {"splits",
      std::int64_t{10},
      "stratified splits (50, 25, 25 percent) stored with the data",
      0,
      1000,
      {}},
     {"seed", std::int64_t{0}, "of the splits", 0, 4294967295.0, {}}},
    {{"which text of a product is its description",
      "its title, the only running text in the file; setting text"},
     {"where the five classes of ratings begin",
      "our choice: the file's averages are multiples of half a star, and the classes are 5, 4.5, "
      "4, 3.5, and 3 or less; setting thresholds"},
     {"whether a rating is the file's average or the mean of its reviews",
      "the file's average; setting rating"},
     {"what becomes of products without review", "they are left out before the core is taken"},
     {"whether a link that only one of two products lists is an edge", "it is"},
     {"how texts are cut into words", "at everything that is no letter or digit"},
     {"how words are looked up", "as written, else in lower case; setting case"},
     {"words without vector", "left out of the mean; a product without any has zeros"},
     {"how the ten splits were drawn",
      "at random within each class, as the released files for minesweeper and tolokers show"}},
    {"symmetrise"},
    make};

}  // namespace cupel
