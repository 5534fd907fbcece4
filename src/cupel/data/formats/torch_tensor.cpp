#include "cupel/data/formats/torch_tensor.h"

#include <cstring>

#include "cupel/base/error.h"
#include "cupel/data/formats/pickle_arrays.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

using Kind = PickleNode::Kind;

constexpr std::size_t kMostAxes = 32;

const PickleNode* tensor_record(const PickleValue& value) {
  const PickleNode* record = record_of(value, "torch._utils._rebuild_tensor_v2");
  return record ? record : record_of(value, "torch._utils._rebuild_tensor");
}

struct StorageType {
  const char* name;
  NpyType type;
};
constexpr StorageType kTypes[] = {
    {"torch.FloatStorage", {'f', 4}}, {"torch.DoubleStorage", {'f', 8}},
    {"torch.LongStorage", {'i', 8}},  {"torch.IntStorage", {'i', 4}},
    {"torch.ShortStorage", {'i', 2}}, {"torch.CharStorage", {'i', 1}},
    {"torch.ByteStorage", {'u', 1}},  {"torch.BoolStorage", {'b', 1}},
};

NpyType type_of(const std::string& storage, const std::string& where) {
  for (const StorageType& known : kTypes) {
    if (storage == known.name) return known.type;
  }
  fail("{}: is a tensor of {}, which is not read; convert it with .float() and save it again",
       where, in_quotes(storage));
}

std::vector<std::int64_t> numbers_of(const PickleValue& value, const std::string& where,
                                     const char* what) {
  const PickleNode* tuple = node_of(value, Kind::kTuple);
  // torch.Size((3, 4))
  if (const PickleNode* size = record_of(value, "torch.Size");
      size && size->arguments && size->arguments->items.size() == 1)
    tuple = node_of(size->arguments->items[0], Kind::kTuple);
  if (!tuple || tuple->items.size() > kMostAxes)
    fail("{}: the {} of the tensor is {}", where, what, describe(value));
  std::vector<std::int64_t> out;
  for (const PickleValue& item : tuple->items) {
    if (!item.is_integer() || item.integer < 0)
      fail("{}: the {} of the tensor has {}, no whole number from 0", where, what, describe(item));
    out.push_back(item.integer);
  }
  return out;
}

// Where a tensor's elements lie in its storage.
struct Layout {
  std::uint64_t offset = 0, elements = 1;
  std::vector<std::int64_t> sides, strides;
};

// Every element is inside `stored` elements, and there are not more of them than that.
Layout checked_layout(const PickleNode& arguments, std::uint64_t stored, const std::string& where) {
  Layout out;
  const PickleValue& offset = arguments.items[1];
  if (!offset.is_integer() || offset.integer < 0 ||
      static_cast<std::uint64_t>(offset.integer) > stored)
    fail("{}: the tensor begins at {} of {} elements", where, describe(offset), stored);
  out.offset = static_cast<std::uint64_t>(offset.integer);
  out.sides = numbers_of(arguments.items[2], where, "size");
  out.strides = numbers_of(arguments.items[3], where, "stride");
  if (out.strides.size() != out.sides.size())
    fail("{}: the tensor has {} sides and {} strides", where, out.sides.size(), out.strides.size());
  for (const std::int64_t side : out.sides) {
    if (side == 0) out.elements = 0;
  }
  if (out.elements == 0) return out;
  std::uint64_t last = out.offset;  // position of the last element
  for (std::size_t a = 0; a < out.sides.size(); ++a) {
    const auto side = static_cast<std::uint64_t>(out.sides[a]),
               stride = static_cast<std::uint64_t>(out.strides[a]);
    const bool fits =
        side <= stored / out.elements && (stride == 0 || (side - 1) <= (stored - last) / stride);
    if (!fits) {
      fail(
          "{}: a tensor of the size ({}) does not fit its storage of {} elements; the file is "
          "damaged, or the tensor is expanded: save it with .clone()",
          where, fmt::join(out.sides, ", "), stored);
    }
    out.elements *= side;
    last += (side - 1) * stride;
  }
  if (last >= stored) fail("{}: the tensor ends at {} of {} elements", where, last, stored);
  return out;
}

// The elements in row-major order.
std::vector<std::byte> gathered(const Layout& layout, const std::vector<std::byte>& storage,
                                std::size_t unit) {
  std::vector<std::byte> out(static_cast<std::size_t>(layout.elements) * unit);
  if (layout.elements == 0) return out;
  std::vector<std::int64_t> at(layout.sides.size(), 0);
  std::uint64_t from = layout.offset;
  for (std::size_t to = 0; to < out.size(); to += unit) {
    std::memcpy(out.data() + to, storage.data() + from * unit, unit);
    for (std::size_t a = at.size(); a-- > 0;) {
      from += static_cast<std::uint64_t>(layout.strides[a]);
      if (++at[a] < layout.sides[a]) break;
      from -= static_cast<std::uint64_t>(layout.strides[a] * at[a]);
      at[a] = 0;
    }
  }
  return out;
}

}  // namespace

bool is_tensor(const PickleValue& value) {
  return tensor_record(value) != nullptr || is_pickled_array(value);
}

NpyArray tensor_of(const ZipArchive& archive, const std::string& folder, const PickleValue& value,
                   const std::string& where) {
  if (is_pickled_array(value)) return pickled_array(value, where);
  const PickleNode* record = tensor_record(value);
  // (storage, offset, size, stride, ...)
  if (!record || !record->arguments || record->arguments->items.size() < 4)
    fail("{}: is {} where a tensor is needed", where, describe(value));
  const PickleNode& arguments = *record->arguments;
  const PickleNode* outside = node_of(arguments.items[0], Kind::kPersistent);
  const PickleNode* id = outside ? node_of(outside->items[0], Kind::kTuple) : nullptr;
  // ("storage", type, key, place, elements)
  const PickleNode* type =
      id && id->items.size() >= 5 ? node_of(id->items[1], Kind::kGlobal) : nullptr;
  const std::string* key = type ? text_of(id->items[2]) : nullptr;
  if (!key) fail("{}: the storage of the tensor is {}", where, describe(arguments.items[0]));

  NpyArray out;
  out.where = where;
  out.type = type_of(type->text, where);
  const ZipMember* member = archive.find(folder + "data/" + *key);
  if (!member) {
    fail("{}: its bytes, {}, are not in the file; save it again", where,
         in_quotes(folder + "data/" + *key));
  }
  const std::uint64_t stored = member->size / out.type.bytes;
  const Layout layout = checked_layout(arguments, stored, where);
  ZipStream stream = archive.open(*member);
  std::vector<std::byte> storage;
  // Grows with what is really there, whatever the directory claims.
  constexpr std::size_t kBlock = 1 << 20;
  while (stream.remaining() > 0) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(stream.remaining(), kBlock));
    storage.resize(storage.size() + size);
    stream.read(storage.data() + (storage.size() - size), size);
  }
  out.shape = layout.sides;
  out.bytes = gathered(layout, storage, out.type.bytes);
  return out;
}

}  // namespace cupel
