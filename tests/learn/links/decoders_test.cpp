// Decoders against their equations in double, in both orders of a pair, and by differences.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cupel/base/error.h"
#include "cupel/engine/program/bound_program.h"
#include "cupel/engine/program/passes.h"
#include "cupel/learn/links/decoder.h"

namespace cupel {
namespace {

constexpr Index kNodes = 23, kWidth = 12;

struct Setting {
  std::string decoder;
  std::map<std::string, OptionValue> given;
};

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all = {
      {"dot", {}},
      {"distmult", {}},
      {"distmult", {{"init", std::string("ones")}}},
      {"mlp", {{"hidden", std::int64_t{9}}}},
      {"mlp", {{"layers", std::int64_t{1}}}},
      {"mlp", {{"hidden", std::int64_t{7}}, {"input", std::string("concatenation")}}},
      {"mlp", {{"layers", std::int64_t{1}}, {"input", std::string("concatenation")}}},
      {"mlp",
       {{"hidden", std::int64_t{7}},
        {"layers", std::int64_t{2}},
        {"dropout", 0.4},
        {"input", std::string("concatenation")}}},
      {"mlp", {{"hidden", std::int64_t{7}}, {"input", std::string("halves")}}}};
  return all;
}

// Every pair of two nodes, in both orders, the swapped one behind; some nodes often, one never.
std::vector<Pair> some_pairs() {
  std::vector<Pair> pairs;
  for (Index i = 0; i + 1 < kNodes; i += 2)
    for (Index j = i + 1; j + 1 < kNodes; j += 3) pairs.push_back({i, j});
  const std::size_t half = pairs.size();
  for (std::size_t k = 0; k < half; ++k) pairs.push_back({pairs[k].target, pairs[k].source});
  return pairs;
}

struct Decoded {
  const Decoder& decoder;
  Options options;
  Program program;
  ParameterSet values, gradients;
  PairBatch batch{kNodes};

  Decoded(const Setting& setting, bool directed)
      : decoder(find_decoder(setting.decoder)),
        options("test", decoder.options, setting.given),
        program(trace_decoder(decoder, kNodes, kWidth, directed, options)),
        values(program.parameters),
        gradients(program.parameters) {
    initialise(program.parameters, stream_key("decoders"), values);
    Stream random(stream_key("embeddings"), 0);
    for (int slot = 0; slot < static_cast<int>(values.count()); ++slot)
      for (std::size_t i = 0; i < values.slice_size(slot); ++i)
        values.view(slot).data[i] += static_cast<float>(0.5 * random.next_normal());
  }

  BoundProgram bind(const std::vector<Pair>& pairs, bool training, Threads threads = {}) {
    batch.take(pairs);
    Binding binding{batch.constants(), batch.rows(), false, &values,
                    training ? &gradients : nullptr};
    return BoundProgram(compile(program, training), std::move(binding), threads);
  }
  std::vector<float> scores(const std::vector<Pair>& pairs, Threads threads = {}) {
    BoundProgram bound = bind(pairs, false, threads);
    bound.forward({}, 0);
    const ConstDenseView out = bound.output();
    EXPECT_EQ(out.rows, static_cast<Index>(pairs.size()));
    EXPECT_EQ(out.cols, 1);
    return {out.data, out.data + out.rows};
  }

  // The equations.
  double expected(Pair pair, bool directed) {
    std::vector<double> u(kWidth), v(kWidth), product(kWidth);
    for (std::size_t k = 0; k < kWidth; ++k) {
      u[k] = values.view(kEmbeddings).row(pair.source)[k];
      v[k] = values.view(kEmbeddings).row(pair.target)[k];
      product[k] = u[k] * v[k];
    }
    const auto side_by_side = [](std::vector<double> a, const std::vector<double>& b) {
      a.insert(a.end(), b.begin(), b.end());
      return a;
    };
    if (decoder.name == "dot") return sum_of(product, {});
    if (decoder.name == "distmult") return sum_of(product, weights(1, 0));
    if (options.text("input") == "product") return perceptron(product);
    if (options.text("input") == "halves") {
      std::vector<double> forth, back;
      for (std::size_t k = 0; k < kWidth / 2; ++k) {
        forth.push_back(u[k] + v[kWidth / 2 + k]);
        back.push_back(v[k] + u[kWidth / 2 + k]);
      }
      return directed ? perceptron(forth) : (perceptron(forth) + perceptron(back)) / 2;
    }
    const double forth = perceptron(side_by_side(u, v));
    return directed ? forth : (forth + perceptron(side_by_side(v, u))) / 2;
  }

 private:
  static double sum_of(const std::vector<double>& x, const std::vector<double>& by) {
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += by.empty() ? x[k] : x[k] * by[k];
    return sum;
  }
  std::vector<double> weights(int slot, Index column) {
    const DenseView w = values.view(slot);
    std::vector<double> out;
    for (Index r = 0; r < w.rows; ++r) out.push_back(w.row(r)[column]);
    return out;
  }
  double perceptron(std::vector<double> x) {
    const auto last = static_cast<int>(values.count()) - 2;
    for (int slot = 1; slot <= last; slot += 2) {
      std::vector<double> next;
      for (Index c = 0; c < values.view(slot).cols; ++c) {
        const double y = sum_of(x, weights(slot, c)) + values.view(slot + 1).row(0)[c];
        next.push_back(slot < last ? std::max(y, 0.0) : y);
      }
      x = next;
    }
    return x.at(0);
  }
};

TEST(Decoders, HalvesAreOfAnEvenWidth) {
  const Decoder& mlp = find_decoder("mlp");
  const Options halves("test", mlp.options, {{"input", std::string("halves")}});
  EXPECT_THROW((void)trace_decoder(mlp, kNodes, 5, false, halves), Error);
}

TEST(Decoders, AreWhatTheirEquationsSay) {
  const std::vector<Pair> pairs = some_pairs();
  for (const Setting& setting : settings())
    for (const bool directed : {false, true}) {
      Decoded decoded(setting, directed);
      const std::vector<float> scores = decoded.scores(pairs);
      double spread = 0;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const double want = decoded.expected(pairs[i], directed);
        ASSERT_NEAR(scores[i], want, 2e-6 * (1 + std::abs(want)))
            << decoded.decoder.name << ", pair " << i << ", directed " << directed;
        spread = std::max(spread, std::abs(want - decoded.expected(pairs[0], directed)));
      }
      EXPECT_GT(spread, 1e-2) << decoded.decoder.name << " scores all pairs alike";
    }
}

