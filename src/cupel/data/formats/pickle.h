// Python pickles, read as data: a stack machine that builds plain values and calls nothing.
//
// Protocols 0 to 5, as far as files of arrays need them. A global (a class or function by name)
// must be one of a short list, see pickle_globals.cpp; every other one is refused by name. What
// would be called in Python becomes a record of its name, its arguments and its state, for a reader
// to interpret. Memory is a constant times the bytes of the pickle, whatever these claim: lengths
// are checked against what is left before anything is made.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace cupel {

struct PickleNode;

// A value of 16 bytes; what does not fit is a node that the pickle owns. Nodes may be shared and
// may form cycles: a reader must not walk them without a bound.
struct PickleValue {
  enum class Kind : std::uint8_t { kNone, kBool, kInteger, kReal, kNode };
  Kind kind = Kind::kNone;
  union {
    std::int64_t integer = 0;  // also of a bool
    double real;
    PickleNode* node;
  };

  bool is_none() const { return kind == Kind::kNone; }
  bool is_integer() const { return kind == Kind::kInteger || kind == Kind::kBool; }
};

struct PickleNode {
  enum class Kind : std::uint8_t {
    kText,        // text: UTF-8, or bytes of a Python 2 str; the files do not always say which
    kTuple,       // items
    kList,        // items; also of a set
    kDict,        // items: key, value, key, value, ...
    kGlobal,      // text: "module.name"
    kRecord,      // text: what would be called; arguments; state; items as of a list or dict
    kPersistent,  // items: one, the id that the writer gave to something outside
  };
  Kind kind = Kind::kTuple;
  std::string text;
  std::vector<PickleValue> items;
  const PickleNode* arguments = nullptr;  // of a record: a tuple, or nullptr for none
  PickleValue state;                      // of a record, nothing if it has none
};

// Not copied: values point into it.
class Pickle {
 public:
  // Throws Error naming `where`, the position and what is there: not a pickle, cut off, a length
  // beyond its end, an unknown global, or an instruction that no file of arrays has.
  Pickle(std::string where, std::string bytes);
  Pickle(const Pickle&) = delete;
  Pickle& operator=(const Pickle&) = delete;

  const PickleValue& root() const { return root_; }
  const std::string& where() const { return where_; }
  std::uint64_t size() const { return bytes_.size(); }

 private:
  friend class PickleMachine;
  std::string where_, bytes_;
  std::deque<PickleNode> nodes_;
  PickleValue root_;
};

// ---- looking at values: nullptr where they are something else -----------------------------------

[[nodiscard]] const PickleNode* node_of(const PickleValue& value, PickleNode::Kind kind);
[[nodiscard]] const std::string* text_of(const PickleValue& value);
// A record of this "module.name", or whose name begins so where `name` ends in '.'.
[[nodiscard]] const PickleNode* record_of(const PickleValue& value, std::string_view name);
// The value under a text key of a dict (or of a record that has dict items).
[[nodiscard]] const PickleValue* find(const PickleNode& dict, std::string_view key);

// Whether a pickle may name it.
[[nodiscard]] bool is_known_global(std::string_view name);

// For a message: "a list of 3", "None", "a record of numpy.dtype".
[[nodiscard]] std::string describe(const PickleValue& value);

}  // namespace cupel
