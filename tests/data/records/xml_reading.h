// Publications of an XML file, read to the end; for tests and fuzzing.
#pragma once

#include <string>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/records/publication.h"

namespace cupel::made {

struct ReadPublications {
  std::vector<Publication> all;
  std::vector<std::string> places;
  std::map<std::string, std::int64_t> counts;
  std::string error;  // without the file's name
};

template <class Reader>
ReadPublications read_publications(const std::filesystem::path& file) {
  ReadPublications out;
  try {
    Reader reader(file);
    for (Publication one; reader.next(one);) {
      out.all.push_back(one);
      out.places.push_back(reader.place().substr(reader.name().size()));
    }
    Publication none;
    if (reader.next(none)) out.error = "there is something behind the end";
    out.counts = reader.counts();
  } catch (const Error& error) {
    out.error = error.what();
    if (out.error.starts_with(file.string())) out.error.erase(0, file.string().size());
  }
  return out;
}

// "name/id[affiliation|affiliation]" with "; " between.
inline std::string authors_of(const Publication& one) {
  std::string out;
  for (const Author& author : one.authors) {
    if (!out.empty()) out += "; ";
    out += author.name + (author.id.empty() ? "" : "/" + author.id);
    for (std::size_t k = 0; k < author.affiliations.size(); ++k)
      out += (k == 0 ? "[" : "|") + author.affiliations[k];
    if (!author.affiliations.empty()) out += ']';
  }
  return out;
}

}  // namespace cupel::made
