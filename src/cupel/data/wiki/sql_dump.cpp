#include "cupel/data/wiki/sql_dump.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>

#include "cupel/base/byte_order_mark.h"
#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/wiki/letter_case.h"

namespace cupel {
namespace {

constexpr std::size_t kLongestRow = std::size_t{16} << 20;
constexpr std::size_t kMostColumns = 256;  // MediaWiki has no table of 50

// With what parts of CREATE TABLE begin that are no columns.
bool is_key(std::string_view word) {
  constexpr std::array<std::string_view, 10> kWords = {
      "primary", "key",        "index",   "unique", "fulltext",
      "spatial", "constraint", "foreign", "check",  "period"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

}  // namespace

SqlDump::SqlDump(ByteSource& source, std::string table) : lexer_(source), table_(std::move(table)) {
  SqlWindow& window = lexer_.window;
  window.grow(kByteOrderMark.size());
  if (std::string_view(window.at, window.size()).starts_with(kByteOrderMark)) {
    window.at += kByteOrderMark.size();
  }
  while (columns_.empty()) {
    if (!next_statement()) {
      fail("{}: holds no CREATE TABLE; give the dump of table {} as mysqldump wrote it",
           window.name(), in_quotes(table_));
    }
  }
}

std::optional<std::size_t> SqlDump::place_of(std::string_view column) const {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns_.begin());
}

void SqlDump::want(std::vector<std::string> columns) {
  wanted_ = std::move(columns);
  for (const std::string& column : wanted_) {
    if (has(column)) continue;
    fail("{}: table {} has no column {}, only {}; give a dump of MediaWiki's table",
         lexer_.window.name(), in_quotes(table_), in_quotes(column), quoted_list(columns_));
  }
  expect(columns_);
  usual_order_ = true;
}

void SqlDump::expect(const std::vector<std::string>& order) {
  std::vector<std::size_t> places;
  for (const std::string& column : wanted_) {
    const auto found = std::find(order.begin(), order.end(), column);
    if (found == order.end()) {
      lexer_.fail_here(fmt::format("INSERT names the columns {} and leaves {} out; dump whole rows",
                                   quoted_list(order), in_quotes(column)));
    }
    places.push_back(static_cast<std::size_t>(found - order.begin()));
  }
  row_.expect(order.size(), places);
  usual_order_ = false;
}

void SqlDump::check_table(const std::string& name) const {
  if (name == table_) return;
  lexer_.fail_here(fmt::format("holds table {}, not {}; give the dump of table {} alone",
                               in_quotes(name), in_quotes(table_), in_quotes(table_)));
}

// Reads a statement, of an INSERT what stands before its rows.
bool SqlDump::next_statement() {
  if (!lexer_.skip_blanks()) return false;
  if (lexer_.take(';')) return true;
  const std::string word = lexer_.word();
  if (word.empty()) {
    lexer_.fail_here(
        fmt::format("{} stands where a statement of SQL belongs; give a dump that mysqldump wrote",
                    shown_next(lexer_.window)));
  }
  if (word == "create") {
    create();
  } else if (word == "insert" || word == "replace") {
    insert();
  } else {
    lexer_.skip_statement();
  }
  return true;
}

void SqlDump::create() {
  std::string word = lexer_.word();
  if (word == "temporary") word = lexer_.word();
  if (word != "table") return lexer_.skip_statement();
  std::string name = lexer_.name("the name of a table");
  if (name == "IF" || name == "if") {
    lexer_.word();  // NOT
    lexer_.word();  // EXISTS
    name = lexer_.name("the name of a table");
  }
  check_table(name);
  std::vector<std::string> columns = read_columns();
  if (!columns_.empty() && columns != columns_) {
    lexer_.fail_here(fmt::format(
        "CREATE TABLE comes again with the columns {} instead of {}; give the files one by one",
        quoted_list(columns), quoted_list(columns_)));
  }
  columns_ = std::move(columns);
  lexer_.skip_statement();
}

std::vector<std::string> SqlDump::read_columns() {
  if (!lexer_.take('(')) {
    lexer_.fail_here(
        fmt::format("{} follows CREATE TABLE, where a list of columns belongs; give a "
                    "dump that mysqldump wrote",
                    shown_next(lexer_.window)));
  }
  std::vector<std::string> columns;
  std::unordered_set<std::string> seen;
  char behind = ',';
  while (behind == ',') {
    lexer_.skip_blanks();
    const int c = lexer_.peek();
    const bool quoted = c == '`' || c == '"';
    std::string name = lexer_.name("the name of a column");
    behind = lexer_.skip_item();
    if (!quoted && is_key(ascii_lower(name))) continue;
    if (!seen.insert(name).second) {
      lexer_.fail_here(
          fmt::format("CREATE TABLE has column {} twice; the file is damaged", in_quotes(name)));
    }
    if (columns.size() == kMostColumns) {
      lexer_.fail_here("CREATE TABLE has more than 256 columns; the file is damaged");
    }
    columns.push_back(std::move(name));
  }
  if (columns.empty()) lexer_.fail_here("CREATE TABLE has no columns; the file is damaged");
  return columns;
}

void SqlDump::insert() {
  std::string name = lexer_.name("the name of a table");
  for (const char* word : {"low_priority", "delayed", "high_priority", "ignore", "into"}) {
    if (ascii_lower(name) == word) name = lexer_.name("the name of a table");
  }
  check_table(name);
  if (columns_.empty()) {
    lexer_.fail_here(
        "INSERT comes before CREATE TABLE, which names the columns; give the dump with both");
  }
  if (lexer_.take('(')) {
    std::vector<std::string> order;
    do {
      order.push_back(lexer_.name("the name of a column"));
      if (!has(order.back()) || order.size() > columns_.size()) {
        lexer_.fail_here(fmt::format("INSERT names column {}, and CREATE TABLE only {}",
                                     in_quotes(order.back()), quoted_list(columns_)));
      }
    } while (lexer_.take(','));
    if (!lexer_.take(')')) lexer_.fail_here("INSERT's list of columns does not end; get it again");
    expect(order);
  } else if (!usual_order_) {
    expect(columns_);
    usual_order_ = true;
  }
  const std::string word = lexer_.word();
  if (word != "values" && word != "value") {
    if (lexer_.peek() == SqlLexer::kEnd) lexer_.fail_cut_off("INSERT");
    lexer_.fail_here(fmt::format("INSERT has {} where VALUES belongs; give a dump of mysqldump",
                                 in_quotes(word)));
  }
  state_ = State::kValues;
}

// Moves behind the "(" of a row; false at the end of the text.
bool SqlDump::find_row() {
  SqlWindow& window = lexer_.window;
  if (state_ == State::kAfterRow && window.size() >= 2 && window.at[0] == ',' &&
      window.at[1] == '(') {
    window.at += 2;
    return true;
  }
  while (true) {
    if (state_ == State::kEnd) return false;
    if (state_ == State::kBetween) {
      if (!next_statement()) state_ = State::kEnd;
      continue;
    }
    if (state_ == State::kAfterRow && !lexer_.take(',')) {
      if (lexer_.peek() == SqlLexer::kEnd) lexer_.fail_cut_off("INSERT");
      state_ = State::kBetween;
      if (lexer_.take(';')) continue;
      if (lexer_.word() != "on") fail_here("no ',' or ';' follows; the file is damaged");
      lexer_.skip_statement();  // ON DUPLICATE KEY UPDATE
      continue;
    }
    if (lexer_.take('(')) return true;
    if (lexer_.peek() == SqlLexer::kEnd) lexer_.fail_cut_off("INSERT");
    lexer_.fail_here(fmt::format("{} stands where a row in parentheses belongs; get the file again",
                                 shown_next(window)));
  }
}

bool SqlDump::next() {
  if (!find_row()) return false;
  SqlWindow& window = lexer_.window;
  ++rows_;
  row_at_ = window.position() - 1;
  while (true) {
    const SqlRow::Result result = row_.read(window.at, window.end);
    if (result == SqlRow::Result::kFault) {
      // The message shall not depend on how much of the text is there.
      if (static_cast<std::size_t>(window.end - row_.stop) < kShownBytes &&
          window.grow(window.size() + kShownBytes)) {
        continue;
      }
      fail_here(row_.fault + "; the file is damaged or cut off, get it again");
    }
    const bool done = result == SqlRow::Result::kDone;
    if ((done ? static_cast<std::size_t>(row_.stop - window.at) : window.size()) > kLongestRow) {
      fail_here("the row has more than 16 MiB; this is no table of MediaWiki");
    }
    if (done) break;
    // Twice as much each time, so that reading again from the row's start stays linear.
    if (!window.grow(2 * window.size() + 1)) {
      fail_here("the file ends inside the row; it is cut off, get it again");
    }
  }
  row_.decode(window.at);
  window.at += row_.stop - window.at;
  state_ = State::kAfterRow;
  return true;
}

std::string SqlDump::here() const {
  return fmt::format("{}: row {} (byte {})", lexer_.window.name(), rows_, row_at_);
}

void SqlDump::fail_here(std::string_view message) const { fail("{}: {}", here(), message); }

}  // namespace cupel
