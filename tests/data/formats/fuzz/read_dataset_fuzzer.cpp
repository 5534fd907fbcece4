// A libFuzzer target for the readers; not part of the build. With clang, from the project's root:
//
//   clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -Isrc -IBUILD/generated
//     tests/data/formats/fuzz/read_dataset_fuzzer.cpp src/cupel/base/*.cpp
//     src/cupel/data/dataset.cpp src/cupel/data/{formats,graph,split,split/kinds}/*.cpp
//     -lfmt -lz -lexpat -lcrypto -ltbb -o read_dataset_fuzzer
//   ./read_dataset_fuzzer -max_len=8192 -rss_limit_mb=1024 CORPUS
//
// The first byte of an input chooses what the rest is: an archive (0), an array inside a valid
// archive (1), or one file of a text graph (2 to 5). Checksums would keep a fuzzer out of arrays
// otherwise.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "cupel/base/error.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/zip_writer.h"

namespace {

const std::filesystem::path& folder() {
  static const std::filesystem::path path = [] {
    std::string pattern = "/dev/shm/cupel-fuzz-XXXXXX";
    return std::filesystem::path(::mkdtemp(pattern.data()));
  }();
  return path;
}

void write(const char* name, const std::string& content) {
  std::ofstream(folder() / name, std::ios::binary | std::ios::trunc) << content;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const int kind = data[0] % 6;
  std::filesystem::path path = folder() / "input.npz";
  if (kind == 0) {
    write("input.npz", rest);
  } else if (kind == 1) {
    // One array under every name: sizes that disagree are found, equal ones go on.
    cupel::ZipWriter writer(path);
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(rest.data()),
                                           rest.size());
    for (const char* key :
         {"node_features", "node_labels", "edges", "train_masks", "val_masks", "test_masks"}) {
      writer.add(std::string(key) + ".npy", bytes, false);
    }
    writer.finish();
  } else {
    path = folder();
    std::filesystem::remove(folder() / "input.npz");
    write("labels.csv", kind == 2 ? rest : "node,label\na,x\nb,y\nc,x\n");
    write("edges.csv", kind == 3 ? rest : "source,target\na,b\nb,c\n");
    write("features.csv", kind == 4 ? rest : "node,f\na,1\nb,2\nc,3\n");
    write(
        "splits.json",
        kind == 5 ? rest : "{\"splits\":[{\"train\":[\"a\"],\"valid\":[\"b\"],\"test\":[\"c\"]}]}");
  }
  try {
    (void)cupel::read_dataset(path);
  } catch (const cupel::Error&) {
  }
  return 0;
}
