#include "cupel/learn/events/event_view.h"

#include <algorithm>

#include "cupel/base/error.h"
#include "cupel/data/check_split.h"
#include "cupel/data/facts/columns_of.h"

namespace cupel {
namespace {

class SealedEvents final : public SealedAnswers {
 public:
  explicit SealedEvents(std::shared_ptr<const EventPart> part) : part_(std::move(part)) {}
  std::unique_ptr<Marking> open() const override { return std::make_unique<EventExam>(part_); }

 private:
  std::shared_ptr<const EventPart> part_;
};

// Where the parts begin and end, if each follows the one before. The scheme "time" may leave facts
// out of training.
TimeParts parts_of(const Dataset& dataset, const Split& split, const std::string& scheme) {
  const auto range = [&](const std::vector<Index>& part, Index begin) {
    const Index end = begin + static_cast<Index>(part.size());
    if (part.front() != begin || part.back() != end - 1 || !std::ranges::is_sorted(part) ||
        cuts_a_step(dataset.facts->time.all(), begin))
      fail(
          "{}: the parts of the split do not follow one another in time, step by step; take the "
          "scheme 'time'",
          dataset.name);
    return end;
  };
  TimeParts out;
  out.train_end = scheme == "time" ? split.valid.front() : range(split.train, 0);
  out.valid_end = range(split.valid, static_cast<Index>(out.train_end));
  out.test_end = range(split.test, static_cast<Index>(out.valid_end));
  return out;
}

// Of all that is drawn. Without a seed it is the task's own, as before there were seeds.
StreamKey key_of(const TaskRequest& request, const EventSettings& settings) {
  const StreamKey key = request.key;
  if (settings.seed == 0) return key;
  return stream_key(fmt::format("events/{:08x}{:08x}/{}", key.high, key.low, settings.seed));
}

void draw_negatives(EventPart& part, const TaskRequest& request, const std::string& name,
                    bool test) {
  const EventSettings& settings = part.settings;
  const StreamKey key = {part.key.low, part.key.high ^ (test ? 0x74657374u : 0u)};
  part.negatives = settings.negatives->draw({.name = name,
                                             .facts = part.facts,
                                             .begin = part.begin,
                                             .end = part.end,
                                             .batch = settings.batch,
                                             .undirected = part.undirected,
                                             .entity_types = part.data->entity_types,
                                             .key = key,
                                             .threads = request.threads,
                                             .settings = settings.negative_settings});
  part.batches = fact_batches(part.asked().time, settings.batch);
}

// Steps of time of [begin, end), from 1 on.
std::vector<std::int32_t> steps_of(std::span<const std::int64_t> time) {
  std::vector<std::int32_t> out(time.size());
  for (std::size_t i = 0; i < time.size(); ++i)
    out[i] = i == 0 ? 1 : out[i - 1] + (time[i] != time[i - 1] ? 1 : 0);
  return out;
}

// Kinds of the test facts, by what is learnt.
EventStrata strata_of(const EventPart& part, const FactColumns& all, const TimeParts& parts,
                      Threads threads) {
  if (!part.train)
    return {fact_groups(all, parts, part.undirected, threads), fact_staleness(all, parts),
            steps_of(part.asked().time)};
  FactRows known = *part.train;
  const Offset left_out = parts.train_end - std::ssize(known.time);
  known.add(all.part(parts.train_end, parts.test_end));
  const TimeParts shifted = {parts.train_end - left_out, parts.valid_end - left_out,
                             parts.test_end - left_out};
  return {fact_groups(known.columns(), shifted, part.undirected, threads),
          fact_staleness(known.columns(), shifted), steps_of(part.asked().time)};
}

}  // namespace

const TaskKind& EventView::kind() const { return *find_task_kind("events"); }

EventWorld EventView::world() const {
  EventWorld out{valid_->facts.nodes, valid_->facts.relations, valid_->undirected};
  for (const FactRelation& relation : valid_->data->relations)
    out.relation_names.push_back(relation.name);
  return out;
}

Task make_event_task(const TaskRequest& request) {
  const Dataset& dataset = request.data->data();
  if (!dataset.facts) fail("{}: is no data set of facts over time", dataset.name);
  check_parts(request.split, Unit::kFact, dataset.examples(), dataset.name);
  const TimeParts parts = parts_of(dataset, request.split, request.scheme.kind);
  const FactColumns all = columns_of(*dataset.facts);
  check_event_settings(dataset.name, request.settings, request.metrics);
  const EventSettings settings = read_event_settings(dataset.name, request.settings);
  std::shared_ptr<const FactRows> train;
  if (std::ssize(request.split.train) < parts.train_end)
    train = std::make_shared<const FactRows>(all, request.split.train);
  const auto part_of = [&](Offset begin, Offset end, bool test) {
    auto part = std::make_shared<EventPart>();
    part->data = dataset.facts;
    part->undirected = undirected_of(*dataset.facts);
    part->settings = settings;
    part->facts = all.part(0, end);  // nobody on this side of it knows of later facts
    part->begin = begin, part->end = end;
    part->train = train;
    part->key = key_of(request, settings);
    part->of_type.assign(dataset.facts->types.size(), 0);
    for (const std::uint8_t type : dataset.facts->entity_types) ++part->of_type[type];
    if (!request.asked) return part;
    if (settings.whether) draw_negatives(*part, request, dataset.name, test);
    if (!settings.whether && settings.filter == EventFilter::kStatic)
      // Of validation too by what happened up to its end: test is sealed.
      part->known_answers.emplace(part->facts, part->undirected);
    if (!test) return part;
    part->strata = strata_of(*part, all, parts, request.threads);
    return part;
  };
  EventView view(request.data->visible(), part_of(parts.train_end, parts.valid_end, false));
  Task out;
  if (request.scored) {
    const auto test = part_of(parts.valid_end, parts.test_end, true);
    view.test_rows_ = test->questions();
    out.answers = std::make_shared<const SealedEvents>(test);
  }
  out.view = std::make_shared<const EventView>(std::move(view));
  return out;
}

}  // namespace cupel
