// Long lists of numbers that grow while files are read.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace cupel {

// A vector of numbers whose growth copies nothing where the system can move pages (realloc): what
// it holds in memory is about what was put in, even while it grows. A vector holds three times
// that for a moment. Not copied by accident. Not thread-safe while it grows.
template <class T>
requires std::is_trivially_copyable_v<T>
class FactColumn {
 public:
  FactColumn() = default;
  ~FactColumn() { std::free(data_); }
  FactColumn(FactColumn&& other) noexcept { swap(other); }
  FactColumn& operator=(FactColumn&& other) noexcept {
    FactColumn(std::move(other)).swap(*this);
    return *this;
  }
  FactColumn(const FactColumn&) = delete;
  FactColumn& operator=(const FactColumn&) = delete;

  // Throws std::bad_alloc.
  void push(T value) {
    if (size_ == capacity_) grow(size_ + size_ / 2 + 1024);
    data_[size_++] = value;
  }
  void resize(std::size_t size) {
    if (size > capacity_) grow(size);
    for (std::size_t k = size_; k < size; ++k) data_[k] = T{};
    size_ = size;
  }
  // Gives back what was not used.
  void fit() {
    if (size_ > 0 && size_ < capacity_) grow(size_);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T operator[](std::size_t k) const { return data_[k]; }
  T& operator[](std::size_t k) { return data_[k]; }
  std::span<const T> all() const { return {data_, size_}; }
  std::span<T> all() { return {data_, size_}; }

  void swap(FactColumn& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  void grow(std::size_t capacity) {
    if (capacity > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
    void* const moved = std::realloc(data_, capacity * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(moved);
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace cupel
