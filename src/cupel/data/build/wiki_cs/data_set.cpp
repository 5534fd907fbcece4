#include "cupel/data/build/wiki_cs/data_set.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/base/words.h"
#include "cupel/data/build/wiki_cs/settings.h"
#include "cupel/data/build/wiki_cs/splits.h"
#include "cupel/data/build/wiki_cs/tables.h"
#include "cupel/data/build/wiki_cs/texts.h"
#include "cupel/data/formats/glove.h"
#include "cupel/data/formats/node_graph.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/wiki_cs_writer.h"
#include "cupel/data/labels.h"
#include "cupel/data/text/text_features.h"

namespace cupel::wiki_cs {
namespace {

// The links between nodes that stay, at their new places.
OutLinks links_at(BuildContext& context, const OutLinks& links, const std::vector<Index>& place,
                  std::size_t nodes) {
  OutLinks out(nodes);
  std::int64_t lost = 0;
  for (std::size_t a = 0; a < place.size(); ++a) {
    if (place[a] == kNoNode) continue;
    for (const Index target : links[a]) {
      const Index to = place[static_cast<std::size_t>(target)];
      lost += to == kNoNode;
      if (to != kNoNode) out[static_cast<std::size_t>(place[a])].push_back(to);
    }
  }
  context.count("links to articles without a word, left out", lost);
  return out;
}

void drop_repeats(BuildContext& context, OutLinks& links) {
  std::int64_t dropped = 0;
  for (std::vector<Index>& list : links) {
    std::vector<Index> kept;
    std::unordered_set<Index> seen;
    for (const Index to : list)
      if (seen.insert(to).second) kept.push_back(to);
    dropped += std::ssize(list) - std::ssize(kept);
    list = std::move(kept);
  }
  context.count("repeated links, left out", dropped);
}

Matrix read_features(BuildContext& context, Nodes& nodes) {
  std::vector<TokenList> tokens;  // lent: they may be most of the memory
  for (Article& article : nodes.articles) tokens.push_back(std::move(article.tokens));
  const WordIds words = words_of_nodes(tokens);
  LineReader lines(context.path("vectors"), context.progress("vectors"));
  const WordVectors vectors = read_glove(lines, words);
  context.read_whole("vectors", lines);
  TextFeatures found = text_features(tokens, words, vectors, context.threads());
  context.count("words of nodes", found.tokens);
  context.count("words of nodes without a vector, zeros in the mean", found.tokens_without_vector);
  context.count("nodes without a vector for any word, zeros", found.nodes_without_vector);
  for (std::size_t i = 0; i < tokens.size(); ++i) nodes.articles[i].tokens = std::move(tokens[i]);
  return std::move(found.values);
}

// Articles whose milestones name one label, in the order of the dump. Throws Error for a label
// without articles.
std::vector<Article> articles_with_label(BuildContext& context, const Sanitised& all,
                                         const LabelMap& map) {
  std::vector<Index> label_of_node(all.categories.scores.size(), kNoLabel);
  std::unordered_map<std::string_view, std::size_t> milestone_of;
  for (std::size_t c = 0; c < label_of_node.size(); ++c)
    if (all.categories.milestone[c]) milestone_of.emplace(all.pages.graph.names[c], c);
  std::unordered_set<std::string_view> named;
  std::vector<std::string> others;
  for (std::size_t l = 0; l < map.labels.size(); ++l) {
    for (const std::string& category : map.categories[l]) {
      if (!named.insert(category).second) continue;
      auto found = milestone_of.find(category);
      if (found == milestone_of.end()) found = milestone_of.find(plain_name(category));
      if (found == milestone_of.end()) {
        others.push_back(category);
        continue;
      }
      Index& label = label_of_node[found->second];
      if (label != kNoLabel && label != static_cast<Index>(l))
        fail("{}: {} is under {} and {}; give it to one", context.path("labels").string(),
             in_quotes(found->first), in_quotes(map.labels[static_cast<std::size_t>(label)]),
             in_quotes(map.labels[l]));
      label = static_cast<Index>(l);
    }
  }
  context.count("categories of the label map", std::ssize(named));
  context.count("categories of the label map that are no milestone" +
                    (others.empty() ? "" : ": " + quoted_list(others)),
                std::ssize(others));
  std::vector<Article> out;
  std::vector<std::int64_t> of_label(map.labels.size());
  std::int64_t of_several = 0;
  std::vector<Index> labels;
  std::size_t at = 0;
  for (std::size_t a = 0; a < all.pages.articles.size(); ++a) {
    labels.clear();
    for (; at < all.assigned.ends[a]; ++at) {
      const Index label = label_of_node[static_cast<std::size_t>(all.assigned.milestones[at])];
      if (label != kNoLabel) labels.push_back(label);
    }
    sort_unique(labels);
    for (const Index label : labels) ++of_label[static_cast<std::size_t>(label)];
    of_several += labels.size() > 1;
    if (labels.size() == 1)
      out.push_back({.page = all.pages.articles.page(a),
                     .title = std::string(all.pages.articles.title(a)),
                     .label = labels.front()});
  }
  for (std::size_t l = 0; l < map.labels.size(); ++l) {
    if (of_label[l] > 0) continue;
    fail(
        "{}: no article is under {}, the categories of label {}; choose milestones that have "
        "articles (without labels, the recipe lists them), or raise --set milestones",
        context.path("labels").string(),
        in_quotes(fmt::format("{}", fmt::join(map.categories[l], ", "))), in_quotes(map.labels[l]));
  }
  if (out.empty())
    fail(
        "{}: all {} under labels are under several; choose milestones with fewer articles in "
        "common",
        context.path("labels").string(), counted(of_several, "article"));
  context.count("articles of several labels, left out", of_several);
  context.count("articles of one label", std::ssize(out));
  return out;
}

Nodes found_nodes(BuildContext& context, std::vector<Article> articles) {
  const Options& options = context.settings();
  const bool by_tables = options.text("links") == "sql";
  if (by_tables)
    take_page_ids(context, articles);
  else
    std::ranges::sort(articles, {}, &Article::page);

  TextSettings settings;
  settings.sentences = options.text("sentences") == "punkt";
  settings.tables = options.text("tables") == "drop" ? TableText::kDrop : TableText::kKeep;
  settings.disambiguation = words_of(options.text("disambiguation"));
  settings.words = !context.has("text");
  settings.links = !by_tables;
  Nodes out;
  if (context.has("text")) read_ready_texts(context, settings, articles);
  if (settings.words || settings.links) out.links = read_texts(context, settings, articles);

  // Places of those that stay. Links by text are known before it is known who stays.
  std::vector<Index> place(articles.size(), kNoNode);
  for (std::size_t a = 0; a < articles.size(); ++a) {
    if (articles[a].tokens.empty()) continue;
    place[a] = static_cast<Index>(out.articles.size());
    out.articles.push_back(std::move(articles[a]));
  }
  context.count("articles without a word, left out",
                std::ssize(articles) - std::ssize(out.articles));
  if (out.articles.empty())
    fail("wiki-cs: none of {} of one label has a word; check its input {}",
         counted(std::ssize(articles), "article"), settings.words ? "'articles'" : "'text'");
  if (by_tables) {
    out.links = links_of_tables(context, out.articles);
  } else {
    out.links = links_at(context, out.links, place, out.articles.size());
  }
  if (options.text("repeats") == "drop") drop_repeats(context, out.links);
  return out;
}

// One list of parts, kept and taken.
template <class Archive, class All>
void visit_parts(Archive& archive, All& nodes) {
  archive.each(nodes.articles, [&](auto& article) {
    archive(article.page), archive(article.title), archive(article.label);
    TokenList::each_part(article.tokens, archive);
  });
  archive(nodes.links);
}

}  // namespace

Nodes read_nodes(BuildContext& context, const Sanitised& all, const LabelMap& map) {
  KeptStep step{.name = "nodes", .settings = {}, .inputs = {}};
  for (const auto& [name, value] : context.settings().all())
    if (name != "splits" && name != "seed") step.settings.push_back(name);
  step.inputs = {"articles",   "labels",        "page", "redirect", "pagelinks",
                 "linktarget", "categorylinks", "text", "punkt",    "siteinfo"};
  return context.step<Nodes>(
      step, [&] { return found_nodes(context, articles_with_label(context, all, map)); },
      [](auto& archive, auto& nodes) { visit_parts(archive, nodes); });
}

Dataset data_set(BuildContext& context, Nodes& nodes, const LabelMap& map) {
  Dataset out;
  Classes& classes = out.target.emplace<Classes>();
  classes.names = map.labels;
  std::vector<Index> sources, targets;
  std::int64_t loops = 0;
  for (std::size_t i = 0; i < nodes.articles.size(); ++i) {
    classes.labels.push_back(nodes.articles[i].label);
    for (const Index to : nodes.links[i]) {
      sources.push_back(static_cast<Index>(i));
      targets.push_back(to);
      loops += to == static_cast<Index>(i);
    }
  }
  std::vector<std::int64_t> sizes(map.labels.size());
  for (const Index label : classes.labels) ++sizes[static_cast<std::size_t>(label)];
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    if (sizes[l] == 0)
      fail(
          "wiki-cs: label {} has no article of one label that has a word; choose other categories "
          "for it in {}",
          in_quotes(map.labels[l]), context.path("labels").string());
  }
  out.adjacency = arcs_of_pairs(static_cast<Index>(nodes.articles.size()), sources, targets, {},
                                "wiki-cs", out.repeated_arcs);
  out.features = read_features(context, nodes);
  context.count("nodes", out.nodes());
  context.count("links", std::ssize(sources));
  context.count("links from a node to itself", loops);
  context.count("links that repeat another", out.repeated_arcs);
  const auto splits = static_cast<int>(context.settings().integer("splits"));
  out.stored_splits = draw_splits(classes.labels, static_cast<Index>(map.labels.size()), splits,
                                  static_cast<std::uint64_t>(context.settings().integer("seed")));
  return out;
}

