#include "cupel/data/formats/wiki_cs_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "cupel/base/byte_order_mark.h"
#include "cupel/base/error.h"
#include "cupel/base/regular_file.h"
#include "cupel/data/formats/json_pull.h"
#include "cupel/data/formats/parts.h"
#include "cupel/data/formats/wiki_cs_masks.h"
#include "cupel/data/formats/wiki_cs_metadata.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// The members of data.json as they come; what they must have in common is checked at the end.
class DataReader {
 public:
  explicit DataReader(const fs::path& path) : json_(path) {
    json_.object({"features", "labels", "links", "train_masks", "stopping_masks", "val_masks",
                  "test_masks", "train_mask", "stopping_mask", "val_mask", "test_mask"},
                 [&](std::size_t key) { read_member(key); });
    json_.end();
  }

  // Empty `metadata`: there is none.
  Dataset dataset(const fs::path& metadata, ReadMode mode) {
    const std::string& file = json_.name();
    for (std::size_t k = mode == ReadMode::kForAudit ? 1 : 0; k < 3; ++k) {
      if (!given_[k]) {
        constexpr const char* kNeeded[] = {"features", "labels", "links"};
        fail("{}: has no '{}'; it needs features, labels and links, one of each per node", file,
             kNeeded[k]);
      }
    }
    if (labels_.empty()) fail("{}: the graph has no node; give at least one", file);
    const auto nodes = static_cast<Index>(labels_.size());
    check_rows("features", given_[0] ? features_.rows : nodes);
    check_rows("links", static_cast<std::int64_t>(starts_.size()) - 1);
    check_targets();
    std::vector<std::string> names;
    if (!metadata.empty()) names = read_wiki_cs_metadata(metadata, {labels_, starts_});
    Dataset out;
    out.adjacency.rows = out.adjacency.cols = nodes;
    set_labels(out, labels_, names, file + ": 'labels'");
    if (!given_[0]) features_ = Matrix(nodes, 0);
    check_features(features_, nodes, file + ": 'features'", mode);
    out.features = std::move(features_);
    set_arcs(out);
    set_wiki_cs_splits(file, std::move(masks_), mode, out);
    return out;
  }

 private:
  void read_member(std::size_t key) {
    if (key < 3) given_[key] = true;
    if (key == 0) return read_features();
    if (key == 1) return read_labels();
    if (key == 2) return read_links();
    const std::size_t part = (key - 3) % kWikiCsParts;
    WikiCsMask& mask = masks_[part];
    const std::string name =
        fmt::format("{}_mask{}", kWikiCsMasks[part], key < 3 + kWikiCsParts ? "s" : "");
    if (!mask.key.empty())
      json_.fail_here(
          fmt::format("is given beside '{}', which means the same; give one", mask.key));
    mask = read_wiki_cs_mask(json_, name);
  }

  // As much memory as the rest of the file would need if it were all features, by what the first
  // of them take: then nothing is copied, and what stays unused is never touched.
  void reserve(std::uint64_t begin) {
    constexpr std::size_t kSample = 4096;
    const std::size_t size = features_.values.size();
    if (size < kSample) return;
    const double bytes_of_one =
        static_cast<double>(json_.read_bytes() - begin) / static_cast<double>(size);
    const auto rest = static_cast<double>(json_.file_bytes() - json_.read_bytes()) / bytes_of_one;
    features_.values.reserve(size + static_cast<std::size_t>(1.02 * rest) + 1);
  }

  void read_features() {
    const std::uint64_t begin = json_.read_bytes();
    std::int64_t columns = 0;
    const std::int64_t rows = json_.list([&](std::int64_t row) {
      const std::int64_t entries = json_.list([&](std::int64_t) {
        const double value = json_.number();
        const auto narrow = static_cast<float>(value);
        if (!std::isfinite(narrow))
          json_.fail_here("is larger than a float32 holds; use smaller numbers");
        if (features_.values.size() == features_.values.capacity()) reserve(begin);
        features_.values.push_back(narrow);
      });
      if (row == 0) columns = entries;
      if (entries != columns)
        json_.fail_here(
            fmt::format("has {} numbers where the first row has {}; give each node as "
                        "many",
                        entries, columns));
    });
    check_count(std::max(rows, columns));
    features_.rows = static_cast<Index>(rows);
    features_.cols = static_cast<Index>(columns);
  }

