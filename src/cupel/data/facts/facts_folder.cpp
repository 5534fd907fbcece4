#include "cupel/data/facts/facts_folder.h"

#include <system_error>

#include "cupel/base/error.h"
#include "cupel/base/paths.h"
#include "cupel/data/formats/beside.h"
#include "cupel/data/formats/text_file.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using SharedFacts = std::shared_ptr<const TemporalFacts>;

// Collects small pieces of text.
class Pieces {
 public:
  explicit Pieces(const PutText& put) : put_(put) {}
  ~Pieces() = default;
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() > kBlock) flush();
  }
  // Quadruples are most of all that is written.
  void numbers(std::initializer_list<std::int64_t> numbers, char between) {
    char separator = 0;
    for (const std::int64_t number : numbers) {
      if (separator != 0) buffer_ += separator;
      const fmt::format_int text(number);
      buffer_.append(text.data(), text.size());
      separator = between;
    }
    buffer_ += '\n';
    if (buffer_.size() > kBlock) flush();
  }
  void flush() {
    put_(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 16;
  const PutText& put_;
  std::string buffer_;
};

template <class Body>
std::function<void(const PutText&)> writer(Body body) {
  return [body = std::move(body)](const PutText& put) {
    Pieces out(put);
    body(out);
    out.flush();
  };
}

void write_relations(const TemporalFacts& facts, Pieces& out) {
  out.add("id,name,head_type,tail_type,direction,time_unit\n");
  for (std::size_t r = 0; r < facts.relations.size(); ++r) {
    const FactRelation& relation = facts.relations[r];
    out.add("{},{},{},{},{},{}\n", r, csv_quoted(relation.name),
            csv_quoted(facts.types[relation.source_type]),
            csv_quoted(facts.types[relation.target_type]),
            relation.undirected ? "either" : "directed", csv_quoted(facts.time_unit));
  }
}

void write_entities(const TemporalFacts& facts, Pieces& out) {
  out.add("id,type,name\n");
  for (Index k = 0; k < facts.entities(); ++k)
    out.add("{},{},{}\n", k,
            csv_quoted(facts.types[facts.entity_types[static_cast<std::size_t>(k)]]),
            csv_quoted(facts.entity_name(k)));
}

void write_parts(const TemporalFacts& facts, Pieces& out) {
  out.add("part,facts,first,last\n");
  for (const FactPart& part : facts.parts)
    out.add("{},{},{},{}\n", csv_quoted(part.name), part.facts, part.first, part.last);
}

void write_file(const FactsTable& table, const fs::path& folder) {
  OutputFile file(folder / table.name);
  table.write([&](std::string_view text) { file.write(text.data(), text.size()); });
  file.commit();
}

}  // namespace

std::vector<FactsTable> facts_tables(const SharedFacts& facts,
                                     const std::shared_ptr<const Authorships>& authorships) {
  std::vector<FactsTable> out;
  out.push_back({"quadruples.csv", writer([facts](Pieces& to) {
                   to.add("timestamp,head,tail,relation_type\n");
                   for (std::size_t k = 0; k < facts->time.size(); ++k)
                     to.numbers(
                         {facts->time[k], facts->source[k], facts->target[k], facts->relation[k]},
                         ',');
                 })});
  out.push_back({"entities.csv", writer([facts](Pieces& to) { write_entities(*facts, to); })});
  out.push_back({"relations.csv", writer([facts](Pieces& to) { write_relations(*facts, to); })});
  if (authorships != nullptr) {
    out.push_back({"authorships.csv", writer([authorships](Pieces& to) {
                     to.add("paper,position,entity\n");
                     for (std::size_t k = 0; k < authorships->paper.size(); ++k)
                       to.add("{},{},{}\n", csv_quoted(authorships->papers[authorships->paper[k]]),
                              authorships->position[k], authorships->entity[k]);
                   })});
  }
  if (!facts->parts.empty())
    out.push_back({"parts.csv", writer([facts](Pieces& to) { write_parts(*facts, to); })});
  out.push_back({"quadruples.txt", writer([facts](Pieces& to) {
                   for (std::size_t k = 0; k < facts->time.size(); ++k)
                     to.numbers(
                         {facts->source[k], facts->relation[k], facts->target[k], facts->time[k]},
                         '\t');
                 })});
  out.push_back({"stat.txt", writer([facts](Pieces& to) {
                   to.add("{}\t{}\n", facts->entities(), facts->relations.size());
                 })});
  return out;
}

void write_facts_tables(const SharedFacts& facts,
                        const std::shared_ptr<const Authorships>& authorships,
                        const fs::path& folder) {
  std::error_code problem;
  fs::create_directory(folder, problem);
  if (problem)
    fail("{}: cannot be made ({}); give another path", folder.string(), problem.message());
  for (const FactsTable& table : facts_tables(facts, authorships)) write_file(table, folder);
}

void write_facts_folder(const SharedFacts& facts,
                        const std::shared_ptr<const Authorships>& authorships,
                        std::string_view provenance, const fs::path& folder) {
  const Beside beside(new_folder(folder));
  write_facts_tables(facts, authorships, beside.path());
  if (!provenance.empty())
    write_file({"provenance.json", [&](const PutText& put) { put(provenance); }}, beside.path());
  beside.move();
}

}  // namespace cupel
