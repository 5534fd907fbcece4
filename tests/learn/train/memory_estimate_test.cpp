// Estimates of memory follow what runs: the rows that are demanded, and the order of products that
// is chosen for them and for the rule's epochs.
#include <gtest/gtest.h>
#include <malloc.h>

#include "cupel/learn/task_kind.h"
#include "cupel/learn/train/replays.h"
#include "cupel/learn/train/trainer.h"
#include "learn/made_task.h"
#include "learn/train/rings_and_stars.h"

namespace cupel {
namespace {

struct Bytes {
  std::size_t estimated = 0, taken = 0;
};

// Nodes that have most of the words: to hoist A A X pays after some epochs.
Bytes bytes_of(const std::string& model, const TrainRule& rule) {
  const ClassTask task = made_task({.nodes = 400, .words = 80, .words_per_node = 120}, 10, 10);
  const auto view = std::make_shared<const TaskView>(task.view);
  const ModelEntry& entry = *find_model(model);
  const Options options(model, entry.options, {});
  Trainer trainer(view, entry, options, rule, view->kind().metric);
  (void)trainer.run(stream_key("memory"));
  return {estimate_memory(*view, entry, options, rule), trainer.memory_bytes()};
}

TEST(MemoryEstimate, HoldsWhateverOrderOfProductsIsChosen) {
  for (const char* model : {"sgc", "gcn", "gs-mean"}) {
    for (const int epochs : {1, 300}) {
      const Bytes bytes = bytes_of(model, {.max_epochs = epochs, .patience = 0});
      EXPECT_GE(bytes.estimated, bytes.taken) << model << epochs;
      EXPECT_LE(bytes.estimated, bytes.taken + bytes.taken / 2) << model << epochs;
    }
  }
}

TEST(MemoryEstimate, EpochsDecideWhetherProductsAreHoisted) {
  const Bytes one = bytes_of("sgc", {.max_epochs = 1, .patience = 0});
  const Bytes many = bytes_of("sgc", {.max_epochs = 300, .patience = 0});
  EXPECT_NE(one.taken, many.taken);
  EXPECT_NE(one.estimated, many.estimated);
}

// Batches of training and of evaluation have sizes of their own.
TEST(MemoryEstimate, OfSetsOfGraphsFollowsTheSizeOfBatches) {
  const ClassTask task = rings_and_stars_task(1000);
  const auto view = std::make_shared<const TaskView>(task.view);
  for (const char* model : {"gin", "graph-sage", "graph-gcn"})
    for (const int batch_size : {4, 32, 0}) {
      const ModelEntry& entry = *find_model(model);
      const Options options(model, entry.options, {});
      const TrainRule rule = {.max_epochs = 2, .batch_size = batch_size};
      Trainer trainer(view, entry, options, rule, view->kind().metric);
      (void)trainer.run(stream_key("memory"));
      const std::size_t estimated = estimate_memory(*view, entry, options, rule);
      EXPECT_GE(estimated, trainer.memory_bytes()) << model << batch_size;
      if (batch_size > 0) {
        EXPECT_LE(estimated, 4 * trainer.memory_bytes()) << model << batch_size;
      }
    }
}

// Batches of large graphs alone are never drawn.
TEST(MemoryEstimate, OfFewLargeGraphsIsThatOfBatchesThatAreDrawn) {
  const ClassTask task = rings_and_stars_task(4000, 50);
  const auto view = std::make_shared<const TaskView>(task.view);
  for (const char* model : {"gin", "graph-sage", "graph-gcn"}) {
    const ModelEntry& entry = *find_model(model);
    const Options options(model, entry.options, {});
    const TrainRule rule = {.max_epochs = 3, .batch_size = 128};
    Trainer trainer(view, entry, options, rule, view->kind().metric);
    (void)trainer.run(stream_key("memory"));
    const std::size_t estimated = estimate_memory(*view, entry, options, rule);
    EXPECT_GE(estimated, trainer.memory_bytes()) << model;
    EXPECT_LE(estimated, 6 * trainer.memory_bytes()) << model;
  }
}

std::ptrdiff_t heap_bytes() {
  const auto now = mallinfo2();
  return static_cast<std::ptrdiff_t>(now.uordblks + now.hblkhd);
}

// What a trainer says that it holds, and what was told before, against what the allocator gave.
// What does not grow with the data is at most `little`.
void expect_held(const std::shared_ptr<const View>& view, const char* model, const TrainRule& rule,
                 std::ptrdiff_t little) {
  const ModelEntry& entry = *find_model(model);
  const Options options(model, entry.options, {});
  const auto told = static_cast<std::ptrdiff_t>(estimate_memory(*view, entry, options, rule));
  // The first makes what is shared, and keeps what another could take over.
  Trainer first(view, entry, options, rule, view->kind().metric);
  (void)first.run(stream_key("memory"));
  malloc_trim(0);
  const std::ptrdiff_t before = heap_bytes();
  Trainer trainer(view, entry, options, rule, view->kind().metric);
  { const TrialOutcome outcome = trainer.run(stream_key("memory")); }
  const std::ptrdiff_t held = heap_bytes() - before;
  const auto said = static_cast<std::ptrdiff_t>(trainer.memory_bytes());
  EXPECT_LE(held, told + little) << model;
  EXPECT_LE(held, said + said / 20 + little) << model;
  EXPECT_LE(said, held + held / 10 + little) << model;
}

TEST(MemoryEstimate, OfAGraphIsOfWhatIsHeld) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the heap is another";
#else
  // Of many words: what heads and dropout keep of each is most of what is held.
  const ClassTask task =
      made_task({.nodes = 6000, .words = 500, .words_per_node = 120}, 2000, 2000);
  const auto view = std::make_shared<const TaskView>(task.view);
  for (const char* model :
       {"gcn", "gat", "appnp", "gs-maxpool", "monet", "residual-gt", "graph-star"})
    expect_held(view, model, {.max_epochs = 2, .patience = 0}, 512 << 10);
#endif
}

// Validation and test are 80 pieces, which share one block for what they compute.
TEST(MemoryEstimate, OfManyGraphsIsOfWhatIsHeld) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the heap is another";
#else
  const ClassTask task = rings_and_stars_task(25'600);
  const auto view = std::make_shared<const TaskView>(task.view);
  for (const char* model : {"gin", "graph-sage", "graph-gcn"})
    expect_held(view, model, {.max_epochs = 1, .patience = 0, .batch_size = 128}, 8 << 20);
#endif
}

TEST(ExpectedEpochs, AreTakenFromTheRuleAlone) {
  EXPECT_EQ(expected_epochs({.max_epochs = 40, .patience = 0}), 40);
  EXPECT_EQ(expected_epochs({.max_epochs = 100'000, .patience = 50}), 250);
  EXPECT_EQ(expected_epochs({.max_epochs = 100, .patience = 50}), 100);
  EXPECT_EQ(expected_epochs({.max_epochs = 7, .patience = 2'000'000'000}), 7);
}

}  // namespace
}  // namespace cupel
