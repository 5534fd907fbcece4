// The score bits of a short run of every model, against those of the version of the numerics that
// stores were filled with. Where a change moves them on purpose, kNumericsVersion
// (lab/record/identity.h) or the model's revision goes up, and CUPEL_UPDATE_GOLDEN=1 rewrites the
// file. A model that is not in it yet is added so, too.
#include <cstdlib>
#include <fstream>
#include <map>

#include "build_paths.h"
#include "cupel/base/hash.h"
#include "cupel/engine/kernels/fused.h"
#include "learn/models/conformance.h"

namespace cupel {
namespace {

constexpr const char* kFile = CUPEL_SOURCE_DIR "/tests/learn/models/pinned_bits.txt";

std::map<std::string, std::string> pinned() {
  std::ifstream in(kFile);
  std::map<std::string, std::string> out;
  for (std::string model, hash; in >> model >> hash;) out[model] = hash;
  return out;
}

class PinnedModel : public ConformanceOfModel {};

std::string hash_of_scores(const ModelEntry& entry, const Options& options) {
  TrainRule rule;
  rule.max_epochs = 8;
  rule.batch_size = of_graphs(entry) ? 8 : 0;
  const auto view = view_for(entry);
  Trainer trainer(view, entry, options, rule, view->kind().metric);
  const Matrix scores = *trainer.run(stream_key("pinned")).test_scores;
  return sha256(std::string_view(reinterpret_cast<const char*>(scores.values.data()),
                                 scores.values.size() * sizeof(float)))
      .substr(0, 16);
}

TEST_P(PinnedModel, HasTheBitsThatStoresHold) {
  if (kernels::rounding() != kernels::Rounding::kFused)
    GTEST_SKIP() << "this machine rounds otherwise";
  const std::string hash = hash_of_scores(entry(), options());
  std::map<std::string, std::string> known = pinned();
  if (std::getenv("CUPEL_UPDATE_GOLDEN") != nullptr) {
    known[entry().name] = hash;
    std::ofstream out(kFile);
    for (const auto& [model, bits] : known) out << model << ' ' << bits << '\n';
    return;
  }
  if (!known.contains(entry().name)) GTEST_SKIP() << "not pinned yet: CUPEL_UPDATE_GOLDEN=1";
  EXPECT_EQ(known[entry().name], hash) << "runs of this model have other bits than before";
}

std::vector<Variant> defaults() {
  std::vector<Variant> all;
  // Of facts over time no scores are kept: published values pin their models.
  for (const ModelEntry* entry : models())
    if (way_of(*entry) != Way::kForetold) all.push_back({entry, {}, test_name(entry->name)});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Every, PinnedModel, testing::ValuesIn(defaults()), variant_name);

// The file cannot have been emptied by mistake.
TEST(PinnedBits, AreKnownOfManyModels) { EXPECT_GE(pinned().size(), 40u); }

}  // namespace
}  // namespace cupel
