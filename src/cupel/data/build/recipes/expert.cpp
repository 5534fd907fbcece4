// The graph of scientists, institutions and capabilities over time, from records of publications.
//
// Source: S. Horawalavithana et al., "EXPERT: Public Benchmarks for Dynamic Heterogeneous Academic
// Graphs", 2022, sections 2 and 3; facts/academic.h for the rules.
//
// Memory: the facts and the names (academic.h), the DOIs of several inputs (doi_duplicates.h), some
// 2 KB a file; records are streamed.
#include <time.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <numeric>
#include <type_traits>

#include "cupel/base/calendar.h"
#include "cupel/base/error.h"
#include "cupel/data/build/expert/forecast.h"
#include "cupel/data/build/recipe.h"
#include "cupel/data/facts/academic.h"
#include "cupel/data/facts/doi_duplicates.h"
#include "cupel/data/facts/facts_folder.h"
#include "cupel/data/formats/build_account.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/records/acl_anthology.h"
#include "cupel/data/records/expert_json_lines.h"
#include "cupel/data/records/grobid_tei.h"
#include "cupel/data/records/open_alex.h"
#include "cupel/data/records/paperlists.h"
#include "cupel/data/records/records_table.h"
#include "cupel/data/records/scopus.h"
#include "cupel/data/records/web_of_science.h"

