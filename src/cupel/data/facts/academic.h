// The graph of scientists, institutions and capabilities over time, from publications.
//
// Source: S. Horawalavithana et al., "EXPERT: Public Benchmarks for Dynamic Heterogeneous Academic
// Graphs", 2022, sections 2 and 3; what the paper leaves open is said with each setting.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cupel/data/facts/facts.h"
#include "cupel/data/facts/keywords.h"
#include "cupel/data/facts/told_persons.h"
#include "cupel/data/records/publication.h"

namespace cupel {

enum class Identity { kName, kId };  // kId: the source's own id first, the name where there is none
enum class PairRule { kYear, kPaper };      // collaboration: once a year, or once for each paper
enum class PaperFilter { kAll, kMatched };  // kMatched: only papers that have a keyword

struct AcademicSettings {
  Identity identity = Identity::kName;
  bool keep_marks = false;   // names with their marks of footnotes: "Ann Lee*" is not "Ann Lee"
  std::string persons = {};  // a table of who is who (told_persons.h), before names and ids
  PairRule pairs = PairRule::kYear;
  PaperFilter filter = PaperFilter::kAll;
  std::vector<std::string> keywords;  // read_keywords(); empty: no expertise
  int first_year = 1965, last_year = 2021;
  int this_year = 0;  // papers of later ones that count are told; 0: not known
  // A paper of more authors gives no facts: pairs grow with the square of it.
  std::int64_t most_authors = 10'000;
};

// Who wrote what: one row for each author of each paper that counts, in the order of papers.
struct Authorships {
  // The sources' own ids; "#7" for the seventh paper if it had none, "7 (2)" for the second of an
  // id whose year or authors are others than the first one's.
  TextTable papers;
  std::vector<Index> paper;     // of each row
  std::vector<Index> position;  // in the paper's list of authors, from 0
  std::vector<Index> entity;
};

struct AcademicGraph {
  TemporalFacts facts;
  Authorships authorships;
  std::map<std::string, std::int64_t> counts;  // what was kept and left out, by reason
};

// How much a builder holds.
struct AcademicSize {
  std::int64_t facts = 0, of_largest_year = 0;    // told again or not
  std::int64_t entities = 0, name_bytes = 0;      // by the names that were printed first
  std::int64_t other_names = 0, other_bytes = 0;  // other ways to print a name
  std::int64_t papers = 0, id_bytes = 0, authorships = 0;
};
// Bytes that a builder of this size takes at the most, while it ends; good to a third.
[[nodiscard]] std::size_t academic_memory(const AcademicSize& size);

// A name as it is compared: NFC, lower case, each of . , ! ? $ a blank, white space single blanks,
// none at the ends.
[[nodiscard]] std::string compared_name(std::string_view name);

// Takes publications in any number and makes the graph of them. Entities are scientists, then
// institutions, then capabilities, each in the order of first appearance; entities of a paper that
// does not count are not there. An entity has the name that is printed most often, of equally
// frequent ones the smallest by bytes, whatever the order of papers; one that goes by its id and is
// never printed has the id for a name. Relations are collaboration (undirected; from the earlier to
// the later author of the first paper that has the pair in the year), partnership (scientist to
// institution) and expertise (scientist to capability: a keyword that occurs in the lower-cased
// title, abstract and keywords, a blank between each). Time is the year, in which partnership and
// expertise stand once. Not thread-safe.
//
// Memory: academic_memory(), and some 40 bytes more of each paper whose id another one had first,
// and of each id that several have.
class AcademicBuilder {
 public:
  // Reads the table of persons, if there is one. Throws Error as that does.
  explicit AcademicBuilder(AcademicSettings settings);

