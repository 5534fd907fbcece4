#include "cupel/data/formats/pickle.h"

#include <gtest/gtest.h>

#include "build_paths.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/pickle_arrays.h"
#include "cupel/data/formats/zip_writer.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

void expect_refused(const std::string& bytes, std::vector<std::string> pieces) {
  pieces.push_back("file: byte ");
  made::expect_error([&] { const Pickle pickle("file", bytes); }, pieces);
}

TEST(Pickle, UnknownNamesAreRefusedByName) {
  // What pickle.dumps makes of an object whose __reduce__ returns (os.system, ("echo",)).
  expect_refused(
      "\x80\x02"
      "cposix\nsystem\nq\x00X\x04\x00\x00\x00"
      "echoq\x01\x85q\x02Rq\x03.",
      {"'posix.system'", "may run code"});
  expect_refused("c__builtin__\neval\n.", {"'__builtin__.eval'"});
  expect_refused("cnumpy.core.multiarray\n_reconstruct2\n.", {"_reconstruct2"});
  expect_refused("ctorch\nload\n.", {"'torch.load'"});
  expect_refused("\x80\x04\x8c\x02os\x8c\x06system\x93.", {"'os.system'"});
  expect_refused("(ios\nsystem\n.", {"instruction 0x69"});
}

TEST(Pickle, WhatIsBrokenIsRefused) {
  expect_refused("", {"1 bytes are needed where 0 are left"});
  expect_refused("N", {"1 bytes are needed"});
  expect_refused(".", {"the stack is empty"});
  expect_refused("(.", {"the stack is empty"});
  expect_refused("t.", {"no mark"});
  expect_refused("I12", {"a line has no end"});
  expect_refused("I12x\n.", {"no number that fits"});
  expect_refused("I99999999999999999999\n.", {"no number that fits 64 bits"});
  expect_refused("\x8a\x09\x01\x01\x01\x01\x01\x01\x01\x01\x01.", {"does not fit 64 bits"});
  expect_refused("Ndx.", {"no mark"});
  expect_refused("(Nd.", {"cannot take pairs"});
  expect_refused("NNa.", {"None holds nothing"});
  expect_refused("]Ns.", {"the stack is empty"});
  expect_refused("]NNs.", {"a list of 0 cannot take pairs"});
  expect_refused("]Nb.", {"has no state"});
  expect_refused("g7\n.", {"nothing is kept under 7"});
  expect_refused("NNR.", {"arguments are None"});
  expect_refused("N)R.", {"None would be called"});
  expect_refused("S'a\n.", {"no quotes"});
  expect_refused("S'\\q'\n.", {"unknown escape"});
  expect_refused("V\\u12\n.", {"ends in an escape"});
  // Lengths that are claimed.
  expect_refused("T\xff\xff\xff\x7f", {"2147483647 bytes are needed where 0 are left"});
  expect_refused(std::string("\x8e") + std::string(8, '\xff'), {"18446744073709551615 bytes"});
}

// An empty tuple costs nothing, however often; an empty list is a value each time.
TEST(Pickle, MemoryIsBoundByTheBytes) {
  std::string many = "(";
  many.append(100000, ')');
  EXPECT_NO_THROW(Pickle("file", many + "t."));
  many.assign(100000, ']');
  expect_refused(many, {"too many values"});
}

// A thousand times the same list of a thousand neighbours, in a few kilobytes.
TEST(Pickle, SharedListsDoNotMakeMuchOfLittle) {
  const made::Folder folder;
  for (const auto& entry :
       std::filesystem::directory_iterator(CUPEL_SOURCE_DIR "/tests/data/formats/fixtures")) {
    if (entry.path().filename().string().starts_with("ind.tiny2."))
      std::filesystem::copy_file(entry.path(), folder / entry.path().filename().string());
  }
  std::string text = "}(K\x01](";
  for (int i = 0; i < 1000; ++i) text += std::string("K\x02");
  text += "eq\x07";
  for (int i = 0; i < 1000; ++i) text += std::string("K\x01h\x07");
  made::write_file(folder / "ind.tiny2.graph", text + "u.");
  made::expect_error([&] { (void)read_dataset(folder.path()); }, {"more entries than its"});
}

TEST(Pickle, ThingsThatContainThemselvesAreRead) {
  const Pickle pickle("file", "(lp0\ng0\na.");
  const PickleNode* list = node_of(pickle.root(), PickleNode::Kind::kList);
  ASSERT_TRUE(list);
  ASSERT_EQ(list->items.size(), 1u);
  EXPECT_EQ(list->items[0].node, list);
}

// numpy.core.multiarray._reconstruct(numpy.ndarray, (0,), 'b') with a state of our own.
std::string array_pickle(const std::string& shape, const std::string& type,
                         const std::string& data) {
  return "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR(I1\n" + shape +
         "cnumpy\ndtype\n(S'" + type + "'\nI0\nI1\ntR(I3\nS'<'\nNNNI-1\nI-1\nI0\ntbI00\n" + data +
         "tb.";
}

