#include "cupel/learn/events/re_net/graph_rows.h"

#include <algorithm>

#include "cupel/learn/events/re_net/re_net_program.h"
#include "cupel/learn/events/row_names.h"

namespace cupel {

GraphRows::GraphRows(Index entities, Index relations)
    : all_entities_(entities), relations_(relations) {
  entities_.reach(static_cast<std::size_t>(entities));
  clear();
}

void GraphRows::clear() {
  for (Csr* m : {&entities, &message_entity, &message_kind, &node_messages, &node_entity,
                 &node_message_node, &node_message_kind, &receiver_messages, &receiver_node})
    take_rows_out(*m);
  entities_.clear(), nodes_.clear(), receivers_.clear();
  for (Messages* of : {&messages_, &node_messages_}) of->numbers.clear(), of->keys.clear();
}

Index GraphRows::entity(Index id) {
  const auto [number, is_new] = entities_.number(id);
  if (is_new) end_row(entities, id);
  return number;
}

Index GraphRows::message(Messages& of, Index sender, Index kind) {
  const std::int64_t key = std::int64_t{sender} * (2 * relations_) + kind;
  const auto [number, is_new] = of.numbers.insert(static_cast<std::uint64_t>(key));
  if (is_new) of.keys.push_back(key);
  return number;
}

void GraphRows::add_mean(Csr& m, std::span<const Index> columns) {
  end_row(m, columns);
  m.values.insert(m.values.end(), columns.size(),
                  columns.empty() ? 0.0f : 1.0f / static_cast<float>(columns.size()));
}

template <class NumberOf>
void GraphRows::finish(Messages& of, Csr& from, Csr& kinds, Csr& means, const NumberOf& number_of) {
  std::vector<std::pair<std::int64_t, Index>> sorted;
  for (const std::int64_t key : of.keys)
    sorted.emplace_back(key, static_cast<Index>(sorted.size()));
  std::ranges::sort(sorted);
  std::vector<Index> place(sorted.size());
  for (const auto& [key, number] : sorted) {
    place[static_cast<std::size_t>(number)] = from.rows;
    end_row(from, number_of(static_cast<Index>(key / (2 * relations_))));
    end_row(kinds, static_cast<Index>(key % (2 * relations_)));
  }
  for (Index& column : means.columns) column = place[static_cast<std::size_t>(column)];
  for (Index r = 0; r < means.rows; ++r)
    std::sort(means.columns.begin() + means.row_ptr[static_cast<std::size_t>(r)],
              means.columns.begin() + means.row_ptr[static_cast<std::size_t>(r) + 1]);
}

Index GraphRows::node(const Snapshots& past, Index key) {
  const auto [number, is_new] = nodes_.number(key);
  if (!is_new) return number;
  columns_.clear();
  for (const PlaceNeighbour& from : past.around(key / 2))
    columns_.push_back(message(messages_, past.entity(from.place), kind(from.kind, key % 2 == 1)));
  add_mean(node_messages, columns_);
  end_row(node_entity, entity(past.entity(key / 2)));
  return number;
}

Index GraphRows::receiver(const Snapshots& past, Index place, bool as_target) {
  const std::size_t keys = 2 * static_cast<std::size_t>(past.places());
  nodes_.reach(keys), receivers_.reach(keys);
  const Index key = 2 * place + (as_target ? 1 : 0);
  const auto [number, is_new] = receivers_.number(key);
  if (!is_new) return number;
  columns2_.clear();
  for (const PlaceNeighbour& from : past.around(place)) {
    const Index sender = 2 * from.place + key % 2;
    (void)node(past, sender);
    columns2_.push_back(message(node_messages_, sender, kind(from.kind, as_target)));
  }
  add_mean(receiver_messages, columns2_);
  end_row(receiver_node, node(past, key));
  return number;
}

void GraphRows::finish() {
  for (const std::int64_t key : messages_.keys)
    (void)entity(static_cast<Index>(key / (2 * relations_)));
  finish(messages_, message_entity, message_kind, node_messages,
         [&](Index id) { return entities_.of(id); });
  finish(node_messages_, node_message_node, node_message_kind, receiver_messages,
         [&](Index key) { return nodes_.of(key); });
  entities.cols = all_entities_;
  message_entity.cols = node_entity.cols = entities.rows;
  message_kind.cols = node_message_kind.cols = 2 * relations_;
  node_messages.cols = message_entity.rows;
  node_message_node.cols = receiver_node.cols = node_messages.rows;
  receiver_messages.cols = node_message_node.rows;
}

void GraphRows::put(std::span<ConstantMatrix> constants) const {
  constants[GraphConstants::kEntities].sparse = &entities;
  constants[GraphConstants::kMessageEntity].sparse = &message_entity;
  constants[GraphConstants::kMessageKind].sparse = &message_kind;
  constants[GraphConstants::kNodeMessages].sparse = &node_messages;
  constants[GraphConstants::kNodeEntity].sparse = &node_entity;
  constants[GraphConstants::kNodeMessageNode].sparse = &node_message_node;
  constants[GraphConstants::kNodeMessageKind].sparse = &node_message_kind;
  constants[GraphConstants::kReceiverMessages].sparse = &receiver_messages;
  constants[GraphConstants::kReceiverNode].sparse = &receiver_node;
}

}  // namespace cupel
