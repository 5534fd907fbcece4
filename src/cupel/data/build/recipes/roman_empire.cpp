// A text as a graph of its words, made the way roman-empire was.
//
// Source: Platonov, Kuznedelev, Diskin, Babenko, Prokhorenkova, "A critical look at the evaluation
// of GNNs under heterophily", ICLR 2023, section 4. Nodes are the words of the text in order, equal
// words included; words that follow each other are joined, and so are a word and its head in the
// dependency tree; the class is the syntactic role (the most frequent roles, and one class for the
// rest); the features are the word's vector.
//
// Memory: per word of the text its edges, its role and its number in the vocabulary; the vectors of
// the vocabulary; the features. Files are streamed.
#include <algorithm>
#include <map>

#include "cupel/base/error.h"
#include "cupel/base/random.h"
#include "cupel/data/build/recipe.h"
#include "cupel/data/build/words.h"
#include "cupel/data/formats/conllu.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/split/stratified.h"

namespace cupel {
namespace {

struct Text {
  std::vector<Index> words;           // per node, in the vocabulary
  std::vector<std::string> spelling;  // per word of the vocabulary, as written
  std::vector<Index> roles;           // per node, in role_ids
  WordIds word_ids, role_ids;
  std::vector<Edge> edges;  // smaller node first
};

void add_sentence(const std::vector<ConlluWord>& sentence, const Options& settings, Text& text) {
  const bool drop_punctuation = settings.text("punctuation") == "drop";
  const bool whole_role = settings.text("subtypes") == "keep";
  std::vector<Index> node_of(sentence.size(), -1);
  const auto first = static_cast<Index>(text.words.size());
  for (std::size_t w = 0; w < sentence.size(); ++w) {
    const ConlluWord& word = sentence[w];
    if (drop_punctuation && word.upos == "PUNCT") continue;
    node_of[w] = static_cast<Index>(text.words.size());
    const Index id = add_word(text.word_ids, word.form);
    if (static_cast<std::size_t>(id) == text.spelling.size()) text.spelling.push_back(word.form);
    text.words.push_back(id);
    const std::string_view role = word.deprel;
    text.roles.push_back(
        add_word(text.role_ids, whole_role ? role : role.substr(0, role.find(':'))));
  }
  const auto last = static_cast<Index>(text.words.size());
  const bool joined = first > 0 && settings.text("chain") == "text";
  for (Index node = joined ? first : first + 1; node < last; ++node) {
    text.edges.push_back({node - 1, node});
  }
  for (std::size_t w = 0; w < sentence.size(); ++w) {
    if (node_of[w] < 0 || sentence[w].head == 0) continue;
    const Index head = node_of[static_cast<std::size_t>(sentence[w].head - 1)];
    if (head >= 0) text.edges.push_back({std::min(head, node_of[w]), std::max(head, node_of[w])});
  }
}

Text read_text(BuildContext& context) {
  LineReader lines(context.path("text"), context.progress("text"));
  ConlluReader reader(lines);
  Text text;
  std::int64_t read = 0;
  while (reader.next()) {
    read += static_cast<std::int64_t>(reader.words().size());
    if (read > 500'000'000) {
      lines.fail_here("the text has more than 500 million words; take a part of it");
    }
    add_sentence(reader.words(), context.settings(), text);
  }
  if (text.words.empty()) fail("{}: has no word; give a parsed text in CoNLL-U", lines.name());
  context.read_whole("text", lines);
  context.count("sentences", reader.sentences());
  context.count("words read", read);
  context.count("punctuation marks dropped", read - static_cast<std::int64_t>(text.words.size()));
  context.count("multiword tokens passed over", reader.multiword_tokens());
  context.count("empty nodes passed over", reader.empty_nodes());
  context.count("blank lines that end no sentence", reader.empty_sentences());
  return text;
}

// The most frequent roles are classes, by falling frequency (equal ones by name); what is left is
// the last class.
void set_classes(const Text& text, BuildContext& context, Dataset& dataset) {
  struct Role {
    std::string name;
    std::int64_t words = 0;
    Index id = 0;
  };
  std::vector<Role> roles(text.role_ids.size());
  for (const auto& [name, id] : text.role_ids) roles[static_cast<std::size_t>(id)] = {name, 0, id};
  for (const Index id : text.roles) ++roles[static_cast<std::size_t>(id)].words;
  std::ranges::sort(roles, [](const Role& a, const Role& b) {
    return a.words != b.words ? a.words > b.words : a.name < b.name;
  });
  const auto own =
      std::min(static_cast<std::size_t>(context.settings().integer("roles")), roles.size());
  std::vector<Index> class_of(roles.size(), static_cast<Index>(own));
  std::int64_t rest = 0;
  for (std::size_t r = 0; r < roles.size(); ++r) {
    if (r < own) {
      class_of[static_cast<std::size_t>(roles[r].id)] = static_cast<Index>(r);
      dataset.class_names().push_back(roles[r].name);
    } else {
      rest += roles[r].words;
    }
  }
  if (own < roles.size()) dataset.class_names().push_back("other");
  for (const Index role : text.roles) {
    dataset.labels().push_back(class_of[static_cast<std::size_t>(role)]);
  }
  context.count("different roles", static_cast<std::int64_t>(roles.size()));
  context.count("words of the class of the rest", rest);
}

Matrix features(const Text& text, BuildContext& context) {
  const VectorsOfWords found = read_vectors_of(context, text.spelling);
  const Index dimension = found.vectors.dimension;
  Matrix out(static_cast<Index>(text.words.size()), dimension);
  std::int64_t without = 0;
  for (std::size_t node = 0; node < text.words.size(); ++node) {
    const float* vector = found.of[static_cast<std::size_t>(text.words[node])];
    if (vector) {
      std::copy_n(vector, dimension, out.row(static_cast<Index>(node)));
    } else {
      ++without;
    }
  }
  if (without == out.rows) {
    fail("{}: has a vector for none of the {} words of {}; are they of one language?", found.file,
         out.rows, context.path("text").string());
  }
  context.count("nodes whose features are zero for want of a vector", without);
  return out;
}

BuildProduct make(BuildContext& context) {
  Text text = read_text(context);
  Dataset dataset;
  set_classes(text, context, dataset);
  dataset.adjacency = from_edges(static_cast<Index>(text.words.size()), text.edges);
  text.edges = {};
  dataset.features = features(text, context);
  const Options& settings = context.settings();
  dataset.stored_splits = stored_stratified_splits(
      dataset, static_cast<int>(settings.integer("splits")),
      stream_key(fmt::format("build/roman-empire/{}/splits", settings.integer("seed"))),
      context.name());
  return {.dataset = std::move(dataset)};
}

}  // namespace

extern const BuildRecipe build_recipe_roman_empire;
const BuildRecipe build_recipe_roman_empire = {
    "roman-empire",
    "Words of a text",
    "A text as a graph, made the way roman-empire was: words in order, joined to the next word and "
    "to their syntactic head; classes are syntactic roles, features word vectors. Undirected, each "
    "edge stored once.",
    "O. Platonov, D. Kuznedelev, M. Diskin, A. Babenko, L. Prokhorenkova: A critical look at the "
    "evaluation of GNNs under heterophily: are we really making progress? ICLR 2023.",
    {{"text", "the parsed text, CoNLL-U", {"*.conllu", "*.conllu.gz", "*.conll", "*.conll.gz"}},
     {"vectors", "word vectors, fastText's text format", {"*.vec", "*.vec.gz"}}},
    {{"roles",
      std::int64_t{17},
      "most frequent roles that are classes; the rest is one more",
      1,
      1000,
      {}},
     {"subtypes",
      std::string("keep"),
      "subtypes of roles, as in nsubj:pass. keep: roles of their own; drop: one role with nsubj",
      0,
      0,
      {"keep", "drop"}},
     {"punctuation",
      std::string("keep"),
      "words with UPOS = PUNCT. keep: they are nodes; drop: they are left out",
      0,
      0,
      {"keep", "drop"}},
     {"chain",
      std::string("text"),
      "which words follow each other. text: all of the text; sentence: those of a sentence",
      0,
      0,
      {"text", "sentence"}},
     case_setting(),
     {"splits",
      std::int64_t{10},
      "stratified splits (50, 25, 25 percent) stored with the data",
      0,
      1000,
      {}},
     {"seed", std::int64_t{0}, "of the splits", 0, 4294967295.0, {}}},
    {{"version, model and tokenisation of the parser (spaCy)",
      "the parsed text is an input; its syntactic words are the nodes, so the released file cannot "
      "be had again"},
     {"whether punctuation marks are words", "they are; setting punctuation"},
     {"whether words follow each other across the ends of sentences",
      "they do, which makes the graph connected, as the released one is; setting chain"},
     {"whether roles are told apart by subtype", "they are; setting subtypes"},
     {"vectors of words that are not in the file of vectors",
      "zero; vectors made of parts of words need fastText's binary model, which is not read"},
     {"how words are looked up", "as written, else in lower case; setting case"},
     {"how the ten splits were drawn",
      "at random within each class, as the released files for minesweeper and tolokers show"}},
    {"symmetrise"},
    make};

}  // namespace cupel
