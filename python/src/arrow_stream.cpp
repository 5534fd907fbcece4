#include "arrow_stream.h"

#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cupel/base/utf8.h"

namespace cupel::python {
namespace {

namespace nb = nanobind;

// ---- the structures of the interface: their layout is the interface -----------------------------

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

constexpr std::int64_t kNullable = 2;

// ---- schemas ------------------------------------------------------------------------------------

// What a schema owns: its name, and the schemas below it.
struct SchemaMemory {
  std::string name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};

void release_schema(ArrowSchema* schema) {
  auto* memory = static_cast<SchemaMemory*>(schema->private_data);
  for (ArrowSchema& child : memory->children)
    if (child.release != nullptr) child.release(&child);
  delete memory;
  schema->release = nullptr;
}

void fill_schema(ArrowSchema& out, const char* format, std::string name, std::int64_t flags,
                 std::vector<ArrowSchema> children = {}) {
  auto memory = std::make_unique<SchemaMemory>();
  memory->name = std::move(name);
  memory->children = std::move(children);
  for (ArrowSchema& child : memory->children) memory->pointers.push_back(&child);
  out = {.format = format,
         .name = memory->name.c_str(),
         .metadata = nullptr,
         .flags = flags,
         .n_children = static_cast<std::int64_t>(memory->children.size()),
         .children = memory->pointers.data(),
         .dictionary = nullptr,
         .release = release_schema,
         .private_data = memory.get()};
  (void)memory.release();
}

const char* format_of(const FrameColumn& column) {
  if (std::holds_alternative<FrameColumn::Texts>(column.values)) return "U";  // 64-bit offsets
  return std::holds_alternative<FrameColumn::Whole>(column.values) ? "l" : "g";
}

void schema_of(const Frame& frame, ArrowSchema& out) {
  std::vector<ArrowSchema> children(frame.columns.size());
  for (std::size_t c = 0; c < children.size(); ++c)
    fill_schema(children[c], format_of(frame.columns[c]), frame.columns[c].name, kNullable);
  fill_schema(out, "+s", "", 0, std::move(children));
}

// ---- arrays -------------------------------------------------------------------------------------

// What an array owns.
struct ArrayMemory {
  std::vector<std::uint8_t> valid;  // a bit for each value; empty: none is absent
  std::vector<std::int64_t> whole;  // values, or of texts where each begins
  std::vector<double> reals;
  std::string texts;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
};

void release_array(ArrowArray* array) {
  auto* memory = static_cast<ArrayMemory*>(array->private_data);
  for (ArrowArray& child : memory->children)
    if (child.release != nullptr) child.release(&child);
  delete memory;
  array->release = nullptr;
}

void fill_array(ArrowArray& out, std::size_t length, std::int64_t nulls,
                std::unique_ptr<ArrayMemory> memory) {
  for (ArrowArray& child : memory->children) memory->pointers.push_back(&child);
  out = {.length = static_cast<std::int64_t>(length),
         .null_count = nulls,
         .offset = 0,
         .n_buffers = static_cast<std::int64_t>(memory->buffers.size()),
         .n_children = static_cast<std::int64_t>(memory->children.size()),
         .buffers = memory->buffers.data(),
         .children = memory->pointers.data(),
         .dictionary = nullptr,
         .release = release_array,
         .private_data = memory.get()};
  (void)memory.release();
}

// Values where there are some, and which are absent. How many are.
template <class T>
std::int64_t take(const std::vector<std::optional<T>>& from, std::vector<T>& values,
                  std::vector<std::uint8_t>& valid) {
  std::int64_t nulls = 0;
  values.reserve(from.size());
  valid.assign((from.size() + 7) / 8, 0);
  for (std::size_t i = 0; i < from.size(); ++i) {
    values.push_back(from[i].value_or(T{}));
    if (from[i])
      valid[i / 8] = static_cast<std::uint8_t>(valid[i / 8] | 1u << i % 8);
    else
      ++nulls;
  }
  return nulls;
}

// Whoever reads them takes texts for UTF-8 without a look. A byte that is none stands as "\xff", as
// it does in the lists of Python.
void append_unicode(std::string& out, const std::string& text) {
  if (is_utf8(text)) {
    out += text;
    return;
  }
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char one = utf8_char(text, at);
    if (is_no_utf8(one))
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
    else
      out.append(text, at, static_cast<std::size_t>(one.bytes));
    at += static_cast<std::size_t>(one.bytes);
  }
}

void array_of(const FrameColumn& column, ArrowArray& out) {
  auto memory = std::make_unique<ArrayMemory>();
  std::int64_t nulls = 0;
  std::size_t length = 0;
  if (const auto* texts = std::get_if<FrameColumn::Texts>(&column.values)) {
    length = texts->size();
    memory->whole.push_back(0);
    for (const std::string& text : *texts) {
      append_unicode(memory->texts, text);
      memory->whole.push_back(static_cast<std::int64_t>(memory->texts.size()));
    }
    memory->buffers = {nullptr, memory->whole.data(), memory->texts.data()};
  } else if (const auto* whole = std::get_if<FrameColumn::Whole>(&column.values)) {
    length = whole->size();
    nulls = take(*whole, memory->whole, memory->valid);
    memory->buffers = {memory->valid.data(), memory->whole.data()};
  } else {
    const auto& reals = std::get<FrameColumn::Reals>(column.values);
    length = reals.size();
    nulls = take(reals, memory->reals, memory->valid);
    memory->buffers = {memory->valid.data(), memory->reals.data()};
  }
  fill_array(out, length, nulls, std::move(memory));
}

void array_of(const Frame& frame, ArrowArray& out) {
  auto memory = std::make_unique<ArrayMemory>();
  memory->children.resize(frame.columns.size());
  for (std::size_t c = 0; c < frame.columns.size(); ++c)
    array_of(frame.columns[c], memory->children[c]);
  memory->buffers = {nullptr};
  fill_array(out, frame.rows(), 0, std::move(memory));
}

// ---- the stream: one batch, then the end --------------------------------------------------------

struct StreamMemory {
  std::shared_ptr<const Frame> frame;
  bool given = false;
};

template <class Work>
int guarded(const Work& work) {
  try {
    work();
    return 0;
  } catch (...) {
    return ENOMEM;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  const auto* memory = static_cast<StreamMemory*>(stream->private_data);
  return guarded([&] { schema_of(*memory->frame, *out); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  auto* memory = static_cast<StreamMemory*>(stream->private_data);
  *out = {};
  if (memory->given) return 0;
  memory->given = true;
  return guarded([&] { array_of(*memory->frame, *out); });
}

const char* get_last_error(ArrowArrayStream*) { return "out of memory"; }

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<StreamMemory*>(stream->private_data);
  stream->release = nullptr;
}

// Whoever takes what is in a capsule moves it out and leaves `release` null.
template <class T>
nb::capsule capsule_of(std::unique_ptr<T> value, const char* name) {
  nb::object out = nb::steal(PyCapsule_New(value.get(), name, [](PyObject* capsule) {
    auto* held = static_cast<T*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
    if (held->release != nullptr) held->release(held);
    delete held;
  }));
  if (!out.is_valid()) nb::raise_python_error();
  (void)value.release();
  return nb::borrow<nb::capsule>(out);
}

}  // namespace

nb::capsule arrow_schema(const Frame& frame) {
  auto schema = std::make_unique<ArrowSchema>();
  schema_of(frame, *schema);
  return capsule_of(std::move(schema), "arrow_schema");
}

nb::capsule arrow_stream(std::shared_ptr<const Frame> frame) {
  auto stream = std::make_unique<ArrowArrayStream>();
  *stream = {.get_schema = get_schema,
             .get_next = get_next,
             .get_last_error = get_last_error,
             .release = release_stream,
             .private_data = new StreamMemory{std::move(frame)}};
  return capsule_of(std::move(stream), "arrow_array_stream");
}

}  // namespace cupel::python
