#include "cupel/learn/graph_kernels/svm_memory.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>

namespace cupel {
namespace {

// In front of every block that LIBSVM has; those of a training are a ring.
struct alignas(std::max_align_t) Head {
  Head* before;
  Head* after;  // null: of no training
};

// What LIBSVM asks for after a header.
void* body_of(Head* head) { return head + 1; }
Head* head_of(void* body) { return static_cast<Head*>(body) - 1; }

// Begin and end of this thread's ring; its `after` is null where no training is watched.
thread_local Head ring = {nullptr, nullptr};

void join(Head* head) {
  head->before = head->after = nullptr;
  if (ring.after == nullptr) return;
  head->before = &ring;
  head->after = ring.after;
  ring.after->before = head;
  ring.after = head;
}

void leave(const Head* head) {
  if (head->after == nullptr) return;
  head->before->after = head->after;
  head->after->before = head->before;
}

bool fits(std::size_t size) {
  return size <= std::numeric_limits<std::size_t>::max() - sizeof(Head);
}

}  // namespace

SvmMemory::SvmMemory() {
  if (ring.after != nullptr) throw std::logic_error("two trainings of LIBSVM in one thread");
  ring = {&ring, &ring};
}

SvmMemory::~SvmMemory() {
  while (ring.after != nullptr && ring.after != &ring) {
    Head* const head = ring.after;
    leave(head);
    std::free(head);
  }
  ring = {nullptr, nullptr};
}

void SvmMemory::keep() {
  while (ring.after != nullptr && ring.after != &ring) {
    Head* const head = ring.after;
    leave(head);
    head->before = head->after = nullptr;
  }
}

}  // namespace cupel

// The names that LIBSVM calls; see cmake/libsvm.cmake.
extern "C" {
void* cupel_svm_malloc(std::size_t size);
void* cupel_svm_calloc(std::size_t count, std::size_t size);
void* cupel_svm_realloc(void* old, std::size_t size);
void cupel_svm_free(void* body);
char* cupel_svm_strdup(const char* text);
void* cupel_svm_new(std::size_t size);
void* cupel_svm_new_array(std::size_t size);
void cupel_svm_delete(void* body, std::size_t size);
void cupel_svm_delete_array(void* body);
}

using cupel::Head;

void* cupel_svm_malloc(std::size_t size) {
  auto* const head =
      cupel::fits(size) ? static_cast<Head*>(std::malloc(sizeof(Head) + size)) : nullptr;
  if (head == nullptr) return nullptr;
  cupel::join(head);
  return cupel::body_of(head);
}

void* cupel_svm_calloc(std::size_t count, std::size_t size) {
  if (size != 0 && count > std::numeric_limits<std::size_t>::max() / size) return nullptr;
  void* const body = cupel_svm_malloc(count * size);
  if (body != nullptr) std::memset(body, 0, count * size);
  return body;
}

void* cupel_svm_realloc(void* old, std::size_t size) {
  if (old == nullptr) return cupel_svm_malloc(size);
  if (!cupel::fits(size)) return nullptr;
  Head* const head = cupel::head_of(old);
  const bool joined = head->after != nullptr;
  auto* const moved = static_cast<Head*>(std::realloc(head, sizeof(Head) + size));
  if (moved == nullptr) return nullptr;
  if (joined) moved->before->after = moved->after->before = moved;
  return cupel::body_of(moved);
}

void cupel_svm_free(void* body) {
  if (body == nullptr) return;
  Head* const head = cupel::head_of(body);
  cupel::leave(head);
  std::free(head);
}

char* cupel_svm_strdup(const char* text) {
  const std::size_t size = std::strlen(text) + 1;
  void* const body = cupel_svm_malloc(size);
  return body == nullptr ? nullptr : static_cast<char*>(std::memcpy(body, text, size));
}

void* cupel_svm_new(std::size_t size) {
  if (void* const body = cupel_svm_malloc(size)) return body;
  throw std::bad_alloc();
}

void* cupel_svm_new_array(std::size_t size) { return cupel_svm_new(size); }

void cupel_svm_delete(void* body, std::size_t) { cupel_svm_free(body); }

void cupel_svm_delete_array(void* body) { cupel_svm_free(body); }
