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
#include "cupel/data/build/core.h"
#include "cupel/data/build/recipe.h"
#include "cupel/data/build/words.h"
#include "cupel/data/formats/snap_amazon.h"
#include "cupel/data/graph/graph.h"
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

// What the first reading keeps of the products that may become nodes, in the order of the file.
struct Products {
  std::vector<std::int64_t> record;  // which product of the file, from 0
  std::vector<double> rating;
  std::vector<Edge> links;  // between positions in these lists; smaller first
};

Products read_products(BuildContext& context) {
  const Options& settings = context.settings();
  const std::vector<std::string> groups = split_at(settings.text("groups"), ',');
  const bool by_lines = settings.text("rating") == "reviews";
  LineReader lines(context.path("products"), context.progress("products"));
  AmazonReader reader(lines);
  WordIds asins;
  std::vector<char> seen;         // per ASIN: whether its product has been read
  std::vector<Index> product_of;  // per ASIN: position in the lists, or -1
  std::vector<Edge> links;        // between ASINs
  const auto id_of = [&](const std::string& asin) {
    if (asins.size() >= 0x7ffffffe) fail("{}: has more than 2^31 products", lines.name());
    const Index id = add_word(asins, asin);
    if (static_cast<std::size_t>(id) == seen.size()) {
      seen.push_back(0);
      product_of.push_back(-1);
    }
    return id;
  };
  Products out;
  std::int64_t discontinued = 0, repeated = 0, other_group = 0, unrated = 0, listed = 0;
  AmazonProduct product;
  while (reader.next(product)) {
    const Index id = id_of(product.asin);
    if (seen[static_cast<std::size_t>(id)]++) {
      seen[static_cast<std::size_t>(id)] = 1;
      ++repeated;
      continue;
    }
    const double rating = by_lines ? product.listed_reviews == 0
                                         ? 0
                                         : static_cast<double>(product.listed_stars) /
                                               static_cast<double>(product.listed_reviews)
                                   : product.average_rating;
    if (product.discontinued) {
      ++discontinued;
    } else if (!std::ranges::count(groups, product.group)) {
      ++other_group;
    } else if (rating == 0) {
      ++unrated;
    } else {
      product_of[static_cast<std::size_t>(id)] = static_cast<Index>(out.rating.size());
      out.record.push_back(reader.products() - 1);
      out.rating.push_back(rating);
      listed += static_cast<std::int64_t>(product.similar.size());
      for (const std::string& asin : product.similar) links.push_back({id, id_of(asin)});
    }
  }
  context.read_whole("products", lines);
  std::int64_t outside = 0, to_itself = 0;
  for (const Edge& link : links) {
    const Index a = product_of[static_cast<std::size_t>(link.source)];
    const Index b = product_of[static_cast<std::size_t>(link.target)];
    if (b < 0) {
      ++outside;
    } else if (a == b) {
      ++to_itself;
    } else {
      out.links.push_back({std::min(a, b), std::max(a, b)});
    }
  }
  context.count("products read", reader.products());
  // A part of the file is of use too, so that this is told and no error.
  if (const std::int64_t missing = reader.announced() - reader.products(); missing > 0) {
    context.count("products that the file announces and does not have", missing);
  }
  context.count("discontinued products left out", discontinued);
  context.count("repeated products left out", repeated);
  context.count("products of other groups left out", other_group);
  context.count("products without rating left out", unrated);
  context.count("products before the core", static_cast<std::int64_t>(out.rating.size()));
  context.count("links listed by these", listed);
  context.count("links to products that are not there or left out", outside);
  context.count("links of a product to itself left out", to_itself);
  context.count("products with more or fewer reviews listed than announced",
                reader.uneven_reviews());
  context.count("titles that go over several lines", reader.title_continuations());
  return out;
}

// Cuts the products down to the largest component of the core; returns its graph.
Csr cut(BuildContext& context, Products& products) {
  Csr graph = symmetrise(from_edges(static_cast<Index>(products.rating.size()), products.links));
  products.links = {};
  const auto keep = [&](const std::vector<Index>& nodes, const std::string& what) {
    if (nodes.empty()) {
      fail("{}: {} has no product; lower the setting core, or give the whole file",
           context.path("products").string(), what);
    }
    graph = induced_subgraph(graph, nodes);
    Products left;
    for (const Index node : nodes) {
      left.record.push_back(products.record[static_cast<std::size_t>(node)]);
      left.rating.push_back(products.rating[static_cast<std::size_t>(node)]);
    }
    products = std::move(left);
  };
  context.count("edges before the core", count_undirected_edges(graph));
  const auto k = static_cast<Index>(context.settings().integer("core"));
  keep(k_core(graph, k), fmt::format("the {}-core", k));
  context.count(fmt::format("products of the {}-core", k), graph.rows);
  context.count("components of the core",
                static_cast<std::int64_t>(connected_components(graph).sizes.size()));
  keep(largest_component(graph), "the largest component");
  return graph;
}

void set_classes(const Options& settings, const Products& products, Dataset& dataset) {
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

Words read_words(BuildContext& context, const Products& products) {
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
  Products products = read_products(context);
  Dataset dataset;
  dataset.adjacency = upper_half(cut(context, products));
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
    {{"groups", std::string("Book,Music,DVD,Video"), "groups of products that are nodes", 0, 0, {}},
     {"core",
      std::int64_t{5},
      "neighbours that every product keeps; 0: no core is taken",
      0,
      1'000'000,
      {}},
     {"rating",
      std::string("average"),
      "the file's average, or the mean of the reviews it lists",
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
      "what describes a product: title, categories or both",
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
      "4, "
      "3.5, and 3 or less; setting thresholds"},
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
