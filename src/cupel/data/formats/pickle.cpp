#include "cupel/data/formats/pickle.h"

#include <unordered_map>

#include "cupel/base/error.h"
#include "cupel/data/formats/pickle_bytes.h"
#include "cupel/data/formats/text.h"

namespace cupel {

using Value = PickleValue;
using Node = PickleNode;

// The instructions are documented in CPython's Lib/pickletools.py.
class PickleMachine {
 public:
  explicit PickleMachine(Pickle& out) : out_(out), in_(out.where_, out.bytes_) {}

  void run() {
    while (step()) {
    }
  }

 private:
  [[noreturn]] void damaged(std::string_view what) const { in_.damaged(what); }

  // ---- values -----------------------------------------------------------------------------------

  Value made(Node node) {
    // Real pickles spend several bytes on each; this bounds memory by the bytes there are.
    if (out_.nodes_.size() > in_.size() / 3 + 1024) damaged("it makes too many values");
    out_.nodes_.push_back(std::move(node));
    Value value;
    value.kind = Value::Kind::kNode;
    value.node = &out_.nodes_.back();
    return value;
  }
  Value made_text(std::string_view text) {
    // A byte becomes two of UTF-8 at most, and one of those that are encoded. But one text that is
    // shared could be decoded many times.
    text_bytes_ += text.size();
    if (text_bytes_ > 4 * in_.size() + 1024) damaged("its texts are longer than it is");
    return made({Node::Kind::kText, std::string(text), {}, nullptr, {}});
  }
  Value made_items(Node::Kind kind, std::vector<Value> items) {
    return made({kind, {}, std::move(items), nullptr, {}});
  }
  static Value integer(std::int64_t i, Value::Kind kind = Value::Kind::kInteger) {
    Value value;
    value.kind = kind;
    value.integer = i;
    return value;
  }
  static Value real(double r) {
    Value value;
    value.kind = Value::Kind::kReal;
    value.real = r;
    return value;
  }