  // `source`: what its ids of authors are from. Equal ids of two sources are two people's. With
  // Identity::kId, authors without an id are known by name, and counted for each source. A name
  // that may be several people's ("Ann Doe and Bob Ray") stays as it is and is counted.
  void add(const Publication& paper, std::string_view source = {});
  // A paper that was read and gives nothing, for a reason that is counted: "papers ..., left out".
  void leave_out(const Publication& paper, const std::string& reason);
  [[nodiscard]] AcademicSize size() const;
  // From now on add() throws Error where the builder would take more; 0: any size will do.
  void keep_within(std::size_t bytes) { most_bytes_ = bytes; }
  // Ends the builder. Throws Error if the table of persons has lines about nobody.
  [[nodiscard]] AcademicGraph finish() &&;

 private:
  enum Type : std::uint8_t { kScientist, kInstitution, kCapability, kTypes };
  // Entities of one type.
  struct Known {
    TextIds keys;
    TextTable names;                  // of each, as it was printed first
    std::vector<std::int64_t> times;  // how often it was printed so
    // The other ways, each as "NAME\n7" of entity 7, and how often these were.
    TextIds other_names;
    std::vector<std::int64_t> other_times;
    // The number of the entity with the key, printed so. Not `counts`: any that counts goes before.
    Index of(std::string_view key, std::string_view printed, bool counts);
    // The name that each has in the end. Ends the rest.
    TextTable take_names();
  };

  void count(const std::string& what, std::int64_t more = 1) { graph_.counts[what] += more; }
  [[nodiscard]] bool counts_at_all(const Publication& paper);
  void find_keywords(const Publication& paper);
  void count_several(std::string_view name);
  // The source's own, or the paper's number; what authorships have but for papers that share one.
  [[nodiscard]] std::string id_of(const Publication& paper) const;
  // `person`: who it is by the table; empty: it says nothing.
  Index scientist(const Author& author, std::string_view source, std::string_view person);
  Index institution(const std::string& name);
  // Of the paper with this id whose authors are the rows of authorships from `begin` on. -1: it was
  // there before.
  Index number_of(const std::string& id, std::int32_t year, std::size_t begin);
  // `told_again`: an earlier record of the paper gave its collaborations; affiliations and keywords
  // that this one adds count, once a year as all do.
  void add_facts(const Publication& paper, bool told_again);
  // Where so many more facts would be too many, or too much.
  void check_room(const Publication& paper, std::int64_t more) const;
  void keep_first_of_year();

  AcademicSettings settings_;
  KeywordFinder finder_;
  ToldPersons told_;
  AcademicGraph graph_;
  Known known_[kTypes];
  std::vector<Index> capability_;  // of each keyword, or -1
  TextIds papers_of_;
  // Of each paper that got a number: its year, and the first of its rows of authorships.
  struct Taken {
    std::size_t begin;
    std::int32_t year;
  };
  std::vector<Taken> taken_;
  // Papers whose id another one had first, by a hash of that id, the year and the authors; and how
  // many papers have the id of one that had it first.
  struct Another {
    Index first, paper;
  };
  std::unordered_multimap<std::uint64_t, Another> others_;
  std::unordered_map<Index, std::int64_t> of_one_id_;
  // Of each scientist the last paper, as papers_ counts them, and the place in authors_ there.
  std::vector<std::pair<std::int64_t, std::size_t>> last_paper_;
  std::vector<std::int64_t> last_author_;  // of each institution, as serial_ counts them
  std::int64_t papers_ = 0, serial_ = 0;
  std::map<std::int64_t, std::int64_t> of_year_;  // facts
  std::int64_t of_largest_year_ = 0;
  std::size_t most_bytes_ = 0;
  // Of the paper at hand: lines of the table of persons, its keywords, its authors, each once, and
  // all their standings: places in authors_ and on the paper.
  std::vector<Index> told_lines_;
  std::vector<std::int32_t> matched_;
  std::vector<Index> authors_;
  std::vector<std::pair<std::size_t, std::size_t>> standings_;
  std::string text_, lower_;
};

}  // namespace cupel
