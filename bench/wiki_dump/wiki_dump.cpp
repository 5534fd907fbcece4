// Pages of a MediaWiki dump beside expat without handlers, in turn, as one JSON line for each pair
// of runs: megabytes of XML a second of processor time.
//
//   bench_wiki_dump DUMP.xml [--repeats 5] [--megabytes 200]
//
// The file is read (and unpacked) into memory before anything is timed; its pages are repeated
// until there are so many megabytes.
#include <expat.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <string_view>

#include "blocks.h"
#include "cupel/data/wiki/dump_xml.h"
#include "measuring.h"

namespace cupel::bench {
namespace {

struct Arguments {
  std::string file;
  int repeats = 5;
  std::size_t megabytes = 200;
};

std::string repeated(const Arguments& args) {
  const std::string text = unpacked(args.file);
  const std::size_t from = text.find("<page>"), to = text.rfind("</page>");
  if (from == std::string::npos || to == std::string::npos)
    fail("{}: has no <page>; give a dump of pages", args.file);
  const std::string pages = text.substr(from, to + 7 - from);
  std::string out = text.substr(0, from);
  while (out.size() < args.megabytes * 1'000'000) out += pages;
  return out + text.substr(to + 7);
}

void run(const Arguments& args) {
  const std::string text = repeated(args);
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  for (int k = 0; k < args.repeats; ++k) {
    std::size_t pages = 0, bytes = 0;
    double began = processor_seconds();
    Blocks ours(text);
    DumpReader reader(ours);
    for (WikiPage page; reader.next(page); ++pages) bytes += page.text.size();
    const double cupel = processor_seconds() - began;
    began = processor_seconds();
    XML_Parser parser = XML_ParserCreate(nullptr);
    Blocks theirs(text);
    bool right = true;
    for (std::string_view block; theirs.next(block);)
      right &= XML_Parse(parser, block.data(), static_cast<int>(block.size()), 0) == XML_STATUS_OK;
    right &= XML_Parse(parser, "", 0, 1) == XML_STATUS_OK;
    XML_ParserFree(parser);
    const double expat = processor_seconds() - began;
    if (!right) fail("{}: expat refuses it", args.file);
    fmt::print(
        "{{\"pages\": {}, \"text_bytes\": {}, \"cupel_mb_per_second\": {:.0f}, "
        "\"expat_mb_per_second\": {:.0f}, \"ratio\": {:.2f}}}\n",
        pages, bytes, megabytes / cupel, megabytes / expat, expat / cupel);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace cupel::bench

int main(int argc, char** argv) {
  CLI::App app("pages of a dump beside expat");
  cupel::bench::Arguments args;
  app.add_option("dump", args.file, "a dump of pages, plain or compressed")->required();
  app.add_option("--repeats", args.repeats, "pairs of runs")->check(CLI::PositiveNumber);
  app.add_option("--megabytes", args.megabytes, "of XML, by repeating the pages");
  CLI11_PARSE(app, argc, argv);
  return cupel::bench::exit_code_of([&] { cupel::bench::run(args); });
}