  void push(Value value) { stack_.push_back(value); }
  Value pop() {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) damaged("the stack is empty");
    const Value value = stack_.back();
    stack_.pop_back();
    return value;
  }
  Node& top_node() {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) damaged("the stack is empty");
    if (stack_.back().kind != Value::Kind::kNode)
      damaged(describe(stack_.back()) + " holds nothing");
    return *stack_.back().node;
  }
  // What is above the last mark, which goes.
  std::vector<Value> pop_mark() {
    if (marks_.empty()) damaged("there is no mark");
    const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<Value> out(from, stack_.end());
    stack_.erase(from, stack_.end());
    marks_.pop_back();
    return out;
  }
  std::vector<Value> pop_many(int count) {
    std::vector<Value> out(static_cast<std::size_t>(count));
    for (int i = count; i-- > 0;) out[static_cast<std::size_t>(i)] = pop();
    return out;
  }

  void append(const std::vector<Value>& values, bool pairs) {
    Node& to = top_node();
    const bool fits = to.kind == Node::Kind::kRecord ||
                      to.kind == (pairs ? Node::Kind::kDict : Node::Kind::kList);
    if (!fits || (pairs && values.size() % 2 != 0))
      damaged(fmt::format("{} cannot take {}", describe(stack_.back()), pairs ? "pairs" : "items"));
    to.items.insert(to.items.end(), values.begin(), values.end());
  }

  // ---- instructions -----------------------------------------------------------------------------

  void push_global(const std::string& name) {
    if (!is_known_global(name)) {
      fail(
          "{}: byte {}: names {}, and a pickle that names more than arrays is not read, since "
          "loading it may run code; save plain arrays instead",
          out_.where_, in_.start(), in_quotes(name));
    }
    push(made({Node::Kind::kGlobal, name, {}, nullptr, {}}));
  }

  // Bytes of numpy arrays travel as _codecs.encode(text, 'latin1') in protocol 2 of Python 3.
  bool push_encoded(const std::string& name, const Node& arguments) {
    if (name != "_codecs.encode" || arguments.items.size() != 2) return false;
    const std::string* text = text_of(arguments.items[0]);
    if (!text) return false;
    const auto characters = decode_utf8(*text);
    std::string bytes;
    if (!characters) damaged("an encoded text is not UTF-8");
    for (const char32_t c : *characters) {
      if (c > 0xff) damaged("an encoded text is not latin-1");
      bytes += static_cast<char>(c);
    }
    push(made_text(bytes));
    return true;
  }

  // The tuple of arguments is kept, not copied: many calls may share a large one.
  void call(const Value& callee, const Node* arguments) {
    const Node* global = node_of(callee, Node::Kind::kGlobal);
    if (!global) damaged(describe(callee) + " would be called");
    if (push_encoded(global->text, *arguments)) return;
    std::string name = global->text;
    // object.__reduce__ of protocols 0 and 1: what is made is the first argument.
    if (name.ends_with("._reconstructor") && !arguments->items.empty()) {
      if (const Node* made_class = node_of(arguments->items[0], Node::Kind::kGlobal)) {
        name = made_class->text;
        arguments = nullptr;
      }
    }
    push(made({Node::Kind::kRecord, std::move(name), {}, arguments, {}}));
  }

  void call_top(bool with_keywords) {
    if (with_keywords) (void)pop();
    const Value arguments = pop(), callee = pop();
    const Node* tuple = node_of(arguments, Node::Kind::kTuple);
    if (!tuple) damaged("arguments are " + describe(arguments));
    call(callee, tuple);
  }

  void build() {
    const Value state = pop();
    Node& record = top_node();
    if (record.kind != Node::Kind::kRecord) damaged(describe(stack_.back()) + " has no state");
    record.state = state;
  }

  void put(std::uint64_t key) {
    const Value value = pop();
    push(value);
    memo_[key] = value;
  }
  void get(std::uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) damaged(fmt::format("nothing is kept under {}", key));
    push(found->second);
  }

  Value integer_line() {
    const std::string_view text = in_.line();
    if (text == "00" || text == "01") return integer(text[1] - '0', Value::Kind::kBool);
    return integer(in_.number<std::int64_t>(text));
  }
  Value long_line() {
    std::string_view text = in_.line();
    if (text.ends_with('L')) text.remove_suffix(1);
    return integer(in_.number<std::int64_t>(text));
  }

  bool step() {
    // clang-format off
    switch (const auto op = in_.instruction()) {
      case 0x80: in_.little(1); break;  // PROTO
      case 0x95: in_.little(8); break;  // FRAME
      case '(': marks_.push_back(stack_.size()); break;  // MARK
      case '0': pop_or_mark(); break;
      case '1': (void)pop_mark(); break;
      case '2': push(pop()), push(stack_.back()); break;  // DUP
      case 'N': push({}); break;
      case 0x88: push(integer(1, Value::Kind::kBool)); break;
      case 0x89: push(integer(0, Value::Kind::kBool)); break;
      case 'I': push(integer_line()); break;
      case 'L': push(long_line()); break;
      case 'J': push(integer(static_cast<std::int32_t>(in_.little(4)))); break;
      case 'K': push(integer(static_cast<std::int64_t>(in_.little(1)))); break;
      case 'M': push(integer(static_cast<std::int64_t>(in_.little(2)))); break;
      case 0x8a: push(integer(in_.long_number(in_.little(1)))); break;
      case 0x8b: push(integer(in_.long_number(in_.little(4)))); break;
      case 'F': push(real(in_.number<double>(in_.line()))); break;
      case 'G': push(real(in_.big_endian_double())); break;
      case 'S': push(made_text(in_.quoted_line())); break;
      case 'V': push(made_text(in_.escaped_line())); break;
      case 'U': case 'C': case 0x8c: push(made_text(in_.take(in_.little(1)))); break;
      case 'T': case 'B': case 'X': push(made_text(in_.take(in_.little(4)))); break;
      case 0x8d: case 0x8e: case 0x96: push(made_text(in_.take(in_.little(8)))); break;
      case ')': push(empty_tuple()); break;
      case 't': push(made_items(Node::Kind::kTuple, pop_mark())); break;
      case 0x85: case 0x86: case 0x87:
        push(made_items(Node::Kind::kTuple, pop_many(op - 0x84)));
        break;
      case ']': case 0x8f: push(made_items(Node::Kind::kList, {})); break;
      case 'l': case 0x91: push(made_items(Node::Kind::kList, pop_mark())); break;
      case '}': push(made_items(Node::Kind::kDict, {})); break;
      case 'd': {
        std::vector<Value> pairs = pop_mark();
        push(made_items(Node::Kind::kDict, {}));
        append(pairs, true);
        break;
      }
      case 'a': append(pop_many(1), false); break;
      case 'e': case 0x90: append(pop_mark(), false); break;
      case 's': append(pop_many(2), true); break;
      case 'u': append(pop_mark(), true); break;
      case 'p': put(in_.number<std::uint64_t>(in_.line())); break;
      case 'q': put(in_.little(1)); break;
      case 'r': put(in_.little(4)); break;
      case 0x94: put(memo_.size()); break;
      case 'g': get(in_.number<std::uint64_t>(in_.line())); break;
      case 'h': get(in_.little(1)); break;
      case 'j': get(in_.little(4)); break;
      case 'c': {
        const std::string module(in_.line());
        push_global(module + "." + std::string(in_.line()));
        break;
      }
      case 0x93: {
        const Value name = pop(), module = pop();
        if (!text_of(name) || !text_of(module)) damaged("a name is no text");
        push_global(*text_of(module) + "." + *text_of(name));
        break;
      }
      case 'R': case 0x81: call_top(false); break;
      case 0x92: call_top(true); break;
      case 'b': build(); break;
      case 'P': push(made_items(Node::Kind::kPersistent, {made_text(in_.line())})); break;
      case 'Q': push(made_items(Node::Kind::kPersistent, pop_many(1))); break;
      case '.':
        out_.root_ = pop();
        return false;
      default:
        damaged(fmt::format("the instruction 0x{:02x} is not one that files of arrays have", op));
    }
    // clang-format on
    return true;
  }

  void pop_or_mark() {
    if (!marks_.empty() && stack_.size() == marks_.back()) {
      marks_.pop_back();
    } else {
      (void)pop();
    }
  }
  Value empty_tuple() {
    if (empty_.is_none()) empty_ = made_items(Node::Kind::kTuple, {});
    return empty_;
  }

  Pickle& out_;
  PickleBytes in_;
  std::uint64_t text_bytes_ = 0;
  std::vector<Value> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, Value> memo_;
  Value empty_;
};

Pickle::Pickle(std::string where, std::string bytes)
    : where_(std::move(where)), bytes_(std::move(bytes)) {
  PickleMachine(*this).run();
}

}  // namespace cupel