void leave_out_empty_splits(BuildContext& context, Dataset& dataset) {
  const auto has_empty_part = [](const Split& split) {
    return std::ranges::any_of(split.parts(), [](const auto* part) { return part->empty(); });
  };
  const auto empty = std::ranges::count_if(dataset.stored_splits, has_empty_part);
  if (empty > 0) dataset.stored_splits.clear();
  context.count("splits with an empty part, since classes are small: no use to training", empty);
}

void add_tables(const std::shared_ptr<const Nodes>& nodes, BuildProduct& product) {
  const auto dataset = std::make_shared<const Dataset>(*product.dataset);
  const WikiLinks links = [nodes](std::size_t node) {
    return std::span<const Index>(nodes->links[node]);
  };
  const auto metadata = [nodes, dataset](const BuildTable::Put& put) {
    std::vector<std::int64_t> outlinks;
    std::string title;
    const auto node = [&](std::size_t i) {
      const Article& article = nodes->articles[i];
      outlinks.clear();
      for (const Index to : nodes->links[i])
        outlinks.push_back(nodes->articles[static_cast<std::size_t>(to)].page);
      title = article.title;
      std::ranges::replace(title, ' ', '_');
      return WikiNode{article.page, title, article.label, outlinks, article.tokens.joined()};
    };
    put_wiki_cs_metadata(dataset->class_names(), nodes->articles.size(), node, put);
  };
  product.tables.push_back(
      {"data.json", [=](const BuildTable::Put& put) { put_wiki_cs_data(*dataset, links, put); }});
  product.tables.push_back({"metadata.json", metadata});
  product.tables.push_back({"statistics.json", [=](const BuildTable::Put& put) {
                              put_wiki_cs_statistics(dataset->class_names(), dataset->labels(),
                                                     links, put);
                            }});
}

BuildListing labels_listing(const Dataset& dataset) {
  BuildListing out;
  out.title = "LABEL";
  out.unit = "NODES";
  for (const std::string& name : dataset.class_names()) out.rows.emplace_back(name, 0);
  for (const Index label : dataset.labels()) ++out.rows[static_cast<std::size_t>(label)].second;
  return out;
}

}  // namespace cupel::wiki_cs