  void read_labels() {
    check_count(json_.list([&](std::int64_t) { labels_.push_back(json_.integer()); }));
  }

  void read_links() {
    starts_ = {0};
    check_count(json_.list([&](std::int64_t) {
      json_.list([&](std::int64_t) {
        const std::int64_t target = json_.integer();
        if (target < 0 || target >= kMostRows)
          json_.fail_here(
              fmt::format("is {}, no number of a node; number the nodes from 0", target));
        targets_.push_back(static_cast<Index>(target));
      });
      starts_.push_back(static_cast<Offset>(targets_.size()));
    }));
  }

  void check_count(std::int64_t count) const {
    if (count <= kMostRows) return;
    json_.fail_here(fmt::format("has {} items, at most {} are possible; use a smaller data set",
                                count, kMostRows));
  }

  void check_rows(const char* key, std::int64_t rows) const {
    if (rows == static_cast<std::int64_t>(labels_.size())) return;
    fail("{}: '{}' has {} lists where 'labels' has {} numbers; give one of each per node",
         json_.name(), key, rows, labels_.size());
  }

  void check_targets() const {
    const auto nodes = static_cast<Index>(labels_.size());
    const auto wrong = std::ranges::find_if(targets_, [&](Index j) { return j >= nodes; });
    if (wrong == targets_.end()) return;
    const Offset at = wrong - targets_.begin();
    const Offset node = std::ranges::upper_bound(starts_, at) - starts_.begin() - 1;
    fail("{}: 'links'[{}][{}] is {}, and there are {} nodes; number them from 0", json_.name(),
         node, at - starts_[static_cast<std::size_t>(node)], *wrong, nodes);
  }

  // In the memory of the lists.
  void set_arcs(Dataset& out) {
    Csr& arcs = out.adjacency;
    arcs.row_ptr = std::move(starts_);
    arcs.columns = std::move(targets_);
    Offset repeats = 0;
    for (Index i = 0; i < arcs.rows; ++i) {
      const auto begin = arcs.columns.begin() + arcs.row_ptr[i];
      const auto end = arcs.columns.begin() + arcs.row_ptr[i + 1];
      std::sort(begin, end);
      for (auto at = begin; at != end; ++at) repeats += at != begin && *at == at[-1];
    }
    out.repeated_arcs = repeats;
    if (repeats == 0) return;
    arcs.values.reserve(arcs.columns.size() - static_cast<std::size_t>(repeats));
    std::size_t from = 0;
    for (Index i = 0; i < arcs.rows; ++i) {
      const auto end = static_cast<std::size_t>(arcs.row_ptr[i + 1]);
      for (const std::size_t begin = from; from < end; ++from) {
        if (from > begin && arcs.columns[from] == arcs.columns[arcs.values.size() - 1]) {
          arcs.values.back() += 1;
        } else {
          arcs.columns[arcs.values.size()] = arcs.columns[from];
          arcs.values.push_back(1);
        }
      }
      arcs.row_ptr[i + 1] = static_cast<Offset>(arcs.values.size());
    }
    arcs.columns.resize(arcs.values.size());
  }

  JsonPull json_;
  bool given_[3] = {};  // features, labels, links
  Matrix features_;
  std::vector<std::int64_t> labels_;
  std::vector<Offset> starts_ = {0};  // of the lists of links
  std::vector<Index> targets_;
  std::array<WikiCsMask, kWikiCsParts> masks_;
};

}  // namespace

bool is_json_object(const fs::path& path) {
  constexpr std::size_t kHead = 64;
  try {
    const InputFile file(path);
    std::string start(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), kHead)), '\0');
    if (!start.empty()) file.read(0, start.data(), start.size());
    const std::string_view text = without_byte_order_mark(start);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{';
  } catch (const Error&) {
    return false;
  }
}

bool is_wiki_cs_folder(const fs::path& folder) { return is_json_object(folder / "data.json"); }

Dataset read_wiki_cs(const fs::path& path, ReadMode mode) {
  std::error_code ignored;
  DataReader reader(path);
  const bool named = path.filename() == "data.json";
  const fs::path metadata = path.parent_path() / "metadata.json";
  Dataset out =
      reader.dataset(named && fs::exists(metadata, ignored) ? metadata : fs::path(), mode);
  out.name = named ? fs::absolute(path).lexically_normal().parent_path().filename().string()
                   : path.stem().string();
  return out;
}

}  // namespace cupel
