// Programs that are asked about links of a small ring, and what they are asked.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cupel/data/graph/pairs.h"
#include "cupel/lab/run/pending.h"
#include "lab/isolation/attack.h"

namespace cupel::made {

using Pairs = std::vector<Pair>;

inline std::string json_of(const Pairs& pairs) {
  std::vector<std::string> out;
  for (const auto& [u, v] : pairs) out.push_back(fmt::format("[{}, {}]", u, v));
  return fmt::format("[{}]", fmt::join(out, ", "));
}

// One split of links, and what its links are ranked against.
struct Asking {
  Pairs valid, valid_negatives, test, test_negatives;
  std::string form = "pool";  // or "lists", where each link has all negatives; or "all"
  std::string message = "train";
  bool directed = false;
};

// A protocol with one program, in a folder of its own, on links of a ring of 30 nodes.
class Place {
 public:
  explicit Place(const Asking& asking) : asking_(asking) {
    Pairs train;
    for (Index i = 0; i < 20; ++i) train.push_back({i, i + 1});
    write_text(
        folder_ / "splits.json",
        fmt::format(R"({{"unit": "pair", "directed": {}, "new_links": true, "splits": [)"
                    R"({{"train": {}, "valid": {}, "test": {}}}]}})",
                    asking.directed, json_of(train), json_of(asking.valid), json_of(asking.test)));
    write_negatives("valid.csv", asking.form, asking.valid, asking.valid_negatives);
    write_negatives("test.csv", asking.form, asking.test, asking.test_negatives);
  }

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

  Protocol protocol(const std::string& command, const std::string& isolation) const {
    const std::string negatives =
        asking_.form == "all" ? "all"
                              : fmt::format("file:valid={};test={};links=known",
                                            path("valid.csv").string(), path("test.csv").string());
    return parse_protocol("x", "x.toml",
                          fmt::format("task='links'\nmetric='mrr'\n[data]\ndatasets=['ring']\n"
                                      "[split]\nscheme='file'\nfile='splits.json'\nmessage='{}'\n"
                                      "[links]\nnegatives='{}'\n[models.mine]\nisolation='{}'\n"
                                      "command=['sh', '-c', '''{}''', 'sh', '{{task}}']\n",
                                      asking_.message, negatives, isolation, command),
                          {}, folder_ / "");
  }

  PlanSources sources() const {
    PlanSources out = fake_sources();
    out.load = [directed = asking_.directed](const std::string& name) {
      Dataset data = ring(name, 30);
      if (!directed) return data;
      // Some arc must have no way back.
      data.adjacency.columns.erase(data.adjacency.columns.begin());
      for (std::size_t i = 1; i < data.adjacency.row_ptr.size(); ++i) --data.adjacency.row_ptr[i];
      return data;
    };
    return out;
  }

  // The outcome of the only run, under a key of our own: that of a run goes by its identity.
  static RunRecord run(const Plan& plan) {
    const RunGroup group{plan.cells.at(0).family, 0, {0}, {}};
    return make_executor()->open(group, {1})->run(0, {7, 9}, {});
  }
  RunRecord run(const std::string& command, const std::string& isolation = "none") const {
    return run(make_plan(protocol(command, isolation), {}, sources()));
  }

  // The folder of the task, as a program finds it.
  std::filesystem::path task() const {
    run("cp -r \"$1\" " + path("copy").string());
    return path("copy");
  }

 private:
  void write_negatives(const char* name, const std::string& form, const Pairs& positives,
                       const Pairs& negatives) const {
    std::string text =
        form == "lists" ? "question_source,question_target,source,target\n" : "source,target\n";
    for (const auto& [u, v] : negatives) {
      if (form != "lists") text += fmt::format("{},{}\n", u, v);
      for (const auto& [s, t] : form == "lists" ? positives : Pairs())
        text += fmt::format("{},{},{},{}\n", s, t, u, v);
    }
    write_text(folder_ / name, text);
  }

  TempFolder folder_;
  Asking asking_;
};

inline Asking asking(const std::string& form, const std::string& message = "train",
                     bool directed = false) {
  return {{{1, 9}, {2, 8}},
          {{3, 7}, {0, 12}},
          {{4, 9}, {5, 16}, {6, 13}},
          {{0, 7}, {5, 11}, {9, 18}},
          form,
          message,
          directed};
}

// Two tasks that ask about the same test pairs, of which other ones are links.
inline Asking swapped(Asking out) {
  std::swap(out.test, out.test_negatives);
  return out;
}

}  // namespace cupel::made