TEST(Decoders, BothOrdersScoreAlikeToTheBitUnlessDirected) {
  const std::vector<Pair> pairs = some_pairs();
  const std::size_t half = pairs.size() / 2;
  for (const Setting& setting : settings())
    for (const bool directed : {false, true}) {
      Decoded decoded(setting, directed);
      const std::vector<float> scores = decoded.scores(pairs);
      std::size_t equal = 0;
      for (std::size_t i = 0; i < half; ++i) equal += scores[i] == scores[half + i];
      const bool ordered = directed && setting.given.contains("input");
      EXPECT_EQ(equal, ordered ? 0 : half) << decoded.decoder.name << ", directed " << directed;
    }
}

TEST(Decoders, AScoreDependsOnItsPairAlone) {
  const std::vector<Pair> pairs = some_pairs();
  for (const Setting& setting : settings()) {
    Decoded decoded(setting, false);
    const std::vector<float> all = decoded.scores(pairs), threaded = decoded.scores(pairs, {8});
    EXPECT_EQ(all, threaded);
    const std::vector<Pair> few = {pairs[40], pairs[7], pairs[40]};
    EXPECT_EQ(decoded.scores(few), (std::vector<float>{all[40], all[7], all[40]}));
  }
}

TEST(Decoders, GradientsReachEmbeddingsAndWeights) {
  const std::vector<Pair> pairs = some_pairs();
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.decoder);
    Decoded decoded(setting, false);
    const auto loss = [&](BoundProgram& bound) {
      bound.forward(stream_key("dropout"), 1);
      double sum = 0;
      for (Index i = 0; i < bound.output().rows; ++i)
        sum += std::sin(1.0 + i) * bound.output().row(i)[0];
      return sum;
    };
    BoundProgram bound = decoded.bind(pairs, true);
    (void)loss(bound);
    for (Index i = 0; i < bound.output().rows; ++i)
      bound.output_gradient().row(i)[0] = static_cast<float>(std::sin(1.0 + i));
    bound.backward();
    int kinks = 0, checked = 0;
    for (int slot = 0; slot < static_cast<int>(decoded.values.count()); ++slot)
      for (std::size_t i = 0; i < decoded.values.slice_size(slot); ++i) {
        float& w = decoded.values.view(slot).data[i];
        const float kept = w;
        const auto at = [&](float value) {
          w = value;
          const double sum = loss(bound);
          w = kept;
          return sum;
        };
        const float h = 4e-3f;
        const double up = (at(kept + h) - at(kept)) / h, down = (at(kept) - at(kept - h)) / h;
        const double want = (up + down) / 2, tolerance = 1e-2 + 1e-2 * std::abs(want);
        if (std::abs(up - down) > tolerance) {
          ++kinks;  // a relu switches within the step
          continue;
        }
        ++checked;
        EXPECT_NEAR(decoded.gradients.view(slot).data[i], want, tolerance)
            << decoded.program.parameters[static_cast<std::size_t>(slot)].name << " entry " << i;
      }
    EXPECT_LE(kinks, checked / 5);
    // The last node is in no pair.
    for (Index k = 0; k < kWidth; ++k)
      EXPECT_EQ(decoded.gradients.view(kEmbeddings).row(kNodes - 1)[k], 0);
  }
}

TEST(Decoders, AreFoundByNameAndSayWhatTheyAre) {
  EXPECT_EQ(&find_decoder("DistMult"), &find_decoder("distmult"));
  for (const Decoder* decoder : decoders()) {
    EXPECT_FALSE(decoder->doc.empty() || decoder->citation.empty() || decoder->equations.empty());
    EXPECT_TRUE(std::any_of(settings().begin(), settings().end(),
                            [&](const Setting& s) { return s.decoder == decoder->name; }))
        << decoder->name << " has no setting in this file";
  }
  try {
    (void)find_decoder("bilinear");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "no decoder is called 'bilinear'; known are distmult, dot, mlp");
  }
}

TEST(Decoders, DistMultStartsWhereItsSettingSays) {
  for (const char* init : {"uniform", "ones"}) {
    const Decoder& decoder = find_decoder("distmult");
    const Options options("test", decoder.options, {{"init", std::string(init)}});
    const Program program = trace_decoder(decoder, 5, 400, false, options);
    ParameterSet values(program.parameters);
    initialise(program.parameters, stream_key("start"), values);
    const DenseView w = values.view(1);
    ASSERT_EQ(w.rows, 400);
    const auto [least, most] = std::minmax_element(w.data, w.data + 400);
    if (std::string(init) == "ones") {
      EXPECT_EQ(*least, 1);
      EXPECT_EQ(*most, 1);
    } else {
      EXPECT_GE(*least, -0.1f);
      EXPECT_LE(*most, 0.1f);
      EXPECT_LT(*least, -0.095f);
      EXPECT_GT(*most, 0.095f);
    }
  }
}

}  // namespace
}  // namespace cupel
