// What a pickle may name, and how its values are looked at.
#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/data/formats/pickle.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

constexpr std::string_view kKnown[] = {
    "__builtin__.bytearray",
    "__builtin__.list",
    "__builtin__.object",
    "__builtin__.set",
    "_codecs.encode",
    "builtins.bytearray",
    "builtins.list",
    "builtins.object",
    "builtins.set",
    "collections.OrderedDict",
    "collections.defaultdict",
    "copy_reg._reconstructor",
    "copyreg._reconstructor",
    "numpy.core.multiarray._reconstruct",
    "numpy._core.multiarray._reconstruct",
    "numpy.core.multiarray.scalar",
    "numpy._core.multiarray.scalar",
    "numpy.dtype",
    "numpy.ndarray",
    "scipy.sparse.csr.csr_matrix",
    "scipy.sparse._csr.csr_matrix",
    "torch.Size",
    "torch._utils._rebuild_tensor",
    "torch._utils._rebuild_tensor_v2",
    "torch.BFloat16Storage",
    "torch.BoolStorage",
    "torch.ByteStorage",
    "torch.CharStorage",
    "torch.DoubleStorage",
    "torch.FloatStorage",
    "torch.HalfStorage",
    "torch.IntStorage",
    "torch.LongStorage",
    "torch.ShortStorage",
};

}  // namespace

bool is_known_global(std::string_view name) {
  // Classes of PyG become records without meaning, whatever they are.
  return name.starts_with("torch_geometric.data.") ||
         std::ranges::find(kKnown, name) != std::end(kKnown);
}

const PickleNode* node_of(const PickleValue& value, PickleNode::Kind kind) {
  if (value.kind != PickleValue::Kind::kNode || value.node->kind != kind) return nullptr;
  return value.node;
}

const std::string* text_of(const PickleValue& value) {
  const PickleNode* node = node_of(value, PickleNode::Kind::kText);
  return node ? &node->text : nullptr;
}

const PickleNode* record_of(const PickleValue& value, std::string_view name) {
  const PickleNode* node = node_of(value, PickleNode::Kind::kRecord);
  if (!node) return nullptr;
  const bool same = name.ends_with('.') ? node->text.starts_with(name) : node->text == name;
  return same ? node : nullptr;
}

const PickleValue* find(const PickleNode& dict, std::string_view key) {
  for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
    const std::string* name = text_of(dict.items[i]);
    if (name && *name == key) return &dict.items[i + 1];
  }
  return nullptr;
}

std::string describe(const PickleValue& value) {
  switch (value.kind) {
    case PickleValue::Kind::kNone:
      return "None";
    case PickleValue::Kind::kBool:
      return value.integer ? "True" : "False";
    case PickleValue::Kind::kInteger:
      return std::to_string(value.integer);
    case PickleValue::Kind::kReal:
      return fmt::format("{}", value.real);
    case PickleValue::Kind::kNode:
      break;
  }
  const PickleNode& node = *value.node;
  switch (node.kind) {
    case PickleNode::Kind::kText:
      return "the text " + in_quotes(node.text);
    case PickleNode::Kind::kTuple:
      return fmt::format("a tuple of {}", node.items.size());
    case PickleNode::Kind::kList:
      return fmt::format("a list of {}", node.items.size());
    case PickleNode::Kind::kDict:
      return fmt::format("a dict of {}", node.items.size() / 2);
    case PickleNode::Kind::kGlobal:
      return "the name " + in_quotes(node.text);
    case PickleNode::Kind::kRecord:
      return "a record of " + in_quotes(node.text);
    case PickleNode::Kind::kPersistent:
      break;
  }
  return "a reference to something outside";
}

}  // namespace cupel
