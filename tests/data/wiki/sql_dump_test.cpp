#include "cupel/data/wiki/sql_dump.h"

#include <gtest/gtest.h>

#include <random>

#include "cupel/data/wiki/sql_scan.h"
#include "data/build/made_text.h"
#include "data/wiki/sql_reading.h"

namespace cupel::test {
namespace {

using namespace sql;

TEST(SqlDump, ReadsWantedColumnsInTheOrderTheyAreWanted) {
  const std::string text = dump_of("t", {"a", "b", "c", "d"}, "(1,'x',-3,NULL),(4,'',0.5,'z')");
  EXPECT_EQ(rows_of(text, {"c", "b"}), (Rows{{"-3", "'x"}, {"0.5", "'"}}));
  EXPECT_EQ(rows_of(text, {"d"}), (Rows{{"NULL"}, {"'z"}}));
  EXPECT_EQ(rows_of(text, {}), (Rows{{}, {}}));
}

TEST(SqlDump, KnowsTheColumns) {
  Blocks source(dump_of("t", {"a", "b b", "c"}, "(1,2,3)"), 7);
  SqlDump dump(source, "t");
  EXPECT_EQ(dump.columns(), (std::vector<std::string>{"a", "b b", "c"}));
  EXPECT_TRUE(dump.has("b b"));
  EXPECT_FALSE(dump.has("k"));
  EXPECT_EQ(dump.table(), "t");
}

TEST(SqlDump, ReadsValuesOfEveryKind) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"''", "'"},
      {"''''", "''"},
      {"'\\''", "''"},
      {"'it''s'", "'it's"},
      {R"('\"\\\n\r\t\b\Z\0\q')", std::string("'\"\\\n\r\t\b\x1a\0q", 10)},
      {R"('50\%\_')", R"('50\%\_)"},
      {"'),('", "'),("},
      {"'a;\nINSERT INTO `t` VALUES (\n'", "'a;\nINSERT INTO `t` VALUES (\n"},
      {"'\xff\xfe'", "'\xff\xfe"},
      {"'\\\xff'", "'\xff"},
      {std::string("'\0'", 3), std::string("'\0", 2)},
      {"0x4a6F00", std::string("'Jo\0", 4)},
      {"x'4a6f'", "'Jo"},
      {"X''", "'"},
      {"_binary 'a\\nb'", "'a\nb"},
      {"_utf8mb4'a'", "'a"},
      {"_binary 0x41", "'A"},
      {"_binary x'41'", "'A"},
      {"NULL", "NULL"},
      {"null", "null"},
      {"0", "0"},
      {"-7", "-7"},
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"9223372036854775808", "9223372036854775808"},
      {"18446744073709551615", "18446744073709551615"},
      {"0.123456789012345", "0.123456789012345"},
      {"-1.5e-7", "-1.5e-7"},
      {".5", ".5"},
      {"1e10", "1e10"},
      {" 12 ", "12"},
      {"\n'x'\t", "'x"},
  };
  std::string rows;
  Rows expected;
  for (const auto& [written, value] : cases) {
    rows += (rows.empty() ? "(" : ",(") + written + ",5," + written + ")";
    expected.push_back({value, value});
  }
  EXPECT_EQ(rows_of(dump_of("t", {"a", "b", "c"}, rows), {"a", "c"}), expected);
}

TEST(SqlDump, TellsWholeNumbersFromOthers) {
  const std::string text = dump_of("t", {"a"}, "(9223372036854775807),(9223372036854775808),(1.0)");
  Blocks source(text, 64);
  SqlDump dump(source, "t");
  dump.want({"a"});
  ASSERT_TRUE(dump.next());
  EXPECT_EQ(dump.value(0).kind, SqlValue::Kind::kInteger);
  ASSERT_TRUE(dump.next());
  EXPECT_EQ(dump.value(0).kind, SqlValue::Kind::kNumber);
  ASSERT_TRUE(dump.next());
  EXPECT_EQ(dump.value(0).kind, SqlValue::Kind::kNumber);
  EXPECT_FALSE(dump.next());
  EXPECT_FALSE(dump.next());
  EXPECT_TRUE(dump.completed());
}

// Numbers of 1 to 19 digits, and strings with their end at every place of a word of the scanner.
TEST(SqlDump, ReadsNumbersAndTextsOfEveryLength) {
  std::string rows;
  Rows expected;
  std::string digits;
  for (int length = 1; length <= 18; ++length) {
    digits += static_cast<char>('0' + length % 10);
    for (const std::string sign : {"", "-"}) {
      rows += (rows.empty() ? "(" : ",(") + sign + digits + ",'')";
      expected.push_back({sign + digits, "'"});
    }
  }
  for (std::size_t length = 0; length < 100; ++length) {
    const std::string text(length, 'x');
    rows += ",(1,'" + text + "'),(2,'" + text + "\\'" + text + "'),(3,'" + text + "''')";
    expected.push_back({"1", "'" + text});
    expected.push_back({"2", "'" + text + "'" + text});
    expected.push_back({"3", "'" + text + "'"});
  }
  EXPECT_EQ(rows_of(dump_of("t", {"a", "b"}, rows), {"a", "b"}), expected);
}

TEST(SqlDump, ScansStringsByVectorsAsByWords) {
  std::mt19937 random(3);
  for (int round = 0; round < 20000; ++round) {
    std::string text(100, 'x');
    for (int n = 0; n < 4; ++n) text[random() % 100] = "\\'\xc3\x7f\xa7\xdc"[random() % 6];
    const std::size_t stop = random() % 60 + 30;
    text[stop] = '\'';
    text.append(kScanAhead + 8, '\0');
    std::size_t first = 0;
    bool ascii = true;
    for (; text[first] != '\'' && text[first] != '\\'; ++first) {
      ascii = ascii && static_cast<unsigned char>(text[first]) < 128;
    }
    for (const StringPart part : {scan_string(text.data()), scan_string_by_words(text.data())}) {
      ASSERT_EQ(part.stop - text.data(), static_cast<std::ptrdiff_t>(first));
      ASSERT_EQ(part.ascii, ascii);
    }
  }
}

