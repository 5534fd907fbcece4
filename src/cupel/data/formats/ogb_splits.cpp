#include "cupel/data/formats/ogb_splits.h"

#include <algorithm>
#include <system_error>

#include "cupel/base/error.h"
#include "cupel/data/formats/claims.h"
#include "cupel/data/formats/npz.h"
#include "cupel/data/formats/number_table.h"

namespace cupel {
namespace {

std::vector<Index> read_part(const std::filesystem::path& path, Index graphs, const char* example) {
  std::vector<Index> out;
  read_integer_rows(path, 1, [&](LineReader& reader, std::span<const std::int64_t> row) {
    if (row[0] < 0 || row[0] >= graphs) {
      reader.fail_here(fmt::format("{} {} is not one of the data set's {}, numbered from 0",
                                   example, row[0], graphs));
    }
    out.push_back(static_cast<Index>(row[0]));
  });
  std::ranges::sort(out);
  return out;
}

// Splits x graphs, or graphs alone.
std::vector<std::vector<Index>> read_masks(const NpzFile& file, const std::string& key,
                                           Index graphs, const char* example) {
  const NpyArray array = file.read(key);
  if (array.shape.empty() || array.shape.size() > 2 || array.shape.back() != graphs) {
    fail("{}: has the shape ({}); it needs a flag for each of the {} {}s", array.where,
         fmt::join(array.shape, ", "), graphs, example);
  }
  if (array.shape.size() == 2) check_split_count(array.where, array.shape[0]);
  const std::vector<std::uint8_t> flags = to_flags(array);
  std::vector<std::vector<Index>> out(
      array.shape.size() == 1 ? 1 : static_cast<std::size_t>(array.shape[0]));
  for (std::size_t s = 0; s < out.size(); ++s) {
    for (Index g = 0; g < graphs; ++g) {
      if (flags[s * static_cast<std::size_t>(graphs) + static_cast<std::size_t>(g)])
        out[s].push_back(g);
    }
  }
  return out;
}

std::vector<Split> read_mask_file(const std::filesystem::path& path, Index graphs,
                                  const char* example) {
  const NpzFile file(path);
  const auto train = read_masks(file, "train_mask", graphs, example);
  const auto valid =
      read_masks(file, file.has("val_mask") ? "val_mask" : "valid_mask", graphs, example);
  const auto test = read_masks(file, "test_mask", graphs, example);
  if (valid.size() != train.size() || test.size() != train.size()) {
    fail("{}: has {} training, {} validation and {} test masks; give as many of each",
         path.string(), train.size(), valid.size(), test.size());
  }
  std::vector<Split> out;
  for (std::size_t s = 0; s < train.size(); ++s) out.push_back({train[s], valid[s], test[s]});
  return out;
}

}  // namespace

std::filesystem::path ogb_table(const std::filesystem::path& folder, const std::string& stem) {
  const auto packed = folder / (stem + ".csv.gz"), plain = folder / (stem + ".csv");
  std::error_code ignored;
  const bool use_plain =
      !std::filesystem::exists(packed, ignored) && std::filesystem::exists(plain, ignored);
  return use_plain ? plain : packed;
}

std::vector<Split> read_ogb_splits(const std::filesystem::path& folder, Index graphs,
                                   const char* example) {
  std::error_code problem;
  if (!std::filesystem::is_directory(folder, problem)) return {};
  std::vector<std::filesystem::path> schemes;
  for (std::filesystem::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem))
    schemes.push_back(at->path());
  if (problem) {
    fail("{}: the folder cannot be read ({}); check its permissions", folder.string(),
         problem.message());
  }
  std::ranges::sort(schemes);
  std::vector<Split> out;
  for (const std::filesystem::path& scheme : schemes) {
    if (scheme.extension() == ".npz") {
      std::ranges::move(read_mask_file(scheme, graphs, example), std::back_inserter(out));
    } else if (std::filesystem::exists(ogb_table(scheme, "train"), problem)) {
      out.push_back({read_part(ogb_table(scheme, "train"), graphs, example),
                     read_part(ogb_table(scheme, "valid"), graphs, example),
                     read_part(ogb_table(scheme, "test"), graphs, example)});
    }
  }
  return out;
}

}  // namespace cupel
