// Numbers of trainable weights on Cora's shapes (1433 words, 7 classes) with the settings of
// Table 4.
#include <gtest/gtest.h>

#include "learn/made_task.h"
#include "learn/models/traced_model.h"

namespace cupel {
namespace {

TEST(ParameterCount, IsThePublishedOne) {
  const ClassTask task = made_task({.nodes = 60, .words = 1433, .classes = 7});
  const std::map<std::string, std::size_t> published = {
      {"gcn", 92'231},
      {"mlp", 92'231},
      {"monet", 92'174},
      {"gs-maxpool", 94'247},
      {"gs-meanpool", 58'151},
      {"logreg", 10'038},
      // Given as "about 92K". Eight heads of W (1433 x 8), two attention vectors (8), their biases
      // and a bias (8), then one head from 64 to 7; and W_a, W_s and b of both layers.
      {"gat", 8 * (1433 * 8 + 2 * 8 + 2 + 8) + (64 * 7 + 2 * 7 + 2 + 7)},
      {"gs-mean", (2 * 1433 * 32 + 32) + (2 * 32 * 7 + 7)},
  };
  for (const auto& [name, count] : published) {
    const ModelEntry& entry = *find_model(name);
    EXPECT_EQ(TracedModel(entry, configure(entry), task.view).parameter_count(), count) << name;
  }
}

}  // namespace
}  // namespace cupel
