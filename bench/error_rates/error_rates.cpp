// How often verdicts err, and how often they find what there is, as a table of docs/verdicts.md.
//
//   bench_error_rates [--runs 2000]
//
// Each row simulates that many replications of one cell, at the size of a shipped protocol, with
// scores of one shape (tests/judge/report/replications.h). False differences are rare, so that ten
// times as many replications count them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "judge/report/replications.h"

namespace cupel::bench {
namespace {

using made::NamedShape, made::Replication;

std::string row(const Replication& of, const NamedShape& shape, int runs) {
  const double equivalent = made::false_equivalences(of, shape.shape, runs);
  const double different = made::false_differences(of, shape.shape, 10 * runs);
  const double shown = made::share_of(of, shape.shape, 0, 1, of.family, Verdict::kEquivalent, runs);
  const double found = made::share_of(of, shape.shape, 3, 1, of.family, Verdict::kDifferent, runs);
  return fmt::format("| {} | {} | {:.1f} % | {:.3f} | {:.0f} % | {:.0f} % |\n", of.name, shape.name,
                     100 * equivalent, different, 100 * shown, 100 * found);
}

void measure(int runs) {
  fmt::print(
      "| size | scores | a gap of δ called equivalent | false differences in a table | "
      "no gap, equivalent within 1 point | a gap of 3 points, different |\n"
      "|---|---|---:|---:|---:|---:|\n");
  for (const Replication& of : made::shipped_replications()) {
    for (const NamedShape& shape : made::kShapes) {
      fmt::print("{}", row(of, shape, runs));
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace cupel::bench

int main(int argc, char** argv) {
  CLI::App app{"How often verdicts err"};
  int runs = 2'000;
  app.add_option("--runs", runs)->check(CLI::Range(100, 10'000'000));
  CLI11_PARSE(app, argc, argv);
  cupel::bench::measure(runs);
  return 0;
}
