#include "cupel/learn/events/preferential_attachment.h"

#include <algorithm>
#include <array>

#include "cupel/learn/events/end_counts.h"
#include "cupel/learn/events/fact_keys.h"
#include "cupel/learn/events/limits_watch.h"

namespace cupel {
namespace {

constexpr std::array<std::uint8_t, 1> kOneWithoutDirection = {1};

class PreferentialAttachment final : public EventModel {
 public:
  PreferentialAttachment(const EventWorld& world, const PreferentialAttachmentSettings& settings)
      : typed_(settings.typed),
        keys_(world.entities, typed_ ? world.relations : 1,
              {"past-degree-product", "typed = false"}),
        degrees_(world.entities, typed_ ? world.relations : 1,
                 typed_ ? world.undirected : Undirected(kOneWithoutDirection)) {}

  void learn(const FactColumns& facts) override {
    for (Offset i = 0; i < facts.size(); ++i) {
      const auto place = static_cast<std::size_t>(i);
      const Index s = facts.source[place], r = kind(facts.relation_of(i)), o = facts.target[place];
      if (s == o) continue;
      const std::uint64_t key =
          degrees_.undirected(r) ? keys_.unordered_key(s, r, o) : keys_.key(s, r, o);
      if (!links_.insert(key).second) continue;
      degrees_.add(degrees_.insert(true, r, s), 1);
      degrees_.add(degrees_.insert(false, r, o), 1);
    }
  }

  void rank(std::int64_t, std::span<const EventQuery> queries, EventAnswers& out,
            const RunLimits& limits) override {
    LimitsWatch watch(limits);
    CountsAnswer last;
    for (const EventQuery& query : queries) {
      const Index r = kind(query.relation);
      const Offset own = degrees_.count(!query.source_asked, r, query.given);
      const std::size_t row = degrees_.row(query.source_asked, r);
      const bool same_order =
          own == last.own ||
          (own > 0 && last.own > 0 && last.most * std::max(own, last.own) < kMostExactFloat);
      if (last.row == row && same_order && out.as_before()) {
        last.own = own;
        watch.walked(1);
        continue;
      }
      last = {row, own, 0};
      const auto members =
          own > 0 ? degrees_.members(query.source_asked, r) : std::span<const Index>();
      named_.clear();
      for (const Index member : members) {
        named_.push_back({degrees_.entity(member), product(own, degrees_.count(member))});
        last.most = std::max(last.most, degrees_.count(member));
      }
      out.some(named_, 0);
      watch.walked(std::ssize(members) + 1);
    }
  }

  void score(const FactColumns& asked, std::span<float> scores, const RunLimits& limits) override {
    LimitsWatch watch(limits);
    for (Offset i = 0; i < asked.size(); ++i) {
      watch.walked(1);
      const auto place = static_cast<std::size_t>(i);
      const Index r = kind(asked.relation_of(i));
      scores[place] = product(degrees_.count(true, r, asked.source[place]),
                              degrees_.count(false, r, asked.target[place]));
    }
  }

 private:
  Index kind(Index relation) const { return typed_ ? relation : 0; }
  // Below 2^62.
  static float product(Offset a, Offset b) { return static_cast<float>(a * b); }

  bool typed_ = false;
  FactKeys keys_;
  KeyNumbers links_;
  EndCounts degrees_;
  std::vector<EntityScore> named_;
};

}  // namespace

std::unique_ptr<EventModel> make_preferential_attachment(
    const EventWorld& world, const PreferentialAttachmentSettings& settings) {
  return std::make_unique<PreferentialAttachment>(world, settings);
}

}  // namespace cupel
