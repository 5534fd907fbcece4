#include "cupel/data/formats/pickle_arrays.h"

#include <cstring>

#include "cupel/base/error.h"
#include "cupel/data/formats/parts.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

using Kind = PickleNode::Kind;

constexpr std::size_t kMostAxes = 32;  // NumPy's own limit

const PickleNode* array_record(const PickleValue& value) {
  const PickleNode* record = record_of(value, "numpy.core.multiarray._reconstruct");
  return record ? record : record_of(value, "numpy._core.multiarray._reconstruct");
}

const PickleNode* csr_record(const PickleValue& value) {
  const PickleNode* record = record_of(value, "scipy.sparse.csr.csr_matrix");
  return record ? record : record_of(value, "scipy.sparse._csr.csr_matrix");
}

// "<f8" of numpy.dtype('f8', 0, 1) with the state (3, '<', ...).
std::string type_text(const PickleValue& value, const std::string& where) {
  const PickleNode* record = record_of(value, "numpy.dtype");
  const std::string* name = record && record->arguments && !record->arguments->items.empty()
                                ? text_of(record->arguments->items[0])
                                : nullptr;
  if (!name) fail("{}: its type is {} where a numpy.dtype is needed", where, describe(value));
  const PickleNode* state = node_of(record->state, Kind::kTuple);
  const std::string* order = state && state->items.size() > 1 ? text_of(state->items[1]) : nullptr;
  std::string text = *name;
  // "=": of the machine that wrote it, and those are little-endian.
  text.insert(0, !order || *order == "=" ? "<" : *order);
  return text;
}

std::string shape_text(const PickleValue& value, const std::string& where) {
  const PickleNode* shape = node_of(value, Kind::kTuple);
  if (!shape || shape->items.size() > kMostAxes)
    fail("{}: its shape is {} where a tuple of numbers is needed", where, describe(value));
  std::string text = "(";
  for (const PickleValue& side : shape->items) {
    if (!side.is_integer() || side.integer < 0)
      fail("{}: a side of its shape is {}, no whole number from 0", where, describe(side));
    text += std::to_string(side.integer) + ",";
  }
  return text + ")";
}

}  // namespace

bool is_pickled_array(const PickleValue& value) { return array_record(value) != nullptr; }

NpyArray pickled_array(const PickleValue& value, const std::string& where) {
  const PickleNode* record = array_record(value);
  const PickleNode* state = record ? node_of(record->state, Kind::kTuple) : nullptr;
  // (version, shape, type, Fortran order, bytes); the oldest have no version.
  if (!state || state->items.size() < 4 || state->items.size() > 5)
    fail("{}: is {} where a numpy array is needed", where, describe(value));
  const PickleValue* part = state->items.data() + (state->items.size() - 4);
  const std::string type = type_text(part[1], where);
  const std::string* data = text_of(part[3]);
  if (!data) {
    fail("{}: is a numpy array of {} that holds {}; save numbers instead", where, in_quotes(type),
         describe(part[3]));
  }
  // The header of a .npy file says the same, and read_npy() checks it all.
  std::string head = fmt::format(
      "{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}\n", in_quotes(type),
      part[2].is_integer() && part[2].integer != 0 ? "True" : "False", shape_text(part[0], where));
  if (head.size() > 0xffff) fail("{}: its type is {}", where, in_quotes(type));
  const char lead[] = {'\x93',
                       'N',
                       'U',
                       'M',
                       'P',
                       'Y',
                       1,
                       0,
                       static_cast<char>(head.size() & 0xff),
                       static_cast<char>(head.size() >> 8)};
  head.insert(0, lead, sizeof lead);
  std::size_t at = 0;
  return read_npy(where, head.size() + data->size(), [&](void* out, std::size_t size) {
    auto* to = static_cast<char*>(out);
    for (; size > 0 && at < head.size(); --size) *to++ = head[at++];
    if (size > 0) std::memcpy(to, data->data() + (at - head.size()), size);
    at += size;
  });
}

bool is_pickled_csr(const PickleValue& value) { return csr_record(value) != nullptr; }

Csr pickled_csr(const PickleValue& value, const std::string& where) {
  const PickleNode* record = csr_record(value);
  const PickleNode* state = record ? node_of(record->state, Kind::kDict) : nullptr;
  if (!state) fail("{}: is {} where a SciPy csr_matrix is needed", where, describe(value));
  const auto member = [&](const char* name) -> const PickleValue& {
    const PickleValue* found = find(*state, name);
    if (!found) fail("{}: the csr_matrix has no '{}'", where, name);
    return *found;
  };
  const PickleNode* sides = node_of(member("_shape"), Kind::kTuple);
  if (!sides || sides->items.size() != 2 || !sides->items[0].is_integer() ||
      !sides->items[1].is_integer())
    fail("{}: the shape of the csr_matrix is {}", where, describe(member("_shape")));
  const std::vector<std::int64_t> shape = {sides->items[0].integer, sides->items[1].integer};
  CsrArrays arrays;
  arrays.shape = make_npy(std::span<const std::int64_t>(shape));
  arrays.shape.where = where + ": '_shape'";
  arrays.starts = pickled_array(member("indptr"), where + ": 'indptr'");
  arrays.columns = pickled_array(member("indices"), where + ": 'indices'");
  arrays.data = pickled_array(member("data"), where + ": 'data'");
  return make_csr(std::move(arrays));
}

}  // namespace cupel
