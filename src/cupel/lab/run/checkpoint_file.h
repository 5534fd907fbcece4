// Where a run that takes long puts down how far it is: a file, as a rule beside the store.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "cupel/base/checkpoint.h"

namespace cupel {

// PLACE-checkpoint-RUN. One that is damaged, or that another version of the program wrote, is as
// none: the run begins anew. Where a file cannot be written (a full disk) the run goes on without,
// and problem() says so. It goes with remove(), once the run is kept, and so does what a kill left
// of a file half-written, PLACE-checkpoint-RUN.part.
class CheckpointFile final : public Checkpoint {
 public:
  using Clock = std::chrono::steady_clock;

  // `run`: its id, the hash of all that its outcome depends on. Written no more often than every
  // `interval`. The run begins now.
  CheckpointFile(const std::filesystem::path& place, std::string run, Clock::duration interval);

  std::string take_up() override;
  bool due() const override { return Clock::now() - last_ >= interval_; }
  void put_down(std::span<const StateBytes> parts) override;

  // Seconds that the run took before it was stopped, as far as they were put down.
  double seconds_before() const { return before_; }
  const std::string& problem() const { return problem_; }
  // A file, for all that is known.
  bool is_there() const { return there_; }
  const std::filesystem::path& path() const { return path_; }
  static void remove(const std::filesystem::path& path);

 private:
  std::filesystem::path path_;
  std::string run_, problem_;
  Clock::duration interval_;
  Clock::time_point start_ = Clock::now(), last_ = start_;
  double before_ = 0;
  bool there_ = false;
};

}  // namespace cupel