namespace cupel {
namespace {

using Counts = std::map<std::string, std::int64_t>;  // "INPUT: what its readers say"

// "1965-2021", or one year.
void read_years(const std::string& text, AcademicSettings& out) {
  const char *at = text.data(), *end = at + text.size();
  const auto first = std::from_chars(at, end, out.first_year);
  const bool dash = first.ec == std::errc() && first.ptr != end && *first.ptr == '-';
  const auto last = dash ? std::from_chars(first.ptr + 1, end, out.last_year) : first;
  if (!dash) out.last_year = out.first_year;
  if (text.starts_with('-') || last.ec != std::errc() || last.ptr != end ||
      out.first_year > out.last_year)
    fail(
        "expert: years={} is no span of years; write the first and the last one, as 1965-2021, or "
        "one year",
        in_quotes(text));
}

AcademicSettings settings_of(const Options& options) {
  AcademicSettings out;
  out.identity = options.text("identity") == "name" ? Identity::kName : Identity::kId;
  out.persons = options.text("persons");
  out.keep_marks = options.text("marks") == "keep";
  out.pairs = options.text("pairs") == "year" ? PairRule::kYear : PairRule::kPaper;
  out.filter = options.text("filter") == "all" ? PaperFilter::kAll : PaperFilter::kMatched;
  out.keywords = read_keywords(options.text("keywords"));
  out.most_authors = options.integer("most-authors");
  read_years(options.text("years"), out);
  out.this_year = this_year();
  return out;
}

// Takes "FIELD:COLUMN" from `at` on, and the comma behind it: a column in double quotes, in which
// these are doubled, may have commas in it. `field` is empty where it is none of these.
struct NamedColumn {
  std::string field, column;
};
NamedColumn take_column(const std::string& text, std::size_t& at) {
  const std::size_t end = std::min(text.find(',', at), text.size());
  const std::size_t colon = text.find(':', at);
  NamedColumn out;
  if (colon < end) out.field = text.substr(at, colon - at);
  if (text.compare(std::min(colon, end), 2, ":\"") != 0) {
    if (colon < end) out.column = text.substr(colon + 1, end - colon - 1);
    at = end + 1;
    return out;
  }
  for (at = colon + 2; at < text.size() && (text[at] != '"' || text[at + 1] == '"'); ++at) {
    out.column += text[at];
    if (text[at] == '"') ++at;
  }
  const bool closed = at < text.size() && (at + 1 == text.size() || text[at + 1] == ',');
  if (!closed) out.field.clear();
  at += 2;
  return out;
}

// "authors:Names,year:Jahr,separator:|,within:none": what is not named is as it is here.
RecordsColumns columns_of(const std::string& text) {
  RecordsColumns out;
  const std::map<std::string, std::string*> fields = {{"id", &out.id},
                                                      {"doi", &out.doi},
                                                      {"year", &out.year},
                                                      {"title", &out.title},
                                                      {"abstract", &out.abstract},
                                                      {"authors", &out.authors},
                                                      {"author_ids", &out.author_ids},
                                                      {"keywords", &out.keywords},
                                                      {"affiliations", &out.affiliations}};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const auto [field, name] = take_column(text, at);
    if (field == "separator" && name.size() == 1) {
      out.separator = name.front();
    } else if (field == "separator" && name == "comma") {
      out.separator = ',';
    } else if (field == "within" && !name.empty()) {
      out.within = name == "none" ? "" : name;
    } else if (const auto known = fields.find(field); known != fields.end() && !name.empty()) {
      *known->second = name;
    } else {
      fail(
          "expert: columns={}: {} is no FIELD:COLUMN; fields are id, doi, year, title, "
          "abstract, authors, author_ids, affiliations, keywords, separator (one character, or "
          "comma), and within (characters, or none); put the name of a column that has a comma in "
          "double quotes",
          in_quotes(text), in_quotes(text.substr(begin, at - begin - 1)));
    }
  }
  std::erase(out.within, out.separator);
  return out;
}

// Called with each paper and the input that it is of.
using Take = std::function<void(const Publication& paper, const std::string& input)>;

void take_all(PublicationReader& reader, const std::string& input, const Take& take,
              Counts& counts) {
  for (Publication paper; reader.next(paper);) take(paper, input);
  for (const auto& [what, number] : reader.counts()) counts[input + ": " + what] += number;
}

// Every file of an input, by what `open` makes of it.
template <class Open>
void read_files(BuildContext& context, const std::string& input, const Take& take, Counts& counts,
                const Open& open) {
  const auto& files = context.paths(input);
  for (std::size_t k = 0; k < files.size(); ++k) {
    const std::string name = files[k].filename().string();
    auto reader = open(
        files[k], context.progress(files.size() == 1
                                       ? name
                                       : fmt::format("{} ({} of {})", name, k + 1, files.size())));
    take_all(*reader, input, take, counts);
    context.read_whole(input, *reader);
  }
}

template <class Reader>
auto opened() {
  return [](const std::filesystem::path& file, ReadProgress progress) {
    return std::make_unique<Reader>(file, std::move(progress));
  };
}

void read_expert(BuildContext& context, AcademicBuilder& builder, const Take& take,
                 Counts& counts) {
  const std::size_t most = context.most_memory();
  ExpertReader reader(context.paths("expert"), context.progress("expert"), most);
  // More than that was refused.
  if (most > 0) builder.keep_within(std::max<std::size_t>(most - reader.memory(), 1));
  take_all(reader, "expert", take, counts);
  for (const ReadFile& file : reader.files()) context.read_whole("expert", file);
  builder.keep_within(most);
}

// Of an input whose files make one graph together.
struct ReadAsOne {};

// Calls visit(input, open) for each input, in the order in which they are read; `open` makes the
// reader of a file and of who is told how far it is.
template <class Visit>
void for_inputs(const RecordsColumns& columns, const Visit& visit) {
  visit("acl", opened<AclAnthologyReader>());
  visit("expert", ReadAsOne());
  visit("openalex", opened<OpenAlexReader>());
  visit("paperlists", opened<PaperlistsReader>());
  visit("records", [&columns](const std::filesystem::path& file, ReadProgress progress) {
    return std::make_unique<RecordsReader>(file, columns, std::move(progress));
  });
  visit("scopus", opened<ScopusReader>());
  visit("tei", opened<GrobidTeiReader>());
  visit("wos", opened<WebOfScienceReader>());
}

std::vector<std::string> input_names() {
  std::vector<std::string> out;
  for_inputs(RecordsColumns(),
             [&out](const std::string& input, const auto&) { out.push_back(input); });
  return out;
}

DuplicateRule duplicates_of(const BuildContext& context) {
  const std::string& rule = context.settings().text("duplicates");
  if (rule == "doi") return DuplicateRule::kDoi;
  const auto given = std::ranges::count_if(
      input_names(), [&](const std::string& input) { return context.has(input); });
  // What one input has alone is read once.
  return rule == "keep" || given < 2 ? DuplicateRule::kKeep : DuplicateRule::kInputs;
}

// Processor time, so that a sample depends little on what else the machine does.
double seconds_so_far() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// What a sample may take.
struct SampleLimit {
  std::uint64_t bytes = 0;
  double end = 0;  // by seconds_so_far()
  std::size_t memory = 0;
};

std::uint64_t text_bytes(const Publication& paper) {
  std::size_t out = paper.title.size() + paper.abstract.size();
  for (const std::string& keyword : paper.keywords) out += keyword.size();
  for (const Author& author : paper.authors) {
    out += author.name.size() + author.id.size();
    for (const std::string& affiliation : author.affiliations) out += affiliation.size();
  }
  return out;
}

// Adds the papers of a file from its beginning on, and now and then how much there is by then.
// Returns how many bytes of it have them. A reader has a block more than it needed so far, and the
// first one is read to its end, unless its papers take too much: then they have as many bytes as
// they have text.
template <class Open>
std::uint64_t read_part(const std::filesystem::path& file, const Open& open, std::uint64_t most,
                        const SampleLimit& limit, AcademicBuilder& builder,
                        std::vector<AcademicSize>& sizes) {
  constexpr int kNowAndThen = 64;
  std::uint64_t used = 0, given = 0, texts = 0;
  try {
    const auto reader = open(file, [&](std::uint64_t done, std::uint64_t) {
      used = given;
      given = done;
    });
    Publication paper;
    int papers = 0;
    while (used == 0 || (used < most && seconds_so_far() < limit.end)) {
      if (!reader->next(paper)) return given;
      builder.add(paper);
      texts += text_bytes(paper);
      const AcademicSize size = builder.size();
      if (++papers % kNowAndThen == 0) sizes.push_back(size);
      if (academic_memory(size) > limit.memory) return std::max(used, texts);
    }
  } catch (const Error&) {  // the build says so
  }
  return used;
}

// What the files of an input hold.
template <class Open>
AcademicSize size_of_files(const std::vector<std::filesystem::path>& files,
                           const std::vector<std::uint64_t>& file_sizes, const Open& open,
                           const AcademicSettings& settings, const SampleLimit& limit) {
  AcademicBuilder builder(settings);
  std::vector<AcademicSize> sizes;
  std::uint64_t used = 0;
  for (const auto& [file, bytes] : spread_sample(file_sizes, limit.bytes)) {
    used += read_part(files[file], open, bytes, limit, builder, sizes);
    if (used >= limit.bytes || seconds_so_far() >= limit.end ||
        academic_memory(builder.size()) > limit.memory)
      break;
  }
  if (used == 0) return {};
  sizes.push_back(builder.size());
  const auto all = std::accumulate(file_sizes.begin(), file_sizes.end(), std::uint64_t{0});
  return extrapolated(sizes, std::max(static_cast<double>(all) / static_cast<double>(used), 1.0));
}

// A tenth of each input, of all together not more than 32 MiB or what half a second is enough for.
BuildForecast forecast_of(const BuildContext& context) {
  constexpr double kSeconds = 0.5;
  constexpr std::uint64_t kLeast = std::uint64_t{4} << 20, kMost = std::uint64_t{32} << 20;
  constexpr std::size_t kMostMemory = std::size_t{256} << 20;
  constexpr std::size_t kOfReader = std::size_t{8} << 20, kOfFile = 2048;
  constexpr std::size_t kOfDoi = 160;  // with its paper's id (doi_duplicates.h)
  AcademicSettings settings = settings_of(context.settings());
  settings.persons.clear();  // few names of many
  const RecordsColumns columns = columns_of(context.settings().text("columns"));
  const bool of_dois = duplicates_of(context) != DuplicateRule::kKeep;
  BuildForecast out;
  std::map<std::string, std::vector<std::uint64_t>> sizes;
  for_inputs(columns, [&](const std::string& input, const auto& open) {
    if (!context.has(input)) return;
    if constexpr (std::is_same_v<std::decay_t<decltype(open)>, ReadAsOne>) {
      out.without = input;
    } else {
      for (const std::filesystem::path& file : context.paths(input)) {
        std::error_code problem;
        const std::uintmax_t size = std::filesystem::file_size(file, problem);
        sizes[input].push_back(problem ? 0 : size);
        out.bytes += sizes[input].back();
        ++out.files;
      }
    }
  });
  std::size_t bytes = 0;
  for_inputs(columns, [&](const std::string& input, const auto& open) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(open)>, ReadAsOne>) {
      if (!sizes.contains(input)) return;
      const std::vector<std::uint64_t>& of = sizes.at(input);
      const std::uint64_t all = std::accumulate(of.begin(), of.end(), std::uint64_t{0});
      const double share = static_cast<double>(all) / std::max(static_cast<double>(out.bytes), 1.0);
      const auto wanted = static_cast<double>(std::clamp(out.bytes / 10, kLeast, kMost));
      const SampleLimit limit{static_cast<std::uint64_t>(wanted * share),
                              seconds_so_far() + kSeconds * share, kMostMemory};
      const AcademicSize size = size_of_files(context.paths(input), of, open, settings, limit);
      bytes += academic_memory(size);
      if (of_dois) bytes += kOfDoi * static_cast<std::size_t>(size.papers);
    }
  });
  if (out.files > 0) out.memory = bytes + kOfReader + kOfFile * out.files;
  return out;
}

