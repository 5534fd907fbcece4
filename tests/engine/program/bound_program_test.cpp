#include "cupel/engine/program/bound_program.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <numeric>
#include <string>
#include <thread>

#include "engine/program/example_graph.h"

namespace {
std::atomic<long> allocations{0}, bytes_held{0};
void* counted(void* p) {
  ++allocations;
  bytes_held += static_cast<long>(malloc_usable_size(p));
  return p;
}
// Not inlined, or the compiler warns of a mismatched pair.
[[gnu::noinline]] void release(void* p) {
  bytes_held -= static_cast<long>(malloc_usable_size(p));
  std::free(p);
}
}  // namespace

// Counts every allocation of this test program.
void* operator new(std::size_t size) {
  if (void* p = counted(std::malloc(size == 0 ? 1 : size))) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t align) {
  const auto a = static_cast<std::size_t>(align);
  if (void* p = counted(std::aligned_alloc(a, (size + a) / a * a))) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(std::malloc(size == 0 ? 1 : size));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }

namespace cupel {
namespace {

Value two_layers(Builder& b, const OpExampleInputs& in) {
  Value h = b.dropout(in.sparse_features, 0.5);
  h = relu(propagate(in.adjacency, matmul(h, b.glorot("w", 9, 16))) + b.zeros("b", 16));
  return propagate(in.adjacency, matmul(b.dropout(h, 0.5), b.glorot("v", 16, 3)));
}

TEST(BoundProgram, ReplayAllocatesNothing) {
  for (const OpExample& op : all_op_examples()) {
    BoundExample example(op.trace);
    BoundProgram executor = example.bind({0, 3, 7}, true);
    executor.forward({}, 0);
    executor.backward();
    const long before = allocations;
    for (std::uint32_t step = 1; step < 4; ++step) {
      executor.forward({}, step);
      executor.backward();
    }
    EXPECT_EQ(allocations - before, 0) << op.name;
  }
}

TEST(BoundProgram, TakesTheMemoryThatIsPlanned) {
  const auto expect = [](const std::string& what, BoundExample& example) {
    for (const bool training : {true, false}) {
      for (const bool prune : {true, false}) {
        EXPECT_EQ(planned_memory(compile(example.program, training),
                                 {example.graph.constants(),
                                  {0, 3, 7},
                                  prune,
                                  &example.values,
                                  training ? &example.gradients : nullptr}),
                  example.bind({0, 3, 7}, prune, training).memory_bytes())
            << what << (training ? " trained" : " evaluated") << (prune ? ", pruned" : "");
      }
    }
  };
  BoundExample layers(two_layers);
  expect("two layers", layers);
  for (const OpExample& op : all_op_examples()) {
    BoundExample example(op.trace);
    expect(op.name, example);
  }
}

// Against what the allocator gave, of so many rows that what does not grow with them is little.
TEST(BoundProgram, HoldsWhatItSays) {
  constexpr Index kCopies = 300;
  constexpr double kLittle = 32 << 10;
  std::vector<Index> all(static_cast<std::size_t>(kCopies * ExampleGraph::kNodes)), some;
  std::iota(all.begin(), all.end(), 0);
  for (Index row = 0; row < std::ssize(all); row += 5) some.push_back(row);
  const auto expect = [&](BoundExample& example, const std::vector<Index>& rows, bool training) {
    const auto run = [&](BoundProgram& bound) {
      bound.forward({}, 0);
      if (training) bound.backward();
    };
    // The first gives the thread its working memory, and keeps what another could take over.
    BoundProgram first = example.bind(rows, true, training);
    run(first);
    const long before = bytes_held;
    BoundProgram bound = example.bind(rows, true, training);
    run(bound);
    const auto held = static_cast<double>(bytes_held - before);
    const auto said = static_cast<double>(bound.memory_bytes());
    EXPECT_LE(held, 1.02 * said + kLittle);
    EXPECT_GE(held + kLittle, 0.9 * said);
  };
  for (const OpExample& op : all_op_examples()) {
    BoundExample example(op.trace, kCopies);
    for (const bool training : {true, false}) {
      for (const auto& rows : {all, some}) {
        SCOPED_TRACE(op.name + (training ? ", trained, " : ", ") + std::to_string(rows.size()));
        std::thread([&] { expect(example, rows, training); }).join();
      }
    }
  }
}

TEST(BoundProgram, CountsNoMemoryOfOthers) {
  BoundExample example(two_layers);
  const auto program = std::make_shared<const Program>(compile(example.program, true));
  Binding binding{example.graph.constants(), {0, 3, 7}, true, &example.values, &example.gradients};
  const std::size_t alone = BoundProgram(program, binding).memory_bytes();
  AlignedVector<float> memory;
  binding.memory = &memory;
  const std::size_t beside = BoundProgram(program, binding).memory_bytes();
  EXPECT_EQ(beside + memory.size() * sizeof(float), alone);
}

TEST(BoundProgram, ComputesOnlyTheRowsBehindTheDemandedOnes) {
  BoundExample example(two_layers);
  BoundProgram one = example.bind({13}, true);  // isolated: nothing behind it
  BoundProgram all = example.bind({13}, false);
  EXPECT_LE(one.computed_rows(), 4);
  EXPECT_GT(all.computed_rows(), 4 * ExampleGraph::kNodes);
}

TEST(BoundProgram, IsPreparedWhileAnotherRunsInTheSameMemory) {
  BoundExample example(two_layers);
  const auto program = std::make_shared<const Program>(compile(example.program, true));
  AlignedVector<float> memory;
  const auto binding = [&](std::vector<Index> rows, AlignedVector<float>* shared) {
    Binding out{example.graph.constants(), std::move(rows), true, &example.values,
                &example.gradients};
    out.memory = shared;
    return out;
  };
  const auto outcome = [&](BoundProgram& bound) {
    bound.forward({}, 3);
    const ConstDenseView out = bound.output();
    std::vector<float> floats(out.data, out.data + Offset{out.rows} * out.cols);
    const DenseView seed = bound.output_gradient();
    std::fill_n(seed.data, floats.size(), 0.5f);
    bound.backward();
    const auto block = example.gradients.block();
    floats.insert(floats.end(), block.begin(), block.end());
    return floats;
  };
  BoundProgram first_alone(program, binding({0, 3, 7}, nullptr));
  const std::vector<float> first_wanted = outcome(first_alone);
  BoundProgram next_alone(program, binding({1, 2, 5, 8}, nullptr));
  const std::vector<float> next_wanted = outcome(next_alone);

  BoundProgram first = BoundProgram::prepared(program, binding({0, 3, 7}, &memory));
  EXPECT_TRUE(memory.empty());
  first.start();
  const std::size_t taken = memory.size();
  BoundProgram next = BoundProgram::prepared(program, binding({1, 2, 5, 8}, &memory));
  EXPECT_EQ(memory.size(), taken);
  EXPECT_EQ(outcome(first), first_wanted);
  next.start();
  EXPECT_EQ(outcome(next), next_wanted);
}

TEST(BoundProgram, OnlyWhatReplaysReadIsKeptOfWhatIsComputedOnce) {
  const auto bytes = [](int hops) {
    BoundExample example([&](Builder& b, const OpExampleInputs& in) {
      Value x = in.dense_features;
      for (int hop = 0; hop < hops; ++hop) x = propagate(in.adjacency, x);
      return matmul(x, b.glorot("w", 6, 30));
    });
    return example.bind({0, 3}, false).memory_bytes();
  };
  // Two powers of A at a time, of which the last stays: the product and its gradient lie where the
  // other was.
  EXPECT_EQ(bytes(9), bytes(2));
}

TEST(BoundProgram, ConstantsMayBeStatic) {
  const ExampleGraph graph;
  Matrix table(6, 2);
  for (Index k = 0; k < 12; ++k) table.values[static_cast<std::size_t>(k)] = 0.5f * k - 2;
  Builder b;
  const OpExampleInputs in = graph.declare(b);
  Value fixed = b.constant("table", {Layout::kDense, kStaticSpace, 6, 2});
  const Program program = b.finish(matmul(in.dense_features, fixed * b.glorot("w", 6, 2)));
  ParameterSet values(program.parameters), gradients(program.parameters);
  for (int k = 0; k < 12; ++k) values.view(0).data[k] = 1;
  std::vector<ConstantMatrix> constants = graph.constants();
  constants.push_back({nullptr, &table});
  BoundProgram bound(compile(program, true), {constants, {2, 7}, true, &values, &gradients});
  bound.forward({}, 0);
  for (Index c = 0; c < 2; ++c) {
    float expected = 0;
    for (Index k = 0; k < 6; ++k) expected += graph.dense(7, k) * table(k, c);
    EXPECT_NEAR(bound.output().row(1)[c], expected, 1e-5);
  }
  bound.output_gradient().row(0)[0] = bound.output_gradient().row(0)[1] = 0;
  bound.output_gradient().row(1)[0] = bound.output_gradient().row(1)[1] = 1;
  bound.backward();
  EXPECT_NEAR(gradients.view(0).row(3)[1], graph.dense(7, 3) * table(3, 1), 1e-6);
}

TEST(BoundProgram, StepsAndKeysDrawDifferentMasks) {
  BoundExample example(two_layers);
  BoundProgram executor = example.bind({0, 1, 2, 3}, true);
  const auto output = [&](const char* key, std::uint32_t step) {
    executor.forward(stream_key(key), step);
    const ConstDenseView out = executor.output();
    return std::vector<float>(out.data, out.data + 12);
  };
  const auto first = output("a", 0);
  EXPECT_NE(first, output("a", 1));
  EXPECT_NE(first, output("b", 0));
  EXPECT_EQ(first, output("a", 0));
}

TEST(BoundProgram, EqualValuesInAnyBindingOfRows) {
  // A row has the same bits whichever rows are computed with it.
  BoundExample example(two_layers);
  BoundProgram whole = example.bind({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}, true, false);
  whole.forward({}, 0);
  for (Index row = 0; row < ExampleGraph::kNodes; ++row) {
    BoundProgram single = example.bind({row}, true, false);
    single.forward({}, 0);
    for (Index c = 0; c < 3; ++c)
      EXPECT_EQ(single.output().row(0)[c], whole.output().row(row)[c]) << "row " << row;
  }
}

}  // namespace
}  // namespace cupel
