// Splits from a JSON file of the user, or one published beside a paper.
#include "cupel/base/error.h"
#include "cupel/data/formats/split_json.h"
#include "cupel/data/split/link_split.h"
#include "cupel/data/split/split_kind.h"

namespace cupel {
namespace {

std::string path_for(std::string path, const Dataset& dataset) {
  constexpr std::string_view kName = "{dataset}";
  for (std::size_t at = 0; (at = path.find(kName, at)) != std::string::npos;
       at += dataset.name.size())
    path = path.substr(0, at) + dataset.name + path.substr(at + kName.size());
  return path;
}

std::shared_ptr<const SplitFile> read(const Dataset& dataset, const Options& settings) {
  SplitFile out = read_split_json(path_for(settings.text("file"), dataset));
  if (out.of_pairs()) {
    out.splits = ids_of(out, dataset, links_of(dataset, out));
  } else {
    if (settings.text("message") != "train")
      fail("{}: its splits are of {}s, and 'message' is of splits of pairs; leave it out", out.path,
           unit_name(example_unit(dataset)));
    check_fits(out, dataset);
  }
  return std::make_shared<const SplitFile>(std::move(out));
}

// By content: a file that is moved is the same family, an edited one is another.
SplitSetting file_setting() {
  return {.option = {.name = "file", .fallback = std::string(), .doc = "its path"},
          .file = true,
          .needed = "the JSON file with the splits"};
}

// Files of examples came first, and have no messages.
SplitSetting later_message_setting() {
  SplitSetting out = message_setting();
  out.option.later = true;
  return out;
}

std::optional<int> size(const Dataset&, const Options&, const SplitFile* file) {
  if (file == nullptr) return std::nullopt;
  return static_cast<int>(file->splits.size());
}

Split draw_file(const SplitSource& source, int member) {
  const SplitFile& file = *source.file;
  if (static_cast<std::size_t>(member) >= file.splits.size()) {
    fail("{}: split {} was asked for, but it holds {} (0 to {}); lower the split count", file.path,
         member, file.splits.size(), file.splits.size() - 1);
  }
  return file.splits[static_cast<std::size_t>(member)];
}

}  // namespace

extern const SplitKind split_file;
const SplitKind split_file = {
    .name = "file",
    .doc = "those of the JSON file `file`, in which {dataset} stands for the data set's name",
    .settings = {file_setting(), later_message_setting()},
    .words = "the first {count} in {file}",
    .all = "all in {file}",
    .draw = draw_file,
    .count = 0,
    .shared = true,
    .size = size,
    .read = read};

}  // namespace cupel