TEST(Pickle, ArraysAreChecked) {
  const auto expect_bad = [](const std::string& bytes, const std::vector<std::string>& pieces) {
    const Pickle pickle("file", bytes);
    made::expect_error([&] { (void)pickled_array(pickle.root(), "it"); }, pieces);
  };
  const Pickle good("file", array_pickle("(I2\nt", "i2", "S'\\x01\\x00\\x02\\x00'\n"));
  EXPECT_EQ(to_integers(pickled_array(good.root(), "it")), (std::vector<std::int64_t>{1, 2}));
  expect_bad(array_pickle("(I3\nt", "i2", "S'\\x01\\x00\\x02\\x00'\n"), {"it", "6 bytes", "4"});
  expect_bad(array_pickle("(I4611686018427387904\nI4\nt", "i2", "S'ab'\n"), {"it"});
  expect_bad(array_pickle("(I-1\nt", "i2", "S'ab'\n"), {"-1", "whole number from 0"});
  expect_bad(array_pickle("(I1\nt", "O8", "(lp9\nNa"), {"it", "O8", "a list of 1"});
  expect_bad(array_pickle("(I1\nt", "O8", "S'12345678'\n"), {"it"});
  expect_bad(array_pickle("(I1\nt", "f2", "S'ab'\n"), {"it", "f2"});
  expect_bad(array_pickle("(I1\nt", "i2', ", "S'ab'\n"), {"it"});
  expect_bad("N.", {"it: is None where a numpy array"});
}

// ---- torch --------------------------------------------------------------------------------------

// A file of torch.save whose pickle is given, with a storage of eight bytes.
void expect_torch_error(const std::string& pickle, const std::vector<std::string>& pieces) {
  const made::Folder folder;
  const auto path = folder / "made.pt";
  ZipWriter writer(path);
  const std::string storage = "12345678";
  writer.add("made/data.pkl", std::as_bytes(std::span(pickle)), false);
  writer.add("made/data/0", std::as_bytes(std::span(storage)), false);
  writer.finish();
  std::vector<std::string> all = pieces;
  all.push_back(path.string());
  made::expect_error([&] { (void)read_dataset(path); }, all);
}

// {'x': None, 'edge_index': tensor}; offset, size and stride are given.
std::string tensor_pickle(const std::string& type, const std::string& key,
                          const std::string& place) {
  return "(S'edge_index'\nctorch._utils\n_rebuild_tensor_v2\n((S'storage'\nctorch\n" + type +
         "\nS'" + key + "'\nS'cpu'\nI1\ntQ" + place + "I00\nNtRd.";
}

TEST(TorchFile, TensorsStayInsideTheirStorage) {
  // Good so far, but a graph needs more.
  expect_torch_error(tensor_pickle("ByteStorage", "0", "I0\n(I2\nI4\nt(I4\nI1\nt"),
                     {"has no labels"});
  const std::vector<std::string> outside = {"'edge_index'", "of 8 elements"};
  expect_torch_error(tensor_pickle("ByteStorage", "0", "I0\n(I2\nI5\nt(I5\nI1\nt"), outside);
  expect_torch_error(tensor_pickle("ByteStorage", "0", "I0\n(I2\nI4\nt(I5\nI1\nt"), outside);
  expect_torch_error(tensor_pickle("ByteStorage", "0", "I1\n(I2\nI4\nt(I4\nI1\nt"), outside);
  expect_torch_error(tensor_pickle("ByteStorage", "0", "I9\n(I1\nt(I1\nt"), outside);
  expect_torch_error(tensor_pickle("ByteStorage", "0", "I0\n(I2\nI1000000000\nt(I0\nI0\nt"),
                     {"of 8 elements", "clone"});
  expect_torch_error(
      tensor_pickle("ByteStorage", "0", "I0\n(I4294967296\nI4294967296\nt(I0\nI0\nt"),
      {"of 8 elements"});
  expect_torch_error(
      tensor_pickle("ByteStorage", "0", "I0\n(I2\nI2\nt(I9223372036854775807\nI1\nt"), outside);
  expect_torch_error(tensor_pickle("ByteStorage", "0", "I0\n(I-2\nt(I1\nt"), {"-2"});
  expect_torch_error(tensor_pickle("ByteStorage", "0", "I0\n(I2\nt(I1\nI1\nt"), {"1 sides", "2"});
  expect_torch_error(tensor_pickle("ByteStorage", "1", "I0\n(I8\nt(I1\nt"),
                     {"'made/data/1'", "not in the file"});
  expect_torch_error(tensor_pickle("HalfStorage", "0", "I0\n(I4\nt(I1\nt"),
                     {"torch.HalfStorage", "float()"});
  expect_torch_error("(lp0\n.", {"a list of 0", "to_dict()"});
  expect_torch_error("ctorch_sparse.tensor\nSparseTensor\n.", {"torch_sparse.tensor.SparseTensor"});
}

TEST(TorchFile, TheOldFormIsNamed) {
  const made::Folder folder;
  made::write_file(folder / "old.pt",
                   "\x80\x02\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.");
  made::expect_error([&] { (void)read_dataset(folder / "old.pt"); },
                     {"old.pt", "before version 1.6", "torch.save"});
}

}  // namespace
}  // namespace cupel
