#include "cupel/data/build/amazon_ratings/products.h"

#include <algorithm>
#include <set>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/data/build/core.h"
#include "cupel/data/build/words.h"
#include "cupel/data/formats/snap_amazon.h"
#include "cupel/data/formats/text.h"

namespace cupel::amazon_ratings {

namespace {

// A part of the file need not have all usual groups, but at least one that is asked for.
void check_groups(const std::string& path, const std::vector<std::string>& groups,
                  const std::set<std::string>& found) {
  const std::vector<std::string> there(found.begin(), found.end());
  const auto is_there = [&](const std::string& group) { return found.contains(group); };
  const bool any = std::ranges::any_of(groups, is_there);
  for (const std::string& group : groups) {
    if (is_there(group) || (any && std::ranges::count(kUsualGroups, group) > 0)) continue;
    fail("{}: no product is of the group {} of the setting groups{}", path, in_quotes(group),
         near_or_all(group, there));
  }
}

}  // namespace

Products read_products(BuildContext& context, const std::vector<std::string>& groups) {
  const bool by_lines = context.settings().text("rating") == "reviews";
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
  std::set<std::string> found;  // groups
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
    if (!product.discontinued) found.insert(product.group);
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
  check_groups(context.path("products").string(), groups, found);
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

Csr cut_to_core(BuildContext& context, Products& products) {
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

}  // namespace cupel::amazon_ratings
