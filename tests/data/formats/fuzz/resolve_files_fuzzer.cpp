// Decisions about pairs of entities, names that went into others, and gold; the first byte chooses.
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/resolve/apply_decisions.h"
#include "cupel/data/resolve/cluster_scores.h"
#include "cupel/data/resolve/decisions_file.h"
#include "cupel/data/resolve/gold.h"
#include "cupel/data/resolve/merge_groups.h"
#include "data/formats/fuzz/fuzz.h"

namespace cupel::fuzz {
namespace {

// Scientists "A" to "F", institutions "G" and "H", and a paper of all scientists.
AcademicGraph made() {
  AcademicBuilder builder{AcademicSettings()};
  Publication paper;
  paper.id = "p1";
  paper.year = 2018;
  for (const char* name : {"A", "B", "C", "D", "E", "F"})
    paper.authors.push_back({name, "", {"G", "H"}});
  builder.add(paper);
  return std::move(builder).finish();
}

void resolve(const std::filesystem::path& all) {
  AcademicGraph graph = made();
  const MergedNames merged = read_merged_names(all, graph.facts);
  DecidedPairs decided =
      decided_pairs({{0, 1, 1, 1, 1, "", MergeVerdict::kAccept}},
                    read_decisions(all / "decisions.csv", graph.facts, graph.authorships, merged));
  const std::vector<Index> groups = merge_groups(graph.facts, graph.authorships, decided);
  const std::string text = decisions_csv(graph.facts, graph.authorships, decided.pairs);
  write(all / "again.csv", text);
  const DecidedPairs again =
      read_decisions(all / "again.csv", graph.facts, graph.authorships, merged);
  demand(decisions_csv(graph.facts, graph.authorships, again.pairs) == text,
         "decisions are read as they were written");
  const ResolvedFacts resolved = apply_merges(graph.facts, graph.authorships, merged, groups);
  check_invariants(resolved.facts);
  demand(resolved.authorships.paper.size() == graph.authorships.paper.size(),
         "authorships are kept");
}

void judge(const std::filesystem::path& path) {
  const AcademicGraph graph = made();
  const Gold gold = read_gold(path);
  const Gold::Mentions mentions = gold.mentions(graph.facts, graph.authorships);
  const ClusterScores scores = cluster_scores(mentions.person, mentions.entity);
  demand(!scores.b_cubed.f1 || (*scores.b_cubed.f1 >= 0 && *scores.b_cubed.f1 <= 1 + 1e-12),
         "scores are shares");
}

}  // namespace

void fuzz_one(std::string_view input) {
  if (input.empty()) return;
  const char form = input.front();
  input.remove_prefix(1);
  const auto all = folder() / "facts";
  refuse_or([&] {
    if (form == 'd') {
      write_files(all, input, {"decisions.csv", "merged.csv"});
      resolve(all);
    } else {
      write(folder() / "gold", input);
      judge(folder() / "gold");
    }
  });
}

}  // namespace cupel::fuzz
