#include "cupel/data/formats/torch_file.h"

#include <algorithm>
#include <optional>

#include "cupel/base/error.h"
#include "cupel/data/formats/claims.h"
#include "cupel/data/formats/node_graph.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/formats/torch_tensor.h"

namespace cupel {
namespace {

using Kind = PickleNode::Kind;

constexpr std::string_view kPickle = "data.pkl";

// "NAME/", as PyTorch names the folder that everything in the archive is in.
std::optional<std::string> folder_of(const ZipArchive& archive) {
  for (const ZipMember& member : archive.members()) {
    if (member.name.ends_with("/" + std::string(kPickle)) &&
        std::ranges::count(member.name, '/') == 1)
      return member.name.substr(0, member.name.size() - kPickle.size());
  }
  return std::nullopt;
}

std::string bytes_of(const ZipArchive& archive, const ZipMember& member) {
  ZipStream stream = archive.open(member);
  std::string out;
  constexpr std::size_t kBlock = 1 << 20;
  while (stream.remaining() > 0) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(stream.remaining(), kBlock));
    out.resize(out.size() + size);
    stream.read(out.data() + (out.size() - size), size);
  }
  return out;
}

// The dict of x, edge_index, y, ... of whatever holds it; nullptr if nothing does.
const PickleNode* members_of(const PickleValue& value) {
  if (const PickleNode* dict = node_of(value, Kind::kDict)) {
    return find(*dict, "edge_index") || find(*dict, "x") ? dict : nullptr;
  }
  const PickleNode* data = record_of(value, "torch_geometric.data.");
  const PickleNode* state = data ? node_of(data->state, Kind::kDict) : nullptr;
  if (!state) return nullptr;
  // PyG 2: Data has a store, the store a mapping. PyG 1: Data has the members itself.
  if (const PickleValue* store = find(*state, "_store")) {
    const PickleNode* record = record_of(*store, "torch_geometric.data.");
    const PickleNode* inside = record ? node_of(record->state, Kind::kDict) : nullptr;
    const PickleValue* mapping = inside ? find(*inside, "_mapping") : nullptr;
    return mapping ? node_of(*mapping, Kind::kDict) : nullptr;
  }
  return state;
}

// How many graphs a processed file holds: slices give, for each member, where each graph begins.
void check_one_graph(const ZipArchive& archive, const std::string& folder,
                     const PickleValue& value) {
  const PickleNode* slices = node_of(value, Kind::kDict);
  if (!slices) slices = record_of(value, "collections.defaultdict");
  if (!slices) return;  // None: one graph
  const PickleValue* edges = find(*slices, "edge_index");
  if (!edges || !is_tensor(*edges)) return;
  const NpyArray starts = tensor_of(archive, folder, *edges, archive.name() + ": slices");
  if (starts.items() > 2) {
    fail(
        "{}: holds a set of {} graphs, and torch files are read of one graph; save the set as "
        "TUDataset text",
        archive.name(), starts.items() - 1);
  }
}

const PickleNode& graph_members(const ZipArchive& archive, const std::string& folder,
                                const Pickle& pickle) {
  const PickleValue* root = &pickle.root();
  if (const PickleNode* tuple = node_of(*root, Kind::kTuple); tuple && !tuple->items.empty()) {
    if (tuple->items.size() > 1) check_one_graph(archive, folder, tuple->items[1]);
    root = &tuple->items[0];
  }
  if (const PickleNode* members = members_of(*root)) return *members;
  fail(
      "{}: holds {}, and only a torch_geometric.data.Data or a dict with x, edge_index and y is "
      "read; save data.to_dict()",
      archive.name(), describe(*root));
}

// PyTorch does not compress.
void check_growth(const ZipArchive& archive) {
  std::uint64_t unpacked = 0, packed = 0;
  for (const ZipMember& member : archive.members()) {
    unpacked += member.size;
    packed += member.packed_size;
  }
  check_unpacked(archive.name(), unpacked, packed, "save it again with torch.save");
}

}  // namespace

bool is_torch_file(const ZipArchive& archive) { return folder_of(archive).has_value(); }

Dataset read_torch_file(const ZipArchive& archive, ReadMode mode) {
  check_growth(archive);
  const std::string folder = folder_of(archive).value();
  const ZipMember& member = *archive.find(folder + std::string(kPickle));
  const Pickle pickle(archive.name() + ": " + in_quotes(member.name), bytes_of(archive, member));
  const PickleNode& members = graph_members(archive, folder, pickle);

  NodeGraph graph;
  graph.name = archive.name();
  const auto tensor = [&](const char* key) -> std::optional<NpyArray> {
    const PickleValue* value = find(members, key);
    if (!value || value->is_none()) return std::nullopt;
    return tensor_of(archive, folder, *value, fmt::format("{}: '{}'", archive.name(), key));
  };
  graph.x = tensor("x");
  graph.edge_index = tensor("edge_index");
  graph.edge_weight = tensor("edge_weight");
  graph.y = tensor("y");
  graph.masks[0] = tensor("train_mask");
  graph.masks[1] = tensor("val_mask");
  graph.masks[2] = tensor("test_mask");
  graph.masks[3] = tensor("stopping_mask");
  return dataset_of(graph, mode);
}

}  // namespace cupel
