// What is made of a dump's pages, as one JSON line for each repeat: megabytes of input a second of
// processor time, on one thread.
//
//   bench_wiki_text DUMP.xml [--table FILE-pagelinks.sql] [--repeats 5]
//
// Visible text of the wikitext of all pages, tokens that are kept of the visible text, and rows of
// a table pagelinks, which is repeated in memory to 200 MB.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "blocks.h"
#include "cupel/data/formats/file_bytes.h"
#include "cupel/data/text/text_tokens.h"
#include "cupel/data/wiki/dump_xml.h"
#include "cupel/data/wiki/tables.h"
#include "cupel/data/wiki/visible_text.h"
#include "measuring.h"

namespace cupel::bench {
namespace {

struct Arguments {
  std::string dump, table;
  int repeats = 5;
};

std::string repeated_table(const std::string& path) {
  constexpr std::size_t kMegabytes = 200'000'000;
  std::string text = unpacked(path);
  const std::size_t from = text.find("INSERT INTO");
  if (from == std::string::npos) fail("{}: has no INSERT; give a table with rows", path);
  const std::string rows = text.substr(from);
  while (text.size() < kMegabytes) text += rows;
  return text;
}

template <class Body>
double megabytes_per_second(std::size_t bytes, const Body& body) {
  const double began = processor_seconds();
  body();
  return static_cast<double>(bytes) / 1e6 / (processor_seconds() - began);
}

void run(const Arguments& args) {
  std::vector<std::string> texts;
  std::size_t wikitext = 0;
  FileBytes bytes(args.dump, {1});
  DumpReader dump(bytes);
  const WikitextRules rules(wikitext_names(dump.site().namespaces));
  for (WikiPage page; dump.next(page);) {
    if (page.ns != kArticles || page.redirect) continue;
    texts.emplace_back(page.text);
    wikitext += page.text.size();
  }
  const std::string table = args.table.empty() ? "" : repeated_table(args.table);
  for (int k = 0; k < args.repeats; ++k) {
    std::vector<std::string> visible;
    std::size_t seen = 0, tokens = 0, rows = 0;
    const double to_text = megabytes_per_second(wikitext, [&] {
      for (const std::string& text : texts)
        seen += visible.emplace_back(visible_text(text, rules)).size();
    });
    TextTokenizer tokenizer(&PunktModel::english());
    TokenList list;
    const double to_tokens = megabytes_per_second(seen, [&] {
      for (const std::string& text : visible) {
        list.clear();
        tokenizer.tokenize_and_keep(text, list);
        tokens += list.size();
      }
    });
    const double of_table = megabytes_per_second(table.size(), [&] {
      if (table.empty()) return;
      Blocks source(table);
      PageLinkReader reader(source);
      for (PageLinkRow row; reader.next(row);) ++rows;
    });
    fmt::print(
        "{{\"articles\": {}, \"wikitext_bytes\": {}, \"visible_bytes\": {}, \"tokens\": {}, "
        "\"rows\": {}, \"visible_text_mb_per_second\": {:.0f}, \"tokens_mb_per_second\": {:.0f}, "
        "\"table_mb_per_second\": {:.0f}}}\n",
        texts.size(), wikitext, seen, tokens, rows, to_text, to_tokens, of_table);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace cupel::bench

int main(int argc, char** argv) {
  CLI::App app("visible text, tokens and tables of a Wikipedia");
  cupel::bench::Arguments args;
  app.add_option("dump", args.dump, "a dump of pages, plain or compressed")->required();
  app.add_option("--table", args.table, "a table pagelinks, plain or compressed");
  app.add_option("--repeats", args.repeats, "how often")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  return cupel::bench::exit_code_of([&] { cupel::bench::run(args); });
}
