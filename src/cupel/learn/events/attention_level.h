// What one of several layers of attention over meetings is bound to: entities at times, and whom
// they had met before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cupel/engine/program/bound_program.h"
#include "cupel/learn/events/id_table.h"
#include "cupel/learn/events/recent_neighbours.h"
#include "cupel/learn/events/row_names.h"
#include "cupel/learn/events/temporal_layers.h"
#include "cupel/learn/events/time_between.h"

namespace cupel {

// Rows of a layer, their meetings, and where both are found in the layer below, in which an entity
// at a time is one row however often it is met. Filled again and again. Not thread-safe.
struct AttentionLevel {
  std::vector<TimedEntity> rows;
  std::vector<Meeting> met;
  Csr slots, kinds, own, with;  // by LayerConstants
  Matrix attends, elapsed;

  static std::uint64_t hash_of(const TimedEntity& e) {
    return mixed(mixed(static_cast<std::uint64_t>(e.time)) ^ static_cast<std::uint32_t>(e.entity));
  }
  void clear(Index kinds_of_facts) {
    rows.clear();
    forget_meetings(kinds_of_facts);
  }

  // Meetings of all rows: find(row, out) appends those of a row.
  template <class Find>
  void meet(Index kinds_of_facts, const Find& find) {
    forget_meetings(kinds_of_facts);
    for (const TimedEntity& row : rows) {
      const std::size_t first = met.size();
      find(row, met);
      for (std::size_t slot = first; slot < met.size(); ++slot) {
        slots.columns.push_back(static_cast<Index>(slot));
        elapsed.values.push_back(elapsed_between(met[slot].time, row.time));
        if (kinds_of_facts > 0) end_row(kinds, met[slot].kind);
      }
      end_row(slots);
      attends.values.push_back(met.size() > first ? 1.0f : 0.0f);
    }
    slots.cols = static_cast<Index>(met.size());
    resize(attends, static_cast<Index>(rows.size()), 1);
    resize(elapsed, slots.cols, 1);
  }

  // Rows of the layer below: these rows, and whom they met, as of the time when(row, meeting).
  // After meet().
  template <class When>
  void go_below(const When& when, std::vector<TimedEntity>& below) {
    below.clear();
    IdTable places;
    const auto place = [&](const TimedEntity& e) {
      const Index found = places.find(hash_of(e), [&](Index number) {
        const TimedEntity& other = below[static_cast<std::size_t>(number)];
        return other.entity == e.entity && other.time == e.time;
      });
      if (found >= 0) return found;
      below.push_back(e);
      places.add([&](Index number) { return hash_of(below[static_cast<std::size_t>(number)]); });
      return static_cast<Index>(below.size()) - 1;
    };
    for (const TimedEntity& row : rows) end_row(own, place(row));
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (Offset slot = slots.row_ptr[r]; slot < slots.row_ptr[r + 1]; ++slot) {
        const Meeting& meeting = met[static_cast<std::size_t>(slot)];
        end_row(with, place({meeting.with, when(rows[r], meeting)}));
      }
    own.cols = with.cols = static_cast<Index>(below.size());
  }

  // Appends them, by LayerConstants.
  void add_constants(std::vector<ConstantMatrix>& out) const {
    for (const ConstantMatrix& m : {ConstantMatrix{&slots, nullptr},
                                    {nullptr, &attends},
                                    {nullptr, &elapsed},
                                    {&kinds, nullptr},
                                    {&own, nullptr},
                                    {&with, nullptr}})
      out.push_back(m);
  }

 private:
  void forget_meetings(Index kinds_of_facts) {
    met.clear();
    for (Csr* m : {&slots, &kinds, &own, &with}) take_rows_out(*m), m->cols = 0;
    kinds.cols = kinds_of_facts;
    resize(attends, 0, 1), resize(elapsed, 0, 1);
  }
};

// Slots of all layers below one root, at most.
[[nodiscard]] inline std::size_t slots_of_root(Index layers, Index neighbours) {
  std::size_t rows = 1, slots = 0;
  for (Index l = 0; l < layers; ++l) {
    slots += rows * static_cast<std::size_t>(neighbours);
    rows *= 1 + static_cast<std::size_t>(neighbours);
  }
  return slots;
}

// How many roots are asked together.
[[nodiscard]] inline std::size_t roots_together(Index layers, Index neighbours) {
  constexpr std::size_t kSlots = 100'000;
  return std::clamp<std::size_t>(kSlots / slots_of_root(layers, neighbours), 2, 512);
}

}  // namespace cupel
