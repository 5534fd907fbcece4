#include "cupel/data/formats/bzip2_ahead.h"

#include <algorithm>
#include <system_error>

namespace cupel {
namespace {

constexpr int kMostThreads = 64;
constexpr std::uint64_t kWrongForNothing = 8;

}  // namespace

Bzip2Ahead::Bzip2Ahead(const InputFile& file, Threads threads)
    : file_(file), threads_(std::clamp(threads.count, 1, kMostThreads)) {}

Bzip2Ahead::~Bzip2Ahead() {
  const std::unique_lock lock(mutex_);
  closed_ = true;
  for (const auto& job : jobs_) job->block.stop();
  changed_.notify_all();
}

bool Bzip2Ahead::wants_more() const {
  return !alone() && jobs_.size() < most() && wrong_ <= kWrongForNothing + right_ / 2;
}

void Bzip2Ahead::offer(std::uint64_t bit, int level) {
  const std::unique_lock lock(mutex_);
  jobs_.push_back(std::make_shared<Job>(file_, bit, level));
  if (jobs_.size() > workers_.size() + 1 && std::ssize(workers_) + 1 < threads_) start_worker();
  changed_.notify_one();
}

// Where the system gives no more threads, those that are there do the work.
void Bzip2Ahead::start_worker() {
  try {
    workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
  }
}

void Bzip2Ahead::drop_first() {
  jobs_.front()->block.stop();
  jobs_.pop_front();
  ++wrong_;
}

std::shared_ptr<Bzip2Block> Bzip2Ahead::take(std::uint64_t bit, int level) {
  std::unique_lock lock(mutex_);
  while (!jobs_.empty() && jobs_.front()->block.bit() < bit) drop_first();
  const bool offered = !jobs_.empty() && jobs_.front()->block.bit() == bit;
  if (offered && jobs_.front()->block.level() != level) drop_first();
  if (jobs_.empty() || jobs_.front()->block.bit() != bit) {
    lock.unlock();
    auto block = std::make_shared<Bzip2Block>(file_, bit, level);
    block->decode();
    return block;
  }
  const std::shared_ptr<Job> job = jobs_.front();
  jobs_.pop_front();
  ++right_;
  if (job->state == State::kWaiting) run(*job, lock);
  while (job->state != State::kDone)
    if (!run_one(lock)) changed_.wait(lock);
  return {job, &job->block};
}

bool Bzip2Ahead::run_one(std::unique_lock<std::mutex>& lock) {
  const auto waiting = std::find_if(jobs_.begin(), jobs_.end(),
                                    [](const auto& job) { return job->state == State::kWaiting; });
  if (waiting == jobs_.end()) return false;
  const std::shared_ptr<Job> job = *waiting;  // may be dropped meanwhile
  run(*job, lock);
  return true;
}

void Bzip2Ahead::run(Job& job, std::unique_lock<std::mutex>& lock) {
  job.state = State::kRunning;
  lock.unlock();
  job.block.decode();
  lock.lock();
  job.state = State::kDone;
  changed_.notify_all();
}

void Bzip2Ahead::work() {
  std::unique_lock lock(mutex_);
  while (!closed_)
    if (!run_one(lock)) changed_.wait(lock);
}

}  // namespace cupel