// All papers of all inputs, in their order, and what the readers counted.
Counts read_inputs(BuildContext& context, const RecordsColumns& columns, AcademicBuilder& builder,
                   const Take& take) {
  Counts counts;
  for_inputs(columns, [&](const std::string& input, const auto& open) {
    if (!context.has(input)) return;
    if constexpr (std::is_same_v<std::decay_t<decltype(open)>, ReadAsOne>)
      read_expert(context, builder, take, counts);
    else
      read_files(context, input, take, counts, open);
  });
  return counts;
}

// Adds all papers, but those that a fuller record tells.
Counts add_papers(BuildContext& context, const RecordsColumns& columns, AcademicBuilder& builder) {
  const DuplicateRule rule = duplicates_of(context);
  if (rule == DuplicateRule::kKeep)
    return read_inputs(
        context, columns, builder,
        [&](const Publication& paper, const std::string& input) { builder.add(paper, input); });
  DoiDuplicates duplicates(rule);
  (void)read_inputs(
      context, columns, builder,
      [&](const Publication& paper, const std::string& input) { duplicates.see(paper, input); });
  duplicates.settle();
  Counts joined;
  Counts counts = read_inputs(
      context, columns, builder, [&](const Publication& paper, const std::string& input) {
        const auto fuller = duplicates.next();
        if (!fuller) {
          builder.add(paper, input);
          return;
        }
        builder.leave_out(paper, "papers with the DOI of a fuller record, left out");
        ++joined[fmt::format("{}: papers with the DOI of a fuller record of {}", input,
                             fuller->input)];
        if (fuller->other_year) ++joined["papers with the DOI of a fuller record of another year"];
      });
  if (duplicates.unclear() > 0)
    joined["DOIs that one input has at several papers, which join nothing"] = duplicates.unclear();
  counts.merge(joined);
  return counts;
}

