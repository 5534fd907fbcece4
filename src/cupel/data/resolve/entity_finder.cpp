#include "cupel/data/resolve/entity_finder.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/data/facts/fact_lines.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

constexpr std::string_view kOf = " of ";

std::string key_of(std::uint8_t type, std::string_view name) {
  std::string out(1, static_cast<char>(type));
  return out.append(name);
}

bool is_same_name(std::string_view a, std::string_view b) {
  return a == b || compared_name(a) == compared_name(b);
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

void EntityFinder::gather(Book& book) {
  if (book.gathered) return;
  book.gathered = true;
  for (Index k = 0; k < facts_.entities(); ++k)
    book.now.add(
        key_of(facts_.entity_types[static_cast<std::size_t>(k)], book.form(facts_.entity_name(k))),
        k);
  for (std::size_t k = 0; k < merged_.entities.size(); ++k) {
    const Index to = merged_.entities[k];
    const std::string_view name = merged_.names[static_cast<Index>(k)];
    book.former.add(key_of(facts_.entity_types[static_cast<std::size_t>(to)], book.form(name)), to);
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

void EntityFinder::gather_authorships() {
  if (!is_author_.empty()) return;
  is_author_.resize(static_cast<std::size_t>(facts_.entities()));
  for (std::size_t k = 0; k < authorships_.paper.size(); ++k) {
    const Index entity = authorships_.entity[k];
    author_of_.emplace(
        std::pair(papers_.id(authorships_.papers[authorships_.paper[k]]), authorships_.position[k]),
        entity);
    is_author_[static_cast<std::size_t>(entity)] = true;
  }
  for (std::size_t k = 0; k < merged_.entities.size(); ++k)
    rows_of_[merged_.entities[k]].push_back(static_cast<Index>(k));
}

bool EntityFinder::names_author(const Book& book, std::string_view name,
                                std::optional<std::uint8_t> type) {
  gather_authorships();
  for (std::size_t k = 0; k < is_author_.size(); ++k)
    if (is_author_[k] && (!type || facts_.entity_types[k] == *type) &&
        book.form(facts_.entity_name(static_cast<Index>(k))) == name)
      return true;
  return false;
}

Index EntityFinder::author_at(std::string_view authorship, std::string_view name) {
  gather_authorships();
  const std::size_t of = authorship.find(kOf);
  std::int64_t position = 0;
  if (of == std::string_view::npos || !whole_number(authorship.substr(0, of), position) ||
      position < 0 || position > kMostFacts)
    return -1;
  const auto found = author_of_.find(
      {papers_.find(authorship.substr(of + kOf.size())), static_cast<Index>(position)});
  if (found == author_of_.end()) return -1;
  const Index entity = found->second;
  if (is_same_name(facts_.entity_name(entity), name)) return entity;
  const auto rows = rows_of_.find(entity);
  if (rows == rows_of_.end()) return -1;
  const auto has_name = [&](Index row) { return is_same_name(merged_.names[row], name); };
  return std::ranges::any_of(rows->second, has_name) ? entity : -1;
}

EntityFinder::Found EntityFinder::find(std::optional<std::int64_t> id, std::string_view name,
                                       std::optional<std::uint8_t> type,
                                       std::string_view authorship) {
  const auto is_of_type = [&](Index entity) {
    return !type || facts_.entity_types[static_cast<std::size_t>(entity)] == *type;
  };
  if (!authorship.empty()) {
    const Index author = author_at(authorship, name);
    if (author >= 0 && is_of_type(author))
      return {author, !is_same_name(facts_.entity_name(author), name), "", -1};
  }
  const Book* book = nullptr;
  std::string form;
  Index now = -1, former = -1;
  const auto search = [&](Book& one) {
    gather(one);
    book = &one, form = one.form(name);
    now = look_up(one.now, form, type), former = look_up(one.former, form, type);
  };
  search(printed_);
  if (now == -1 && former == -1 && !compared_name(name).empty()) search(compared_);
  const bool there = id && *id >= 0 && *id < facts_.entities();
  const bool has_id = there && book->form(facts_.entity_name(static_cast<Index>(*id))) == form &&
                      is_of_type(static_cast<Index>(*id));
  const std::string kind = type ? facts_.types[*type] : "entity";
  const Index found = now == -1 ? former : now;
  if (found >= 0 && (now == -1 || former == -1 || now == former)) return {found, now == -1, "", -1};
  Found out;
  if (now != -1 && former != -1) {
    out.former = former;
    out.problem = fmt::format(
        "one of type {} is called {}, and another one that was went into {}; say in the columns "
        "first_authorship and second_authorship which is meant, as {}, or apply the decisions to "
        "the folder from before",
        in_quotes(kind), in_quotes(name),
        former == kSeveral ? "others" : in_quotes(facts_.entity_name(former)),
        in_quotes("0 of PAPER"));
    return out;
  }
  if (has_id) {
    gather_authorships();
    if (!is_author_[static_cast<std::size_t>(*id)]) return {static_cast<Index>(*id), false, "", -1};
    out.problem = fmt::format(
        "several of type {} are called {}, and ids change when a folder is built anew; say in the "
        "columns first_authorship and second_authorship which is meant, as {}",
        in_quotes(kind), in_quotes(name), in_quotes("0 of PAPER"));
  } else if (found == kSeveral) {
    out.problem = fmt::format(
        "several of type {} are called {}{}; {}", in_quotes(kind), in_quotes(name),
        id ? fmt::format(" and entity {} is not one of them", *id) : std::string(),
        names_author(*book, form, type)
            ? fmt::format("say in the columns first_authorship and second_authorship which is "
                          "meant, as {}",
                          in_quotes("0 of PAPER"))
            : "give the id of the one that is meant");
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

std::string authorship_text(const Authorships& authorships, std::size_t row) {
  return fmt::format("{}{}{}", authorships.position[row], kOf,
                     authorships.papers[authorships.paper[row]]);
}

}  // namespace cupel
