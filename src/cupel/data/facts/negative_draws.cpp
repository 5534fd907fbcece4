#include "cupel/data/facts/negative_draws.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <set>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/data/links/outside.h"

namespace cupel {
namespace {

constexpr Offset kBatchGrain = 8;  // steps may be large: one of them is a block

std::uint64_t place_in(std::span<const Index> pool, Index node) {
  return static_cast<std::uint64_t>(std::lower_bound(pool.begin(), pool.end(), node) -
                                    pool.begin());
}

}  // namespace

std::uint64_t DrawnOrder::next() {
  // Fisher and Yates, with the numbers that have moved alone.
  const std::uint64_t place = drawn_ + below(stream_, size_ - drawn_);
  const auto value = [&](std::uint64_t at) {
    const auto found = moved_.find(at);
    return found == moved_.end() ? at : found->second;
  };
  const std::uint64_t out = value(place);
  moved_[place] = value(drawn_);
  ++drawn_;
  return out;
}

std::uint64_t FreePairs::pair_number(std::span<const Index> sources, std::span<const Index> targets,
                                     Pair pair) {
  return place_in(sources, pair.source) * targets.size() + place_in(targets, pair.target);
}

Pair FreePairs::at(std::uint64_t rank) const {
  const std::uint64_t number = nth_free<std::uint64_t>(taken_, 0, rank);
  return {sources_[number / targets_.size()], targets_[number % targets_.size()]};
}

Index FreePairs::target_at(Index source, std::uint64_t rank) const {
  const auto [first, taken] = row(source);
  return targets_[nth_free(taken, first, rank) - first];
}

std::uint64_t FreePairs::unordered() const {
  std::uint64_t loops = 0;
  for (std::uint64_t i = 0; i < targets_.size(); ++i)
    loops += !std::binary_search(taken_.begin(), taken_.end(), i * targets_.size() + i);
  return (size() + loops) / 2;
}

std::pair<std::uint64_t, std::span<const std::uint64_t>> FreePairs::row(Index source) const {
  const std::uint64_t first = place_in(sources_, source) * targets_.size();
  const auto from = std::lower_bound(taken_.begin(), taken_.end(), first);
  const auto to = std::lower_bound(from, taken_.end(), first + targets_.size());
  return {first, {from, to}};
}

AskedBatches::AskedBatches(const FactNegativeContext& context) : context_(context) {
  const auto& time = context.facts.time;
  const FactColumns asked = context.facts.part(context.begin, context.end);
  const std::vector<Offset> starts = fact_batches(asked.time, context.batch);
  for (std::size_t b = 0; b + 1 < starts.size(); ++b) {
    Batch batch{context.begin + starts[b], context.begin + starts[b + 1], 0, 0, 0};
    const std::int64_t first = time[static_cast<std::size_t>(batch.begin)],
                       last = time[static_cast<std::size_t>(batch.end - 1)];
    batch.now_begin =
        std::lower_bound(time.begin(), time.begin() + batch.begin, first) - time.begin();
    batch.now_end = std::upper_bound(time.begin() + batch.end, time.end(), last) - time.begin();
    if (!batches_.empty()) {
      const Batch& before = batches_.back();
      const bool same = before.now_begin == batch.now_begin && before.now_end == batch.now_end;
      batch.now = before.now + (same ? 0 : 1);
    }
    batches_.push_back(batch);
  }
  nows_ = std::make_unique<Now[]>(batches_.empty() ? 0 : batches_.back().now + 1);
}

void AskedBatches::for_groups(const std::function<void(const AskedGroup&)>& body) const {
  parallel_blocks(
      context_.threads, std::ssize(batches_), context_.batch == 0 ? 1 : kBatchGrain,
      [&](Offset first, Offset last) {
        std::vector<Offset> facts;
        for (Offset b = first; b < last; ++b) {
          const Batch& batch = batches_[static_cast<std::size_t>(b)];
          facts.resize(static_cast<std::size_t>(batch.end - batch.begin));
          std::iota(facts.begin(), facts.end(), batch.begin);
          const auto relation = [&](Offset fact) { return context_.facts.relation_of(fact); };
          if (!context_.facts.relation.empty())
            std::sort(facts.begin(), facts.end(), [&](Offset i, Offset j) {
              return std::pair(relation(i), i) < std::pair(relation(j), j);
            });
          for (auto from = facts.begin(); from != facts.end();) {
            const auto to = std::find_if(
                from, facts.end(), [&](Offset fact) { return relation(fact) != relation(*from); });
            body({static_cast<std::uint32_t>(b),
                  relation(*from),
                  {from, to},
                  batch.now_begin,
                  batch.now_end,
                  batch.now});
            from = to;
          }
        }
      });
}

std::span<const Index> AskedBatches::true_facts(const AskedGroup& group,
                                                const DistinctFacts& distinct, Index low,
                                                Index high) {
  Now& now = nows_[group.now];
  std::call_once(now.facts_once, [&] {
    now.facts.reserve(static_cast<std::size_t>(group.now_end - group.now_begin));
    for (Offset i = group.now_begin; i < group.now_end; ++i)
      now.facts.push_back(distinct.number(i));
    sort_unique(now.facts);
  });
  const auto from = std::lower_bound(now.facts.begin(), now.facts.end(), low);
  return {from, std::lower_bound(from, now.facts.end(), high)};
}

FreePairs AskedBatches::free_pairs(const AskedGroup& group, const EndPools& pools) {
  Now& now = nows_[group.now];
  std::call_once(now.pairs_once, [&] { find_pairs(group, pools, now); });
  // The group's facts are true now, so that its relation is among these.
  const auto at = static_cast<std::size_t>(
      std::lower_bound(now.relations.begin(), now.relations.end(), group.relation) -
      now.relations.begin());
  const std::span<const std::uint64_t> taken(now.pairs.data() + now.start[at],
                                             now.start[at + 1] - now.start[at]);
  return {pools.sources(group.relation), pools.targets(group.relation), taken};
}

void AskedBatches::find_pairs(const AskedGroup& group, const EndPools& pools, Now& now) const {
  const FactColumns& facts = context_.facts;
  std::vector<std::pair<Index, std::uint64_t>> found;
  for (Offset i = group.now_begin; i < group.now_end; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Index relation = facts.relation_of(i);
    const auto add = [&](Index source, Index target) {
      found.emplace_back(relation,
                         FreePairs::pair_number(pools.sources(relation), pools.targets(relation),
                                                {source, target}));
    };
    add(facts.source[at], facts.target[at]);
    if (is_undirected(context_.undirected, relation)) add(facts.target[at], facts.source[at]);
  }
  sort_unique(found);
  now.pairs.reserve(found.size());
  for (const auto& [relation, number] : found) {
    if (now.relations.empty() || now.relations.back() != relation) {
      now.relations.push_back(relation);
      now.start.push_back(now.pairs.size());
    }
    now.pairs.push_back(number);
  }
  now.start.push_back(now.pairs.size());
}

std::vector<Pair> draw_free(const FactNegativeContext& context, const AskedGroup& group,
                            const FreePairs& from, std::size_t count) {
  std::vector<Pair> out;
  if (count == 0) return out;
  if (from.size() == 0)
    fail(
        "{}: at time {} each pair of a source and a target of relation {} is a fact, so that there "
        "is no negative; ask the part without that time, or add among=all to the negatives, which "
        "draws from all entities",
        context.name, context.facts.time[static_cast<std::size_t>(group.facts.front())],
        group.relation);
  Stream stream(context.key, kDrawFill, group.batch, static_cast<std::uint32_t>(group.relation));
  const bool unordered = is_undirected(context.undirected, group.relation);
  // Each pair that has two orders has both among the free ones.
  const bool enough =
      unordered ? count <= from.size() / 2 || count <= from.unordered() : count <= from.size();
  if (!enough) {
    while (out.size() < count) out.push_back(from.at(below(stream, from.size())));
    return out;
  }
  DrawnOrder order(stream, from.size());
  std::set<Pair> drawn;
  while (out.size() < count) {
    const Pair pair = from.at(order.next());
    const auto [low, high] = std::minmax(pair.source, pair.target);
    if (!unordered || drawn.insert({low, high}).second) out.push_back(pair);
  }
  return out;
}

EndPools pools_of(const FactNegativeContext& context) {
  return EndPools(context.facts, context.undirected, context.entity_types,
                  pool_of(context.settings), context.threads);
}

FactNegatives empty_draws(const FactNegativeContext& context) {
  FactNegatives out;
  out.source.resize(static_cast<std::size_t>(context.end - context.begin));
  out.target.resize(out.source.size());
  return out;
}

FactNegatives draw_stated(const FactNegativeContext& context, Offset begin) {
  const FactColumns& facts = context.facts;
  AskedBatches batches(context);
  const DistinctFacts distinct(facts.part(0, batches.end()), context.undirected, context.threads);
  const EndPools pools = pools_of(context);
  FactNegatives out = empty_draws(context);
  std::atomic<Offset> filled = 0;
  batches.for_groups([&](const AskedGroup& group) {
    const auto put = [&](Offset fact, Pair pair) {
      out.source[static_cast<std::size_t>(fact - context.begin)] = pair.source;
      out.target[static_cast<std::size_t>(fact - context.begin)] = pair.target;
    };
    const auto stated = distinct.first_stated(group.relation, begin, group.now_begin);
    const Index low = stated.first, high = stated.second;
    const std::span<const Index> now = batches.true_facts(group, distinct, low, high);
    const auto put_stated = [&](Offset fact, std::uint64_t rank) {
      const auto first =
          static_cast<std::size_t>(distinct.first(nth_free(now, low, static_cast<Index>(rank))));
      put(fact, {facts.source[first], facts.target[first]});
    };
    const std::size_t wanted = group.facts.size(),
                      there = static_cast<std::size_t>(high - low) - now.size();
    Stream stream(context.key, kDrawSeen, group.batch, static_cast<std::uint32_t>(group.relation));
    if (wanted <= there) {
      DrawnOrder order(stream, there);
      for (const Offset fact : group.facts) put_stated(fact, order.next());
      return;
    }
    // All of them are taken, so that chance says by whom.
    DrawnOrder order(stream, wanted);
    for (std::uint64_t rank = 0; rank < there; ++rank) put_stated(group.facts[order.next()], rank);
    for (const Pair& pair :
         draw_free(context, group, batches.free_pairs(group, pools), wanted - there))
      put(group.facts[order.next()], pair);
    filled += static_cast<Offset>(wanted - there);
  });
  out.filled = filled;
  return out;
}

}  // namespace cupel
