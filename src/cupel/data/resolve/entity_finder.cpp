#include "cupel/data/resolve/entity_finder.h"

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

std::string key_of(std::uint8_t type, std::string_view name) {
  std::string out(1, static_cast<char>(type));
  return out.append(name);
}

}  // namespace

void EntityFinder::Names::add(std::string_view key, Index entity) {
  const Index had = keys.size(), at = keys.id(key);
  if (at == had) {
    entities.push_back(entity);
  } else if (entities[static_cast<std::size_t>(at)] != entity) {
    entities[static_cast<std::size_t>(at)] = kSeveral;
  }
}

Index EntityFinder::Names::find(std::string_view key) const {
  const Index at = keys.find(key);
  return at < 0 ? -1 : entities[static_cast<std::size_t>(at)];
}

void EntityFinder::gather() {
  if (gathered_) return;
  gathered_ = true;
  for (Index k = 0; k < facts_.entities(); ++k)
    now_.add(key_of(facts_.entity_types[static_cast<std::size_t>(k)], facts_.entity_name(k)), k);
  for (std::size_t k = 0; k < merged_.entities.size(); ++k) {
    const Index to = merged_.entities[k];
    const std::string_view name = merged_.names[static_cast<Index>(k)];
    former_.add(key_of(facts_.entity_types[static_cast<std::size_t>(to)], name), to);
  }
}

Index EntityFinder::look_up(const Names& names, std::string_view name,
                            std::optional<std::uint8_t> type) const {
  if (type) return names.find(key_of(*type, name));
  Index out = -1;
  for (std::size_t t = 0; t < facts_.types.size(); ++t) {
    const Index found = names.find(key_of(static_cast<std::uint8_t>(t), name));
    if (found != -1) out = out == -1 ? found : kSeveral;
  }
  return out;
}

EntityFinder::Found EntityFinder::find(std::optional<std::int64_t> id, std::string_view name,
                                       std::optional<std::uint8_t> type) {
  const bool there = id && *id >= 0 && *id < facts_.entities();
  if (there && facts_.entity_name(static_cast<Index>(*id)) == name &&
      (!type || facts_.entity_types[static_cast<std::size_t>(*id)] == *type))
    return {static_cast<Index>(*id), false, ""};
  gather();
  const std::string kind = type ? facts_.types[*type] : "entity";
  Index found = look_up(now_, name, type);
  const bool was_merged = found == -1;
  if (was_merged) found = look_up(former_, name, type);
  if (found >= 0) return {found, was_merged, ""};
  Found out;
  if (found == kSeveral) {
    out.problem =
        fmt::format("several of type {} are called {}{}; give the id of the one that is meant",
                    in_quotes(kind), in_quotes(name),
                    id ? fmt::format(" and entity {} is not one of them", *id) : std::string());
  } else if (there) {
    out.problem = fmt::format(
        "there is no {} called {}: entity {} is {}; the decisions are about another folder", kind,
        in_quotes(name), *id, in_quotes(facts_.entity_name(static_cast<Index>(*id))));
  } else {
    out.problem = fmt::format(
        "there is no {} called {}{}; the decisions are about another folder", kind, in_quotes(name),
        id ? fmt::format(", and id {} is out of range: entities.csv has {}", *id, facts_.entities())
           : std::string());
  }
  return out;
}

}  // namespace cupel
