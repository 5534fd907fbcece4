// A multi-layer perceptron on the two embeddings.
#include "cupel/base/error.h"
#include "cupel/learn/links/decoder.h"

namespace cupel {
namespace {

struct Layer {
  Value weights, bias;
};

// From PyTorch's initial values.
std::vector<Layer> make_layers(Builder& b, Index inputs, const Options& options) {
  const auto count = options.integer("layers");
  std::vector<Layer> layers;
  for (std::int64_t k = 1; k <= count; ++k) {
    const Index outputs = k == count ? 1 : static_cast<Index>(options.integer("hidden"));
    const std::string tail = "_decoder_" + std::to_string(k);
    layers.push_back({b.uniform("w" + tail, inputs, outputs, inputs),
                      b.uniform("b" + tail, 1, outputs, inputs)});
    inputs = outputs;
  }
  return layers;
}

Value apply(Builder& b, const std::vector<Layer>& layers, Value x, double dropout) {
  for (std::size_t k = 0; k < layers.size(); ++k) {
    x = matmul(x, layers[k].weights) + layers[k].bias;
    if (k + 1 < layers.size()) x = b.dropout(relu(x), dropout);
  }
  return x;
}

// What the first layer of a perceptron on both ends side by side gives before its activation is a
// sum of what it makes of each end, which an encoder without a graph makes once for every node.
Value halves(Value source, Value target) {
  const Index half = source.shape().cols / 2;
  return columns(source, 0, half) + columns(target, half, half);
}

Value score(Builder& b, Value source, Value target, bool directed, const Options& options) {
  const double dropout = options.real("dropout");
  const Index width = source.shape().cols;
  if (options.text("input") == "halves") {
    if (width % 2 != 0)
      fail("decoder 'mlp': input=halves needs an even dimension, and it is {}", width);
    const std::vector<Layer> layers = make_layers(b, width / 2, options);
    const Value forth = apply(b, layers, halves(source, target), dropout);
    if (directed) return forth;
    return affine(forth + apply(b, layers, halves(target, source), dropout), 0.5);
  }
  if (options.text("input") == "product")
    return apply(b, make_layers(b, width, options), source * target, dropout);
  const std::vector<Layer> layers = make_layers(b, 2 * width, options);
  const Value forth = apply(b, layers, concat_columns({source, target}), dropout);
  if (directed) return forth;
  return affine(forth + apply(b, layers, concat_columns({target, source}), dropout), 0.5);
}

}  // namespace

extern const Decoder decoder_mlp;
const Decoder decoder_mlp = {
    .name = "mlp",
    .doc = "Multi-layer perceptron on the product of the two embeddings, or on both side by side.",
    .citation =
        "Hu et al., Open Graph Benchmark: Datasets for Machine Learning on Graphs, NeurIPS "
        "2020; the predictor of the examples of link prediction in its code",
    .equations = {"product: score(u, v) = f(z_u * z_v), element by element; both orders alike",
                  "concatenation, directed: score(u, v) = f([z_u, z_v])",
                  "concatenation, undirected: score(u, v) = (f([z_u, z_v]) + f([z_v, z_u])) / 2",
                  "halves: f(a_u + b_v) in place of f([z_u, z_v]), where z = [a, b]",
                  "f: linear layers, relu and dropout between them"},
    .options = {{.name = "input",
                 .fallback = std::string("product"),
                 .doc = "What the perceptron reads of the two embeddings.",
                 .choices = {"product", "concatenation", "halves"}},
                {.name = "layers",
                 .fallback = std::int64_t{3},
                 .doc = "Linear layers, the last one to the score among them.",
                 .min = 1,
                 .max = 16},
                {.name = "hidden",
                 .fallback = std::int64_t{256},
                 .doc = "Width of the layers before the last.",
                 .min = 1,
                 .max = 65536},
                {.name = "dropout",
                 .fallback = 0.0,
                 .doc = "Probability of dropping an output of a layer before the last.",
                 .min = 0,
                 .max = 0.99}},
    .score = score,
};

}  // namespace cupel
