// A stack that forgets its oldest items, so that markup that is never closed cannot fill memory.
#pragma once

#include <cstddef>
#include <vector>

#include "cupel/data/wiki/markup/marks.h"

namespace cupel::markup {

template <class Item>
class OpenItems {
 public:
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] Item& top() { return items_.back(); }
  void pop() { items_.pop_back(); }

  // `forgotten` is called with each item that is dropped for room.
  template <class Forgotten>
  void push(const Item& item, Forgotten forgotten) {
    if (items_.size() == 2 * kMostOpen) {
      for (std::size_t k = 0; k < kMostOpen; ++k) forgotten(items_[k]);
      items_.erase(items_.begin(), items_.begin() + kMostOpen);
    }
    items_.push_back(item);
  }

 private:
  std::vector<Item> items_;
};

}  // namespace cupel::markup
