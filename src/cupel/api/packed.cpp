#include "cupel/api/packed.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "cupel/base/error.h"
#include "cupel/base/hash.h"
#include "cupel/data/facts/facts.h"

namespace cupel {
namespace {

// Another layout has another number.
constexpr int kLayout = 1;
constexpr std::size_t kHashDigits = 64;

// The first bytes: of what the rest is, and its hash.
std::string head_of(const char* kind) { return fmt::format("cupel {} {}\n", kind, kLayout); }

std::string hash_of(std::span<const std::uint8_t> bytes) {
  return sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

class Writer {
 public:
  explicit Writer(const char* kind) {
    add(head_of(kind));
    begin_ = bytes_.size() + kHashDigits;
    bytes_.resize(begin_);
  }

  template <class T>
  requires std::is_arithmetic_v<T>
  void number(T value) { raw(&value, sizeof value); }
  // Numbers one after the other.
  template <class Numbers>
  void numbers(const Numbers& values) {
    number<std::uint64_t>(values.size());
    raw(values.data(), values.size() * sizeof *values.data());
  }
  void text(std::string_view text) { numbers(text); }
  template <class List, class Write>
  void list(const List& values, Write write) {
    number<std::uint64_t>(values.size());
    for (const auto& value : values) write(value);
  }
  void texts(const std::vector<std::string>& values) {
    list(values, [&](const std::string& value) { text(value); });
  }

  Packed finish() && {
    const std::string hash = hash_of(std::span(bytes_).subspan(begin_));
    std::memcpy(bytes_.data() + begin_ - kHashDigits, hash.data(), kHashDigits);
    return std::move(bytes_);
  }

 private:
  void raw(const void* data, std::size_t size) {
    const auto* const from = static_cast<const std::uint8_t*>(data);
    if (size > 0) bytes_.insert(bytes_.end(), from, from + size);
  }
  void add(std::string_view text) { raw(text.data(), text.size()); }

  Packed bytes_;
  std::size_t begin_ = 0;
};

[[noreturn]] void damaged() {
  fail("what was pickled is damaged; pickle it anew, or save it to a file and load that");
}

class Reader {
 public:
  Reader(const char* kind, std::span<const std::uint8_t> bytes) : rest_(bytes) {
    const std::string head = head_of(kind);
    if (const std::string_view found = view(std::min(head.size(), rest_.size())); found != head)
      fail(
          "what was pickled is no {} of this version of cupel; pickle and unpickle by one version, "
          "or save it to a file and load that",
          kind);
    if (rest_.size() < kHashDigits) damaged();
    const std::string_view hash = view(kHashDigits);
    if (hash != hash_of(rest_)) damaged();
  }

  template <class T>
  requires std::is_arithmetic_v<T> T number() {
    T out;
    raw(&out, sizeof out);
    return out;
  }
  template <class Numbers>
  Numbers numbers() {
    Numbers out;
    out.resize(count(sizeof *out.data()));
    raw(out.data(), out.size() * sizeof *out.data());
    return out;
  }
  template <class T>
  FactColumn<T> column() {
    FactColumn<T> out;
    out.resize(count(sizeof(T)));
    raw(out.all().data(), out.size() * sizeof(T));
    return out;
  }
  std::string text() { return numbers<std::string>(); }
  // Calls `read` for each of a list.
  template <class Read>
  void list(Read read) {
    for (std::size_t left = count(1); left > 0; --left) read();
  }
  std::vector<std::string> texts() {
    std::vector<std::string> out;
    list([&] { out.push_back(text()); });
    return out;
  }

  void finish() const {
    if (!rest_.empty()) damaged();
  }

 private:
  // Of things that take so many bytes each, or more.
  std::size_t count(std::size_t bytes) {
    const auto out = number<std::uint64_t>();
    if (out > rest_.size() / bytes) damaged();
    return static_cast<std::size_t>(out);
  }
  std::string_view view(std::size_t size) {
    const std::string_view out(reinterpret_cast<const char*>(rest_.data()), size);
    rest_ = rest_.subspan(size);
    return out;
  }
  void raw(void* to, std::size_t size) {
    if (size > rest_.size()) damaged();
    if (size > 0) std::memcpy(to, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }

  std::span<const std::uint8_t> rest_;
};

// ---- data sets ----------------------------------------------------------------------------------

void write(Writer& out, const Csr& matrix) {
  out.number(matrix.rows);
  out.number(matrix.cols);
  out.numbers(matrix.row_ptr);
  out.numbers(matrix.columns);
  out.numbers(matrix.values);
}

Csr read_csr(Reader& in) {
  Csr out;
  out.rows = in.number<Index>();
  out.cols = in.number<Index>();
  out.row_ptr = in.numbers<std::vector<Offset>>();
  out.columns = in.numbers<std::vector<Index>>();
  out.values = in.numbers<AlignedVector<float>>();
  return out;
}

void write(Writer& out, const Matrix& matrix) {
  out.number(matrix.rows);
  out.number(matrix.cols);
  out.numbers(matrix.values);
}

Matrix read_matrix(Reader& in) {
  Matrix out;
  out.rows = in.number<Index>();
  out.cols = in.number<Index>();
  out.values = in.numbers<AlignedVector<float>>();
  return out;
}

void write(Writer& out, const Features& features) {
  out.number<std::uint8_t>(static_cast<std::uint8_t>(features.index()));
  std::visit([&](const auto& held) { write(out, held); }, features);
}

Features read_features(Reader& in) {
  if (in.number<std::uint8_t>() == 0) return read_csr(in);
  return read_matrix(in);
}

void write(Writer& out, const GraphSet& graphs) {
  out.numbers(graphs.start);
  write(out, graphs.node_attributes);
  write(out, graphs.arc_attributes);
  out.number(graphs.dropped_loops);
  out.numbers(graphs.scaffolds);
}

GraphSet read_graphs(Reader& in) {
  GraphSet out;
  out.start = in.numbers<std::vector<Index>>();
  out.node_attributes = read_matrix(in);
  out.arc_attributes = read_matrix(in);
  out.dropped_loops = in.number<Offset>();
  out.scaffolds = in.numbers<std::vector<Index>>();
  return out;
}

void write(Writer& out, const TemporalFacts& facts) {
  out.text(facts.name);
  out.texts(facts.types);
  out.numbers(facts.entity_types);
  out.number(facts.entity_names.size());
  for (Index i = 0; i < facts.entity_names.size(); ++i) out.text(facts.entity_names[i]);
  out.list(facts.relations, [&](const FactRelation& relation) {
    out.text(relation.name);
    out.number(relation.source_type);
    out.number(relation.target_type);
    out.number(relation.undirected);
  });
  out.numbers(facts.source.all());
  out.numbers(facts.relation.all());
  out.numbers(facts.target.all());
  out.numbers(facts.time.all());
  out.text(facts.time_unit);
  out.list(facts.parts, [&](const FactPart& part) {
    out.text(part.name);
    out.number(part.facts);
    out.number(part.first);
    out.number(part.last);
  });
}

TemporalFacts read_facts_of(Reader& in) {
  TemporalFacts out;
  out.name = in.text();
  out.types = in.texts();
  out.entity_types = in.numbers<std::vector<std::uint8_t>>();
  for (auto left = in.number<Index>(); left > 0; --left) out.entity_names.add(in.text());
  in.list([&] {
    FactRelation relation;
    relation.name = in.text();
    relation.source_type = in.number<std::uint8_t>();
    relation.target_type = in.number<std::uint8_t>();
    relation.undirected = in.number<bool>();
    out.relations.push_back(std::move(relation));
  });
  out.source = in.column<Index>();
  out.relation = in.column<Index>();
  out.target = in.column<Index>();
  out.time = in.column<std::int64_t>();
  out.time_unit = in.text();
  in.list([&] {
    FactPart part;
    part.name = in.text();
    part.facts = in.number<std::int64_t>();
    part.first = in.number<std::int64_t>();
    part.last = in.number<std::int64_t>();
    out.parts.push_back(std::move(part));
  });
  return out;
}

void write(Writer& out, const Target& target) {
  out.number<bool>(std::holds_alternative<BinaryTasks>(target));
  if (const auto* tasks = std::get_if<BinaryTasks>(&target)) return write(out, tasks->answers);
  const Classes& classes = std::get<Classes>(target);
  out.numbers(classes.labels);
  out.texts(classes.names);
}

Target read_target(Reader& in) {
  if (in.number<bool>()) return BinaryTasks{read_matrix(in)};
  Classes out;
  out.labels = in.numbers<std::vector<Index>>();
  out.names = in.texts();
  return out;
}

// ---- tables -------------------------------------------------------------------------------------

void write(Writer& out, const FrameColumn::Texts& texts) { out.texts(texts); }

template <class T>
void write(Writer& out, const std::vector<std::optional<T>>& values) {
  out.list(values, [&](const std::optional<T>& value) {
    out.number<bool>(value.has_value());
    out.number(value.value_or(T{}));
  });
}

template <class T>
std::vector<std::optional<T>> read_optional(Reader& in) {
  std::vector<std::optional<T>> out;
  in.list([&] {
    const bool known = in.number<bool>();
    const T value = in.number<T>();
    out.push_back(known ? std::optional<T>(value) : std::nullopt);
  });
  return out;
}

}  // namespace

Packed packed(const Dataset& dataset) {
  Writer out("data set");
  out.text(dataset.name);
  write(out, dataset.adjacency);
  write(out, dataset.features);
  out.number<bool>(dataset.graphs.has_value());
  if (dataset.graphs) write(out, *dataset.graphs);
  out.number<bool>(dataset.facts != nullptr);
  if (dataset.facts) write(out, *dataset.facts);
  write(out, dataset.target);
  out.list(dataset.stored_splits, [&](const Split& split) {
    for (const auto* part : split.parts()) out.numbers(*part);
  });
  out.list(dataset.history, [&](const PreparationStep& step) {
    out.text(step.name);
    out.number(step.nodes);
    out.number(step.arcs);
  });
  out.number(dataset.repeated_arcs);
  return std::move(out).finish();
}

Dataset unpacked_dataset(std::span<const std::uint8_t> bytes) {
  Reader in("data set", bytes);
  Dataset out;
  out.name = in.text();
  out.adjacency = read_csr(in);
  out.features = read_features(in);
  if (in.number<bool>()) out.graphs = read_graphs(in);
  if (in.number<bool>()) out.facts = std::make_shared<const TemporalFacts>(read_facts_of(in));
  out.target = read_target(in);
  in.list([&] {
    Split split;
    for (auto* part : split.parts()) *part = in.numbers<std::vector<Index>>();
    out.stored_splits.push_back(std::move(split));
  });
  in.list([&] {
    PreparationStep step;
    step.name = in.text();
    step.nodes = in.number<Index>();
    step.arcs = in.number<Offset>();
    out.history.push_back(std::move(step));
  });
  out.repeated_arcs = in.number<Offset>();
  in.finish();
  return out;
}

Packed packed(const Frame& frame) {
  Writer out("table");
  out.list(frame.columns, [&](const FrameColumn& column) {
    out.text(column.name);
    out.number<std::uint8_t>(static_cast<std::uint8_t>(column.values.index()));
    std::visit([&](const auto& values) { write(out, values); }, column.values);
  });
  return std::move(out).finish();
}

Frame unpacked_frame(std::span<const std::uint8_t> bytes) {
  Reader in("table", bytes);
  Frame out;
  in.list([&] {
    FrameColumn column;
    column.name = in.text();
    switch (in.number<std::uint8_t>()) {
      case 0:
        column.values = in.texts();
        break;
      case 1:
        column.values = read_optional<std::int64_t>(in);
        break;
      default:
        column.values = read_optional<double>(in);
    }
    out.columns.push_back(std::move(column));
  });
  in.finish();
  return out;
}

}  // namespace cupel
