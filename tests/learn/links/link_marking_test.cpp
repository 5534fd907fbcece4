// Scores of test pairs against slow readings of each metric's definition, for candidates in all
// three forms.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "data/links/made.h"
#include "error_of.h"
#include "learn/links/made_link_task.h"

namespace cupel {
namespace {

using ScoreOf = std::function<float(Pair)>;

// A positive's score and those of its candidates.
struct Question {
  float own = 0;
  std::vector<float> candidates;
};

// Candidates drawn once more, scored one by one.
std::vector<Question> questions_of(const made::LinkData& made, const Split& split,
                                   const std::string& negatives, const ScoreOf& score_of) {
  const NegativeChoice chosen = read_negatives("made", negatives);
  const Candidates drawn = chosen.kind->draw({made.data, made.links, split, LinkPart::kTest,
                                              stream_key("link task"), Threads{}, chosen.settings});
  const std::vector<Pair> positives = pairs_at(made.links, split.test);
  std::vector<Question> out;
  for (std::size_t p = 0; p < positives.size(); ++p) {
    Question question{score_of(positives[p]), {}};
    if (const auto* pool = std::get_if<CandidatePool>(&drawn)) {
      for (const Pair& pair : pool->pairs) question.candidates.push_back(score_of(pair));
    } else if (const auto* lists = std::get_if<CandidateLists>(&drawn)) {
      for (Offset at = lists->start[p]; at < lists->start[p + 1]; ++at)
        question.candidates.push_back(score_of(lists->pairs[static_cast<std::size_t>(at)]));
    } else {
      // Both ends are asked, and no link of any part is a candidate.
      for (const Index end : {positives[p].source, positives[p].target}) {
        Question from_end{question.own, {}};
        for (Index other = 0; other < made.data.nodes(); ++other)
          if (other != end && !has_arc(made.data.adjacency, {end, other}))
            from_end.candidates.push_back(score_of({end, other}));
        out.push_back(from_end);
      }
      continue;
    }
    out.push_back(question);
  }
  return out;
}

double place(const Question& question, double share_of_ties) {
  double above = 0, ties = 0;
  for (const float score : question.candidates) {
    above += score > question.own;
    ties += score == question.own;
  }
  return 1 + above + share_of_ties * ties;
}

// Mean over the questions.
double mean(const std::vector<Question>& questions,
            const std::function<double(const Question&)>& of) {
  double sum = 0;
  for (const Question& question : questions) sum += of(question);
  return sum / static_cast<double>(questions.size());
}

// Over thresholds from the best score down, as scikit-learn states it.
double slow_average_precision(const std::vector<Question>& pool) {
  std::set<float, std::greater<>> thresholds;
  for (const Question& question : pool) thresholds.insert(question.own);
  double sum = 0, recall = 0;
  for (const float threshold : thresholds) {
    double hits = 0, false_hits = 0;
    for (const Question& question : pool) hits += question.own >= threshold;
    for (const float score : pool[0].candidates) false_hits += score >= threshold;
    const double now = hits / static_cast<double>(pool.size());
    sum += (now - recall) * hits / (hits + false_hits);
    recall = now;
  }
  return sum;
}

// The same for both orders of a pair, few values, so that ties abound.
float coarse(Pair pair) {
  const auto [low, high] = std::minmax(pair.source, pair.target);
  return static_cast<float>((low * 31 + high * 17) % 5) - 2;
}
float fine(Pair pair) {
  const auto [low, high] = std::minmax(pair.source, pair.target);
  return std::sin(static_cast<float>(low * 101 + high * 7));
}
float constant(Pair) { return 0.25f; }
float infinite(Pair pair) {
  return coarse(pair) > 1 ? std::numeric_limits<float>::infinity() : coarse(pair);
}

class LinkMarkingOf : public testing::TestWithParam<const char*> {};

TEST_P(LinkMarkingOf, CountsAsTheDefinitionsSay) {
  const std::string negatives = GetParam();
  for (const bool with_valid : {false, true}) {
    const made::LinkData made = made::link_data(45, 230, 4);
    const LinkAsk ask = {.message = with_valid ? "train+valid" : "train", .negatives = negatives};
    const Split split = make_split(made.data, link_scheme(ask), 0);
    const Task task = link_task(made.data, ask);
    const Asked& asked = dynamic_cast<const LinkView&>(*task.view).asked(LinkPart::kTest);
    for (const ScoreOf& score_of : {ScoreOf(coarse), {fine}, {constant}, {infinite}}) {
      const auto marking = task.answers->open();
      // In blocks of uneven sizes.
      std::vector<float> block;
      Offset wanted = 1;
      for (Offset row = 0; row < asked.rows(); ++row) {
        block.push_back(score_of(asked.pair(row)));
        if (std::ssize(block) < wanted && row + 1 < asked.rows()) continue;
        marking->take({block.data(), static_cast<Index>(block.size()), 1, 1});
        block.clear();
        wanted = wanted * 3 % 101;
      }
      const std::vector<Question> questions = questions_of(made, split, negatives, score_of);
      const auto expect = [&](const std::string& metric, double value) {
        EXPECT_NEAR(marking->score(metric), value, 1e-12) << metric;
      };
      for (const auto& [ties, share] :
           {std::pair{"", 0.5}, {":ties=optimistic", 0.0}, {":ties=pessimistic", 1.0}}) {
        const auto rank = [&, by = share](const Question& q) { return place(q, by); };
        expect(std::string("mrr") + ties,
               mean(questions, [&](const Question& q) { return 1 / rank(q); }));
        expect(std::string("mean-rank") + ties, mean(questions, rank));
        // Of one pool the mean rule of the benchmark is the pessimistic one.
        const double by = negatives == "uniform" && share == 0.5 ? 1.0 : share;
        for (const int k : {1, 3, 5})
          expect(fmt::format("hits@{}{}", k, ties),
                 mean(questions, [&](const Question& q) { return place(q, by) <= k; }));
      }
      if (negatives != "uniform") {
        EXPECT_NE(error_of([&] { (void)marking->score("roc-auc"); }), "no error");
        continue;
      }
      expect("roc-auc", mean(questions, [&](const Question& q) {
               return 1 - (place(q, 0.5) - 1) / static_cast<double>(q.candidates.size());
             }));
      expect("average-precision", slow_average_precision(questions));
      // A run keeps the others too.
      const auto others = marking->other_scores("roc-auc");
      EXPECT_TRUE(std::ranges::any_of(others, [&](const auto& other) {
        return other.first == "average-precision" &&
               other.second == marking->score("average-precision");
      }));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, LinkMarkingOf, testing::Values("uniform", "corrupt:count=7", "all"),
    [](const auto& info) {
      return std::string(info.param).substr(0, std::string(info.param).find(':'));
    });

TEST_P(LinkMarkingOf, RefusesScoresThatAreNotOneForEachPair) {
  const Task task = link_task(made::link_data(45, 230, 4).data, {.negatives = GetParam()});
  const auto rows = static_cast<Index>(task.view->test_rows());
  const std::vector<float> zeros(2 * static_cast<std::size_t>(rows));
  for (const bool valid : {false, true}) {
    const auto open = [&] { return valid ? task.view->mark_valid() : task.answers->open(); };
    const auto all = static_cast<Index>(valid ? task.view->valid_rows() : rows);
    {
      const auto marking = open();
      marking->take({zeros.data(), all - 1, 1, 1});
      EXPECT_EQ(error_of([&] { (void)marking->score("mrr"); }),
                fmt::format("there are {} scores for {} pairs", all - 1, all));
      EXPECT_NE(error_of([&] { (void)marking->other_scores("mrr"); }), "no error");
      EXPECT_EQ(error_of([&] {
                  marking->take({zeros.data(), 2, 1, 1});
                }),
                fmt::format("more scores than the {} that are asked for", all));
    }
    EXPECT_EQ(error_of([&] {
                open()->take({zeros.data(), all, 2, 2});
              }),
              "scores have 2 columns; give one score for each pair");
    std::vector<float> wrong = zeros;
    wrong[1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_NE(error_of([&] {
                open()->take({wrong.data(), all, 1, 1});
              }).find("is not a number"),
              std::string::npos);
    const auto marking = open();
    marking->take({zeros.data(), all, 1, 1});
    EXPECT_NE(error_of([&] { (void)marking->score("accuracy"); }), "no error");
    EXPECT_FALSE(marking->score_on("mrr", std::vector<Index>{0, 1}));
  }
}

}  // namespace
}  // namespace cupel
