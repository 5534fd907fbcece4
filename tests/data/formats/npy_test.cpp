#include "cupel/data/formats/npy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "cupel/data/formats/npy_header.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

using made::array;
using made::expect_error;

NpyArray parse(const std::string& content) {
  std::size_t at = 0;
  return read_npy("made.npy", content.size(), [&](void* out, std::size_t size) {
    std::memcpy(out, content.data() + at, size);
    at += size;
  });
}

// An array of version 1 with this header, written without our writer.
std::string npy(const std::string& header, const std::string& data, char version = 1) {
  std::string out = "\x93NUMPY";
  out += version;
  out += '\0';
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  if (version > 1) out += std::string(2, '\0');
  return out + header + data;
}

std::string header(const std::string& descr, const std::string& shape,
                   const std::string& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

TEST(Npy, HeaderAsNumPyDocumentsIt) {
  // The bytes of numpy.save(numpy.arange(3, dtype='<i2')), by the format's specification.
  const std::string text = "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }";
  std::string wanted = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text;
  wanted += std::string(127 - wanted.size(), ' ') + "\n";
  ASSERT_EQ(wanted.size(), 128u);
  wanted += std::string("\0\0\1\0\2\0", 6);
  const NpyArray read = parse(wanted);
  EXPECT_EQ(read.shape, (std::vector<std::int64_t>{3}));
  EXPECT_EQ(to_integers(read), (std::vector<std::int64_t>{0, 1, 2}));
  const std::vector<std::byte> written = npy_bytes(read);
  EXPECT_EQ(written.size(), wanted.size());
  EXPECT_EQ(std::memcmp(written.data(), wanted.data(), wanted.size()), 0);
}

TEST(Npy, HeadersInOtherForms) {
  const std::string data(6, '\0');
  for (const std::string& text : {
           std::string("{'shape': (3L,), \"fortran_order\": True, \"descr\": \"<i2\"}"),
           std::string("  { 'descr' : '<i2' , 'fortran_order' : False , 'shape' : ( 3 , ) }  \n\n"),
           std::string("{'descr': '<i2', 'fortran_order': False, 'shape': (3, 1, 1), }"),
       }) {
    EXPECT_EQ(parse(npy(text, data)).items(), 3) << text;
    EXPECT_EQ(parse(npy(text, data, 2)).items(), 3) << text;
    EXPECT_EQ(parse(npy(text, data, 3)).items(), 3) << text;
  }
  EXPECT_EQ(to_integers(parse(npy(header("<i4", "()"), std::string("\7\0\0\0", 4)))),
            std::vector<std::int64_t>{7});
  EXPECT_EQ(parse(npy(header("<f4", "(0, 5)"), "")).items(), 0);
}

TEST(Npy, FortranOrderIsUndone) {
  std::string data(6, '\0');
  for (int i = 0; i < 6; ++i) data[i] = static_cast<char>(i);
  // [[0, 2, 4], [1, 3, 5]] runs down the columns.
  EXPECT_EQ(to_integers(parse(npy(header("|i1", "(2, 3)", "True"), data))),
            (std::vector<std::int64_t>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(to_integers(parse(npy(header("|i1", "(2, 3)"), data))),
            (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(to_integers(parse(npy(header("|i1", "(1, 2, 3)", "True"), data))),
            (std::vector<std::int64_t>{0, 2, 4, 1, 3, 5}));
}

TEST(Npy, BigEndianIsSwapped) {
  EXPECT_EQ(to_integers(parse(npy(header(">i4", "(1,)"), std::string("\0\0\1\2", 4)))),
            std::vector<std::int64_t>{258});
  EXPECT_EQ(to_texts(parse(npy(header(">U2", "(1,)"), std::string("\0\0\0A\0\0\0B", 8)))),
            std::vector<std::string>{"AB"});
}

TEST(Npy, Texts) {
  const std::vector<std::string> texts = {"", "plain", "Gr\xc3\xbc\xc3\x9f", "\xe2\x82\xac",
                                          "\xf0\x9f\x98\x80"};
  EXPECT_EQ(to_texts(make_npy(std::span<const std::string>(texts))), texts);
  EXPECT_EQ(to_texts(parse(npy(header("|S3", "(2,)"), std::string("a\0\0abc", 6)))),
            (std::vector<std::string>{"a", "abc"}));
  expect_error([] { (void)to_texts(parse(npy(header("<U1", "(1,)"), "\xff\xff\xff\x7f"))); },
               {"made.npy[0]", "0x7fffffff"});
  for (const char* bad : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    const std::vector<std::string> one = {bad};
    expect_error([&] { (void)make_npy(std::span<const std::string>(one)); }, {"not UTF-8"});
  }
}

TEST(Npy, RefusedTypesAreNamed) {
  const auto message = [](const std::string& text) {
    return cupel::error_of([&] { (void)parse(npy(text, "12345678")); });
  };
  EXPECT_NE(message(header("|O", "(1,)")).find("Python objects"), std::string::npos);
  EXPECT_NE(
      message("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}").find("records"),
      std::string::npos);
  for (const char* descr : {"<f2", "<c8", "<M8[s]", "|V8", "<f16", "<i3", "", "<", "<f",
                            "<f44444444444", "<U99999999", "?f4", "<f4x"}) {
    EXPECT_NE(message(header(descr, "(1,)")).find("is not read here"), std::string::npos)
        << descr << ": " << message(header(descr, "(1,)"));
  }
}

TEST(Npy, MalformedHeadersAreErrors) {
  const auto expect_refused = [](const std::string& content, const std::string& piece) {
    expect_error([&] { (void)parse(content); }, {"made.npy", piece});
  };
  expect_refused("", "too few");
  expect_refused("\x93NUMPX\x01 xxxxxxxxxxxxxx", "not an npy array");
  expect_refused(npy(header("<f4", "(1,)"), "1234", 4), "npy version 4");
  expect_refused(npy(header("<f4", "(1,)"), "123"), "promises 4 bytes");
  expect_refused(npy(header("<f4", "(1,)"), "12345"), "promises 4 bytes");
  expect_refused(npy(header("<f4", "(-1,)"), ""), "no list of lengths");
  expect_refused(npy(header("<f4", "(1 1)"), ""), "no list of lengths");
  expect_refused(npy(header("<f4", "(,)"), ""), "no list of lengths");
  expect_refused(npy(header("<f4", "(99999999999999999999,)"), ""), "no list of lengths");
  expect_refused(npy(header("<f4", "(4000000000, 4000000000)"), ""), "more than any file holds");
  expect_refused(npy(header("<f4", "(10000000000,)"), "1234"), "promises 40000000000 bytes");
  expect_refused(npy(header("<U0", "(10000000000,)"), ""), "texts without characters");
  expect_refused(npy(header("<f4", "(1,)", "Maybe"), "1234"), "neither True nor False");
  expect_refused(npy("{'descr': '<f4', 'shape': (1,)}", "1234"), "lacks descr");
  expect_refused(npy("{'descr': '<f4', 'descr': '<f4'}", "1234"), "unknown or repeated");
  expect_refused(npy("{'descr': '<f4", "1234"), "text without end");
  expect_refused(npy(header("<f4", "(1,)") + "x", "1234"), "goes on after its end");
  std::string shape = "(";
  for (int i = 0; i < 40; ++i) shape += "1,";
  expect_refused(npy(header("<f4", shape + ")"), "1234"), "more than 32 axes");
  std::string huge = npy(header("<f4", "(1,)"), "1234", 2);
  huge[10] = '\x7f';
  expect_refused(huge, "at most 65536 are read");
}

TEST(NpyConversion, IndicesNameTheValueOutside) {
  EXPECT_EQ(to_indices(array<std::int64_t>({0, 4}), 5, "the 5 nodes"), (std::vector<Index>{0, 4}));
  NpyArray a = array<std::int64_t>({0, 1, 2, 5}, {2, 2});
  a.where = "x.npz: member 'edges'";
  expect_error([&] { (void)to_indices(a, 5, "the 5 nodes"); },
               {"x.npz: member 'edges'[1, 1] is 5", "none of the 5 nodes"});
  expect_error([&] { (void)to_indices(array<std::int32_t>({-1}), 5, "the 5 nodes"); },
               {"array[0] is -1"});
  expect_error([&] { (void)to_indices(array<float>({1}), 5, "the 5 nodes"); },
               {"dtype <f4", "whole numbers"});
}

TEST(NpyConversion, UnsignedBeyondSigned) {
  const NpyArray a = parse(npy(header("<u8", "(1,)"), std::string(8, '\xff')));
  expect_error([&] { (void)to_integers(a); }, {"18446744073709551615"});
}

TEST(NpyConversion, FloatsMustBeFinite) {
  const float inf = std::numeric_limits<float>::infinity();
  expect_error([&] { (void)to_floats(array<float>({0, inf}, {2, 1})); }, {"array[1, 0] is inf"});
  expect_error([&] { (void)to_floats(array<float>({std::nanf("")})); }, {"array[0] is nan"});
  // 1e300 is a fine double, and no float.
  std::string big(8, '\0');
  const double value = 1e300;
  std::memcpy(big.data(), &value, 8);
  expect_error([&] { (void)to_floats(parse(npy(header("<f8", "(1,)"), big))); }, {"1e+300"});
  EXPECT_EQ(to_floats(array<std::int64_t>({-7}))[0], -7.0f);
  const std::vector<std::string> texts = {"a"};
  expect_error([&] { (void)to_floats(make_npy(std::span<const std::string>(texts))); },
               {"dtype <U1", "numbers"});
}

TEST(NpyConversion, Flags) {
  EXPECT_EQ(to_flags(parse(npy(header("|b1", "(3,)"), std::string("\0\1\2", 3)))),
            (std::vector<std::uint8_t>{0, 1, 1}));
  expect_error([] { (void)to_flags(array<std::int32_t>({0, 2})); }, {"array[1] is 2"});
}

TEST(Npy, FilesOnDisk) {
  const made::Folder folder;
  write_npy(array<float>({1, 2, 3, 4}, {2, 2}), folder / "a.npy");
  const NpyArray read = read_npy(folder / "a.npy");
  EXPECT_EQ(read.shape, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(to_floats(read)[3], 4.0f);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

}  // namespace
}  // namespace cupel
