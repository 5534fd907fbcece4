// A leaderboard: values of many stores, submissions and publications beside each other, with what
// each of them rests on.
//
// Rows are compared within one question: the same table of the same version of a protocol, on one
// data set with one content, prepared and split in one way, by one measure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cupel/judge/leaderboard/contradictions.h"
#include "cupel/judge/leaderboard/source.h"
#include "cupel/judge/report/page/uses.h"
#include "cupel/judge/report/table.h"
#include "cupel/lab/results/results.h"
#include "cupel/lab/store/store.h"

namespace cupel {

// What a value rests on, the strongest first.
enum class Tier {
  kReproduced,  // some of its runs were done again here, all of them with the same bits
  kRecomputed,  // scored here, from predictions
  kRecorded,    // runs that a store keeps, none of which was done again here
  kReported,    // a publication
  kRefuted,     // runs of it were done again here, and some came out otherwise
};
[[nodiscard]] const char* to_words(Tier tier);  // "reproduced here", ...

// A value of a model.
struct BoardValue {
  std::string model;
  Tier tier = Tier::kReported;
  std::string text;  // "81.5 ± 1.3"; empty where there is no mean
  // In the unit of reports; none where every run is in conflict.
  std::optional<double> mean = {};
  std::optional<double> spread = {};  // of a publication, if it has one
  int n = 0;                          // runs behind it; 0: of a publication
  std::int64_t expected_n = 0;
  std::int64_t redone = 0, same = 0;  // of its runs: done again here; of these, with the same bits
  std::optional<std::size_t> source = {};  // place in Board::sources; none: of a publication
  // Of a publication: the source whose protocol says so; none: a protocol that is part of Cupel.
  std::optional<std::size_t> told_by = {};
};
// Whether it has all runs that the protocol asks for, as what a publication reports has.
[[nodiscard]] inline bool is_complete(const BoardValue& value) {
  return value.n >= value.expected_n;
}

// Why a row has no rank, in the order in which such rows stand.
enum class Unranked {
  kNo,
  kIncomplete,  // no value of the model has all runs that the protocol asks for
  kConflict,    // stores differ in how its runs ended
  kDisputed,    // sources differ in what a publication reports
  kBroken,      // its source does not hold
};
[[nodiscard]] const char* to_words(Unranked why);  // "incomplete", ...; "" of kNo

// A model with its best value, and all others by date, newest first. Best is what has all runs that
// the protocol asks for; of these, what rests on most; of these, the newest. Values that no rank
// can be given to are in rows of their own, of which the first is no better than the others. So is
// every submission: that it is of a model whose name it has is its owner's word.
struct BoardRow {
  int rank = 0;  // 1 is the best; equal means share one; 0: none
  Unranked unranked = Unranked::kNo;
  BoardValue value;
  std::vector<BoardValue> others;
  // Of a submission: where another row has its model's name, too.
  bool shares_name = false;
};

struct BoardTable {
  // Of the protocol; its name is the first in the alphabet of those that its text has.
  std::string protocol, version, title;
  std::string table, table_title;
  Column column;
  std::optional<page::DatasetUse> data;  // none: nothing has runs that say it
  std::vector<BoardRow> rows;            // by rank; those without one at the end
  // Models of whose runs, or published values, sources say different things: a sentence each.
  std::vector<std::string> disputes;
};

struct Board {
  std::vector<BoardSource> sources;
  std::vector<BoardTable> tables;  // as they were first met, those of a version together
};

// Collects values. Not thread-safe.
class BoardMaker {
 public:
  // Returns the place of the source.
  std::size_t add(BoardSource source);
  // What is told of a source that is there already: something of it does not hold.
  void tell(std::size_t source, std::string problem) {
    sources_.at(source).problems.push_back(std::move(problem));
  }
  // Runs that a store keeps, to be compared with those of other stores: Contradictions::add().
  void keep(std::size_t source, const std::string& family, std::vector<StoredRun> runs) {
    kept_.add(source, family, std::move(runs));
  }
  // The tables of scores of results that this source gave, and the published values of their
  // columns. What cells expect is what the protocol asks for. `cells` are those of a store, which
  // say which families its values are of. `shipped`: the published values are those that are part
  // of Cupel; else they are the source's word, which counts only if it holds.
  // Throws Error as make_report() does; nothing is added then.
  void add(const Results& results, const std::string& version, std::size_t source,
           const std::vector<StoredCell>& cells = {}, bool shipped = false);
  [[nodiscard]] Board board() const;

 private:
  // A value as it came: what it rests on is known when all sources are.
  struct Entry {
    BoardValue value;
    std::vector<std::string> runs;   // ids of those behind it
    std::set<std::string> families;  // that it was made of, or chosen from
    bool conflicts = false;          // some of its runs are in conflict in its source
  };
  struct Question {
    BoardTable head;
    std::vector<Entry> entries;
  };
  void add_published(Question& question, const Results& results, int decimals,
                     std::optional<std::size_t> told_by) const;
  // Published values that count: those of sources that hold, each number once.
  static std::vector<BoardValue> reported(const Question& question,
                                          const std::vector<BoardSource>& sources);
  static BoardTable table(const Question& question, const std::vector<BoardSource>& sources,
                          const std::set<KeptFamily>& contradicted);
  Question& question(const Results& results, const std::string& version, const ReportTable& table,
                     const Column& column, const std::optional<page::DatasetUse>& data);

  std::vector<BoardSource> sources_;
  std::vector<Question> questions_;
  Contradictions kept_;
};

// The site's first page; pure. Every name in it is inert: escaped, with no character that a
// terminal or a browser would act on, and no script may run.
[[nodiscard]] std::string render_board(const Board& board);

// How every page of render_board() begins.
inline constexpr const char* kBoardBegin = "<!DOCTYPE html>\n<!-- cupel leaderboard -->\n";

}  // namespace cupel
