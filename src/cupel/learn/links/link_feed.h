// Training of links: a model of nodes as encoder, a decoder that scores pairs of embeddings.
#pragma once

#include <memory>
#include <vector>

#include "cupel/learn/links/link_view.h"
#include "cupel/learn/train/feed.h"

namespace cupel {

// Settings of every row that is trained on links, beside those of its model:
//   decoder     a kind of decoder and its settings, "mlp:hidden=32" (decoder.h)
//   dimension   width of an embedding: the columns that the model gives
//   pair_loss   "sampled": each epoch as many pairs without a training arc are drawn as there are
//               training links, both directions of an undirected one, and the loss is the mean
//               cross-entropy of all; "sampled-means": the sum of the means over links and others
//               (kernels/pair_loss.h); "corrupted": each epoch two pairs are drawn for each
//               training arc, one with another target and one with another source, any node, so
//               that some are links, and the loss is the mean of all; "all-pairs": Kipf and
//               Welling's over all n^2 pairs (kernels/all_pairs_loss.h), of the decoder "dot" alone
[[nodiscard]] std::vector<OptionSpec> link_feed_settings();

// Whether such a feed computes a validation loss: where all targets are candidates it does not.
// Known before anything is asked.
[[nodiscard]] bool has_valid_loss(const LinkView& view);

// Throws Error that begins with `where` for settings that do not go together, or with the links,
// for a rule that goes by a validation loss where there is none, and for an encoder that is trained
// in several phases or ranks by a form of the metric that is not of links.
void check_link_settings(const std::string& where, const LinkView& view, const Schedule& encoder,
                         const TaskModel& model);

// An epoch is a step. The validation loss is that of the asked rows, as "sampled-means" weighs
// them; where it is not computed it is 0. Where some score is not finite it is NaN, and the score
// is the metric's worst. `view` is a LinkView. Throws Error as check_link_settings().
[[nodiscard]] std::unique_ptr<Feed> make_link_feed(const std::shared_ptr<const View>& view,
                                                   const Schedule& encoder, const TaskModel& model);

// Upper estimate of the bytes of such a feed.
[[nodiscard]] std::size_t link_feed_bytes(const LinkView& view, const Schedule& encoder,
                                          const TaskModel& model);

}  // namespace cupel
