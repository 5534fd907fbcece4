// What stands beside data.json: metadata.json and statistics.json.
#include <vector>

#include "cupel/data/formats/wiki_cs_writer.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

void put_class_names(std::span<const std::string> names, JsonPieces& out) {
  out.raw("{\"labels\": {");
  for (std::size_t c = 0; c < names.size(); ++c)
    out.raw(c == 0 ? "\"" : ", \"").number(static_cast<std::int64_t>(c)).raw("\": ").text(names[c]);
  out.raw("}");
}

void put_node(const WikiNode& node, std::span<const std::string> names, JsonPieces& out) {
  out.raw("{\"id\": ").number(node.id).raw(", \"title\": ").text(node.title);
  out.raw(", \"label\": ");
  out.text(node.label == kNoLabel ? "" : names[static_cast<std::size_t>(node.label)]);
  out.raw(", \"outlinks\": ").list(node.outlinks.size(), [&](std::size_t k) {
    out.number(node.outlinks[k]);
  });
  out.raw(", \"tokens\": [");
  bool first = true;
  if (node.tokens) {
    for (const std::string_view token : *node.tokens) {
      if (!first) out.raw(", ");
      first = false;
      out.text(token);
    }
  }
  out.raw("]}");
}

// Links between classes.
class Connectivity {
 public:
  Connectivity(std::size_t classes, std::span<const Index> labels, const WikiLinks& links)
      : classes_(classes), sizes_(classes, 0), links_(classes * classes, 0) {
    for (const Index label : labels) {
      if (label != kNoLabel) ++sizes_[static_cast<std::size_t>(label)];
    }
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] == kNoLabel) continue;
      const std::size_t row = static_cast<std::size_t>(labels[i]) * classes;
      for (const Index j : links(i)) {
        const Index other = labels[static_cast<std::size_t>(j)];
        if (other != kNoLabel) ++links_[row + static_cast<std::size_t>(other)];
      }
    }
  }

  std::int64_t size(std::size_t c) const { return sizes_[c]; }
  // Links over pairs of nodes, each pair both ways and a node with itself.
  struct Share {
    std::int64_t links = 0;
    double pairs = 0;
  };
  Share between(std::size_t a, std::size_t b) const {
    return {links_[a * classes_ + b],
            static_cast<double>(sizes_[a]) * static_cast<double>(sizes_[b])};
  }
  Share all(bool inside) const {
    Share out;
    for (std::size_t a = 0; a < classes_; ++a) {
      for (std::size_t b = 0; b < classes_; ++b) {
        if ((a == b) != inside) continue;
        out.links += between(a, b).links;
        out.pairs += between(a, b).pairs;
      }
    }
    return out;
  }

 private:
  std::size_t classes_;
  std::vector<std::int64_t> sizes_, links_;
};

void put_share(const Connectivity::Share& share, JsonPieces& out) {
  if (share.pairs == 0) {
    out.raw("null");
  } else {
    out.number(static_cast<double>(share.links) / share.pairs);
  }
}

// As json.dump(indent=4) lays lists out: an item a line.
template <class Write>
void put_lines(char open, std::size_t items, int depth, JsonPieces& out, const Write& write) {
  const std::string margin = "\n" + std::string(static_cast<std::size_t>(4 * depth), ' ');
  out.raw(std::string_view(&open, 1));
  for (std::size_t k = 0; k < items; ++k) {
    out.raw(k > 0 ? "," : "").raw(margin).raw("    ");
    write(k);
  }
  if (items > 0) out.raw(margin);
  out.raw(open == '[' ? "]" : "}");
}

}  // namespace

void put_wiki_cs_class_names(std::span<const std::string> class_names, const PutText& put) {
  JsonPieces out(put);
  put_class_names(class_names, out);
  out.raw("}").finish();
}

void put_wiki_cs_metadata(std::span<const std::string> class_names, std::size_t nodes,
                          const std::function<WikiNode(std::size_t)>& node, const PutText& put) {
  JsonPieces out(put);
  put_class_names(class_names, out);
  out.raw(", \"nodes\": ").list(nodes, [&](std::size_t k) { put_node(node(k), class_names, out); });
  out.raw("}").finish();
}

void put_wiki_cs_statistics(std::span<const std::string> class_names, std::span<const Index> labels,
                            const WikiLinks& links, const PutText& put) {
  JsonPieces out(put);
  const std::size_t classes = class_names.size();
  const Connectivity connectivity(classes, labels, links);
  out.raw("{\n    \"labels\": ");
  put_lines('[', classes, 1, out, [&](std::size_t c) { out.text(class_names[c]); });
  out.raw(",\n    \"sizes\": {\n        \"total\": ");
  out.number(static_cast<std::int64_t>(labels.size())).raw(",\n        \"label_sizes\": ");
  put_lines('{', classes, 2, out, [&](std::size_t c) {
    out.text(class_names[c]).raw(": ").number(connectivity.size(c));
  });
  out.raw("\n    },\n    \"connectivity\": {\n        \"inside_connectivity\": ");
  put_share(connectivity.all(true), out);
  out.raw(",\n        \"inter_connectivity\": ");
  put_share(connectivity.all(false), out);
  out.raw(",\n        \"connectivity_matrix\": ");
  put_lines('[', classes, 2, out, [&](std::size_t a) {
    put_lines('[', classes, 3, out,
              [&](std::size_t b) { put_share(connectivity.between(a, b), out); });
  });
  out.raw("\n    }\n}").finish();
}

}  // namespace cupel
