#include "cupel/lab/run/group_queue.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cupel/lab/store/store.h"

namespace cupel {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kLookAgain = 200ms;

std::string size_text(std::size_t bytes) {
  if (bytes >= std::size_t{1} << 20) return fmt::format("{} MB", bytes >> 20);
  return bytes >= 1024 ? fmt::format("{} KB", bytes >> 10) : fmt::format("{} bytes", bytes);
}

}  // namespace

std::optional<int> GroupQueue::Work::next_init() {
  if (left() == 0) return {};
  return group_.inits[next_++];
}

GroupQueue::GroupQueue(const Store& store, bool retry, std::size_t memory_limit, Tally& tally)
    : store_(store), retry_(retry), limit_(memory_limit), tally_(tally), claims_(store.path()) {}

void GroupQueue::add(const RunGroup& group, std::size_t memory) {
  waiting_.emplace_back(group, memory);
}

GroupQueue::Taken GroupQueue::take(const std::function<bool()>& stopped) {
  while (!stopped()) {
    look_again();
    const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                    [&](const Work& work) { return fits(work); });
    if (found != waiting_.end()) {
      if (!claim(found)) continue;
      begun_.push_back(std::move(*found));
      waiting_.erase(found);
      return start(begun_.back());
    }
    if (!waiting_.empty()) {
      if (active_ > 0) return {Found::kWait};
      give_up_first();  // alone, and still too large
      continue;
    }
    if (Work* const shared = largest_to_share()) return start(*shared);
    return {elsewhere_.empty() ? Found::kNothing : Found::kWait};
  }
  return {Found::kNothing};
}

GroupQueue::Taken GroupQueue::start(Work& work) {
  ++work.sessions_;
  used_ += work.memory_;
  ++active_;
  return {Found::kWork, &work};
}

void GroupQueue::end_session(Work& work) {
  used_ -= work.memory_;
  --active_;
  if (--work.sessions_ == 0 && work.left() == 0)
    claims_.give_back(work.group_.family->id, work.group_.split);
}

// Whether a group that waits is this process's to do, and something of it is left. If not it
// waits no longer: it is done, or put aside until another process has done it.
bool GroupQueue::claim(std::deque<Work>::iterator work) {
  const Family& family = *work->group_.family;
  if (!claims_.take(family.id, work->group_.split)) {
    elsewhere_.push_back(std::move(*work));
    waiting_.erase(work);
    return false;
  }
  const DoneElsewhere done = drop_done(work->group_, store_, retry_);
  tally_.found(family, done.runs, done.failed);
  if (!work->group_.inits.empty()) return true;
  claims_.give_back(family.id, work->group_.split);
  waiting_.erase(work);
  return false;
}

// Looks again, now and then, at what other processes had.
void GroupQueue::look_again() {
  if (!waiting_.empty() || elsewhere_.empty() || Clock::now() < look_again_) return;
  look_again_ = Clock::now() + kLookAgain;
  std::swap(waiting_, elsewhere_);
}

GroupQueue::Work* GroupQueue::largest_to_share() {
  Work* out = nullptr;
  for (Work& other : begun_) {
    // Opening a session costs about a run: two must be left to share.
    if (other.left() >= 2 && fits(other) && (out == nullptr || other.left() > out->left()))
      out = &other;
  }
  return out;
}

void GroupQueue::give_up_first() {
  const Work& large = waiting_.front();
  const std::shared_ptr<const Family> family = large.group_.family;
  give_up(*family, fmt::format("needs about {} and the limit is {}; raise it with --memory",
                               size_text(large.memory_), size_text(limit_)));
}

void GroupQueue::give_up(const Family& family, const std::string& reason) {
  std::size_t runs = 0;
  for (Work& work : begun_) {
    if (work.group_.family.get() != &family) continue;
    runs += work.left();
    work.next_ = work.group_.inits.size();
  }
  for (std::deque<Work>* list : {&waiting_, &elsewhere_}) {
    std::erase_if(*list, [&](const Work& work) {
      if (work.group_.family.get() != &family) return false;
      runs += work.left();
      return true;
    });
  }
  tally_.give_up(family, static_cast<int>(runs), reason, false);
}

bool GroupQueue::needs(const ExternalCommand& program) const {
  for (const std::deque<Work>* list : {&waiting_, &elsewhere_, &begun_}) {
    for (const Work& work : *list) {
      const bool over = work.sessions_ == 0 && work.left() == 0;
      if (!over && work.group_.family->external == program) return true;
    }
  }
  return false;
}

int GroupQueue::elsewhere() const {
  std::size_t runs = 0;
  for (const Work& work : elsewhere_) runs += work.left();
  return static_cast<int>(runs);
}

}  // namespace cupel
