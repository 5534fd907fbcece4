#include "cupel/data/formats/plain_file.h"

#include <string_view>

#include "cupel/base/error.h"
#include "cupel/base/regular_file.h"
#include "cupel/data/formats/graphml.h"
#include "cupel/data/formats/mat_file.h"
#include "cupel/data/formats/mat_graph.h"
#include "cupel/data/formats/planetoid.h"
#include "cupel/data/formats/smiles_csv.h"
#include "cupel/data/formats/wiki_cs_json.h"

namespace cupel {
namespace {

// The number that torch.save wrote first before PyTorch 1.6, as a pickle.
constexpr std::string_view kOldTorch = "\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19";

}  // namespace

std::function<Dataset(ReadMode)> plain_file_reader(const std::filesystem::path& path) {
  if (file_starts_with(path, kOldTorch)) {
    return [path](ReadMode) -> Dataset {
      fail(
          "{}: is in the form that PyTorch wrote before version 1.6; load it and save it again "
          "with torch.save",
          path.string());
    };
  }
  if (is_mat_file(path)) return [path](ReadMode mode) { return read_mat_graph(path, mode); };
  if (const auto stem = planetoid_stem_of_file(path))
    return [stem](ReadMode mode) { return read_planetoid(*stem, mode); };
  if (is_graphml(path)) return [path](ReadMode mode) { return read_graphml(path, mode); };
  if (is_json_object(path)) return [path](ReadMode mode) { return read_wiki_cs(path, mode); };
  if (is_smiles_csv(path)) return [path](ReadMode) { return read_smiles_csv(path); };
  return {};
}

}  // namespace cupel
