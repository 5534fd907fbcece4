// DistMult with a single relation: an inner product with a learned weight for each coordinate.
#include "cupel/learn/links/decoder.h"

namespace cupel {
namespace {

// The product of the embeddings comes first, so that both orders of a pair round alike.
Value score(Builder& b, Value source, Value target, bool, const Options& options) {
  Parameter weights = {.name = "w_distmult", .rows = source.shape().cols, .cols = 1};
  if (options.text("init") == "ones") {
    weights.init = Parameter::Init::kFill;
    weights.fill = {1.0f};
  } else {
    weights.init = Parameter::Init::kUniform;
    weights.fan = 100;  // U(-0.1, 0.1)
  }
  return matmul(source * target, b.parameter(weights));
}

}  // namespace

extern const Decoder decoder_distmult;
const Decoder decoder_distmult = {
    .name = "distmult",
    .doc =
        "Inner product with a learned weight for each coordinate; both orders of a pair score "
        "alike.",
    .citation =
        "Yang, Yih, He, Gao and Deng, Embedding Entities and Relations for Learning and "
        "Inference in Knowledge Bases, ICLR 2015",
    .equations = {"score(u, v) = sum over k of z_u(k) r(k) z_v(k)    (section 3.2, one relation)"},
    .options = {{.name = "init",
                 .fallback = std::string("uniform"),
                 .doc = "Initial weights: uniform over [-0.1, 0.1], or ones, an inner product.",
                 .choices = {"uniform", "ones"}}},
    .score = score,
};

}  // namespace cupel
