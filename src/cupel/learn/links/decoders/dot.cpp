// The inner product of the two embeddings.
#include "cupel/learn/links/decoder.h"

namespace cupel {
namespace {

Value score(Builder&, Value source, Value target, bool, const Options&) {
  return row_dot(source, target);
}

}  // namespace

extern const Decoder decoder_dot;
const Decoder decoder_dot = {
    .name = "dot",
    .doc = "Inner product of the two embeddings; both orders of a pair score alike.",
    .citation = "Kipf and Welling, Variational Graph Auto-Encoders, arXiv 1611.07308, 2016",
    .equations = {"score(u, v) = <z_u, z_v>    (equation 2, before the sigmoid)"},
    .options = {},
    .score = score,
};

}  // namespace cupel
