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

#include "cupel/judge/report/page/uses.h"
#include "cupel/judge/report/table.h"
#include "cupel/lab/results/results.h"
#include "cupel/lab/verify/signature.h"

namespace cupel {

// What a value rests on, the strongest first.
enum class Tier {
  kReproduced,  // some of its runs were done again here, with the same bits
  kRecomputed,  // scored here, from predictions
  kRecorded,    // runs that a store keeps, none of which was done again here
  kReported,    // a publication
};
[[nodiscard]] const char* to_words(Tier tier);  // "reproduced here", ...

// A store or a submission.
struct BoardSource {
  std::string name;  // its path in the folder
  std::string page;  // file of the site; empty: it has none
  std::string date;  // "2026-11-02"
  bool submission = false;
  bool said_deterministic = false;          // of a submission: by who submitted it
  std::string citation;                     // of a submission
  std::int64_t runs = 0;                    // of a submission: predictions
  std::optional<SignatureCheck> signature;  // of a store that can be read
  // What does not hold, a sentence each. Values of such a source have no rank.
  std::vector<std::string> problems;
  // Of the runs done again: their ids, and how many there were that could not be.
  std::set<std::string> reproduced;
  std::int64_t redone = 0;
};
[[nodiscard]] bool holds(const BoardSource& source);

// A value of a model.
struct BoardValue {
  std::string model;
  Tier tier = Tier::kReported;
  std::string text;                   // "81.5 ± 1.3"
  double mean = 0;                    // in the unit of reports
  std::optional<double> spread = {};  // of a publication, if it has one
  int n = 0;                          // runs behind it; 0: of a publication
  std::int64_t expected_n = 0, redone = 0;
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
  kDisputed,    // sources differ in what a publication reports
  kBroken,      // its source does not hold
};
[[nodiscard]] const char* to_words(Unranked why);  // "incomplete", ...; "" of kNo

// A model with its best value, and all others by date, newest first. Best is what has all runs that
// the protocol asks for; of these, what rests on most; of these, the newest.
struct BoardRow {
  int rank = 0;  // 1 is the best; equal means share one; 0: none
  Unranked unranked = Unranked::kNo;
  BoardValue value;
  std::vector<BoardValue> others;
};

struct BoardTable {
  std::string protocol, version, title;  // of the protocol
  std::string table, table_title;
  Column column;
  std::optional<page::DatasetUse> data;  // none: nothing has runs that say it
  std::vector<BoardRow> rows;            // by rank; those without one at the end
  // Models of which sources report different published values, a sentence each.
  std::vector<std::string> disputes;
};

struct Board {
  std::vector<BoardSource> sources;
  std::vector<BoardTable> tables;  // as they were first met
};

// Collects values. Not thread-safe.
class BoardMaker {
 public:
  // Returns the place of the source.
  std::size_t add(BoardSource source);
  // The tables of scores of results that this source gave, and the published values beside them.
  // What cells expect is what the protocol asks for. `shipped`: the published values are those that
  // are part of Cupel; else they are the source's word, which counts only if it holds.
  // Throws Error as make_report() does; nothing is added then.
  void add(const Results& results, const std::string& version, std::size_t source,
           bool shipped = false);
  [[nodiscard]] Board board() const;

 private:
  struct Question {
    BoardTable head;
    std::vector<BoardValue> values;
  };
  Question& question(const Results& results, const std::string& version, const ReportTable& table,
                     const Column& column, const std::optional<page::DatasetUse>& data);

  std::vector<BoardSource> sources_;
  std::vector<Question> questions_;
};

// The site's first page; pure. Every name in it is inert: escaped, with no character that a
// terminal or a browser would act on, and no script may run.
[[nodiscard]] std::string render_board(const Board& board);

// How every page of render_board() begins.
inline constexpr const char* kBoardBegin = "<!DOCTYPE html>\n<!-- cupel leaderboard -->\n";

}  // namespace cupel