// What came of it last: people look there first.
void tell_counts(BuildContext& context, const Counts& records, const AcademicGraph& graph) {
  const std::vector<std::string> last = {"scientists",     "institutions", "capabilities",
                                         "collaborations", "partnerships", "facts of expertise"};
  const bool keep_marks = context.settings().text("marks") == "keep";
  for (const auto& [told, number] : records) {
    std::string what = told;
    if (const std::size_t at = what.find("marks of footnotes, taken off");
        keep_marks && at != std::string::npos)
      what.replace(at, std::string::npos, "marks of footnotes, kept");
    context.count(what, number);
  }
  for (const auto& [what, number] : graph.counts)
    if (std::ranges::find(last, what) == last.end()) context.count(what, number);
  for (const std::string& what : last) context.count(what, graph.counts.at(what));
  const auto times = graph.facts.time.all();
  if (!times.empty())
    context.count(fmt::format("{}{}", kFactsOfLastYear, times.back()),
                  std::ranges::count(times, times.back()));
}

// What was taken and left out, and behind that what the readers mended or were in doubt about.
std::string why_nothing(const AcademicGraph& graph, const Counts& records) {
  std::vector<std::string> out;
  for (const char* what : {"papers read", "papers taken"}) {
    const auto at = graph.counts.find(what);
    out.push_back(fmt::format("{} {}", at == graph.counts.end() ? 0 : at->second, what));
  }
  for (const auto& [what, number] : graph.counts)
    if (what.starts_with("papers") && what.ends_with(", left out"))
      out.push_back(fmt::format("{} {}", number, what.substr(0, what.find(','))));
  std::string text = fmt::format("{}", fmt::join(out, ", "));
  for (const auto& [what, number] : records) text += fmt::format("; {}: {}", what, number);
  return text;
}