// Drawn tables, written in one of the ways that SQL has, read back by both readers.
TEST(SqlDump, ReadsWhatWasWritten) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const std::size_t columns = random() % 5 + 1;
    Rows expected;
    std::string rows;
    for (std::size_t n = random() % 40 + 1; n > 0; --n) {
      expected.emplace_back();
      rows += rows.empty() ? "(" : random() % 8 == 0 ? ");\nINSERT INTO `t` VALUES (" : "),(";
      for (std::size_t column = 0; column < columns; ++column) {
        if (column > 0) rows += ',';
        if (random() % 2 == 0) {
          const int bits = static_cast<int>(random() % 60);
          const std::string number =
              std::to_string(static_cast<std::int64_t>(random() + (1LL << bits)) - (1LL << 31));
          rows += number;
          expected.back().push_back(number);
          continue;
        }
        std::string text = "'";
        rows += '\'';
        for (std::size_t size = random() % 50; size > 0; --size) {
          const char c = random() % 3 ? 'a' : static_cast<char>(random() % 256);
          const std::string_view special("\0\b\n\r\t\x1a", 6);
          const std::size_t at = special.find(c);
          if (c == '\\' || (c == '\'' && random() % 2))
            rows += '\\';
          else if (c == '\'')
            rows += '\'';
          if (at != special.npos && random() % 2)
            rows += std::string("\\") + "0bnrtZ"[at];
          else
            rows += c;
          text += c;
        }
        rows += '\'';
        expected.back().push_back(text);
      }
    }
    rows += ")";
    std::vector<std::string> names;
    for (std::size_t column = 0; column < columns; ++column) {
      names.push_back("c" + std::to_string(column));
    }
    const std::string dump = dump_of("t", names, rows);
    ASSERT_EQ(rows_of(dump, names), expected);
    ASSERT_EQ(slow_rows(dump), expected);
  }
}

TEST(SqlDump, AnInsertMayNameItsColumns) {
  const std::string text = create_table("t", {"a", "b", "c"}) +
                           "INSERT INTO `t` (`c`, `a`) VALUES (1,2),\n(3,4);\n"
                           "insert ignore into t values (5,6,7) ;"
                           "REPLACE INTO `db`.`t` (a,b,c) VALUE (8,9,10)"
                           " ON DUPLICATE KEY UPDATE a = ';(';";
  EXPECT_EQ(rows_of(text, {"a", "c"}), (Rows{{"2", "1"}, {"4", "3"}, {"5", "7"}, {"8", "10"}}));
}

TEST(SqlDump, TakesTablesAsOtherProgramsWriteThem) {
  const std::string odd =
      "\xef\xbb\xbf/* a ** comment; */SET a='it\\'s; CREATE TABLE `x` (',b=\"';\";;\r\n"
      "CREATE DATABASE `w`; USE `w`;--\n"
      "CREATE TABLE IF NOT EXISTS w.\"t\" (a int COMMENT 'x, `y` int)', -- `no`,\n"
      " \"b\"\"b\" enum('a)',\"b,\"), `key` int /* , `no` */, UNIQUE(a), FULLTEXT KEY `f` (a),\n"
      " FOREIGN KEY (a) REFERENCES `z` (`q`))\rENGINE=x;INSERT INTO t VALUES(1,'b',2);";
  Blocks source(odd, 3);
  SqlDump dump(source, "t");
  EXPECT_EQ(dump.columns(), (std::vector<std::string>{"a", "b\"b", "key"}));
  EXPECT_EQ(rows_of(odd, {"key", "b\"b"}), (Rows{{"2", "'b"}}));
  while (dump.next()) {
  }
  EXPECT_FALSE(dump.completed());
}

TEST(SqlDump, FilesPutTogetherAreOneTable) {
  const std::string one = dump_of("t", {"a", "b"}, "(1,2)"),
                    two = dump_of("t", {"a", "b"}, "(3,4)");
  EXPECT_EQ(rows_of(one + two, {"a"}), (Rows{{"1"}, {"3"}}));
  const std::string other = dump_of("t", {"a"}, "(3)");
  EXPECT_EQ(complaint([&] { read(one + other, {"a"}, 64); }).substr(0, 9), "made.sql:");
  EXPECT_TRUE(contains(complaint([&] { read(one + other, {"a"}, 64); }),
                       "CREATE TABLE comes again with the columns 'a' instead of 'a', 'b'"));
  EXPECT_TRUE(rows_of(create_table("t", {"a"}), {"a"}).empty());
}

// A text of 16 MiB less what else is in the row, in small blocks: time is linear all the same.
TEST(SqlDump, TakesTheLongestRow) {
  const std::string text((std::size_t{16} << 20) - 8, 'x');
  Blocks source(dump_of("t", {"a", "b"}, "(1,'" + text + "'),(2,'y')"), 64);
  SqlDump dump(source, "t");
  dump.want({"b"});
  ASSERT_TRUE(dump.next());
  EXPECT_EQ(dump.value(0).text, text);
  ASSERT_TRUE(dump.next());
  EXPECT_EQ(dump.value(0).text, "y");
}

TEST(SqlDump, AColumnIsWantedOnce) {
  Blocks source(dump_of("t", {"a"}, "(1)"), 64);
  SqlDump dump(source, "t");
  EXPECT_THROW(dump.want({"a", "a"}), std::logic_error);
}

}  // namespace
}  // namespace cupel::test
