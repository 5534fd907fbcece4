// Context graphs as pnnl/EXPERT writes them: a folder of JSON Lines, SOURCE_Nodes_TYPE.jsonl and
// SOURCE_Links_EDGETYPE.jsonl. (Horawalavithana et al., "EXPERT: Public Benchmarks for Dynamic
// Heterogeneous Academic Graphs", 2022; columns as its notebooks and its code have them.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cupel/data/formats/hashed_file.h"
#include "cupel/data/records/publication.h"

namespace cupel {

// A file that was read to its end; as BuildContext::read_whole wants it.
class ReadFile {
 public:
  ReadFile(std::string name, std::uint64_t bytes, std::string sha256)
      : name_(std::move(name)), bytes_(bytes), sha256_(std::move(sha256)) {}
  const std::string& name() const { return name_; }
  std::uint64_t file_bytes() const { return bytes_; }
  const std::string& sha256() const { return sha256_; }

 private:
  std::string name_;
  std::uint64_t bytes_ = 0;
  std::string sha256_;
};

// The files make one graph, each plain or compressed. An object with `nodeID` is a node, one with
// `from` and `to` a link; keys not named here are left alone.
// - Papers are the nodes of type Paper in their order, then those that only "Author Of" links name.
//   Title: `title`, else `displayName`. DOI: `doi`, where it is a text (doi.h); what is none is
//   counted. Nodes that come again are left out and counted.
// - Authors: "Author Of" (or "Authored") links to the paper, in their order; name: `displayName` of
//   the scientist's node, else the id. The id is the node's.
// - Affiliations: "Belongs To" links of the scientist. A link with a date is for papers of its
//   year, one without for all; those that no paper meets are counted. Its target is the id of an
//   institution, or its name, since the published files have names there and ids of name and
//   address; what is neither is the name.
// - Keywords: topics by "Related To" links from the paper.
// - Year: `year` or `date` of the paper's node, else `date` of the first "Author Of" link that has
//   one. Dates: 2019, "2019", "2019-05-03", or milliseconds since 1970 as pandas writes them.
// Links of other types are not used, and counted by type.
// Memory: ids and names of all nodes with 200 bytes each, 24 bytes a link; titles and abstracts are
// read a second time.
// Not thread-safe.
class ExpertReader final : public PublicationReader {
 public:
  // Reads everything but titles and abstracts of the files, of which there is one or more. Throws
  // Error naming file and line of what cannot be read or would take more than `most_bytes` of
  // memory (0: any size will do), or if no link is between an author and a paper.
  explicit ExpertReader(const std::vector<std::filesystem::path>& files,
                        const ReadProgress& progress = {}, std::size_t most_bytes = 0);
  ~ExpertReader() override;

  bool next(Publication& out) override;
  [[nodiscard]] std::string place() const override;

  const std::vector<ReadFile>& files() const;  // all that were read
  [[nodiscard]] std::size_t memory() const;    // bytes that it holds

  struct Tables;  // of nodes and links

 private:
  struct PaperFiles;
  void put_links(std::int32_t paper, Publication& out);
  void count_unmet();

  std::unique_ptr<Tables> tables_;
  std::unique_ptr<PaperFiles> papers_;
};

}  // namespace cupel
