// Where work that takes hours puts down how far it is, so that who is stopped goes on from there.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace cupel {

// A part of a state, as bytes of this machine.
using StateBytes = std::span<std::byte>;

// Belongs to one piece of work, whose outcome is the same whether it was stopped or not. Used by
// one thread.
class Checkpoint {
 public:
  virtual ~Checkpoint() = default;
  // What was put down last, the parts one after another; empty where nothing was, or nothing whole.
  [[nodiscard]] virtual std::string take_up() = 0;
  // Whether so much was done since that it is worth the writing.
  [[nodiscard]] virtual bool due() const = 0;
  // In place of what was put down before, which stays where this cannot be written: work does not
  // fail for it.
  virtual void put_down(std::span<const StateBytes> parts) = 0;
};

// All that some work needs to go on as if it had never been stopped: members that hold plain data,
// in an order that does not change while it works. They must outlive it, and keep their places.
class State {
 public:
  template <class T>
  void add(T& one) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>,
                  "no padding, and nothing that points elsewhere");
    parts_.push_back(std::as_writable_bytes(std::span(&one, 1)));
  }
  template <class T, class Allocator>
  void add(std::vector<T, Allocator>& many) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
    parts_.push_back(std::as_writable_bytes(std::span(many)));
  }

  // Puts all of it down, where there is a checkpoint and it is due.
  void put_down(Checkpoint* checkpoint) const;
  // Takes up what was put down for parts of these sizes. False, and nothing changed, where there is
  // none.
  [[nodiscard]] bool take_up(Checkpoint* checkpoint) const;

 private:
  std::vector<StateBytes> parts_;
};

}  // namespace cupel
