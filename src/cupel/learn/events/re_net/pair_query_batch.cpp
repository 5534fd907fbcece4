#include "cupel/learn/events/re_net/pair_query_batch.h"

#include <algorithm>

#include "cupel/learn/events/re_net/re_net_pyg_program.h"
#include "cupel/learn/events/row_names.h"

namespace cupel {
namespace {

std::uint64_t hash_of(std::span<const Index> numbers, std::uint64_t from = 0) {
  for (const Index number : numbers) from = mixed(from ^ static_cast<std::uint32_t>(number));
  return from;
}

}  // namespace

PairQueryBatch::PairQueryBatch(const EventWorld& world, Index length)
    : all_entities_(world.entities),
      relations_(world.relations),
      length_(length),
      ends_{End(world.entities), End(world.entities)} {
  entities_.reach(static_cast<std::size_t>(world.entities));
  clear();
}

void PairQueryBatch::clear() {
  entities_.clear(), queries_.clear();
  take_rows_out(entity_of_all_);
  for (End& end : ends_) {
    end.given.clear();
    end.contents = IdTable(), end.histories = IdTable();
    end.who.clear(), end.query_of.clear();
    end.content_begin.assign(1, 0);
    for (Csr* m : {&end.given_entity, &end.content_entities, &end.history_contents,
                   &end.history_given, &end.history_relation, &end.query_history})
      take_rows_out(*m);
    (void)content(end, {});  // number 0: a step without a meeting
  }
}

Index PairQueryBatch::entity(Index id) {
  const auto [number, is_new] = entities_.number(id);
  if (is_new) end_row(entity_of_all_, id);
  return number;
}

// `who` ascends. Sums go in its order, so that they do not depend on what else is there.
Index PairQueryBatch::content(End& end, std::span<const Index> who) {
  const auto of = [&](Index number) {
    const auto at = static_cast<std::size_t>(number);
    return std::span<const Index>(end.who).subspan(
        end.content_begin[at], end.content_begin[at + 1] - end.content_begin[at]);
  };
  const Index found = end.contents.find(
      hash_of(who), [&](Index number) { return std::ranges::equal(of(number), who); });
  if (found >= 0) return found;
  const Index number = end.content_entities.rows;
  end.who.insert(end.who.end(), who.begin(), who.end());
  end.content_begin.push_back(end.who.size());
  end.contents.add([&](Index k) { return hash_of(of(k)); });
  for (std::size_t i = 0; i < who.size();) {
    std::size_t next = i;
    while (next < who.size() && who[next] == who[i]) ++next;
    end.content_entities.columns.push_back(entity(who[i]));
    end.content_entities.values.push_back(static_cast<float>(next - i) /
                                          static_cast<float>(who.size()));
    i = next;
  }
  end_row(end.content_entities);
  return number;
}

Index PairQueryBatch::add(const PairHistories& past, std::int64_t time, Index given, Index kind,
                          Index unknown) {
  End& end = ends_[static_cast<std::size_t>(end_of(kind, relations_))];
  // Steps are counted from the first there is; the history may begin before it.
  const Index known = past.steps_before(time);
  const Index first = known + unknown - length_;
  history_.assign(static_cast<std::size_t>(length_), 0);
  const auto met = past.met(given, kind, first, known);
  for (auto at = met.begin(); at != met.end();) {
    const Index step = at->step;
    who_.clear();
    for (; at != met.end() && at->step == step; ++at) who_.push_back(at->who);
    std::ranges::sort(who_);
    history_[static_cast<std::size_t>(step - first)] = content(end, who_);
  }

  const auto hash_of_history = [&](Index g, Index k, std::span<const Index> contents) {
    return hash_of(contents, mixed(g, k));
  };
  const auto query_of = [&](Index history) -> const HistoryQuery& {
    return queries_[static_cast<std::size_t>(end.query_of[static_cast<std::size_t>(history)])];
  };
  const Index found =
      end.histories.find(hash_of_history(given, kind, history_), [&](Index history) {
        const HistoryQuery& query = query_of(history);
        return query.given == given && query.kind == kind &&
               std::ranges::equal(end.history_contents.row_columns(history), history_);
      });
  if (found >= 0) return end.query_of[static_cast<std::size_t>(found)];

  const auto number = static_cast<Index>(queries_.size());
  const Index history = end.history_contents.rows;
  queries_.push_back({given, kind});
  end.query_of.push_back(number);
  const auto [given_number, is_new] = end.given.number(given);
  if (is_new) end_row(end.given_entity, entity(given));
  end_row(end.history_contents, history_);
  end_row(end.history_given, given_number);
  end_row(end.history_relation, kind % relations_);
  for (End& one : ends_) end_row(one.query_history, &one == &end ? history : -1);
  end.histories.add([&](Index k) {
    const HistoryQuery& query = query_of(k);
    return hash_of_history(query.given, query.kind, end.history_contents.row_columns(k));
  });
  return number;
}

std::vector<ConstantMatrix> PairQueryBatch::constants() {
  using C = PairConstants;
  std::vector<ConstantMatrix> out(C::kCount);
  entity_of_all_.cols = all_entities_;
  out[C::kEntities].sparse = &entity_of_all_;
  for (const int e : {0, 1}) {
    End& end = ends_[static_cast<std::size_t>(e)];
    const auto put = [&](C::OfEnd constant, Csr& matrix, Index cols) {
      matrix.cols = cols;
      out[static_cast<std::size_t>(C::at(e, constant))].sparse = &matrix;
    };
    put(C::kGivenEntity, end.given_entity, entity_of_all_.rows);
    put(C::kContentEntities, end.content_entities, entity_of_all_.rows);
    put(C::kHistories, end.history_contents, end.content_entities.rows);
    put(C::kHistoryGiven, end.history_given, end.given_entity.rows);
    put(C::kHistoryRelation, end.history_relation, relations_);
    put(C::kQueryHistory, end.query_history, end.history_contents.rows);
  }
  return out;
}

}  // namespace cupel