BuildProduct make(BuildContext& context) {
  const AcademicSettings settings = settings_of(context.settings());
  const RecordsColumns columns = columns_of(context.settings().text("columns"));
  AcademicBuilder builder(settings);
  builder.keep_within(context.most_memory());
  const std::vector<std::string> known = input_names();
  if (std::ranges::none_of(known, [&](const std::string& input) { return context.has(input); }))
    fail("expert: no record is given; use --from INPUT=PATH with one of {}",
         fmt::join(known, ", "));
  const Counts counts = add_papers(context, columns, builder);

  if (const std::string& list = context.settings().text("keywords"); !is_keyword_list(list)) {
    FileBytes bytes(list, Threads{1});
    context.read_to_end(kKeywordsInput, bytes);
  }
  if (!settings.persons.empty()) {
    FileBytes bytes(settings.persons, Threads{1});
    context.read_to_end(kPersonsInput, bytes);
  }

  AcademicGraph graph = std::move(builder).finish();
  tell_counts(context, counts, graph);
  if (graph.facts.facts() == 0)
    fail("expert: the records give no fact in {} ({}); look at years, filter and keywords{}",
         in_quotes(context.settings().text("years")), why_nothing(graph, counts),
         context.has("records") ? ", and at columns=separator:comma where commas part the authors"
                                : "");
  graph.facts.name = "expert";
  const auto facts = std::make_shared<const TemporalFacts>(std::move(graph.facts));
  const auto authorships = std::make_shared<const Authorships>(std::move(graph.authorships));
  BuildProduct product;
  for (FactsTable& table : facts_tables(facts, authorships))
    product.tables.push_back({table.name, table.write});
  return product;
}

BuildInput records_of(std::string name, std::string doc, std::vector<std::string> patterns) {
  return {std::move(name), std::move(doc), std::move(patterns), true, true, true};
}

}  // namespace

extern const BuildRecipe build_recipe_expert;
const BuildRecipe build_recipe_expert = {
    "expert",
    "Scientists, institutions and capabilities over time",
    "Facts over time from records of publications of one source or several: who wrote with whom "
    "(collaboration), who was where (partnership), who worked on what (expertise), by year.",
    "S. Horawalavithana et al.: EXPERT: Public Benchmarks for Dynamic Heterogeneous Academic "
    "Graphs. GLB workshop at WWW 2022.",
    {records_of("acl", "the ACL Anthology's XML, a file for each collection", {"*.xml"}),
     records_of("paperlists", "JSON lists of papers, as paperlists has them for conferences",
                {"*.json"}),
     records_of("wos", "Web of Science, tagged text or tab-delimited", {"*.txt", "*.isi", "*.ciw"}),
     records_of("scopus", "Scopus, CSV", {"*.csv", "*.scopus"}),
     records_of("tei", "papers as GROBID reads them, TEI", {"*.xml", "*.tei"}),
     records_of("expert", "nodes and links as pnnl/EXPERT makes them, JSON Lines, many files",
                {"*.jsonl", "*.json"}),
     records_of("openalex", "OpenAlex works, JSON Lines", {"*.gz", "*.jsonl", "*.json"}),
     records_of("records",
                "a table of yours, CSV or JSON Lines: id, doi, year, title, abstract, authors, ...",
                {"*.csv", "*.tsv", "*.jsonl", "*.json"})},
    {choice_setting("identity", {"name", "id"},
                    "who is one scientist. name: equal names; id: the source's ids first"),
     {"persons", std::string(),
      "a table paper,position,person of authorships whose people you know; it goes before names "
      "and ids"},
     choice_setting(
         "marks", {"keep", "drop"},
         "stars and digits of footnotes at names. keep: part of the name as printed; drop: not"),
     choice_setting("pairs", {"year", "paper"},
                    "two authors of a paper are a fact. year: once a year; paper: for each paper"),
     {"keywords", std::string("ai"), "capabilities: ai, nuclear, or a file with a keyword a line"},
     choice_setting("filter", {"all", "matched"},
                    "which papers count. all: every one; matched: those with a keyword"),
     {"years", std::string("1965-2021"), "papers of these years, or of one: 2018"},
     choice_setting("duplicates", {"inputs", "doi", "keep"},
                    "records of one DOI, of which the fullest is kept. inputs: those of different "
                    "inputs are one; doi: all are one; keep: each is a paper"),
     {"most-authors", std::int64_t{10'000}, "a paper of more gives no facts", 1, 1'000'000, {}},
     {"columns", std::string(),
      "of records: FIELD:COLUMN with commas between, as authors:Names,separator:comma. "
      "within:none: + "
      "and | part no affiliations. Put the name of a column that has a comma in double quotes"}},
    {{"which pairs of authors collaborate, and in what direction",
      "all, from the earlier to the later author; the published counts cannot all come of this"},
     {"who is one scientist", "equal names; `cupel build` merges nobody beyond that"},
     {"where a keyword has to be", "anywhere in title, abstract or keywords, within words too"},
     {"which papers count",
      "all, where the published counts look like those with a keyword for "
      "some graphs and not for others"}},
    {},
    make,
    true,
    {},
    forecast_of};

}  // namespace cupel
